//! Any sequence of calls of the C ABI, with live, freed and made-up handles and calls from inside callbacks (F1, F4):
//! nothing crashes, nothing is left over, each `destroy` comes once.
#![no_main]

use libfuzzer_sys::{
    arbitrary::{self, Arbitrary},
    fuzz_target,
};
use mrtr::ffi::abi::{answer::*, buf::*, callbacks::*, client::*, error::*, event::*, exchange::*, flow::*, reply::*, request::*, sealer::*, server::*, slice::*, version::*};
use std::{cell::RefCell, ffi::c_void, mem::zeroed};

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Op {
    Sealer,
    Seal(u8),
    Server(u8, bool),
    Begin(u8, u8),
    Ask(u8, u8, u8),
    State(u8, u8),
    Result(u8),
    Client(u8),
    Flow(u8, bool),
    Next(u8, u16),
    Deliver(u8, u8, u8, bool),
    Answer(u8, u8, u8),
    Other(u8, u8, u8),
    Save(u8),
    Callbacks(u8),
    Step(u8, u16),
    Error(u8),
    Free(u8, u8),
}

const TEXTS: [&str; 10] = [
    "",
    "{}",
    r#"{"name":"t"}"#,
    r#"{"n":"x"}"#,
    r#"{"resultType":"complete"}"#,
    r#"{"resultType":"input_required","requestState":"s"}"#,
    r#"{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}}},"requestState":"s"}"#,
    r#"{"name":"t","inputResponses":{"a":{"action":"accept","content":{"n":"x"}}}}"#,
    r#"{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}}"#,
    r#"{"code":-32000,"message":"no"}"#,
];
const KEYS: [&str; 3] = ["a", "b", ""];

#[derive(Default)]
struct World {
    sealers: Vec<mrtr_sealer>,
    servers: Vec<mrtr_server>,
    exchanges: Vec<mrtr_exchange>,
    clients: Vec<mrtr_client>,
    flows: Vec<mrtr_flow>,
    errors: Vec<mrtr_error>,
    texts: Vec<Vec<u8>>,
    rest: Vec<Op>,
    given: usize,
    destroyed: usize,
}

thread_local!(static WORLD: RefCell<World> = RefCell::default());

fn world<T>(look: impl FnOnce(&mut World) -> T) -> T {
    WORLD.with_borrow_mut(look)
}

/// One of the handles there ever were, or one that never was.
fn pick<T: Copy>(all: &[T], at: u8, none: T) -> T {
    if at == 255 { none } else { all.get(usize::from(at) % all.len().max(1)).copied().unwrap_or(none) }
}

fn slice(text: &[u8]) -> mrtr_slice {
    mrtr_slice { ptr: text.as_ptr(), len: text.len() }
}

fn text(at: u8) -> mrtr_slice {
    slice(TEXTS[usize::from(at) % TEXTS.len()].as_bytes())
}

fn key(at: u8) -> mrtr_slice {
    slice(KEYS[usize::from(at) % KEYS.len()].as_bytes())
}

fn sized<T>(write: impl FnOnce(*mut T, u32)) -> T {
    let mut value: T = unsafe { zeroed() };
    write(&mut value, size_of::<T>() as u32);
    value
}

/// A struct that the library fills.
fn out<T>() -> T {
    sized(|value: *mut T, size| unsafe { value.cast::<u32>().write(size) })
}

fn request(params: mrtr_slice) -> mrtr_request {
    mrtr_request {
        method: slice(b"tools/call"),
        params,
        principal: mrtr_principal { kind: MRTR_PRINCIPAL_NONE, ..unsafe { zeroed() } },
        ..out()
    }
}

/// Keeps a text, so that it can be handed in later.
unsafe fn keep(mut buf: mrtr_buf) {
    if !buf.ptr.is_null() {
        let bytes = unsafe { std::slice::from_raw_parts(buf.ptr, buf.len) }.to_vec();
        world(|w| w.texts.push(bytes));
    }
    unsafe { mrtr_buf_free(&mut buf) };
}

unsafe fn run(op: Op) {
    let mut err = mrtr_error { id: 0 };
    let e: *mut mrtr_error = &mut err;
    let mut buf: mrtr_buf = unsafe { zeroed() };
    let none = mrtr_slice { ptr: std::ptr::null(), len: 0 };
    unsafe {
        match op {
            Op::Sealer => {
                let mut options = sized(|o, size| mrtr_sealer_options_init(o, size, MRTR_ABI));
                options.ephemeral = 1;
                let mut made = mrtr_sealer { id: 0 };
                mrtr_sealer_new(&options, &mut made, e);
                world(|w| w.sealers.push(made));
            }
            Op::Seal(s) => {
                let sealer = world(|w| pick(&w.sealers, s, mrtr_sealer { id: 9 }));
                mrtr_sealer_seal(sealer, &request(none), none, none, 0, &mut buf, e);
                let mut opened: mrtr_opened = out();
                mrtr_sealer_open(sealer, &request(none), mrtr_slice { ptr: buf.ptr, len: buf.len }, 0, &mut opened, std::ptr::null_mut());
                mrtr_buf_free(&mut opened.storage);
                keep(buf);
            }
            Op::Server(s, filter) => {
                let mut options = sized(|o, size| mrtr_server_options_init(o, size, MRTR_ABI));
                options.sealer = world(|w| pick(&w.sealers, s, mrtr_sealer { id: 0 }));
                options.gate = 1 + u32::from(filter);
                let mut made = mrtr_server { id: 0 };
                mrtr_server_new(&options, &mut made, e);
                world(|w| w.servers.push(made));
            }
            Op::Begin(s, t) => {
                let server = world(|w| pick(&w.servers, s, mrtr_server { id: 9 }));
                let mut made = mrtr_exchange { id: 0 };
                mrtr_exchange_begin(server, &request(text(t)), 0, &mut made, e);
                world(|w| w.exchanges.push(made));
            }
            Op::Ask(x, k, t) => {
                let exchange = world(|w| pick(&w.exchanges, x, mrtr_exchange { id: 9 }));
                let mut answer: mrtr_answer = out();
                mrtr_exchange_ask(exchange, key(k), text(t), &mut answer, e);
                mrtr_buf_free(&mut answer.storage);
                mrtr_exchange_pending(exchange);
            }
            Op::State(x, t) => {
                let exchange = world(|w| pick(&w.exchanges, x, mrtr_exchange { id: 9 }));
                mrtr_exchange_set_state(exchange, text(t), e);
                let mut has = 0;
                mrtr_exchange_state(exchange, &mut has, &mut buf, std::ptr::null_mut());
                keep(buf);
            }
            Op::Result(x) => {
                let exchange = world(|w| pick(&w.exchanges, x, mrtr_exchange { id: 9 }));
                mrtr_exchange_result(exchange, &mut buf, e);
                keep(buf);
            }
            Op::Client(handlers) => {
                let mut options = sized(|o, size| mrtr_client_options_init(o, size, MRTR_ABI));
                options.handlers = u32::from(handlers);
                let mut made = mrtr_client { id: 0 };
                mrtr_client_new(&options, &mut made, e);
                world(|w| w.clients.push(made));
            }
            Op::Flow(c, resume) => {
                let client = world(|w| pick(&w.clients, c, mrtr_client { id: 9 }));
                let mut made = mrtr_flow { id: 0 };
                let saved = world(|w| w.texts.last().cloned()).filter(|_| resume);
                match &saved {
                    Some(saved) => mrtr_flow_resume(client, slice(saved), 0, &mut made, e),
                    None => mrtr_flow_begin(client, slice(b"tools/call"), text(2), std::ptr::null(), 0, &mut made, e),
                };
                world(|w| w.flows.push(made));
            }
            Op::Next(f, now) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                let mut event: mrtr_event = out();
                mrtr_flow_next(flow, now.into(), &mut event, e);
                mrtr_buf_free(&mut event.storage);
            }
            Op::Deliver(f, leg, t, error) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                let deliver = if error { mrtr_flow_deliver_error } else { mrtr_flow_deliver };
                deliver(flow, (leg % 4).into(), text(t), 0, e);
            }
            Op::Answer(f, k, t) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                mrtr_flow_answer(flow, key(k), text(t), 0, e);
            }
            Op::Other(f, k, which) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                match which % 7 {
                    0 => mrtr_flow_decline(flow, key(k), 0, e),
                    1 => mrtr_flow_cancel_ask(flow, key(k), 0, e),
                    2 => mrtr_flow_refuse(flow, key(k), 0, e),
                    3 => mrtr_flow_unavailable(flow, key(k), 0, e),
                    4 => mrtr_flow_fail(flow, key(k), text(k), 0, e),
                    5 => mrtr_flow_progress(flow, 1, f64::from(k), 0, e),
                    _ => mrtr_flow_cancel(flow, 0, e),
                };
            }
            Op::Save(f) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                mrtr_flow_save(flow, &mut buf, e);
                keep(buf);
            }
            Op::Callbacks(f) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                let mut table = sized(|o, size| mrtr_flow_callbacks_init(o, size, MRTR_ABI));
                table.event = Some(on_event);
                table.destroy = Some(on_destroy);
                if mrtr_flow_set_callbacks(flow, &table, e) == MRTR_OK {
                    world(|w| w.given += 1);
                }
            }
            Op::Step(f, now) => {
                let flow = world(|w| pick(&w.flows, f, mrtr_flow { id: 9 }));
                let (mut until, mut done) = (0, 0);
                mrtr_flow_step(flow, now.into(), &mut until, &mut done, e);
            }
            Op::Error(at) => {
                let error = world(|w| pick(&w.errors, at, mrtr_error { id: 9 }));
                let mut info: mrtr_error_info = out();
                mrtr_error_get(error, &mut info);
                mrtr_buf_free(&mut info.storage);
                mrtr_code_name(mrtr_error_code(error));
            }
            Op::Free(kind, at) => free(kind, at),
        }
    }
    if err.id != 0 {
        world(|w| w.errors.push(err));
    }
}

unsafe fn free(kind: u8, at: u8) {
    unsafe {
        match kind % 6 {
            0 => mrtr_sealer_free(world(|w| pick(&w.sealers, at, mrtr_sealer { id: 0 }))),
            1 => mrtr_server_free(world(|w| pick(&w.servers, at, mrtr_server { id: 0 }))),
            2 => mrtr_exchange_free(world(|w| pick(&w.exchanges, at, mrtr_exchange { id: 0 }))),
            3 => mrtr_client_free(world(|w| pick(&w.clients, at, mrtr_client { id: 0 }))),
            4 => mrtr_flow_free(world(|w| pick(&w.flows, at, mrtr_flow { id: 0 }))),
            _ => mrtr_error_free(world(|w| pick(&w.errors, at, mrtr_error { id: 0 }))),
        };
    }
}

/// From inside a callback the next call of the sequence is made.
unsafe extern "C" fn on_event(_: *mut c_void, _: mrtr_flow, _: *const mrtr_event) {
    if let Some(op) = world(|w| w.rest.pop()) {
        unsafe { run(op) };
    }
}

unsafe extern "C" fn on_destroy(_: *mut c_void) {
    world(|w| w.destroyed += 1);
}

fuzz_target!(|ops: Vec<Op>| {
    world(|w| *w = World { rest: ops.into_iter().rev().take(200).collect(), ..World::default() });
    while let Some(op) = world(|w| w.rest.pop()) {
        unsafe { run(op) };
    }
    let counts = world(|w| [w.sealers.len(), w.servers.len(), w.exchanges.len(), w.clients.len(), w.flows.len(), w.errors.len()]);
    let all = counts.into_iter().enumerate().flat_map(|(kind, count)| (0..count).map(move |at| (kind as u8, at)));
    for (kind, at) in all {
        if at < 255 {
            unsafe { free(kind, at as u8) };
        }
    }
    assert_eq!(unsafe { mrtr_live_objects() }, 0);
    world(|w| assert_eq!(w.given, w.destroyed));
});
