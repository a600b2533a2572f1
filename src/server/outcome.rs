//! What asking brings (X3), and what is known of the flow (X7).

use crate::protocol::Warning;
use crate::state::Settled;

/// Where an ask stands (X3). The numbers are those of the C ABI, forever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum AskStatus {
    /// Not answered yet; it goes out.
    Missing = 1,
    /// Accepted and valid: there is content.
    Accepted = 2,
    /// The user said no. Not asked again, unless [`Exchange::forget`](super::Exchange::forget) says so.
    Declined = 3,
    /// The user left without an answer. Not asked again, unless [`Exchange::forget`](super::Exchange::forget) says so.
    Cancelled = 4,
    /// There was an answer, but it does not fit the question; it is asked again.
    Invalid = 5,
    /// It was answered before it was reworded; it is asked again (X8).
    Stale = 6,
    /// The client did not declare it and the gate filters: it is never asked (D18).
    Unaskable = 7,
}

impl AskStatus {
    /// Of a settled question, and the content of what was accepted.
    #[inline]
    pub(crate) fn of(settled: Settled<'_>) -> (AskStatus, Option<&[u8]>) {
        match settled {
            Settled::Accepted(content) => (AskStatus::Accepted, Some(content)),
            Settled::Declined => (AskStatus::Declined, None),
            Settled::Cancelled => (AskStatus::Cancelled, None),
        }
    }

    /// Its name, as case files and logs spell it.
    pub fn name(self) -> &'static str {
        match self {
            AskStatus::Missing => "missing",
            AskStatus::Accepted => "accepted",
            AskStatus::Declined => "declined",
            AskStatus::Cancelled => "cancelled",
            AskStatus::Invalid => "invalid",
            AskStatus::Stale => "stale",
            AskStatus::Unaskable => "unaskable",
        }
    }

    /// Does the handler go on after this one?
    pub fn is_settled(self) -> bool {
        !matches!(
            self,
            AskStatus::Missing | AskStatus::Invalid | AskStatus::Stale
        )
    }
}

/// What an ask brought.
#[derive(Clone)]
pub struct AskOutcome {
    /// Where it stands.
    pub status: AskStatus,
    /// Only if accepted: a form's content, a sampling or roots result, as JSON text; empty for a URL, which is consent (X5).
    pub content: Option<String>,
    /// Only if invalid: why, an entry per reason.
    pub reasons: Vec<String>,
    /// What the author of the ask should know (D11).
    pub warnings: Vec<Warning>,
}

/// [`AskOutcome`], with the content where the exchange keeps it.
pub(crate) struct Standing<'a> {
    pub(crate) status: AskStatus,
    /// UTF-8.
    pub(crate) content: Option<&'a [u8]>,
    pub(crate) reasons: Vec<String>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> Standing<'a> {
    #[inline]
    pub(crate) fn settled(settled: Settled<'a>) -> Standing<'a> {
        let (status, content) = AskStatus::of(settled);
        Standing {
            content,
            ..Standing::open(status, Vec::new())
        }
    }

    pub(super) fn open(status: AskStatus, reasons: Vec<String>) -> Standing<'a> {
        Standing {
            status,
            content: None,
            reasons,
            warnings: Vec::new(),
        }
    }
}

impl From<Standing<'_>> for AskOutcome {
    fn from(standing: Standing<'_>) -> AskOutcome {
        let text = |content| String::from_utf8_lossy(content).into_owned();
        AskOutcome {
            status: standing.status,
            content: standing.content.map(text),
            reasons: standing.reasons,
            warnings: standing.warnings,
        }
    }
}

/// Shows where it stands, never what was answered (S9).
impl std::fmt::Debug for AskOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "AskOutcome({}, {} reasons, {:?})",
            self.status.name(),
            self.reasons.len(),
            self.warnings
        )
    }
}

/// What the state tells about the flow of a request (X7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Info {
    /// 0 on a first request, else the round of the state that came in.
    pub round: u32,
    /// Stable over the rounds of a flow, from its first request on, and not guessable: an idempotency key. `None` without a sealer.
    pub flow_id: Option<[u8; 16]>,
    /// When the flow began: ms of the clock that `begin` is given.
    pub first_seen_ms: u64,
    /// Until when the state of the last result can come back, in ms of the same clock: it opens before that, not at it.
    /// `None` before a result, and without a sealer.
    pub expires_ms: Option<u64>,
}
