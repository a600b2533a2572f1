// The least that a test program needs.
#pragma once

#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace check {

struct Test {
    const char *name;
    std::function<void()> run;
};

inline std::vector<Test> &tests() {
    static std::vector<Test> all;
    return all;
}

struct Register {
    Register(const char *name, std::function<void()> run) { tests().push_back({name, std::move(run)}); }
};

inline int &failures() {
    static int count = 0;
    return count;
}

inline void that(bool ok, const char *what, const char *file, int line) {
    if (ok) return;
    ++failures();
    std::cout << file << ":" << line << ": not so: " << what << "\n";
}

inline void fail(const char *what) {
    ++failures();
    std::cout << "should not be: " << what << "\n";
}

inline int run_all() {
    int passed = 0, failed = 0;
    for (const Test &test : tests()) {
        const int before = failures();
        try {
            test.run();
        } catch (const std::exception &e) {
            ++failures();
            std::cout << test.name << " threw: " << e.what() << "\n";
        }
        const bool ok = failures() == before;
        (ok ? passed : failed) += 1;
        if (!ok) std::cout << "FAIL " << test.name << std::endl;
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)
#define TEST(name)                                            \
    static void test_##name();                                \
    static const check::Register register_##name(#name, test_##name); \
    static void test_##name()
