//! The runtime: each flow has one end, drained comes once and last, whoever delivers, cancels, frees or closes meanwhile (C10, F4).

use mrtr_model::client::{Event, Flow};
use mrtr_model::explore;
use mrtr_model::runtime::{Driven, Runtime, RuntimeOptions, Taken};
use shuttle::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

fn options() -> RuntimeOptions {
    RuntimeOptions {
        clock: || 0,
        ..RuntimeOptions::default()
    }
}

fn deliver(driven: &Driven) {
    driven.hand_in(|flow, _| flow.deliver()).expect("no fork");
}

/// Takes everything; the number of ends by flow.
fn drain(runtime: &Runtime) -> [usize; 2] {
    let events = runtime.events().expect("a queue");
    let queue = events.queue().expect("no fork");
    let mut ends = [0; 2];
    loop {
        match queue.take(None) {
            Taken::Event(tag, Event::Done(_)) => ends[tag as usize] += 1,
            Taken::Event(tag, event) => {
                assert_eq!(ends[tag as usize], 0, "{event:?} after the end")
            }
            Taken::Nothing => panic!("nobody called wake"),
            Taken::Drained => return ends,
        }
    }
}

#[test]
fn one_end_each_while_it_is_closed() {
    explore(|| {
        let runtime = Arc::new(Runtime::queued(&options()).expect("threads"));
        let first = runtime.start(0, Flow::default()).expect("open");
        let second = runtime.start(1, Flow::default()).expect("open");
        let deliverer = thread::spawn(move || {
            deliver(&first);
            deliver(&second);
            (first, second)
        });
        let closing = Arc::clone(&runtime);
        let closer = thread::spawn(move || closing.close().expect("no fork"));
        assert_eq!(drain(&runtime), [1, 1]);
        assert_eq!(runtime.wait(None).ok(), Some(true));
        deliverer.join().expect("no assertion failed");
        closer.join().expect("no assertion failed");
    });
}

#[test]
fn a_flow_that_starts_while_it_is_closed() {
    explore(|| {
        let runtime = Arc::new(Runtime::queued(&options()).expect("threads"));
        let starting = Arc::clone(&runtime);
        let starter = thread::spawn(move || starting.start(0, Flow::default()).ok());
        runtime.close().expect("no fork");
        let [ends, _] = drain(&runtime);
        let driven = starter.join().expect("no assertion failed");
        // Refused, or let in and then ended: never let in and forgotten.
        assert_eq!(ends, usize::from(driven.is_some()));
    });
}

#[test]
fn a_flow_that_is_freed_while_it_is_closed() {
    explore(|| {
        let runtime = Arc::new(Runtime::queued(&options()).expect("threads"));
        let driven = runtime.start(0, Flow::default()).expect("open");
        let freer = thread::spawn(move || drop(driven));
        runtime.close().expect("no fork");
        let [ends, _] = drain(&runtime);
        assert!(ends <= 1);
        freer.join().expect("no assertion failed");
    });
}

#[test]
fn nothing_is_called_after_the_dispatcher_let_go() {
    struct Sink(Arc<AtomicBool>);
    impl Drop for Sink {
        fn drop(&mut self) {
            assert!(!self.0.swap(true, SeqCst), "let go twice");
        }
    }
    explore(|| {
        let gone = Arc::new(AtomicBool::new(false));
        let ends = Arc::new(AtomicUsize::new(0));
        let (sink, seen) = (Sink(Arc::clone(&gone)), Arc::clone(&ends));
        let runtime = Runtime::dispatched(&options(), move |_, event| {
            assert!(!sink.0.load(SeqCst), "called after it was let go");
            seen.fetch_add(usize::from(matches!(event, Event::Done(_))), SeqCst);
        });
        let runtime = runtime.expect("threads");
        let driven = runtime.start(0, Flow::default()).expect("open");
        // The flow is kept: one that is freed has no end.
        let deliverer = thread::spawn(move || {
            deliver(&driven);
            driven
        });
        runtime.close().expect("no fork");
        assert_eq!(runtime.wait(None).ok(), Some(true));
        assert!(gone.load(SeqCst), "drained before the dispatcher let go");
        deliverer.join().expect("no assertion failed");
        assert_eq!(ends.load(SeqCst), 1);
    });
}

#[test]
fn freed_before_it_is_drained() {
    explore(|| {
        let gone = Arc::new(AtomicBool::new(false));
        let let_go = Arc::clone(&gone);
        struct Sink(Arc<AtomicBool>);
        impl Drop for Sink {
            fn drop(&mut self) {
                self.0.store(true, SeqCst);
            }
        }
        let sink = Sink(let_go);
        let runtime = Runtime::dispatched(&options(), move |_, _| assert!(!sink.0.load(SeqCst)));
        let runtime = runtime.expect("threads");
        let driven = runtime.start(0, Flow::default()).expect("open");
        drop(runtime);
        deliver(&driven);
        drop(driven);
        while !gone.load(SeqCst) {
            thread::yield_now();
        }
    });
}
