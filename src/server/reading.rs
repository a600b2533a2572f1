//! Where one question stands when it is stated: settled, or open and why (X2, X3, X8, D15, D16).

use super::AskStatus;
use super::request::Found;
use crate::json::{Key, Raw};
use crate::state::{Asked, Claims};

/// Where a question that is not settled stands before its answer is read.
pub(super) enum Reading<'a> {
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

/// Reads where the question with `digest`, stated under `key`, stands; nothing is settled under its key.
///
/// `claims` are those of the token that came in.
pub(super) fn read<'a>(
    claims: Option<&Claims>,
    found: &'a Found,
    key: &Key,
    digest: &[u8; 32],
) -> Reading<'a> {
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
