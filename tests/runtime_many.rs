//! Ten thousand flows that wait for people: each is where it belongs, and waiting costs nothing (F4).
#![cfg(feature = "runtime")]

mod client_support;

use client_support::{CALL, DONE, asks, client, options, value};
use mrtr::client::{ClientOptions, Event};
use mrtr::protocol::Code;
use mrtr::runtime::{Driven, Runtime, RuntimeOptions, Taken};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const FLOWS: usize = 10_000;

fn clock() -> u64 {
    (RuntimeOptions::default().clock)()
}

fn begin(runtime: &Runtime, options: ClientOptions, count: usize) -> Vec<Driven> {
    let client = client(options);
    let flows = (0..count).map(|tag| {
        let flow = client.begin("tools/call", CALL, None, clock()).unwrap();
        runtime.start(tag as u64, flow).unwrap()
    });
    flows.collect()
}

/// Each event there is now, with the number of its flow.
fn taken(runtime: &Runtime) -> Vec<(usize, Event)> {
    let events = runtime.events().unwrap();
    let queue = events.queue().unwrap();
    let mut all = Vec::new();
    while let Taken::Event(tag, event) = queue.take(Some(Instant::now())) {
        all.push((tag as usize, event));
    }
    all
}

#[test]
fn ten_thousand_flows_wait_without_work() {
    let _alone = alone();
    let runtime = Runtime::queued(&RuntimeOptions::default()).unwrap();
    let flows = begin(&runtime, options(), FLOWS);
    let ask = asks(&[("a", client_support::FORM)], Some("s"));
    for (tag, event) in taken(&runtime) {
        let Event::Send { leg, .. } = event else {
            panic!("expected a leg, got {event:?}");
        };
        flows[tag]
            .hand_in(|flow, now| flow.deliver(leg, &ask, now))
            .unwrap()
            .unwrap();
    }
    let asked = taken(&runtime);
    assert_eq!(
        asked
            .iter()
            .filter(|(_, event)| matches!(event, Event::Ask(_)))
            .count(),
        FLOWS
    );

    settle();
    let before = timer_thread();
    std::thread::sleep(Duration::from_millis(700));
    let after = timer_thread();
    if let (Some((ran, turns)), Some((ran_after, turns_after))) = (before, after) {
        assert!(
            ran_after - ran < 5_000_000,
            "the timers ran {} ns",
            ran_after - ran
        );
        assert!(
            turns_after - turns <= 2,
            "the timers woke up {} times",
            turns_after - turns
        );
    }

    let key = client_support::key("a");
    for flow in flows.iter().rev() {
        flow.hand_in(|flow, now| flow.answer(&key, &value(client_support::YES), now))
            .unwrap()
            .unwrap();
    }
    for (tag, event) in taken(&runtime) {
        let Event::Send { leg, .. } = event else {
            panic!("expected a leg, got {event:?}");
        };
        assert_eq!(leg, 2);
        flows[tag]
            .hand_in(|flow, now| flow.deliver(leg, DONE, now))
            .unwrap()
            .unwrap();
    }
    let ends = taken(&runtime);
    assert_eq!(ends.len(), FLOWS);
    assert!(
        ends.iter()
            .all(|(_, event)| matches!(event, Event::Done(done) if done.end.is_ok()))
    );
}

/// Nanoseconds that the thread of the timers ran, and how often it was woken; where the system tells.
/// Waits until the timers have taken in what they were told: on a busy machine they may still be at it.
fn settle() {
    let end = Instant::now() + Duration::from_secs(20);
    let mut last = timer_thread();
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(100));
        if std::mem::replace(&mut last, timer_thread()) == last {
            return;
        }
    }
}

/// One test at a time: the timers of another would be taken for those that are looked at.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn timer_thread() -> Option<(u64, u64)> {
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let task = task.ok()?.path();
        if std::fs::read_to_string(task.join("comm")).ok()?.trim() == "mrtr-timers" {
            let text = std::fs::read_to_string(task.join("schedstat")).ok()?;
            let mut words = text.split_whitespace().map(|word| word.parse().ok());
            return Some((words.next()??, words.nth(1)??));
        }
    }
    None
}

#[test]
fn each_flow_has_its_own_clock() {
    let _alone = alone();
    let runtime = Runtime::queued(&RuntimeOptions::default()).unwrap();
    let legs = [400, 100, 300, 200];
    let flows: Vec<_> = legs
        .into_iter()
        .flat_map(|leg_timeout_ms| {
            begin(
                &runtime,
                ClientOptions {
                    leg_timeout_ms,
                    ..options()
                },
                1,
            )
        })
        .collect();
    let events = runtime.events().unwrap();
    let mut ends = Vec::new();
    while ends.len() < legs.len() {
        match events
            .queue()
            .unwrap()
            .take(Some(Instant::now() + Duration::from_secs(20)))
        {
            Taken::Event(_, Event::Done(done)) => ends.push(client_support::code(&done)),
            Taken::Event(..) => {}
            other => panic!("{other:?} instead of an end"),
        }
    }
    assert_eq!(ends, [Some(Code::LegTimeout); 4]);
    drop(flows);
}

#[test]
fn the_end_of_many_is_quick_and_whole() {
    let _alone = alone();
    let runtime = Runtime::queued(&RuntimeOptions::default()).unwrap();
    let flows = begin(&runtime, options(), FLOWS);
    taken(&runtime);
    runtime.close().unwrap();
    assert!(
        !runtime.wait(Some(Duration::ZERO)).unwrap(),
        "nothing was taken yet"
    );
    let ends = taken(&runtime);
    let done = ends
        .iter()
        .filter(|(_, event)| matches!(event, Event::Done(_)));
    assert_eq!(done.count(), FLOWS);
    assert!(runtime.wait(None).unwrap());
    drop(flows);
}
