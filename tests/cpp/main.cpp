#include "common.hpp"

int main() {
    const std::uint64_t before = mrtr::live_objects();
    const int status = check::run_all();
    // Every object of every test, errors included, must be gone.
    if (mrtr::live_objects() != before) {
        std::cout << mrtr::live_objects() - before << " objects left behind" << std::endl;
        return 1;
    }
    return status;
}
