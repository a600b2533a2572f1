//! What a request is, in 32 bytes: method, target and arguments (S5).

use super::canonical::Writing;
use super::walk::{Listener, Token, walk};
use super::{Canonical, Fault, Limits, Raw, Str, unique};

/// First bytes of what is hashed, so that no other use of SHA-256 gives the same digest.
const LABEL: &[u8] = b"mrtr request 1\n";
/// The canonical form of `{}`.
const EMPTY: &[u8] = b"oe";
const ARGUMENTS: &str = "arguments";

/// SHA-256.
#[inline]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().try_into().unwrap_or([0; 32])
}

/// Writes the canonical form of `raw` into `scratch` (S5): equal bytes exactly for equal values. Object order is
/// free, numbers count by exact value, strings by code units; a duplicate member anywhere is refused with the
/// pointer of its object. Linear in the text but for the sorting of names.
pub fn canonicalize(raw: Raw<'_>, scratch: &mut Canonical) -> Result<(), Fault> {
    scratch.clear();
    append(scratch, raw)
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
    match arguments.filter(|raw| !raw.is_null()) {
        None => scratch.push_bytes(EMPTY),
        Some(raw) => append(scratch, raw)?,
    }
    Ok(sha256(scratch.bytes()))
}

/// [`request_digest_with`] of whole `params`, in one walk over them; `target_member` is the name of the member
/// that holds the target. A second one of it or of `arguments` is refused (D14); pointers are from the root of `params`.
/// `None` if the target is neither a string nor `null`.
pub fn params_digest_with(
    scratch: &mut Canonical,
    method: &str,
    target_member: Option<&str>,
    params: Option<Raw<'_>>,
) -> Result<Option<[u8; 32]>, Fault> {
    let Some(params) = params.filter(|raw| !raw.is_null()) else {
        return request_digest_with(scratch, method, None, None).map(Some);
    };
    let mut digesting = Digesting::new(scratch, method, target_member, params.text());
    walk(params.text(), usize::MAX, &mut digesting)?;
    match digesting.end() {
        Some(digest) => Ok(Some(digest)),
        None => {
            scratch.release();
            refuse(params, target_member)
        }
    }
}

/// Reads `params` that nobody has looked at yet, and digests them in the same walk. Without a digest there is something wrong
/// with them as a request, though they are JSON: [`params_digest_with`] says what.
pub fn read_params_digest(
    scratch: &mut Canonical,
    method: &str,
    target_member: Option<&str>,
    text: &str,
    limits: &Limits,
) -> Result<Option<[u8; 32]>, Fault> {
    limits.check_message(text.len())?;
    let mut digesting = Digesting::new(scratch, method, target_member, text);
    walk(text, limits.depth, &mut digesting)?;
    Ok(digesting.end())
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

/// Appends the canonical form of `raw`.
pub(super) fn append(scratch: &mut Canonical, raw: Raw<'_>) -> Result<(), Fault> {
    // As if it stood in the arguments: one listener that writes is enough.
    let mut digesting = Digesting::at(scratch, None, raw.text());
    (digesting.depth, digesting.member) = (2, Member::Arguments);
    walk(raw.text(), usize::MAX, &mut digesting)?;
    if digesting.writing.twice {
        scratch.release();
        unique(raw)
    } else {
        Ok(())
    }
}

/// Hears of the tokens of `params`, and writes what is digested of them.
struct Digesting<'c, 't, 'm> {
    writing: Writing<'c, 't>,
    /// Where the target is written.
    place: usize,
    target_member: Option<&'m str>,
    depth: usize,
    /// Which member of `params` the value belongs to.
    member: Member,
    target: Option<Str<'t>>,
    seen_target: bool,
    seen_arguments: bool,
    /// Was the target written before the arguments?
    placed: bool,
    odd: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Member {
    Target,
    Arguments,
    Other,
}

impl<'c, 't, 'm> Digesting<'c, 't, 'm> {
    fn new(
        scratch: &'c mut Canonical,
        method: &str,
        target_member: Option<&'m str>,
        text: &'t str,
    ) -> Self {
        begin(scratch, method);
        Digesting::at(scratch, target_member, text)
    }

    fn at(scratch: &'c mut Canonical, target_member: Option<&'m str>, text: &'t str) -> Self {
        Digesting {
            place: scratch.bytes().len(),
            writing: scratch.listen(text),
            target_member,
            depth: 0,
            member: Member::Other,
            target: None,
            seen_target: false,
            seen_arguments: false,
            placed: false,
            odd: false,
        }
    }

    /// A member of `params` itself begins.
    fn begin_member(&mut self, name: Str<'t>) {
        self.member = if name.is(ARGUMENTS) {
            self.odd |= std::mem::replace(&mut self.seen_arguments, true);
            if self.seen_target || self.target_member.is_none() {
                push_target(self.writing.canonical, self.target);
                self.placed = true;
            }
            Member::Arguments
        } else if self.target_member.is_some_and(|target| name.is(target)) {
            self.odd |= std::mem::replace(&mut self.seen_target, true);
            Member::Target
        } else {
            Member::Other
        };
    }

    fn token(&self, token: Token) -> Str<'t> {
        let text = self.writing.text.get(token.start..token.end).unwrap_or("");
        Str::trusted(text, token.escaped)
    }

    /// A value that is no part of the arguments: a target of another kind than a string is odd.
    #[inline]
    fn passes(&mut self) {
        self.odd |= self.depth == 0 || self.member == Member::Target;
    }

    /// The digest, unless something is wrong.
    fn end(self) -> Option<[u8; 32]> {
        let scratch = self.writing.canonical;
        if self.odd || self.writing.twice {
            return None;
        }
        if !self.placed {
            let end = scratch.bytes().len();
            push_target(scratch, self.target);
            scratch.move_back(end, self.place);
        }
        if !self.seen_arguments {
            scratch.push_bytes(EMPTY);
        }
        Some(sha256(scratch.bytes()))
    }
}

impl Listener for Digesting<'_, '_, '_> {
    #[inline(always)]
    fn open(&mut self, object: bool, _at: usize) {
        if self.member == Member::Arguments {
            self.writing.open(object);
        } else if self.depth == 0 {
            self.odd |= !object;
        } else {
            self.passes();
        }
        self.depth += 1;
    }

    #[inline(always)]
    fn close(&mut self, _object: bool, _end: usize) {
        self.depth = self.depth.saturating_sub(1);
        if self.member == Member::Arguments && self.depth > 0 {
            self.writing.close();
        }
    }

    #[inline(always)]
    fn name(&mut self, token: Token) {
        if self.depth == 1 {
            self.begin_member(self.token(token));
        } else if self.member == Member::Arguments {
            self.writing.name(token);
        }
    }

    #[inline(always)]
    fn string(&mut self, token: Token) {
        match self.member {
            Member::Arguments => self.writing.string(token),
            Member::Target if self.depth == 1 => self.target = Some(self.token(token)),
            _ => self.odd |= self.depth == 0,
        }
    }

    #[inline(always)]
    fn number(&mut self, start: usize, end: usize) {
        match self.member {
            Member::Arguments => self.writing.number(start, end),
            _ => self.passes(),
        }
    }

    #[inline(always)]
    fn word(&mut self, letter: u8, _start: usize, _end: usize) {
        let none = letter == b'n' && self.depth == 1;
        match self.member {
            // Arguments that are `null` are none.
            Member::Arguments if none => self.writing.canonical.push_bytes(EMPTY),
            Member::Arguments => self.writing.word(letter),
            Member::Target if none => {}
            _ => self.passes(),
        }
    }
}

/// What is wrong with `params` that have no digest.
fn refuse(params: Raw<'_>, target_member: Option<&str>) -> Result<Option<[u8; 32]>, Fault> {
    let Some(members) = params.members() else {
        return params.object().map(|_| None);
    };
    let (mut target, mut arguments) = (None, None);
    for (name, value) in members {
        let known = if name.is(ARGUMENTS) {
            &mut arguments
        } else if target_member.is_some_and(|target| name.is(target)) {
            &mut target
        } else {
            continue;
        };
        if known.replace(value).is_some() {
            let (at, name) = (String::new(), name.key());
            return Err(Fault::Duplicate { at, name });
        }
    }
    if let Some(arguments) = arguments {
        unique(arguments).map_err(|fault| fault.under("/arguments"))?;
    }
    Ok(None)
}
