//! What a flow wants its host to do next.

use super::text::Text;
use super::who::Who;
use crate::json::Key;
use crate::protocol::{Error, Kind};
use std::sync::Arc;

/// One thing for the host to do or to know. [`Event::Sleep`] and [`Event::Idle`] say that nothing else is to be done.
pub enum Event {
    /// Send this request: one leg.
    Send {
        /// Its number in the flow, from 1; what comes of it is handed in under it.
        leg: u32,
        /// A JSON-RPC id, unique among the legs of the client (C4); also the leg's progress token, if the caller asked for progress.
        id: u64,
        /// The method.
        method: Arc<str>,
        /// The JSON text of the params, one line.
        params: String,
        /// When the leg's clock, or the flow's, runs out.
        deadline_ms: Option<u64>,
        /// The wait that was taken before a state-only retry, else 0.
        paced_ms: u64,
    },
    /// Tell the transport to cancel this leg (C10, D5).
    CancelLeg {
        /// Its number in the flow.
        leg: u32,
        /// Its JSON-RPC id.
        id: u64,
    },
    /// Show this ask to whoever answers it.
    Ask(Box<AskEvent>),
    /// The answer to this ask is no longer wanted (C10, D5).
    StopAsk {
        /// The key of the ask.
        key: Key,
    },
    /// A round with asks begins (C15).
    Round {
        /// Its number, from 1.
        n: u32,
        /// How many asks it has.
        asks: usize,
    },
    /// Progress of the current leg; never lower than the value before (C15).
    Progress {
        /// The leg's number in the flow.
        leg: u32,
        /// The value.
        value: f64,
    },
    /// Something of the server's or the handler's was tolerated.
    Note {
        /// The ask it is about.
        key: Option<Key>,
        /// What.
        text: String,
    },
    /// Nothing to do before this time, or before something is handed in.
    Sleep {
        /// When to call `next` again; `None` = only after something was handed in.
        until: Option<u64>,
        /// Is it the wait before a state-only retry?
        pacing: bool,
    },
    /// The flow is over. Comes exactly once (C10).
    Done(Box<Done>),
    /// The flow is over and `Done` was taken.
    Idle,
}

/// One ask to show (C14). Everything in it comes from the server and is not to be trusted.
#[derive(Clone)]
pub struct AskEvent {
    /// Its key: answers are handed in under it.
    pub key: Key,
    /// What is asked for.
    pub kind: Kind,
    /// The whole ask, as it came.
    pub ask: Text,
    /// Its params, as they came.
    pub params: Option<Text>,
    /// The message of an elicitation, decoded; lone surrogates replaced.
    pub message: Option<String>,
    /// The schema of a form, as it came.
    pub schema: Option<Text>,
    /// Where a URL ask leads.
    pub url: Option<UrlView>,
    /// Names of fields of a form that look as if they asked for a secret; a server must not ask for one by form (B5).
    pub secret_fields: Vec<String>,
    /// Who asks; the same for all asks of a round.
    pub who: Arc<Who>,
    /// The round, from 1.
    pub round: u32,
    /// The same question under the same key was declined in this flow (D6).
    pub previously_declined: bool,
}

/// What to show about the target of a URL ask. Nothing is opened or fetched by the library.
#[derive(Clone, PartialEq, Eq)]
pub struct UrlView {
    /// The URL as it came, decoded.
    pub url: String,
    /// Bits of `protocol::url` (NOT_HTTPS, USER_INFO, IP_LITERAL, PUNYCODE, MIXED_SCRIPT).
    pub flags: u32,
    /// The host in ASCII.
    pub host_ascii: String,
    /// The host in Unicode.
    pub host_unicode: String,
}

/// Without the URL itself: its path or query may be a credential.
impl std::fmt::Debug for UrlView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "UrlView {{ host: {}, flags: {} }}",
            self.host_ascii, self.flags
        )
    }
}

/// How a flow ended.
pub struct Done {
    /// `Ok` = complete; else the error, whose code names the end and whose key names the ask.
    pub end: Result<(), Error>,
    /// The final result (complete), or the raw result that the end is about (invalid_result, rounds_exceeded, input_required).
    pub result: Option<Text>,
    /// Rounds with asks that were begun.
    pub rounds: u32,
    /// Legs that were sent.
    pub legs: u32,
    /// Text from which another flow can go on (C11).
    pub continuation: Option<String>,
    /// May the result be cached? Never if it took more than one leg (C18).
    pub cacheable: bool,
}

impl Done {
    /// The ask that the end is about.
    pub fn key(&self) -> Option<&Key> {
        self.end.as_ref().err().and_then(Error::key)
    }
}

/// Without params and texts: they hold what people are asked and answer.
impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Event::Send {
                leg,
                id,
                method,
                params,
                deadline_ms,
                paced_ms,
            } => {
                write!(
                    f,
                    "Send {{ leg: {leg}, id: {id}, method: {method:?}, params: {} bytes, ",
                    params.len()
                )?;
                write!(f, "deadline_ms: {deadline_ms:?}, paced_ms: {paced_ms} }}")
            }
            Event::CancelLeg { leg, id } => write!(f, "CancelLeg {{ leg: {leg}, id: {id} }}"),
            Event::Ask(ask) => ask.fmt(f),
            Event::StopAsk { key } => write!(f, "StopAsk {{ key: {key} }}"),
            Event::Round { n, asks } => write!(f, "Round {{ n: {n}, asks: {asks} }}"),
            Event::Progress { leg, value } => {
                write!(f, "Progress {{ leg: {leg}, value: {value} }}")
            }
            Event::Note {
                key: Some(key),
                text,
            } => write!(f, "Note {{ key: {key}, text: {text:?} }}"),
            Event::Note { key: None, text } => write!(f, "Note {{ text: {text:?} }}"),
            Event::Sleep { until, pacing } => {
                write!(f, "Sleep {{ until: {until:?}, pacing: {pacing} }}")
            }
            Event::Done(done) => done.fmt(f),
            Event::Idle => f.write_str("Idle"),
        }
    }
}

impl std::fmt::Debug for AskEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "AskEvent {{ key: {}, kind: {:?}, round: {} }}",
            self.key, self.kind, self.round
        )
    }
}

impl std::fmt::Debug for Done {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Done")
            .field("end", &self.end)
            .field("rounds", &self.rounds)
            .field("legs", &self.legs)
            .field("continuation", &self.continuation.is_some())
            .finish_non_exhaustive()
    }
}
