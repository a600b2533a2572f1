//! What a hostile text makes the library take beside itself (J4), and what a thread keeps of it.
#![allow(unsafe_code)]

use mrtr::json::{Canonical, Fault, Index, Limits, Raw, params_digest_with, unique};
use mrtr::state::{Draft, Principal, Request, Sealer, SealerOptions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// Counts what the calling thread has, and the most it had.
struct Counting;

fn count(change: isize) {
    let _ = NOW.try_with(|now| {
        now.set(now.get() + change);
        let _ = MOST.try_with(|most| most.set(most.get().max(now.get())));
    });
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most that it takes, and what is left of that.
fn taken(work: impl FnOnce()) -> (isize, isize) {
    let before = NOW.get();
    MOST.set(before);
    work();
    (MOST.get() - before, NOW.get() - before)
}

/// Members of an object, about so many bytes of them.
fn members(bytes: usize, member: impl Fn(usize) -> String) -> String {
    let (mut text, mut at) = (String::new(), 0);
    while text.len() < bytes {
        if at > 0 {
            text.push(',');
        }
        text.push_str(&member(at));
        at += 1;
    }
    text
}

const MIB: usize = 1 << 20;

/// Whoever only reads a text takes little for it, however many names and values are in the parts that nobody looks at.
#[test]
fn reading_takes_a_bounded_amount() {
    let bound = 8 * MIB as isize;
    for part in [
        format!("{{{}}}", members(3 * MIB, |_| "\"\":1".into())),
        format!("{{{}}}", members(3 * MIB, |n| format!("\"{n:x}\":1"))),
        format!(
            "{{{}}}",
            members(3 * MIB, |n| format!("\"\\u0061{n:x}\":1"))
        ),
        format!("[{}]", members(3 * MIB, |_| "[]".into())),
        format!("[{}]", members(3 * MIB, |_| "{\"\":0}".into())),
        format!(
            "{{{}}}",
            members(3 * MIB, |n| format!("\"{n:x}\":{{\"a\":[]}}"))
        ),
    ] {
        let text = format!("{{\"resultType\":\"complete\",\"x\":{part}}}");
        let (most, left) = taken(|| {
            let index = Index::read(&text, &Limits::default()).expect("JSON");
            assert_eq!(index.root(&text).object().expect("two members").len(), 2);
        });
        assert!(
            most < bound,
            "{most} bytes for {}",
            text.get(..60).unwrap_or("")
        );
        assert_eq!(left, 0);
    }
}

/// A text that is looked through takes five words for each name of five bytes, and half of that again while it grows; no more
/// when it turns out to be refused.
#[test]
fn what_is_looked_through_takes_no_more_when_it_is_refused() {
    for (twice, list) in [
        (true, members(3 * MIB, |_| "\"\":0".into())),
        (false, members(3 * MIB, |n| format!("\"{n:x}\":0"))),
    ] {
        let text = format!("{{\"arguments\":{{{list}}}}}");
        let raw = Raw::parse(&text, &Limits::default()).expect("JSON");
        let (most, _) = taken(|| {
            let digest = params_digest_with(&mut Canonical::new(), "m", None, Some(raw));
            assert_eq!(matches!(digest, Err(Fault::Duplicate { .. })), twice);
        });
        assert!(most as usize <= 26 * text.len(), "digest: {most} bytes");
        let (most, _) = taken(|| assert_eq!(unique(raw).is_err(), twice));
        assert!(most as usize <= 26 * text.len(), "unique: {most} bytes");
    }
}

/// Of a large request a thread keeps no more than a MiB, whatever it consists of.
#[test]
fn a_thread_keeps_little_of_a_large_request() {
    let sealer = Sealer::new(SealerOptions {
        ephemeral: true,
        ..SealerOptions::default()
    })
    .expect("good options");
    let texts = [
        format!("{{{}}}", members(MIB, |n| format!("\"{n:x}\":0"))),
        format!(
            "{{{}}}",
            members(MIB, |n| format!("\"{:x}\":0", usize::MAX - n))
        ),
        format!("[{}]", members(MIB, |_| "{\"\":0}".into())),
        format!("\"{}\"", "x".repeat(3 * MIB)),
    ];
    for arguments in texts {
        let params = format!("{{\"name\":\"x\",\"arguments\":{arguments}}}");
        for method in ["tools/call", &"m".repeat(3 * MIB)] {
            let (_, left) = taken(|| {
                let request = Request {
                    method,
                    params: Some(Raw::parse(&params, &Limits::default()).expect("JSON")),
                    principal: Principal::None,
                };
                sealer
                    .seal(&request, None, Draft::default(), 0)
                    .expect("seals");
            });
            assert!(left <= MIB as isize, "{left} bytes are kept");
        }
    }
}
