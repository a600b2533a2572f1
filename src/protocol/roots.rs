//! The answer to a roots ask (X5).

use super::note::{Reasons, Spot};
use crate::json::Raw;

/// Why `answer` is no list of roots; `Ok` if it is one. `[]` is an answer.
pub(crate) fn check(answer: Raw<'_>) -> Result<(), Vec<String>> {
    let mut reasons = Reasons::default();
    let root = Spot::ROOT;
    let at = root.word("roots");
    let list = answer
        .members()
        .and_then(|mut members| members.find(|(name, _)| name.is("roots")));
    match list.and_then(|(_, list)| list.elements()) {
        None => reasons.add(&at, "expected an array"),
        Some(list) => {
            for (index, entry) in list.enumerate() {
                if let Err(what) = check_root(entry) {
                    reasons.add(&at.index(index), what);
                }
            }
        }
    }
    reasons.into_result()
}

fn check_root(root: Raw<'_>) -> Result<(), &'static str> {
    let mut uri = None;
    for (name, value) in root.members().ok_or("expected an object")? {
        if name.is("uri") {
            uri = value.string();
        } else if name.is("name") && value.string().is_none() {
            return Err("name must be a string");
        }
    }
    let uri = uri
        .ok_or("uri must be a string")?
        .text()
        .ok_or("uri holds a lone surrogate")?;
    let is_file = uri.starts_with("file://")
        && !uri.chars().any(char::is_control)
        && url::Url::parse(&uri).is_ok();
    if is_file {
        Ok(())
    } else {
        Err("uri must be a file:// URI")
    }
}
