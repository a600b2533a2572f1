//! What is settled in a flow, in the form in which it travels: an answer that goes on from round to round is copied with
//! its neighbours and never taken apart (X6).

use super::claims::Settled;
use super::kept;
use super::layout::{DIGEST_LEN, Entries};
use crate::json::{Key, order};
use crate::protocol::Kind;

/// Up to here keys are looked at one after the other, beyond it by halves.
const FEW: usize = 64;

/// Settled answers, as a token has them, and where each of them stands.
#[derive(Clone, Default)]
pub(crate) struct Book {
    /// The entries, one behind the other.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Behind the entry that was looked for last: a handler states its questions in one order on every leg.
    next: usize,
    /// Places in `entries` in the order of the keys; empty until they are many and one is looked for out of that order.
    by_key: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The first bytes of the key, zeros behind a shorter one: they tell most keys apart, and order them.
    first: u64,
    key_len: usize,
    start: usize,
    end: usize,
    /// Was its question stated in this leg?
    stated: bool,
}

impl Entry {
    fn key<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        let key = bytes
            .get(self.start..)
            .and_then(|entry| entry.get(kept::HEAD_LEN..kept::HEAD_LEN.checked_add(self.key_len)?));
        key.unwrap_or_default()
    }
}

/// Where an answer stands in its book.
#[derive(Clone, Copy)]
pub(crate) struct Place(usize);

impl Book {
    /// A copy of what an authentic token has; `None` if it is not of this version of the format.
    pub(super) fn open(from: Entries<'_>) -> Option<Book> {
        let bytes = from.bytes.to_vec();
        let mut entries = Vec::with_capacity(from.count as usize + 1);
        let mut start = 0;
        for _ in 0..from.count {
            let (key, len) = kept::check(bytes.get(start..)?)?;
            let end = start + len;
            entries.push(Entry {
                first: first(key),
                key_len: key.len(),
                start,
                end,
                stated: false,
            });
            start = end;
        }
        Some(Book {
            bytes,
            entries,
            ..Book::default()
        })
    }

    #[inline]
    fn search(&mut self, key: &[u8]) -> Option<usize> {
        let wanted = first(key);
        let bytes = &self.bytes;
        let is_it = |entry: &Entry| {
            // A key of up to eight bytes is told by its length and its number.
            let alike = entry.first == wanted && entry.key_len == key.len();
            alike && (key.len() <= 8 || entry.key(bytes) == key)
        };
        let at = match self.entries.get(self.next) {
            Some(entry) if is_it(entry) => self.next,
            _ if self.entries.len() <= FEW => self.entries.iter().position(is_it)?,
            _ => self.search_many(key)?,
        };
        self.next = at + 1;
        Some(at)
    }

    #[inline(never)]
    fn search_many(&mut self, key: &[u8]) -> Option<usize> {
        if self.by_key.len() != self.entries.len() {
            let mut places: Vec<u32> = (0..self.entries.len() as u32).collect();
            order::sort_by(&mut places, |a, b| self.key(*a).cmp(&self.key(*b)));
            self.by_key = places;
        }
        let at = self.by_key(key).ok()?;
        self.by_key.get(at).map(|place| *place as usize)
    }

    /// Where `key` stands in the order of keys, or would.
    fn by_key(&self, key: &[u8]) -> Result<usize, usize> {
        let wanted = (first(key), key);
        self.by_key
            .binary_search_by(|place| self.key(*place).cmp(&wanted))
    }

    /// A key, by what is compared first.
    fn key(&self, place: u32) -> (u64, &[u8]) {
        let entry = self.entries.get(place as usize);
        entry.map_or((0, &[]), |entry| (entry.first, entry.key(&self.bytes)))
    }

    /// The answer under `key`.
    #[inline]
    pub(crate) fn find(&mut self, key: &[u8]) -> Option<Place> {
        self.search(key).map(Place)
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
        let at = self.search(key)?;
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
        if let Some(at) = self.search(key.as_bytes()) {
            return Some(Place(at));
        }
        let start = self.bytes.len();
        if kept::push(&mut self.bytes, kind, settled, digest, key).is_none() {
            self.bytes.truncate(start);
            return None;
        }
        if !self.by_key.is_empty()
            && let Err(at) = self.by_key(key.as_bytes())
        {
            self.by_key.insert(at, self.entries.len() as u32);
        }
        self.entries.push(Entry {
            first: first(key.as_bytes()),
            key_len: key.as_bytes().len(),
            start,
            end: self.bytes.len(),
            stated: true,
        });
        Some(Place(self.entries.len().saturating_sub(1)))
    }

    /// What is left without the answers under some keys.
    pub(crate) fn without(&self, goes: impl Fn(&[u8]) -> bool) -> Book {
        let mut left = Book::default();
        for entry in &self.entries {
            let start = left.bytes.len();
            if goes(entry.key(&self.bytes)) {
                continue;
            }
            let bytes = self.bytes.get(entry.start..entry.end);
            left.bytes.extend_from_slice(bytes.unwrap_or_default());
            left.entries.push(Entry {
                start,
                end: left.bytes.len(),
                ..*entry
            });
        }
        left
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries, one behind the other.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
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
                let mut book = book(inside);
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
    fn many_keys_are_found_in_any_order_and_while_more_are_entered() {
        let names: Vec<String> = (0..4 * FEW)
            .map(|i| format!("a long name {}", i * 7 % 256))
            .collect();
        let mut book = Book::default();
        for (count, name) in names.iter().enumerate() {
            assert!(book.find(name.as_bytes()).is_none(), "{name}");
            let content = Settled::Accepted(name.as_bytes());
            let entered = book.enter(
                &Key::from(name.as_str()),
                Kind::Form,
                &[7; DIGEST_LEN],
                content,
            );
            assert!(entered.is_some());
            let earlier = &names[count * 31 % (count + 1)];
            let place = book.find(earlier.as_bytes()).expect("was entered");
            let found = book.settled(place).map(Settled::content);
            assert_eq!(found, Some(earlier.as_bytes()));
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

        let left = book.without(|key| key == b"b");
        let mut expected = Vec::new();
        for key in ["a", "c"] {
            expected.extend_from_slice(&[1, 1]);
            expected.extend_from_slice(&[7; DIGEST_LEN]);
            expected.extend_from_slice(&[0, 0, 0, 1, 0, 0, 0, 1]);
            expected.extend_from_slice(key.as_bytes());
            expected.extend_from_slice(key.as_bytes());
        }
        assert_eq!(left.bytes(), expected);
    }
}
