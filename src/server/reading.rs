//! Where one question stands when it is stated: settled, or open and why (X2, X3, X8, D15, D16).

use super::AskStatus;
use super::ledger::Ledger;
use crate::json::{Key, Raw};
use crate::state::{Asked, Claims, Outcome};

/// Where a question stands before its answer is read.
pub(super) enum Reading<'a> {
    /// The state that came in settles it (X6).
    Kept(&'a Outcome),
    /// This answer is for it.
    Answered(Raw<'a>),
    /// It is open: missing or stale.
    Open(AskStatus),
}

/// The question that the state says was asked under `key`; `asked` is in the order of keys.
fn asked<'a>(asked: &'a [Asked], key: &Key) -> Option<&'a Asked> {
    asked
        .binary_search_by(|a| a.key.cmp(key))
        .ok()
        .and_then(|at| asked.get(at))
}

/// Reads where the question with `digest`, stated under `key`, stands.
///
/// `claims` are those of the token that came in; `answer` is what this request holds under the key.
pub(super) fn read<'a>(
    claims: Option<&Claims>,
    ledger: &'a Ledger,
    answer: Option<Raw<'a>>,
    key: &Key,
    digest: &[u8; 32],
) -> Reading<'a> {
    let mut same = true;
    if let Some(claims) = claims {
        if let Some(kept) = ledger.before(key) {
            return if kept.digest == *digest {
                Reading::Kept(&kept.outcome)
            } else {
                Reading::Open(AskStatus::Stale)
            };
        }
        match asked(&claims.asked, key) {
            Some(asked) => same = asked.digest == *digest,
            // Only what was asked can be answered (D16).
            None => return Reading::Open(AskStatus::Missing),
        }
    }
    match answer {
        None => Reading::Open(AskStatus::Missing),
        Some(_) if !same => Reading::Open(AskStatus::Stale),
        Some(raw) => Reading::Answered(raw),
    }
}
