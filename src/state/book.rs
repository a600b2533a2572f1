//! What is settled in a flow, in the form in which it travels: an answer that goes on from round to round is copied with
//! its neighbours and never taken apart (X6).

use super::claims::Settled;
use super::kept;
use super::layout::{DIGEST_LEN, Entries};
use crate::json::{Key, order};
use crate::protocol::Kind;
use std::hint::select_unpredictable;

/// Settled answers, as a token has them, and where each of them stands.
#[derive(Clone, Default)]
pub(crate) struct Book {
    bytes: Vec<u8>,
    /// In the order of the keys, each key once.
    entries: Vec<Entry>,
    /// Bytes of all entries.
    size: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The first bytes of the key, zeros behind a shorter one: they order most keys.
    first: u64,
    start: usize,
    end: usize,
    /// Was its question stated in this leg?
    stated: bool,
}

/// Where an answer stands in its book, until another one is entered.
#[derive(Clone, Copy)]
pub(crate) struct Place(usize);

impl Book {
    /// A copy of what an authentic token has; `None` if it is not of this version of the format.
    pub(super) fn open(from: Entries<'_>) -> Option<Book> {
        let bytes = from.bytes.to_vec();
        let mut entries = Vec::with_capacity(from.count as usize + 1);
        let mut start = 0;
        for _ in 0..from.count {
            let entry = bytes.get(start..)?;
            let (key, end) = kept::check(entry)?;
            let end = start + end;
            entries.push(Entry {
                first: first(key),
                start,
                end,
                stated: false,
            });
            start = end;
        }
        order::sort_by(&mut entries, |a, b| {
            let name = |entry: &Entry| kept::key_at(&bytes, entry.start);
            a.first.cmp(&b.first).then_with(|| name(a).cmp(name(b)))
        });
        let size = bytes.len();
        Some(Book {
            bytes,
            entries,
            size,
        })
    }

    /// Where `key` stands in the order of keys, or would.
    #[inline]
    fn search(&self, key: &[u8]) -> Result<usize, usize> {
        let wanted = first(key);
        let at = self.before(wanted);
        let alike = self.entries.get(at..).unwrap_or_default();
        let name = |entry: &Entry| kept::key_at(&self.bytes, entry.start);
        match alike.first() {
            Some(entry) if entry.first == wanted => {}
            _ => return Err(at),
        }
        let at_once = |entry: &Entry| same(name(entry), key);
        if alike.first().is_some_and(at_once) {
            return Ok(at);
        }
        // Keys that begin alike.
        let before = alike.partition_point(|entry| entry.first == wanted && name(entry) < key);
        match alike.get(before) {
            Some(entry) if name(entry) == key => Ok(at + before),
            _ => Err(at + before),
        }
    }

    /// How many keys begin with less. Which half is next is as good as random, so no branch is made of it.
    #[inline]
    fn before(&self, wanted: u64) -> usize {
        let less = |at: usize| self.entries.get(at).is_some_and(|e| e.first < wanted);
        let (mut at, mut left) = (0, self.entries.len());
        while left > 1 {
            let half = left / 2;
            at = select_unpredictable(less(at + half), at + half, at);
            left -= half;
        }
        at + usize::from(less(at))
    }

    /// The answer under `key`.
    #[inline]
    pub(crate) fn find(&self, key: &[u8]) -> Option<Place> {
        self.search(key).ok().map(Place)
    }

    #[inline]
    fn entry(&self, place: Place) -> Option<&[u8]> {
        let entry = self.entries.get(place.0)?;
        self.bytes.get(entry.start..entry.end)
    }

    /// Digest of the question that was answered.
    #[inline]
    pub(crate) fn digest(&self, place: Place) -> Option<&[u8; DIGEST_LEN]> {
        kept::digest(self.entry(place)?)
    }

    /// How it was answered.
    pub(crate) fn settled(&self, place: Place) -> Option<Settled<'_>> {
        kept::settled(self.entry(place)?)
    }

    /// Its question was stated in this leg.
    pub(crate) fn state(&mut self, place: Place) {
        if let Some(entry) = self.entries.get_mut(place.0) {
            entry.stated = true;
        }
    }

    /// Was its question stated in this leg?
    pub(crate) fn is_stated(&self, place: Place) -> bool {
        self.entries.get(place.0).is_some_and(|entry| entry.stated)
    }

    /// How the question under `key` was answered, if it is one whose digest `is_it`. It is stated with this.
    #[inline]
    pub(crate) fn recall(
        &mut self,
        key: &[u8],
        is_it: impl FnOnce(&[u8; DIGEST_LEN]) -> bool,
    ) -> Option<Settled<'_>> {
        let at = self.search(key).ok()?;
        let entry = self.entries.get_mut(at)?;
        let bytes = self.bytes.get(entry.start..entry.end)?;
        if !is_it(kept::digest(bytes)?) {
            return None;
        }
        entry.stated = true;
        kept::settled(bytes)
    }

    /// Enters an answer whose question was stated in this leg; what stands under its key already stays. `None` if a part is
    /// longer than 2^32 - 1 bytes.
    pub(crate) fn enter(
        &mut self,
        key: &Key,
        kind: Kind,
        digest: &[u8; DIGEST_LEN],
        settled: Settled<'_>,
    ) -> Option<Place> {
        let at = match self.search(key.as_bytes()) {
            Ok(at) => return Some(Place(at)),
            Err(at) => at,
        };
        let start = self.bytes.len();
        kept::push(&mut self.bytes, kind, settled, digest, key)?;
        let entry = Entry {
            first: first(key.as_bytes()),
            start,
            end: self.bytes.len(),
            stated: true,
        };
        self.size += entry.end - entry.start;
        self.entries.insert(at, entry);
        Some(Place(at))
    }

    /// What is left without the answers under some keys.
    pub(crate) fn without(&self, goes: impl Fn(&[u8]) -> bool) -> Book {
        let mut left = self.clone();
        left.entries
            .retain(|entry| !goes(kept::key_at(&self.bytes, entry.start)));
        left.size = left
            .entries
            .iter()
            .map(|entry| entry.end - entry.start)
            .sum();
        left
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of all entries.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Appends the entries in the order of their keys, neighbours at once.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut run = 0..0;
        for entry in &self.entries {
            if entry.start != run.end {
                out.extend_from_slice(self.bytes.get(run.clone()).unwrap_or_default());
                run.start = entry.start;
            }
            run.end = entry.end;
        }
        out.extend_from_slice(self.bytes.get(run).unwrap_or_default());
    }
}

/// The first bytes of a key as a number, zeros behind a shorter one.
#[inline]
fn first(key: &[u8]) -> u64 {
    let short = || {
        key.iter()
            .fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    match (key.first_chunk(), key.first_chunk(), key.last_chunk()) {
        (Some(eight), _, _) => u64::from_be_bytes(*eight),
        (None, Some(front), Some(back)) => {
            // The two overlap.
            let back = u64::from(u32::from_be_bytes(*back)) << (8 * (8 - key.len()));
            u64::from(u32::from_be_bytes(*front)) << 32 | back & 0xFFFF_FFFF
        }
        _ => short() << 32 << (8 * (4 - key.len().min(4))),
    }
}

/// Are two keys equal that begin alike?
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && (a.len() <= 8 || a == b)
}

/// Shows no content (S9).
impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Book({} answers)", self.entries.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(keys: &[&str]) -> Book {
        let mut book = Book::default();
        for key in keys {
            let content = Settled::Accepted(key.as_bytes());
            let entered = book.enter(&Key::from(*key), Kind::Form, &[7; DIGEST_LEN], content);
            assert!(entered.is_some());
        }
        book
    }

    /// Short ones, long ones, and such that only zeros or what follows the eighth byte tell apart.
    const KEYS: [&str; 14] = [
        "",
        "\0",
        "\0\0",
        "a",
        "a\0",
        "ab",
        "abc",
        "abcd",
        "abcde",
        "abcdefg",
        "abcdefgh",
        "abcdefgh\0",
        "abcdefghi",
        "é",
    ];

    #[test]
    fn every_key_is_found_and_no_other_whatever_the_order() {
        let turned: Vec<&str> = KEYS.iter().rev().copied().collect();
        for order in [&KEYS[..], &turned] {
            for count in 0..=order.len() {
                let (inside, outside) = order.split_at(count);
                let book = book(inside);
                for key in inside {
                    let place = book.find(key.as_bytes()).expect("was entered");
                    let found = book.settled(place).map(Settled::content);
                    assert_eq!(found, Some(key.as_bytes()), "{key:?}");
                }
                for key in outside {
                    assert!(book.find(key.as_bytes()).is_none(), "{key:?}");
                }
            }
        }
    }

    #[test]
    fn the_number_of_a_key_is_in_the_order_of_keys() {
        for pair in KEYS.windows(2) {
            assert!(pair[0] < pair[1]);
            assert!(
                first(pair[0].as_bytes()) <= first(pair[1].as_bytes()),
                "{pair:?}"
            );
        }
        assert_eq!(first(b""), 0);
        assert_eq!(first(b"abc"), u64::from_be_bytes(*b"abc\0\0\0\0\0"));
        assert_eq!(first(b"abcdef"), u64::from_be_bytes(*b"abcdef\0\0"));
    }

    #[test]
    fn what_was_entered_first_stays_and_what_goes_is_not_written() {
        let mut book = book(&["b", "a", "c"]);
        let again = Settled::Declined;
        book.enter(&Key::from("a"), Kind::Url, &[8; DIGEST_LEN], again);
        let place = book.find(b"a").expect("was entered");
        assert_eq!(book.digest(place), Some(&[7; DIGEST_LEN]));

        let mut written = Vec::new();
        book.without(|key| key == b"b").write(&mut written);
        let mut expected = Vec::new();
        for key in ["a", "c"] {
            expected.extend_from_slice(&[1, 1]);
            expected.extend_from_slice(&[7; DIGEST_LEN]);
            expected.extend_from_slice(&[0, 0, 0, 1, 0, 0, 0, 1]);
            expected.extend_from_slice(key.as_bytes());
            expected.extend_from_slice(key.as_bytes());
        }
        assert_eq!(written, expected);
    }
}
