//! What a warm call must not do: allocate, or look at a token that is too long.
#![allow(missing_docs, unsafe_code)]

mod state_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::{Duration, Instant};

use mrtr::state::{Draft, Principal, Request};
use state_support::*;

thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });

/// Counts allocations of the calling thread.
struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(mut work: impl FnMut()) -> usize {
    work();
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

#[test]
fn warm_calls_into_memory_of_the_caller_allocate_nothing() {
    let sealer = sealer();
    let who: [&[u8]; 2] = [b"issuer", b"subject"];
    for size in [0, 64, 16 << 10] {
        let (state, mut text, mut plain) = (vec![7; size], vec![0; 64 << 10], vec![0; 64 << 10]);
        let draft = Draft {
            state: Some(&state),
            ..Draft::default()
        };
        // Two requests in turn, so that each call digests.
        let requests = [
            RESIZE,
            r#"{"name":"resize","arguments":{"z":[1.50],"a":{}}}"#,
        ]
        .map(|params| Request {
            principal: Principal::Parts(&who),
            ..request(params)
        });
        let count = allocations(|| {
            for request in &requests {
                let len = sealer
                    .seal_in(request, None, draft, 1000, &mut text)
                    .expect("seals");
                let token = std::str::from_utf8(&text[..len]).expect("is ASCII");
                let view = sealer
                    .open_at(request, token, 1000, &mut plain)
                    .expect("opens");
                assert_eq!(view.state(), Some(&state[..]));
            }
        });
        assert_eq!(count, 0, "{size} bytes");
    }
}

#[test]
fn a_token_that_is_too_long_is_refused_by_its_length() {
    let sealer = sealer();
    let (token, request) = ("x".repeat(64 << 20), request(RESIZE));
    let mut room = Vec::new();
    let refuse = || {
        let start = Instant::now();
        assert_eq!(
            reason(sealer.open_in(&request, &token, 0, &mut Vec::new())),
            "too_large"
        );
        start.elapsed()
    };
    let quickest = (0..1000).map(|_| refuse()).min().expect("some");
    // Looking at 64 MiB takes milliseconds.
    assert!(
        quickest < Duration::from_micros(if cfg!(debug_assertions) { 50 } else { 5 }),
        "{quickest:?}"
    );
    assert_eq!(
        reason(sealer.open_at(&request, &token, 0, &mut room)),
        "too_large"
    );
    assert_eq!(room.capacity(), 0);
}
