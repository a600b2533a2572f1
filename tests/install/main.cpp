// The C++ interface is found where the C one is.
#include <mrtr.hpp>

#include "main.c"
