//! What a request is, in 32 bytes: method, target and arguments (S5).

use super::{Canonical, Fault, Raw, Str};

/// First bytes of what is hashed, so that no other use of SHA-256 gives the same digest.
const LABEL: &[u8] = b"mrtr request 1\n";

/// SHA-256.
#[inline]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().try_into().unwrap_or([0; 32])
}

/// Digest of a request: its method, its target (tool or prompt name, or URI) and its arguments, where absent, `null`
/// and `{}` arguments are one (S5). Duplicate members anywhere in the arguments are refused; the pointer is relative
/// to the arguments (D14). `docs/arguments-digest.md` is the specification.
pub fn request_digest(
    method: &str,
    target: Option<Str<'_>>,
    arguments: Option<Raw<'_>>,
) -> Result<[u8; 32], Fault> {
    request_digest_with(&mut Canonical::new(), method, target, arguments)
}

/// [`request_digest`] with scratch space of the caller: a warm one allocates nothing.
pub fn request_digest_with(
    scratch: &mut Canonical,
    method: &str,
    target: Option<Str<'_>>,
    arguments: Option<Raw<'_>>,
) -> Result<[u8; 32], Fault> {
    begin(scratch, method);
    push_target(scratch, target);
    push_arguments(scratch, arguments)?;
    Ok(sha256(scratch.bytes()))
}

/// [`request_digest_with`] of whole `params`, in one walk over their members; `target_member` is the name of the member
/// that holds the target. A second one of it or of `arguments` is refused (D14); pointers are from the root of `params`.
/// `None` if the target is neither a string nor `null`.
pub fn params_digest_with(
    scratch: &mut Canonical,
    method: &str,
    target_member: Option<&str>,
    params: Option<Raw<'_>>,
) -> Result<Option<[u8; 32]>, Fault> {
    begin(scratch, method);
    let members = match params.filter(|raw| !raw.is_null()) {
        Some(params) => match params.members() {
            Some(members) => Some((params.text(), members)),
            // Not an object: the fault of the reading that says so.
            None => return params.object().map(|_| None),
        },
        None => None,
    };
    let mut target: Option<Raw<'_>> = None;
    let (mut arguments, mut written, mut odd) = (None, false, false);
    if let Some((text, mut members)) = members {
        while let Some((name, at)) = members.next_name() {
            let twice = if name.is("arguments") {
                if arguments.is_none() && (target.is_some() || target_member.is_none()) {
                    // The usual order: what the digest says of the arguments can be written as they are met.
                    push_target(scratch, target.and_then(Raw::string));
                    let end = push_arguments_at(scratch, text, at)?;
                    members.go_on(end);
                    (arguments, written) = (Some(Raw::EMPTY), true);
                    continue;
                }
                arguments.replace(members.value(at)).is_some()
            } else {
                let value = members.value(at);
                let is_target = target_member.is_some_and(|target| name.is(target));
                odd |= is_target && !value.is_null() && value.string().is_none();
                is_target && target.replace(value).is_some()
            };
            if twice {
                let (at, name) = (String::new(), name.key());
                return Err(Fault::Duplicate { at, name });
            }
        }
    }
    if !written {
        push_target(scratch, target.and_then(Raw::string));
        push_arguments(scratch, arguments).map_err(below_arguments)?;
    }
    Ok((!odd).then(|| sha256(scratch.bytes())))
}

fn begin(scratch: &mut Canonical, method: &str) {
    scratch.clear();
    scratch.push_bytes(LABEL);
    scratch.push_text(method);
}

fn push_target(scratch: &mut Canonical, target: Option<Str<'_>>) {
    match target {
        Some(target) => scratch.push_str(target),
        None => scratch.push_bytes(b"n"),
    }
}

fn push_arguments(scratch: &mut Canonical, arguments: Option<Raw<'_>>) -> Result<(), Fault> {
    scratch.push_value(arguments.filter(|raw| !raw.is_null()).unwrap_or(Raw::EMPTY))
}

/// The arguments that start at `at` in `text`; returns where they end.
fn push_arguments_at(scratch: &mut Canonical, text: &str, at: usize) -> Result<usize, Fault> {
    if text.as_bytes().get(at) == Some(&b'n') {
        scratch.push_value(Raw::EMPTY)?;
        return Ok(at.saturating_add("null".len()));
    }
    scratch.push_value_at(text, at).map_err(below_arguments)
}

fn below_arguments(fault: Fault) -> Fault {
    match fault {
        Fault::Duplicate { at, name } => Fault::Duplicate {
            at: format!("/arguments{at}"),
            name,
        },
        other => other,
    }
}
