//! A decoded member name that outlives its text (J3).

use super::write;
use std::fmt;

/// A decoded name: WTF-8 bytes, compared exactly, without any normalisation (J3). Ordered by its bytes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Vec<u8>);

impl Key {
    pub(super) fn trusted(bytes: Vec<u8>) -> Key {
        Key(bytes)
    }

    /// From decoded bytes; `None` unless they are WTF-8 (lone surrogates only, never a pair in two halves).
    pub fn from_wtf8(bytes: &[u8]) -> Option<Key> {
        let mut rest = bytes;
        let mut after_high = false;
        while let Err(e) = std::str::from_utf8(rest) {
            let (good, bad) = rest.split_at_checked(e.valid_up_to())?;
            let (unit, tail) = split_surrogate(bad)?;
            let low = unit >= 0xDC00;
            if low && after_high && good.is_empty() {
                return None;
            }
            after_high = !low;
            rest = tail;
        }
        Some(Key(bytes.to_vec()))
    }

    /// The decoded bytes (WTF-8).
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text; `None` if it holds a lone surrogate.
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// Appends a string token that decodes to the same code units.
    pub fn write_json(&self, out: &mut String) {
        out.push('"');
        let mut rest: &[u8] = &self.0;
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    write::push_escaped(out, text);
                    break;
                }
                Err(e) => {
                    let (good, bad) = rest.split_at(e.valid_up_to());
                    write::push_escaped(out, std::str::from_utf8(good).unwrap_or(""));
                    let Some((unit, tail)) = split_surrogate(bad) else {
                        break;
                    };
                    write::push_unit(out, unit);
                    rest = tail;
                }
            }
        }
        out.push('"');
    }
}

/// The lone surrogate at the start of `bytes`, and what follows it.
fn split_surrogate(bytes: &[u8]) -> Option<(u16, &[u8])> {
    match bytes {
        [0xED, mid @ 0xA0..=0xBF, low @ 0x80..=0xBF, tail @ ..] => Some((
            0xD000 | u16::from(mid & 0x3F) << 6 | u16::from(low & 0x3F),
            tail,
        )),
        _ => None,
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Key {
        Key(text.as_bytes().to_vec())
    }
}

/// Characters of a name that a message shows.
const SHOWN: usize = 100;

/// For messages: quoted, lossy, cut when long, with control characters made visible.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = self.0.get(..4 * SHOWN).unwrap_or(&self.0);
        let text = String::from_utf8_lossy(head);
        let shown: String = text.chars().take(SHOWN).collect();
        let cut = if shown.len() < self.0.len() && text.chars().count() >= SHOWN {
            "..."
        } else {
            ""
        };
        write!(f, "{shown:?}{cut}")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
