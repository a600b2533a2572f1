//! What can be wrong with a text.

use super::Key;
use std::fmt;

/// Why a JSON text was refused. Holds no value of the text, only places and member names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The text breaks the grammar (RFC 8259), or is not the kind of value that is needed.
    Syntax {
        /// Bytes before the spot.
        offset: usize,
        /// What was expected or found there.
        what: &'static str,
    },
    /// An object names a member twice (J2).
    Duplicate {
        /// JSON pointer of the object; empty for the root.
        at: String,
        /// The decoded name.
        name: Key,
    },
    /// Something is longer or deeper than its limit (J4).
    TooLarge {
        /// Name of the limit.
        limit: &'static str,
        /// The size found; for a depth, the first one over the limit.
        size: usize,
        /// The limit.
        max: usize,
    },
    /// There are more entries than the limit allows (J4).
    TooMany {
        /// Name of the limit.
        limit: &'static str,
        /// The count found.
        size: usize,
        /// The limit.
        max: usize,
    },
}

impl Fault {
    /// The same fault seen from further out: `prefix` is the JSON pointer of the value that was checked.
    pub fn under(self, prefix: &str) -> Fault {
        match self {
            Fault::Duplicate { at, name } => Fault::Duplicate {
                at: format!("{prefix}{at}"),
                name,
            },
            other => other,
        }
    }

    /// Refuses a size over its limit (J4).
    pub fn check_size(limit: &'static str, size: usize, max: usize) -> Result<(), Fault> {
        if size > max {
            Err(Fault::TooLarge { limit, size, max })
        } else {
            Ok(())
        }
    }

    /// Refuses a count over its limit (J4).
    pub fn check_count(limit: &'static str, size: usize, max: usize) -> Result<(), Fault> {
        if size > max {
            Err(Fault::TooMany { limit, size, max })
        } else {
            Ok(())
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Syntax { offset, what } => write!(f, "{what} at byte {offset}"),
            Fault::Duplicate { at, name } => {
                write!(f, "member {name} stands twice in the object at \"{at}\"")
            }
            Fault::TooLarge { limit, size, max } => {
                write!(f, "{limit} of {size} is over the limit of {max}")
            }
            Fault::TooMany { limit, size, max } => {
                write!(f, "{size} {limit} are over the limit of {max}")
            }
        }
    }
}

impl std::error::Error for Fault {}
