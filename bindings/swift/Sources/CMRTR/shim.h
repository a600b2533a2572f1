// The installed header, found by pkg-config.
#include <mrtr.h>
