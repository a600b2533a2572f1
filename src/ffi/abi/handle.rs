//! The handle table (F1): 64-bit ids that are never pointers, so that a stale, foreign or made-up one is a status and not a crash.
//!
//! An id is `kind (4 bits) | copy (12) | generation (24) | index (24)`. `copy` is drawn at random when this copy of the library is first used,
//! and generations start at a random number per slot, so a handle of another copy of the library in the same process is told apart.
//! Slots live for ever and never move; a freed one is used again under the next generation, and retired when the generations are used up.
//!
//! No reference count is shared between threads: a call *pins* the slot in a lane of its own thread, and whoever leaves last after
//! `free` drops the object. Two threads on one sealer therefore write to no common word. Why it is sound:
//! a caller first adds to its lane and then looks at the slot's word; `free` first changes the word and then looks at all lanes
//! (both sequentially consistent), so one of the two sees the other. After the change the pins that count can only fall, hence a
//! scan that finds each lane at 0 proves that nobody is inside. The word of a slot being freed holds its generation, so a slow
//! scanner cannot mistake a later life of the slot for the one it scanned.

pub use super::lane::{Lanes, Many, Single};

use super::sync::{AtomicBool, AtomicU32, AtomicU64, FIRST, Mutex, SeqCst};
use crate::protocol::{Code, Error};
use std::{
    cell::UnsafeCell,
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    ops::Deref,
    sync::OnceLock,
    thread,
};

const INDEX_BITS: u32 = 24;
const GENERATION_BITS: u32 = 24;
const COPY_BITS: u32 = 12;
const KIND_SHIFT: u32 = 60;
const MASK_24: u64 = (1 << 24) - 1;
const COPY_MASK: u64 = (1 << COPY_BITS) - 1;
/// Enough chunks for 2^24 slots.
const CHUNKS: usize = 19;

/// What a handle is a handle of. The numbers are those in the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// `mrtr_error`.
    Error = 1,
    /// `mrtr_sealer`.
    Sealer = 2,
    /// `mrtr_server`.
    Server = 3,
    /// `mrtr_exchange`.
    Exchange = 4,
    /// `mrtr_client`.
    Client = 5,
    /// `mrtr_flow`.
    Flow = 6,
    /// `mrtr_form`.
    Form = 7,
    /// `mrtr_runtime`.
    Runtime = 8,
    /// `mrtr_queue`.
    Queue = 9,
    /// `mrtr_legacy`.
    Legacy = 10,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Error => "error",
            Kind::Sealer => "sealer",
            Kind::Server => "server",
            Kind::Exchange => "exchange",
            Kind::Client => "client",
            Kind::Flow => "flow",
            Kind::Form => "form",
            Kind::Runtime => "runtime",
            Kind::Queue => "queue",
            Kind::Legacy => "legacy",
        }
    }
}

struct Slot<T, L> {
    /// The id while alive, the id without its kind while being freed, 0 while empty.
    word: AtomicU64,
    /// Generation of the next life, and how many lives there were.
    generation: AtomicU32,
    lives: AtomicU32,
    poisoned: AtomicBool,
    value: UnsafeCell<Option<T>>,
    lanes: L,
}

// SAFETY: `value` is written only by whoever took the slot off the free list or won the change of `word` to 0 with no pin left,
// and read only by those who hold a pin; all else is atomic.
unsafe impl<T: Send + Sync, L: Sync> Sync for Slot<T, L> {}

#[derive(Default)]
struct Free {
    /// Empty slots that were used before.
    again: Vec<u32>,
    /// Slots that ever were in use.
    used: u32,
}

/// Slots that were made together; none before the first of them is needed.
type Chunk<T, L> = OnceLock<Box<[Slot<T, L>]>>;

/// All objects of one kind.
pub struct Table<T: 'static, L: 'static> {
    kind: Kind,
    chunks: [Chunk<T, L>; CHUNKS],
    free: Mutex<Free>,
    live: AtomicU64,
}

/// Random numbers of this copy of the library: its 12 bits in every id, and where generations start.
struct ThisCopy {
    tag: u64,
    seed: RandomState,
}

fn copy() -> &'static ThisCopy {
    static COPY: OnceLock<ThisCopy> = OnceLock::new();
    COPY.get_or_init(|| {
        let seed = RandomState::new();
        ThisCopy {
            // Not 0: the word of a slot being freed must differ from that of an empty one.
            tag: (seed.build_hasher().finish() & COPY_MASK).max(1),
            seed,
        }
    })
}

fn place(index: u64) -> (usize, usize) {
    let position = index as usize + FIRST;
    let chunk = (position.ilog2() - FIRST.ilog2()) as usize;
    (chunk, position - (FIRST << chunk))
}

#[cold]
#[inline(never)]
fn error_of(kind: Kind, code: Code, what: &str) -> Error {
    Error::new(code, format!("{}: {what}", kind.name()))
}

impl<T: Send + Sync + 'static, L: Lanes + 'static> Table<T, L> {
    /// An empty table.
    pub const fn new(kind: Kind) -> Self {
        Table {
            kind,
            chunks: [const { OnceLock::new() }; CHUNKS],
            free: Mutex::new(Free {
                again: Vec::new(),
                used: 0,
            }),
            live: AtomicU64::new(0),
        }
    }

    /// Objects alive.
    pub fn live(&self) -> u64 {
        self.live.load(SeqCst)
    }

    /// Puts an object in and gives its id.
    pub fn insert(&'static self, value: T) -> Result<u64, Error> {
        let index = self.take_index().ok_or_else(|| {
            Error::new(
                Code::TooMany,
                format!(
                    "more than {} {}s at the same time",
                    1u64 << INDEX_BITS,
                    self.kind.name()
                ),
            )
        })?;
        let slot = self.make(index);
        let generation = u64::from(slot.generation.load(SeqCst));
        let id = (self.kind as u64) << KIND_SHIFT
            | copy().tag << (INDEX_BITS + GENERATION_BITS)
            | generation << INDEX_BITS
            | u64::from(index);
        // SAFETY: the slot came off the free list, so its word is 0, nobody reads the value and nobody else writes it.
        unsafe { *slot.value.get() = Some(value) };
        slot.poisoned.store(false, SeqCst);
        self.live.fetch_add(1, SeqCst);
        slot.word.store(id, SeqCst);
        Ok(id)
    }

    fn take_index(&self) -> Option<u32> {
        let mut free = self.free.lock();
        if let Some(index) = free.again.pop() {
            return Some(index);
        }
        let index = free.used;
        if u64::from(index) > MASK_24 {
            return None;
        }
        free.used += 1;
        Some(index)
    }

    /// The slot of an index that was handed out; makes its chunk if need be.
    fn make(&'static self, index: u32) -> &'static Slot<T, L> {
        let (chunk, at) = place(u64::from(index));
        let slots = self.chunks[chunk].get_or_init(|| {
            let first = (FIRST << chunk) - FIRST;
            (0..FIRST << chunk)
                .map(|at| Slot::new(first + at))
                .collect()
        });
        &slots[at]
    }

    /// The slot that an id speaks of, if the id can be one of this table's.
    fn slot(&'static self, id: u64) -> Result<&'static Slot<T, L>, Error> {
        if id == 0 {
            return Err(self.error(Code::NullArgument, "no handle was given"));
        }
        if id >> KIND_SHIFT != self.kind as u64 {
            return Err(self.error(Code::WrongHandle, "the handle is of another kind"));
        }
        if id >> (INDEX_BITS + GENERATION_BITS) & COPY_MASK != copy().tag {
            return Err(self.error(
                Code::WrongHandle,
                "the handle is of another copy of the library",
            ));
        }
        let (chunk, at) = place(id & MASK_24);
        let slots = self.chunks.get(chunk).and_then(OnceLock::get);
        slots
            .and_then(|slots| slots.get(at))
            .ok_or_else(|| self.stale())
    }

    #[cold]
    fn error(&self, code: Code, what: &str) -> Error {
        error_of(self.kind, code, what)
    }

    #[cold]
    fn stale(&self) -> Error {
        self.error(Code::StaleHandle, "the handle was freed, or never was one")
    }

    /// Enters an object: it stays until the pin is dropped, even if it is freed meanwhile.
    pub fn pin(&'static self, id: u64) -> Result<Pin<T, L>, Error> {
        let pin = self.pin_any(id)?;
        if pin.slot.poisoned.load(SeqCst) {
            return Err(self.error(
                Code::Poisoned,
                "an earlier call failed inside; it can only be freed",
            ));
        }
        Ok(pin)
    }

    fn pin_any(&'static self, id: u64) -> Result<Pin<T, L>, Error> {
        let slot = self.slot(id)?;
        let lane = slot.lanes.mine();
        lane.fetch_add(1, SeqCst);
        let pin = Pin {
            table: self,
            slot,
            lane,
            id,
            unwinding: thread::panicking(),
        };
        if slot.word.load(SeqCst) == id {
            Ok(pin)
        } else {
            Err(self.stale())
        }
    }

    /// Ends the life of an id. The object is dropped when the last call has left it.
    pub fn free(&'static self, id: u64) -> Result<(), Error> {
        let slot = self.slot(id)?;
        let leaving = id & !(0xF << KIND_SHIFT);
        slot.word
            .compare_exchange(id, leaving, SeqCst, SeqCst)
            .map_err(|_| self.stale())?;
        self.live.fetch_sub(1, SeqCst);
        self.reclaim(slot, leaving);
        Ok(())
    }

    /// Drops the object of a slot whose life has ended, if nobody is inside any more.
    #[cold]
    fn reclaim(&'static self, slot: &'static Slot<T, L>, leaving: u64) {
        if !slot.lanes.empty()
            || slot
                .word
                .compare_exchange(leaving, 0, SeqCst, SeqCst)
                .is_err()
        {
            return;
        }
        // SAFETY: no pin of this life is left and none can come; winning the exchange made this thread the only one to take the value.
        let value = unsafe { (*slot.value.get()).take() };
        drop(value);
        let generation = (slot.generation.load(SeqCst) + 1) & MASK_24 as u32;
        slot.generation.store(generation, SeqCst);
        // A slot whose generations are used up stays empty for ever: no id is ever given twice.
        if u64::from(slot.lives.fetch_add(1, SeqCst)) < MASK_24 {
            self.free.lock().again.push((leaving & MASK_24) as u32);
        }
    }
}

impl<T, L: Lanes> Slot<T, L> {
    fn new(index: usize) -> Self {
        let start = copy().seed.hash_one(index) & MASK_24;
        Slot {
            word: AtomicU64::new(0),
            generation: AtomicU32::new(start as u32),
            lives: AtomicU32::new(0),
            poisoned: AtomicBool::new(false),
            value: UnsafeCell::new(None),
            lanes: L::default(),
        }
    }
}

/// A call that is inside an object. A panic that passes through it poisons the object.
pub struct Pin<T: Send + Sync + 'static, L: Lanes + 'static> {
    table: &'static Table<T, L>,
    slot: &'static Slot<T, L>,
    lane: &'static AtomicU64,
    id: u64,
    unwinding: bool,
}

impl<T: Send + Sync, L: Lanes> Pin<T, L> {
    /// Whether the handle was freed meanwhile.
    pub fn freed(&self) -> bool {
        self.slot.word.load(SeqCst) != self.id
    }
}

impl<T: Send + Sync, L: Lanes> Deref for Pin<T, L> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the pin was counted before the word was seen to be this id, so nobody takes the value before it is dropped.
        let value = unsafe { &*self.slot.value.get() };
        value.as_ref().expect("a live slot has a value")
    }
}

impl<T: Send + Sync, L: Lanes> Drop for Pin<T, L> {
    fn drop(&mut self) {
        if !self.unwinding && thread::panicking() {
            self.slot.poisoned.store(true, SeqCst);
        }
        self.lane.fetch_sub(1, SeqCst);
        let word = self.slot.word.load(SeqCst);
        if word != 0 && word >> KIND_SHIFT == 0 {
            self.table.reclaim(self.slot, word);
        }
    }
}

#[cfg(test)]
#[path = "handle_tests.rs"]
mod tests;
