/* What holds for every function: struct sizes, ABI numbers, null, UTF-8, buffers, errors (F1, F2, F7). */
#include "check.h"

static void versions(void) {
    mrtr_version_info v;
    mrtr_version_info old;
    MRTR_SIZE(&v);
    OK(mrtr_version(&v));
    CHECK(v.abi_major == MRTR_ABI_MAJOR && v.abi_level >= MRTR_ABI_LEVEL);
    CHECK(same(v.version, MRTR_VERSION));
    memset(&old, 0x55, sizeof old);
    old.struct_size = 8;
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_version(&old));
    CHECK(old.abi_major == 0x55555555u);
    STATUS(MRTR_NULL_ARGUMENT, mrtr_version(NULL));
    CHECK(mrtr_has_feature(mrtr_str("no such thing")) == 0);
    CHECK(mrtr_monotonic_ms() <= mrtr_monotonic_ms());
}

/* A program from before a field was added: defaults for what it does not know. From after: only a zero tail. */
static void sizes(void) {
    struct {
        mrtr_sealer_options o;
        uint64_t later[2];
    } longer;
    mrtr_sealer_options o;
    mrtr_sealer s;
    mrtr_error err;
    mrtr_error_info info;
    memset(&longer, 0xAA, sizeof longer);
    mrtr_sealer_options_init(&longer.o, sizeof longer, MRTR_ABI);
    CHECK(longer.o.struct_size == sizeof longer && longer.later[0] == 0 && longer.later[1] == 0);
    longer.o.ephemeral = 1;
    OK(mrtr_sealer_new(&longer.o, &s, NULL));
    OK(mrtr_sealer_free(s));
    longer.later[1] = 1;
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_sealer_new(&longer.o, &s, &err));
    MRTR_SIZE(&info);
    OK(mrtr_error_get(err, &info));
    CHECK(same(info.name, "bad_struct_size") && holds(info.message, "mrtr_sealer_options"));
    CHECK(info.key.ptr == NULL && info.rpc.ptr == NULL && info.has_rpc == 0);
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));

    /* Never beyond the size that was given. */
    memset(&o, 0xAA, sizeof o);
    mrtr_sealer_options_init(&o, 16, MRTR_ABI);
    CHECK(o.struct_size == 16 && o.cipher == MRTR_CIPHER_AES_256_GCM && o.ttl_ms == 0xAAAAAAAAAAAAAAAAu);
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_sealer_new(&o, &s, NULL));
    mrtr_sealer_options_init(NULL, 16, MRTR_ABI);

    /* A size that nobody set is not believed: no byte beyond the struct is looked at. */
    MRTR_INIT(sealer_options, &o);
    o.ephemeral = 1;
    o.struct_size = 0x7FFFFFFFu;
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_sealer_new(&o, &s, NULL));
}

static void abi_numbers(void) {
    static const uint32_t WRONG[] = {0, MRTR_ABI + 1, MRTR_ABI + 0x10000, 0xFFFFFFFFu};
    mrtr_sealer_options o;
    mrtr_sealer s;
    size_t i;
    for (i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        mrtr_sealer_options_init(&o, sizeof o, WRONG[i]);
        o.ephemeral = 1;
        STATUS(MRTR_ABI_MISMATCH, mrtr_sealer_new(&o, &s, NULL));
    }
}

static void slices(void) {
    static const uint8_t BAD[] = {'a', 0xC3, 0x28};
    mrtr_sealer_options o;
    mrtr_sealer s;
    mrtr_request r;
    mrtr_buf token;
    mrtr_slice nowhere = {NULL, 3}, bad = {BAD, sizeof BAD};
    MRTR_INIT(sealer_options, &o);
    o.ephemeral = 1;
    OK(mrtr_sealer_new(&o, &s, NULL));
    memset(&r, 0, sizeof r);
    MRTR_SIZE(&r);
    r.method = mrtr_str("tools/call");
    STATUS(MRTR_BAD_ARGUMENT, mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL)); /* nobody by accident (S4) */
    r.principal.kind = MRTR_PRINCIPAL_NONE;
    STATUS(MRTR_NULL_ARGUMENT, mrtr_sealer_seal(s, &r, nowhere, none(), 0, &token, NULL));
    CHECK(token.ptr == NULL);
    r.method = nowhere;
    STATUS(MRTR_NULL_ARGUMENT, mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL));
    r.method = bad;
    STATUS(MRTR_NOT_UTF8, mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL));
    r.method = mrtr_str("tools/call");
    r.params = mrtr_str("{\"name\":");
    STATUS(MRTR_BAD_JSON, mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL));
    r.params = none();
    r.principal.kind = MRTR_PRINCIPAL_PARTS;
    STATUS(MRTR_CONFIG_ERROR, mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL)); /* no part at all (D13) */
    r.principal.count = 1;
    STATUS(MRTR_NULL_ARGUMENT, mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL));
    OK(mrtr_sealer_free(s));
}

/* The order in which a request of this era is checked (B9). */
static void request_checks(void) {
    mrtr_request_check check;
    mrtr_error err;
    mrtr_error_info info;
    mrtr_slice methods = mrtr_str("tools/call");
    MRTR_INIT(request_check, &check);
    check.method = mrtr_str("tools/list");
    check.methods = &methods;
    check.method_count = 1;
    check.header_version = mrtr_str("2025-11-25");
    STATUS(MRTR_MISSING_META, mrtr_request_check_run(&check, NULL));
    check.params = mrtr_str("{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}");
    STATUS(MRTR_HEADER_MISMATCH, mrtr_request_check_run(&check, NULL));
    check.header_version = mrtr_str("2026-07-28");
    STATUS(MRTR_METHOD_NOT_FOUND, mrtr_request_check_run(&check, &err));
    MRTR_SIZE(&info);
    OK(mrtr_error_get(err, &info));
    CHECK(info.rpc_code == -32601 && info.http_status == 404);
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));
    check.method = methods;
    OK(mrtr_request_check_run(&check, NULL));
}

static void errors(void) {
    mrtr_error zero = {0}, err;
    OK(mrtr_error_free(zero));
    STATUS(MRTR_NULL_ARGUMENT, mrtr_error_code(zero));
    err.id = 0x1234567890ABCDEFu;
    CHECK(mrtr_error_code(err) != MRTR_OK && mrtr_error_free(err) != MRTR_OK);
    CHECK(same(mrtr_code_name(MRTR_OK), "ok") && same(mrtr_code_name(MRTR_EXPIRED), "expired"));
    CHECK(mrtr_code_name(-1).ptr == NULL && mrtr_code_name(99999).ptr == NULL);
    mrtr_buf_free(NULL);
}

int main(void) {
    versions();
    sizes();
    abi_numbers();
    slices();
    request_checks();
    errors();
    return finish("boundary");
}
