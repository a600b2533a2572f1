//! What a client can be asked, as it declares in each request (B8).

use super::{Error, meta};
use crate::json::{Object, Raw, write};
use std::ops::BitOr;

/// A set of abilities, one bit each: what asks need, what a client declares, which handlers a host has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Needs(u32);

/// The single abilities.
pub struct Need;

impl Need {
    /// Elicitation by a form.
    pub const FORM: Needs = Needs(1);
    /// Elicitation by URL.
    pub const URL: Needs = Needs(2);
    /// Sampling.
    pub const SAMPLING: Needs = Needs(4);
    /// Sampling with `tools` or `toolChoice`.
    pub const SAMPLING_TOOLS: Needs = Needs(8);
    /// Sampling with `includeContext`.
    pub const SAMPLING_CONTEXT: Needs = Needs(16);
    /// Roots.
    pub const ROOTS: Needs = Needs(32);
}

impl Needs {
    /// Nothing.
    pub const NONE: Needs = Needs(0);
    /// Everything there is.
    pub const ALL: Needs = Needs(63);

    /// The set with these bits; `None` if one is unknown.
    pub const fn from_bits(bits: u32) -> Option<Needs> {
        if bits & !Needs::ALL.0 == 0 {
            Some(Needs(bits))
        } else {
            None
        }
    }

    /// The bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Is nothing in it?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is all of `other` in it?
    pub const fn has(self, other: Needs) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set without what is in `other`.
    pub const fn without(self, other: Needs) -> Needs {
        Needs(self.0 & !other.0)
    }

    /// The capabilities object that declares exactly this set, each mode by its name (C16, D8):
    /// `{"elicitation":{"form":{}}}`.
    pub fn declared_json(self) -> String {
        let mut out = String::from("{");
        let mut first = true;
        let elicitation = [(Need::FORM, "form"), (Need::URL, "url")];
        let sampling = [
            (Need::SAMPLING_TOOLS, "tools"),
            (Need::SAMPLING_CONTEXT, "context"),
        ];
        self.push_capability(
            &mut out,
            &mut first,
            "elicitation",
            Needs::NONE,
            &elicitation,
        );
        self.push_capability(&mut out, &mut first, "sampling", Need::SAMPLING, &sampling);
        self.push_capability(&mut out, &mut first, "roots", Need::ROOTS, &[]);
        out.push('}');
        out
    }

    fn push_capability(
        self,
        out: &mut String,
        first: &mut bool,
        name: &str,
        plain: Needs,
        parts: &[(Needs, &str)],
    ) {
        let all = parts.iter().fold(plain, |sum, (need, _)| sum | *need);
        if self.without(all) == self {
            return;
        }
        write::push_name(out, first, name);
        let mut first = true;
        out.push('{');
        for (_, part) in parts.iter().filter(|(need, _)| self.has(*need)) {
            write::push_member(out, &mut first, part, "{}");
        }
        out.push('}');
    }
}

impl BitOr for Needs {
    type Output = Needs;

    fn bitor(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Needs {
    fn bitor_assign(&mut self, other: Needs) {
        *self = *self | other;
    }
}

/// What one request declares (B8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities(Needs);

impl Capabilities {
    /// From the `_meta` of a request's params; what is not there, or no object, declares nothing.
    ///
    /// A member twice on the way there is `bad_json` with the pointer of its object (J2).
    pub fn read(params: Option<Raw<'_>>) -> Result<Capabilities, Error> {
        match object(params, "", "")? {
            Some(params) => Capabilities::read_object(&params),
            None => Ok(Capabilities::default()),
        }
    }

    /// [`Capabilities::read`] of params whose members are at hand.
    pub fn read_object(params: &Object<'_>) -> Result<Capabilities, Error> {
        Capabilities::read_meta(params.get(meta::META))
    }

    /// [`Capabilities::read`] of a `_meta` that is at hand.
    pub fn read_meta(meta: Option<Raw<'_>>) -> Result<Capabilities, Error> {
        let meta = object(meta, "/_meta", "")?;
        match meta.and_then(|meta| meta.get(meta::CLIENT_CAPABILITIES)) {
            Some(declared) => Capabilities::parse_at(declared, AT_IN_PARAMS),
            None => Ok(Capabilities::default()),
        }
    }

    /// From a capabilities object itself. Anything but an object declares nothing; unknown members are ignored; a
    /// member twice in it, or in `elicitation` or `sampling`, is `bad_json`.
    pub fn parse(declared: Raw<'_>) -> Result<Capabilities, Error> {
        Capabilities::parse_at(declared, "")
    }

    fn parse_at(declared: Raw<'_>, at: &str) -> Result<Capabilities, Error> {
        let mut found = Needs::NONE;
        let Some(all) = object(Some(declared), at, "")? else {
            return Ok(Capabilities(found));
        };
        let is_object = |of: &Object<'_>, name: &str| of.get(name).is_some_and(Raw::is_object);
        if let Some(elicitation) = object(all.get("elicitation"), at, "/elicitation")? {
            // An older client writes `{}` and means forms; one that names any mode means what it names.
            let named = elicitation.get("form").is_some() || elicitation.get("url").is_some();
            if is_object(&elicitation, "form") || !named {
                found |= Need::FORM;
            }
            if is_object(&elicitation, "url") {
                found |= Need::URL;
            }
        }
        if let Some(sampling) = object(all.get("sampling"), at, "/sampling")? {
            found |= Need::SAMPLING;
            if is_object(&sampling, "tools") {
                found |= Need::SAMPLING_TOOLS;
            }
            if is_object(&sampling, "context") {
                found |= Need::SAMPLING_CONTEXT;
            }
        }
        if is_object(&all, "roots") {
            found |= Need::ROOTS;
        }
        Ok(Capabilities(found))
    }

    /// All that is declared.
    pub const fn declared(self) -> Needs {
        self.0
    }

    /// What is needed but not declared.
    pub const fn missing(self, needs: Needs) -> Needs {
        needs.without(self.0)
    }

    /// The object of `data.requiredCapabilities`: the union of what is missing, each mode by its name (B8, D8).
    pub fn required_object(missing: Needs) -> String {
        missing.declared_json()
    }
}

impl From<Needs> for Capabilities {
    fn from(declared: Needs) -> Capabilities {
        Capabilities(declared)
    }
}

/// Where the capabilities stand in params.
const AT_IN_PARAMS: &str = "/_meta/io.modelcontextprotocol~1clientCapabilities";

/// The members of a value if it is an object; duplicates are refused with their place, `at` and `step` in a row.
fn object<'a>(raw: Option<Raw<'a>>, at: &str, step: &str) -> Result<Option<Object<'a>>, Error> {
    match raw.filter(|raw| raw.is_object()) {
        Some(raw) => Ok(Some(
            raw.object().map_err(|fault| fault.under(step).under(at))?,
        )),
        None => Ok(None),
    }
}
