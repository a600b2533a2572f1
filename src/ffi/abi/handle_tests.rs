use super::*;
use std::sync::{
    Arc, Barrier,
    atomic::{AtomicBool, AtomicUsize},
};

/// Counts how often it is dropped.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

fn table<L: Lanes + Send + 'static>() -> &'static Table<Counted, L> {
    Box::leak(Box::new(Table::new(Kind::Sealer)))
}

fn code<T>(result: Result<T, Error>) -> Code {
    result.err().expect("a refusal").code()
}

#[test]
fn null_stale_and_wrong_are_told_apart() {
    let table = table::<Single>();
    let drops = Arc::new(AtomicUsize::new(0));
    let id = table.insert(Counted(Arc::clone(&drops))).expect("room");
    assert_eq!(code(table.pin(0)), Code::NullArgument);
    assert_eq!(code(table.pin(id ^ (1 << KIND_SHIFT))), Code::WrongHandle);
    assert_eq!(
        code(table.pin(id ^ (1 << 48))),
        Code::WrongHandle,
        "another copy"
    );
    assert_eq!(
        code(table.pin(id ^ (1 << INDEX_BITS))),
        Code::StaleHandle,
        "another generation"
    );
    assert_eq!(
        code(table.pin(id | MASK_24)),
        Code::StaleHandle,
        "an index that never was"
    );
    assert!(table.pin(id).is_ok());
    assert!(table.free(id).is_ok());
    assert_eq!(drops.load(SeqCst), 1);
    assert_eq!(code(table.pin(id)), Code::StaleHandle);
    assert_eq!(code(table.free(id)), Code::StaleHandle);
    assert_eq!(table.live(), 0);
}

#[test]
fn a_slot_is_used_again_under_another_id() {
    let table = table::<Single>();
    let drops = Arc::new(AtomicUsize::new(0));
    let mut seen = std::collections::HashSet::new();
    for _ in 0..1000 {
        let id = table.insert(Counted(Arc::clone(&drops))).expect("room");
        assert!(seen.insert(id), "an id was given twice");
        assert!(table.free(id).is_ok());
    }
    assert_eq!(drops.load(SeqCst), 1000);
    assert_eq!(table.free.lock().used, 1, "one slot was enough");
}

#[test]
fn generations_start_anywhere_and_wrap_within_their_bits() {
    let table = table::<Single>();
    let drops = Arc::new(AtomicUsize::new(0));
    let id = table.insert(Counted(Arc::clone(&drops))).expect("room");
    table.free(id).expect("alive");
    let slot = table.slot(id).expect("a slot");
    slot.generation.store(MASK_24 as u32, SeqCst);
    let last = table.insert(Counted(Arc::clone(&drops))).expect("room");
    table.free(last).expect("alive");
    assert_eq!(slot.generation.load(SeqCst), 0);
    slot.lives.store(MASK_24 as u32, SeqCst);
    let retired = table.insert(Counted(Arc::clone(&drops))).expect("room");
    table.free(retired).expect("alive");
    let fresh = table.insert(Counted(Arc::clone(&drops))).expect("room");
    assert_ne!(
        fresh & MASK_24,
        retired & MASK_24,
        "a slot out of generations is used no more"
    );
    table.free(fresh).expect("alive");
}

#[test]
fn an_object_lives_until_the_last_call_has_left() {
    let table = table::<Many>();
    let drops = Arc::new(AtomicUsize::new(0));
    let id = table.insert(Counted(Arc::clone(&drops))).expect("room");
    let (outer, inner) = (table.pin(id).expect("alive"), table.pin(id).expect("alive"));
    assert!(!outer.freed());
    table.free(id).expect("alive");
    assert!(outer.freed());
    assert_eq!(code(table.pin(id)), Code::StaleHandle);
    drop(outer);
    assert_eq!(drops.load(SeqCst), 0, "a call is still inside");
    drop(inner);
    assert_eq!(drops.load(SeqCst), 1);
}

#[test]
fn many_objects_at_the_same_time() {
    let table = table::<Single>();
    let drops = Arc::new(AtomicUsize::new(0));
    let ids: Vec<u64> = (0..5000)
        .map(|_| table.insert(Counted(Arc::clone(&drops))).expect("room"))
        .collect();
    assert_eq!(table.live(), 5000);
    assert!(ids.iter().all(|id| table.pin(*id).is_ok()));
    for id in ids {
        table.free(id).expect("alive");
    }
    assert_eq!((drops.load(SeqCst), table.live()), (5000, 0));
}

/// Threads enter while others free and make anew: what is entered is alive, and each object is dropped once.
fn stress<L: Lanes + Send + 'static>() {
    struct Watched(AtomicBool, Arc<AtomicUsize>);
    impl Drop for Watched {
        fn drop(&mut self) {
            self.0.store(true, SeqCst);
            self.1.fetch_add(1, SeqCst);
        }
    }
    let table: &'static Table<Watched, L> = Box::leak(Box::new(Table::new(Kind::Flow)));
    let (drops, made) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let current = Arc::new(AtomicU64::new(0));
    let start = Arc::new(Barrier::new(4));
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let (drops, made, current, start) =
                (drops.clone(), made.clone(), current.clone(), start.clone());
            thread::spawn(move || {
                start.wait();
                for turn in 0..20_000 {
                    if let Ok(pin) = table.pin(current.load(SeqCst)) {
                        assert!(!pin.0.load(SeqCst), "entered a dropped object");
                    }
                    if turn % 4 == number {
                        let fresh = table
                            .insert(Watched(AtomicBool::new(false), drops.clone()))
                            .expect("room");
                        made.fetch_add(1, SeqCst);
                        let before = current.swap(fresh, SeqCst);
                        assert!(before == 0 || table.free(before).is_ok());
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no panic");
    }
    table.free(current.load(SeqCst)).expect("the last one");
    assert_eq!(drops.load(SeqCst), made.load(SeqCst));
    assert_eq!(table.live(), 0);
}

#[test]
fn stress_with_one_lane() {
    stress::<Single>();
}

#[test]
fn stress_with_many_lanes() {
    stress::<Many>();
}
