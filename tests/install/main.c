/* A program of somebody who found the library by pkg-config or CMake. */
#include <mrtr.h>
#include <stdio.h>

int main(void) {
    mrtr_version_info info = {0};
    info.struct_size = sizeof info;
    if (mrtr_version(&info) != MRTR_OK) {
        return 1;
    }
    printf("%.*s\n", (int)info.version.len, (const char *)info.version.ptr);
    return 0;
}
