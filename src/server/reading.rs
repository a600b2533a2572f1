//! Where one question stands when it is stated: settled, or open and why (X2, X3, X8, D15, D16).

use super::AskStatus;
use super::request::Found;
use crate::json::{Key, Raw};
use crate::state::{Asked, Claims, Kept, Outcome};

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
/// `kept` is what the state settles under the key, `claims` are those of the token that came in.
pub(super) fn read<'a>(
    claims: Option<&Claims>,
    kept: Option<&'a Kept>,
    found: &'a Found,
    key: &Key,
    digest: &[u8; 32],
) -> Reading<'a> {
    if let Some(kept) = kept {
        return match kept.digest == *digest {
            true => Reading::Kept(&kept.outcome),
            false => Reading::Open(AskStatus::Stale),
        };
    }
    let same = match claims.map(|claims| asked(&claims.asked, key)) {
        Some(Some(asked)) => asked.digest == *digest,
        // Only what was asked can be answered (D16).
        Some(None) => return Reading::Open(AskStatus::Missing),
        None => true,
    };
    match found.answer(key) {
        None => Reading::Open(AskStatus::Missing),
        Some(_) if !same => Reading::Open(AskStatus::Stale),
        Some(raw) => Reading::Answered(raw),
    }
}
