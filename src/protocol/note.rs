//! Spots in an ask, and what is said about them: warnings to the author, notes to the receiver (D2, D11).

use super::{Code, Error};
use crate::json::Str;
use std::fmt;

/// What a server should hear about an ask that was built all the same (D11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// A query member of the URL looks like a credential (B6).
    CredentialInUrl,
    /// `includeContext` is set, but the client declares no `sampling.context` (B8).
    IncludeContextUndeclared,
    /// `elicitationId` was taken out: this era has none (B6, D9).
    ElicitationIdDropped,
    /// The form has more than eight fields.
    ManyFields,
}

impl Warning {
    /// Its name, stable across versions (D11).
    pub fn name(self) -> &'static str {
        match self {
            Warning::CredentialInUrl => "credential_in_url",
            Warning::IncludeContextUndeclared => "include_context_undeclared",
            Warning::ElicitationIdDropped => "elicitation_id_dropped",
            Warning::ManyFields => "many_fields",
        }
    }
}

/// Something in a text that was passed over because nothing is at stake (C3, D2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// JSON pointer, relative to the params of the ask or to the value checked.
    pub at: String,
    /// What was passed over.
    pub what: &'static str,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)
    }
}

/// A place in a text. Written as a JSON pointer only when someone is told of it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spot<'p> {
    above: Option<(&'p Spot<'p>, Step<'p>)>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Word(&'p str),
    Name(Str<'p>),
    Index(usize),
}

impl<'p> Spot<'p> {
    /// The root of the text.
    pub const ROOT: Spot<'static> = Spot { above: None };

    /// The member with a name of ours.
    pub fn word(&'p self, word: &'p str) -> Spot<'p> {
        Spot {
            above: Some((self, Step::Word(word))),
        }
    }

    /// The member with a name of theirs.
    pub fn name(&'p self, name: Str<'p>) -> Spot<'p> {
        Spot {
            above: Some((self, Step::Name(name))),
        }
    }

    /// The element of an array.
    pub fn index(&'p self, index: usize) -> Spot<'p> {
        Spot {
            above: Some((self, Step::Index(index))),
        }
    }

    /// The JSON pointer; a lone surrogate in a name becomes U+FFFD.
    pub fn pointer(&self) -> String {
        let Some((above, step)) = self.above else {
            return String::new();
        };
        let mut pointer = above.pointer();
        pointer.push('/');
        match step {
            Step::Word(word) => pointer.push_str(word),
            Step::Index(index) => pointer.push_str(&index.to_string()),
            Step::Name(name) => {
                let name = name.bytes();
                pointer.push_str(
                    &String::from_utf8_lossy(&name)
                        .replace('~', "~0")
                        .replace('/', "~1"),
                );
            }
        }
        pointer
    }
}

/// Notes and reasons that are kept of one text.
const MOST: usize = 16;

/// How strictly an ask is read: everything counts when it is written, only what is at stake when it is received.
pub(crate) struct Judge {
    strict: bool,
    /// What was passed over.
    pub notes: Vec<Note>,
}

impl Judge {
    /// Refuses whatever is not by the rules (B4).
    pub fn strict() -> Judge {
        Judge {
            strict: true,
            notes: Vec::new(),
        }
    }

    /// Refuses only what cannot be shown or answered (C3, D2).
    pub fn tolerant() -> Judge {
        Judge {
            strict: false,
            notes: Vec::new(),
        }
    }

    /// Is the ask being written?
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// The error for a fault that no mode passes over: `code` to the author, `invalid_result` to the receiver.
    pub fn error(&self, code: Code, at: &Spot<'_>, what: &str) -> Error {
        let at = at.pointer();
        let code = if self.strict {
            code
        } else {
            Code::InvalidResult
        };
        Error::new(code, what).with_at(at)
    }

    /// Refuses in either mode.
    pub fn refuse<T>(&self, code: Code, at: &Spot<'_>, what: &str) -> Result<T, Error> {
        Err(self.error(code, at, what))
    }

    /// Refuses to the author; notes and goes on for the receiver.
    pub fn mind(&mut self, code: Code, at: &Spot<'_>, what: &'static str) -> Result<(), Error> {
        if self.strict {
            return self.refuse(code, at, what);
        }
        self.note(at, what);
        Ok(())
    }

    /// Says that something is passed over. Only the first few are kept: each holds its pointer, and a peer chooses how long those are.
    pub fn note(&mut self, at: &Spot<'_>, what: &'static str) {
        if self.notes.len() < MOST {
            self.notes.push(Note {
                at: at.pointer(),
                what,
            });
        }
    }
}

/// Why an answer is invalid (X3): pointers and causes, never values. Only the first few are kept.
#[derive(Default)]
pub(crate) struct Reasons(Vec<String>);

impl Reasons {
    /// Adds a reason.
    pub fn add(&mut self, at: &Spot<'_>, what: &str) {
        if self.0.len() < MOST {
            let at = at.pointer();
            self.0.push(if at.is_empty() {
                what.to_string()
            } else {
                format!("{at}: {what}")
            });
        }
    }

    /// The reasons.
    pub fn into_list(self) -> Vec<String> {
        self.0
    }

    /// `Ok` if there is no reason.
    pub fn into_result(self) -> Result<(), Vec<String>> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(self.0)
        }
    }
}
