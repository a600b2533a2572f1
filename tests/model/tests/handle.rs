//! The table: an object is dropped once, never while a call is inside, and no id ever names another life (F1).

use mrtr_model::abi::{
    handle::{Kind, Table},
    lane::Lanes,
};
use mrtr_model::explore;
use mrtr_model::protocol::Code;
use shuttle::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    thread,
};
use std::sync::Arc;

/// Two lanes, one for the first thread and one for the others.
#[derive(Default)]
struct Two([AtomicU64; 2]);

impl Lanes for Two {
    fn mine(&self) -> &AtomicU64 {
        let first = format!("{:?}", thread::current().id()).contains("(0)");
        &self.0[usize::from(!first)]
    }
    fn empty(&self) -> bool {
        self.0.iter().all(|lane| lane.load(SeqCst) == 0)
    }
}

/// Knows whether it was dropped, and by how many.
struct Watched {
    number: u64,
    alive: Arc<AtomicBool>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        assert!(self.alive.swap(false, SeqCst), "dropped twice");
    }
}

fn table() -> &'static Table<Watched, Two> {
    Box::leak(Box::new(Table::new(Kind::Sealer)))
}

fn watched(number: u64) -> (Watched, Arc<AtomicBool>) {
    let alive = Arc::new(AtomicBool::new(true));
    let object = Watched {
        number,
        alive: Arc::clone(&alive),
    };
    (object, alive)
}

/// A call that is inside sees its object alive, and no other one.
fn use_it(table: &'static Table<Watched, Two>, id: u64, number: u64) {
    match table.pin(id) {
        Ok(pin) => {
            assert_eq!(pin.number, number);
            assert!(pin.alive.load(SeqCst), "dropped under a call");
            assert!(pin.alive.load(SeqCst), "dropped under a call");
        }
        Err(error) => assert_eq!(error.code(), Code::StaleHandle),
    }
}

#[test]
fn calls_while_it_is_freed() {
    explore(|| {
        let table = table();
        let (object, alive) = watched(1);
        let id = table.insert(object).expect("room");
        let users: Vec<_> = (0..2)
            .map(|_| thread::spawn(move || use_it(table, id, 1)))
            .collect();
        table.free(id).expect("alive");
        for user in users {
            user.join().expect("no assertion failed");
        }
        assert!(!alive.load(SeqCst), "never dropped");
        assert_eq!(table.live(), 0);
    });
}

#[test]
fn two_free_it() {
    explore(|| {
        let table = table();
        let (object, alive) = watched(1);
        let id = table.insert(object).expect("room");
        let other = thread::spawn(move || usize::from(table.free(id).is_ok()));
        use_it(table, id, 1);
        let freed = usize::from(table.free(id).is_ok());
        assert_eq!(freed + other.join().expect("no assertion failed"), 1);
        assert!(!alive.load(SeqCst));
    });
}

#[test]
fn its_slot_is_used_again() {
    explore(|| {
        let table = table();
        let (object, _) = watched(1);
        let first = table.insert(object).expect("room");
        let user = thread::spawn(move || use_it(table, first, 1));
        table.free(first).expect("alive");
        let (object, alive) = watched(2);
        let second = table.insert(object).expect("room");
        assert_ne!(first, second);
        use_it(table, second, 2);
        user.join().expect("no assertion failed");
        assert!(alive.load(SeqCst), "a slow call took another life with it");
        table.free(second).expect("alive");
        assert!(!alive.load(SeqCst));
    });
}
