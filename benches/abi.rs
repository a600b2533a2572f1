//! What the boundary costs: `cargo bench --bench abi`.
//!
//! Functions are called through pointers that the compiler cannot see through, as a C program calls them. Lines are medians over slices
//! that take turns; the last lines hold two threads on one handle against one.
#![allow(missing_docs, unsafe_code)]

mod kit;

use kit::{Op, measure};
use mrtr::{
    ffi::abi::{
        buf::{mrtr_buf, mrtr_buf_free},
        error::{mrtr_code_name, mrtr_error, mrtr_status},
        exchange::{mrtr_exchange, mrtr_exchange_begin, mrtr_exchange_free, mrtr_exchange_pending},
        request::{MRTR_PRINCIPAL_NONE, mrtr_request},
        sealer::{
            mrtr_opened, mrtr_sealer, mrtr_sealer_free, mrtr_sealer_new, mrtr_sealer_open,
            mrtr_sealer_options, mrtr_sealer_options_init, mrtr_sealer_seal,
        },
        server::{
            mrtr_server, mrtr_server_free, mrtr_server_new, mrtr_server_options,
            mrtr_server_options_init,
        },
        slice::mrtr_slice,
        version::{MRTR_ABI, mrtr_version, mrtr_version_info},
    },
    json::{Limits, Raw},
    state::{Draft, Principal, Request, Sealer, SealerOptions},
};
use std::{hint::black_box, mem::zeroed, ptr::null_mut, sync::Barrier, thread, time::Instant};

const PARAMS: &str = r#"{"name":"book_trip","arguments":{"from":"Zürich","to":"Lisboa","date":"2026-08-14","seats":2,"window":true,"notes":["quiet","front"],"budget":{"amount":420.50}}}"#;
const STATE: [u8; 64] = [0x61; 64];
const NONE: mrtr_slice = mrtr_slice {
    ptr: std::ptr::null(),
    len: 0,
};
const ROUNDS: usize = 301;

type Seal = unsafe extern "C" fn(
    mrtr_sealer,
    *const mrtr_request,
    mrtr_slice,
    mrtr_slice,
    u64,
    *mut mrtr_buf,
    *mut mrtr_error,
) -> mrtr_status;

fn slice(bytes: &[u8]) -> mrtr_slice {
    mrtr_slice {
        ptr: bytes.as_ptr(),
        len: bytes.len(),
    }
}

fn ok(status: mrtr_status) {
    assert_eq!(status, 0);
}

fn request() -> mrtr_request {
    // SAFETY: all words 0 is a value of it.
    let mut request: mrtr_request = unsafe { zeroed() };
    request.struct_size = size_of::<mrtr_request>() as u32;
    request.method = slice(b"tools/call");
    request.params = slice(PARAMS.as_bytes());
    request.principal.kind = MRTR_PRINCIPAL_NONE;
    request
}

fn new_sealer() -> mrtr_sealer {
    let mut handle = mrtr_sealer { id: 0 };
    // SAFETY: pointers to what the types say.
    unsafe {
        let mut options: mrtr_sealer_options = zeroed();
        mrtr_sealer_options_init(
            &mut options,
            size_of::<mrtr_sealer_options>() as u32,
            MRTR_ABI,
        );
        options.ephemeral = 1;
        ok(mrtr_sealer_new(&options, &mut handle, null_mut()));
    }
    handle
}

fn new_exchange(sealer: mrtr_sealer) -> (mrtr_server, mrtr_exchange) {
    let (mut server, mut exchange) = (mrtr_server { id: 0 }, mrtr_exchange { id: 0 });
    // SAFETY: as above.
    unsafe {
        let mut options: mrtr_server_options = zeroed();
        mrtr_server_options_init(
            &mut options,
            size_of::<mrtr_server_options>() as u32,
            MRTR_ABI,
        );
        options.sealer = sealer;
        ok(mrtr_server_new(&options, &mut server, null_mut()));
        ok(mrtr_exchange_begin(
            server,
            &request(),
            0,
            &mut exchange,
            null_mut(),
        ));
    }
    (server, exchange)
}

fn seal_once(seal: Seal, sealer: mrtr_sealer, request: &mrtr_request) -> mrtr_buf {
    let mut token = mrtr_buf {
        ptr: null_mut(),
        len: 0,
        cap: 0,
    };
    // SAFETY: as above.
    ok(unsafe {
        seal(
            sealer,
            request,
            slice(&STATE),
            NONE,
            1000,
            &mut token,
            null_mut(),
        )
    });
    token
}

fn seal_and_free(seal: Seal, sealer: mrtr_sealer, request: &mrtr_request) {
    let mut token = seal_once(seal, sealer, request);
    // SAFETY: the buffer came from the library.
    unsafe { mrtr_buf_free(&mut token) };
}

/// Time that the calling thread has spent computing, in nanoseconds.
fn cpu_ns() -> f64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for a `timespec`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

/// Of `count` threads that seal on one handle: seals per second of all together, and what one seal costs a thread. The best of a few runs.
fn together(sealer: mrtr_sealer, count: usize) -> (f64, f64) {
    const CALLS: u32 = 60_000;
    let run = || {
        let barrier = Barrier::new(count + 1);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..count)
                .map(|_| {
                    scope.spawn(|| {
                        let (request, seal) = (request(), black_box(mrtr_sealer_seal as Seal));
                        (0..1000).for_each(|_| seal_and_free(seal, sealer, &request));
                        barrier.wait();
                        let before = cpu_ns();
                        (0..CALLS).for_each(|_| seal_and_free(seal, sealer, &request));
                        (cpu_ns() - before) / f64::from(CALLS)
                    })
                })
                .collect();
            barrier.wait();
            let start = Instant::now();
            let costs = threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"));
            let cost = costs.fold(0.0, f64::max);
            let rate = (count as f64) * f64::from(CALLS) / start.elapsed().as_secs_f64();
            (rate, cost)
        })
    };
    (0..7).map(|_| run()).fold((0.0, f64::MAX), |best, now| {
        (f64::max(best.0, now.0), f64::min(best.1, now.1))
    })
}

fn main() {
    let sealer = new_sealer();
    let (server, exchange) = new_exchange(sealer);
    let c_request = request();
    let seal = black_box(mrtr_sealer_seal as Seal);
    let open = black_box(
        mrtr_sealer_open
            as unsafe extern "C" fn(_, *const mrtr_request, _, _, *mut mrtr_opened, _) -> _,
    );
    let name = black_box(mrtr_code_name as unsafe extern "C" fn(_) -> _);
    let version = black_box(mrtr_version as unsafe extern "C" fn(*mut mrtr_version_info) -> _);
    let pending = black_box(mrtr_exchange_pending as unsafe extern "C" fn(_) -> _);
    let mut token = seal_once(seal, sealer, &c_request);
    let token_slice = mrtr_slice {
        ptr: token.ptr,
        len: token.len,
    };

    let rust = Sealer::new(SealerOptions {
        ephemeral: true,
        ..SealerOptions::default()
    })
    .expect("a sealer");
    let params = Raw::parse(PARAMS, &Limits::default()).expect("JSON");
    let rust_request = Request {
        method: "tools/call",
        params: Some(params),
        principal: Principal::None,
    };
    let draft = Draft {
        state: Some(&STATE),
        ..Draft::default()
    };
    let rust_token = rust.seal(&rust_request, None, draft, 1000).expect("sealed");

    // SAFETY: in all of these, pointers to what the types say.
    let mut ops: Vec<Op<'_>> = vec![
        (
            "mrtr_code_name: the guard alone".into(),
            Box::new(|| _ = black_box(unsafe { name(black_box(404)) })),
        ),
        (
            "mrtr_version: a struct filled".into(),
            Box::new(|| {
                let mut out: mrtr_version_info = unsafe { zeroed() };
                out.struct_size = size_of::<mrtr_version_info>() as u32;
                ok(unsafe { version(black_box(&mut out)) });
            }),
        ),
        (
            "mrtr_exchange_pending: a handle looked up, an object entered".into(),
            Box::new(|| _ = black_box(unsafe { pending(exchange) })),
        ),
        (
            "seal 64 B through the C ABI, buffer freed".into(),
            Box::new(|| seal_and_free(seal, sealer, &c_request)),
        ),
        (
            "seal 64 B in Rust".into(),
            Box::new(|| _ = black_box(rust.seal(&rust_request, None, draft, 1000))),
        ),
        (
            "open 64 B through the C ABI, buffer freed".into(),
            Box::new(|| {
                let mut out: mrtr_opened = unsafe { zeroed() };
                out.struct_size = size_of::<mrtr_opened>() as u32;
                ok(unsafe {
                    open(
                        sealer,
                        &c_request,
                        token_slice,
                        1000u64,
                        &mut out,
                        null_mut::<mrtr_error>(),
                    )
                });
                unsafe { mrtr_buf_free(&mut out.storage) };
            }),
        ),
        (
            "open 64 B in Rust".into(),
            Box::new(|| _ = black_box(rust.open(&rust_request, &rust_token, 1000))),
        ),
    ];
    let medians = measure(&mut ops, ROUNDS);
    for ((name, _), ns) in ops.iter().zip(medians) {
        println!("{name:62} {ns:9.1} ns");
    }
    drop(ops);
    let (one, two) = (together(sealer, 1), together(sealer, 2));
    println!(
        "seals on one handle: 1 thread {:.0}/s, 2 threads {:.0}/s: {:.2}x",
        one.0,
        two.0,
        two.0 / one.0
    );
    println!(
        "computing time of one of them: {:.0} ns alone, {:.0} ns beside another",
        one.1, two.1
    );
    // SAFETY: handles and the buffer are the library's own.
    unsafe {
        mrtr_buf_free(&mut token);
        ok(mrtr_exchange_free(exchange));
        ok(mrtr_server_free(server));
        ok(mrtr_sealer_free(sealer));
    }
}
