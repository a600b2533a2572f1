//! The sealed claims (S3): what a token says, once it has been checked.

use std::fmt;

use super::book::Book;
use crate::json::Key;
use crate::protocol::Kind;

/// What a token said, owned. Only [`super::Sealer`] makes them. Debug output shows no content (S9).
#[derive(Clone, PartialEq, Eq)]
pub struct Claims {
    /// Random, one per token: what a [`super::Guard`] claims.
    pub token_id: [u8; 16],
    /// The same over all rounds of a flow, not guessable: fit as an idempotency key.
    pub flow_id: [u8; 16],
    /// Milliseconds of the host's clock, like all times here.
    pub issued_ms: u64,
    /// From this millisecond on the token is refused.
    pub expires_ms: u64,
    /// When the first token of the flow was sealed.
    pub flow_start_ms: u64,
    /// 1 for the first token of a flow.
    pub round: u32,
    /// The questions that were asked with this token.
    pub asked: Vec<Asked>,
    /// What is settled so far.
    pub answers: Vec<Kept>,
    /// The host's own bytes; empty is not none (D13).
    pub state: Option<Vec<u8>>,
    /// Digest of the request that it was sealed for and came back with (S5).
    pub(crate) request: [u8; 32],
}

/// One question that was asked: by which key, of which kind, and its digest (X8).
#[derive(Clone, PartialEq, Eq)]
pub struct Asked {
    /// Key in `inputRequests`.
    pub key: Key,
    /// Kind of the ask.
    pub kind: Kind,
    /// Digest of the question's canonical form.
    pub digest: [u8; 32],
}

/// One settled answer, carried on from round to round (X6).
#[derive(Clone, PartialEq, Eq)]
pub struct Kept {
    /// Key in `inputRequests`.
    pub key: Key,
    /// Kind of the ask.
    pub kind: Kind,
    /// Digest of the question that was answered.
    pub digest: [u8; 32],
    /// How it was answered.
    pub outcome: Outcome,
}

/// How an ask was settled.
#[derive(Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Accepted, with the raw text of its content.
    Accepted(String),
    /// Declined.
    Declined,
    /// Cancelled.
    Cancelled,
}

/// What the host puts into the next token.
#[derive(Clone, Copy, Default)]
pub struct Draft<'a> {
    /// The questions asked with this token.
    pub asked: &'a [Asked],
    /// What is settled so far.
    pub answers: &'a [Kept],
    /// The host's own bytes. `None` keeps those of the previous round (D13).
    pub state: Option<&'a [u8]>,
}

/// How an ask was settled, borrowed; what was accepted is UTF-8.
#[derive(Clone, Copy)]
pub(crate) enum Settled<'a> {
    Accepted(&'a [u8]),
    Declined,
    Cancelled,
}

impl<'a> Settled<'a> {
    /// The number in tokens.
    pub(super) fn number(self) -> u8 {
        match self {
            Settled::Accepted(_) => 1,
            Settled::Declined => 2,
            Settled::Cancelled => 3,
        }
    }

    pub(super) fn content(self) -> &'a [u8] {
        match self {
            Settled::Accepted(content) => content,
            Settled::Declined | Settled::Cancelled => &[],
        }
    }
}

impl<'a> From<&'a Outcome> for Settled<'a> {
    fn from(outcome: &'a Outcome) -> Settled<'a> {
        match outcome {
            Outcome::Accepted(content) => Settled::Accepted(content.as_bytes()),
            Outcome::Declined => Settled::Declined,
            Outcome::Cancelled => Settled::Cancelled,
        }
    }
}

/// What goes into the next token: a [`Draft`], or that of an exchange.
#[derive(Clone, Copy)]
pub(crate) struct Sealing<'a> {
    pub(crate) asked: &'a [Asked],
    pub(crate) answers: Answers<'a>,
    pub(crate) state: Option<&'a [u8]>,
}

/// What is settled, one by one or as it travels.
#[derive(Clone, Copy)]
pub(crate) enum Answers<'a> {
    List(&'a [Kept]),
    Book(&'a Book),
}

impl<'a> From<Draft<'a>> for Sealing<'a> {
    fn from(draft: Draft<'a>) -> Sealing<'a> {
        Sealing {
            asked: draft.asked,
            answers: Answers::List(draft.answers),
            state: draft.state,
        }
    }
}

impl fmt::Debug for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claims")
            .field("round", &self.round)
            .field("issued_ms", &self.issued_ms)
            .field("expires_ms", &self.expires_ms)
            .field("flow_start_ms", &self.flow_start_ms)
            .field("asked", &self.asked.len())
            .field("answers", &self.answers.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Asked(..)")
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept(..)")
    }
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Accepted(_) => "Accepted(..)",
            Outcome::Declined => "Declined",
            Outcome::Cancelled => "Cancelled",
        })
    }
}

impl fmt::Debug for Draft<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Draft(..)")
    }
}
