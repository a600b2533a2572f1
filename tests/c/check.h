/* What every test here uses: checks that count, and short ways to say things. */
#ifndef CHECK_H
#define CHECK_H

#include "mrtr.h"

#include <stdio.h>
#include <stdlib.h>

static int checks, faults;

#define CHECK(condition)                                                      \
    do {                                                                      \
        checks++;                                                             \
        if (!(condition)) {                                                   \
            faults++;                                                         \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
        }                                                                     \
    } while (0)

/* Expects a status; says the names of both if it is another. */
#define STATUS(expected, call)                                                \
    do {                                                                      \
        mrtr_status want_ = (expected), got_ = (call);                        \
        checks++;                                                             \
        if (want_ != got_) {                                                  \
            mrtr_slice w_ = mrtr_code_name(want_), g_ = mrtr_code_name(got_); \
            faults++;                                                         \
            fprintf(stderr, "%s:%d: %s: expected %.*s, got %.*s\n", __FILE__, \
                    __LINE__, #call, (int)w_.len, (const char *)w_.ptr,       \
                    (int)g_.len, (const char *)g_.ptr);                       \
        }                                                                     \
    } while (0)

#define OK(call) STATUS(MRTR_OK, call)

/* valgrind takes what the AES instructions compute for undefined, and then all that comes of it. */
#define CIPHER_FOR_VALGRIND MRTR_CIPHER_CHACHA20_POLY1305

static inline mrtr_slice none(void) {
    mrtr_slice slice = {NULL, 0};
    return slice;
}

static inline int same(mrtr_slice slice, const char *text) {
    return slice.ptr != NULL && slice.len == strlen(text) && memcmp(slice.ptr, text, slice.len) == 0;
}

static inline int holds(mrtr_slice slice, const char *part) {
    size_t n = strlen(part), at;
    for (at = 0; slice.ptr != NULL && at + n <= slice.len; at++)
        if (memcmp(slice.ptr + at, part, n) == 0) return 1;
    return 0;
}

static inline mrtr_slice view(const mrtr_buf *buf) {
    mrtr_slice slice;
    slice.ptr = buf->ptr;
    slice.len = buf->len;
    return slice;
}

/* Nothing may be left over at the end of a test. */
static inline int finish(const char *name) {
    CHECK(mrtr_live_objects() == 0);
    printf("%s: %d checks, %d faults\n", name, checks, faults);
    return faults != 0;
}

#endif
