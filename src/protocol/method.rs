//! Methods: which may be answered with asks, and what each is about.

use crate::json::{Object, Str};

/// Methods that may be answered with `input_required` (B2), and the member of their params that names the target.
const ASKING: [(&str, &str); 3] = [
    ("tools/call", "name"),
    ("prompts/get", "name"),
    ("resources/read", "uri"),
];

/// The methods that may be answered with `input_required` (B2).
pub fn asking_methods() -> impl Iterator<Item = &'static str> {
    ASKING.iter().map(|(method, _)| *method)
}

/// May this method be answered with `input_required`? (B2)
pub fn asks_allowed(method: &str) -> bool {
    asking_methods().any(|known| known == method)
}

/// The member of this method's params that names what the request is about. `None` on other methods.
pub fn target_member(method: &str) -> Option<&'static str> {
    let (_, member) = ASKING.iter().find(|(known, _)| *known == method)?;
    Some(member)
}

/// What the request is about: tool or prompt name, or URI. `None` on other methods, and if it is no string.
pub fn target<'a>(method: &str, params: Option<&Object<'a>>) -> Option<Str<'a>> {
    params?.get(target_member(method)?)?.string()
}
