//! What happened in a flow, for a person who looks for a fault.

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    flow::mrtr_flow,
    guard::{bad, guard},
};

/// A flow writes nothing down.
pub const MRTR_TRACE_OFF: u32 = 0;
/// A flow writes down what happened and when: methods, numbers, keys, kinds of answers. No params, results, questions or answers.
pub const MRTR_TRACE_EVENTS: u32 = 1;
/// A flow writes the texts down, too: they hold what people were asked and answered.
pub const MRTR_TRACE_CONTENT: u32 = 2;

/// JSON lines: `at` in ms of the flow's clock, `what`, and by what `number`, `key`, `word`, `content`.
pub const MRTR_TRACE_LINES: u32 = 1;
/// A sequence diagram in Mermaid's language; never has content.
pub const MRTR_TRACE_MERMAID: u32 = 2;

/// Writes the trace of a flow, up to now: legs, rounds, asks, answers by their kind, waits, the end.
///
/// `form` is `MRTR_TRACE_LINES` or `MRTR_TRACE_MERMAID`. A flow keeps 10 000 records at most.
/// Ownership: `text` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any; calls take turns.
/// Errors: `MRTR_WRONG_STATE` if the client's option `trace` is off, `MRTR_BAD_ARGUMENT` for another `form`, `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_trace_write(
    flow: mrtr_flow,
    form: u32,
    text: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let text = c.out(text);
            let flow = c.get(flow)?;
            let text = text.needed("text")?;
            let flow = flow.look()?;
            let trace = match form {
                MRTR_TRACE_LINES => flow.trace_lines()?,
                MRTR_TRACE_MERMAID => flow.trace_mermaid()?,
                _ => return Err(bad(format!("form cannot be {form}"))),
            };
            text.set(mrtr_buf::secret(trace.into_bytes()));
            Ok(())
        })
    }
}
