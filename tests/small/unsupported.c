/* A build without the runtime: its functions are there, and say that it is not. */
#include "kit.h"

int main(void) {
    mrtr_runtime runtime, none_such = {0};
    mrtr_queue queue, no_queue = {0};
    mrtr_flow no_flow = {0};
    mrtr_runtime_options options;
    mrtr_event event;
    uint32_t drained;
    int32_t fd;
    mrtr_error error;
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_flow flow = new_flow(client);
    MRTR_SIZE(&event);
    MRTR_INIT(runtime_options, &options);
    CHECK(mrtr_has_feature(mrtr_str("runtime")) == 0);
    STATUS(MRTR_UNSUPPORTED, mrtr_runtime_new(&options, NULL, &runtime, &error));
    CHECK(runtime.id == 0 && mrtr_error_code(error) == MRTR_UNSUPPORTED);
    OK(mrtr_error_free(error));
    STATUS(MRTR_UNSUPPORTED, mrtr_runtime_start(none_such, no_flow, NULL));
    STATUS(MRTR_UNSUPPORTED, mrtr_runtime_queue(none_such, &queue, NULL));
    STATUS(MRTR_UNSUPPORTED, mrtr_runtime_close(none_such, NULL));
    STATUS(MRTR_UNSUPPORTED, mrtr_runtime_wait(none_such, 0, &drained, NULL));
    STATUS(MRTR_UNSUPPORTED, mrtr_queue_next(no_queue, 0, &no_flow, &event, NULL));
    STATUS(MRTR_UNSUPPORTED, mrtr_queue_wake(no_queue, NULL));
    STATUS(MRTR_UNSUPPORTED, mrtr_queue_fd(no_queue, &fd, NULL));
    OK(mrtr_runtime_free(none_such));
    OK(mrtr_queue_free(no_queue));
    /* Flows are driven as ever. */
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(client));
    return finish("small");
}
