//! One entry of `inputRequests`: written strictly by a server (B3-B7, D9), received tolerantly by a client (C3, D2).

use super::form::{Field, Form};
use super::note::{Judge, Note, Spot, Warning};
use super::sampling::Sampling;
use super::url::Address;
use super::{Code, Error, Kind, Need, Needs, secret};
use crate::json::{Canonical, Fault, Limits, Raw, Str, canonicalize, sha256, splice, unique};
use std::borrow::Cow;

/// More fields than this are worth a warning (D11).
const MANY_FIELDS: usize = 8;

/// What an author may do beyond the rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct AuthorRules<'r> {
    /// May URLs be http? For development (B6).
    pub allow_http: bool,
    /// Fields that may look like secrets, by their exact name (B5).
    pub allow_secret: &'r [&'r str],
}

/// What a receiver lets pass beyond the rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReceiveRules {
    /// May URLs be http? For development (D2).
    pub allow_http: bool,
    /// Has an elicitation an `elicitationId`, as in 2025-11-25? It is no stranger then.
    pub has_ids: bool,
}

/// An ask that keeps the rules, borrowed from its text.
#[derive(Debug)]
pub struct Ask<'a> {
    raw: Raw<'a>,
    /// The text without what was stripped; absent if nothing was.
    stripped: Option<String>,
    params: Option<Raw<'a>>,
    message: Option<Str<'a>>,
    schema: Option<Raw<'a>>,
    body: Body<'a>,
}

/// What is asked for, by kind.
#[derive(Debug)]
pub enum Body<'a> {
    /// Fields to fill in.
    Form(Form<'a>),
    /// A page to open.
    Url(Address<'a>),
    /// A completion by the client's model.
    Sampling(Sampling),
    /// The client's roots.
    Roots,
}

impl<'a> Ask<'a> {
    /// Reads an ask that is about to be sent: everything must be by the rules (B3-B7). `elicitationId` is stripped
    /// with a warning (D9).
    ///
    /// Errors: `bad_json` (a member twice), `unknown_kind`, `missing_params`, `bad_mode`, `bad_schema`,
    /// `secret_field`, `bad_url`, `bad_sampling`; their pointers are relative to the params.
    pub fn author(raw: Raw<'a>, rules: &AuthorRules<'_>) -> Result<(Ask<'a>, Vec<Warning>), Error> {
        unique(raw).map_err(|fault| {
            let at = match &fault {
                Fault::Duplicate { at, .. } => at.strip_prefix("/params").unwrap_or(at).to_string(),
                _ => String::new(),
            };
            Error::from(fault).with_at(at)
        })?;
        let mut warnings = Vec::new();
        let passes = ReceiveRules {
            allow_http: rules.allow_http,
            ..ReceiveRules::default()
        };
        let mut ask = Ask::read(raw, &passes, &mut Judge::strict())?;
        if let (Body::Form(_) | Body::Url(_), Some(params)) = (&ask.body, ask.params)
            && has_member(params, "elicitationId")
        {
            let params = splice(params, &["elicitationId"], &[]);
            ask.stripped = Some(splice(raw, &["params"], &[("params", &params)]));
            warnings.push(Warning::ElicitationIdDropped);
        }
        match &ask.body {
            Body::Form(form) => {
                refuse_secrets(form, rules.allow_secret)?;
                if form.fields().len() > MANY_FIELDS {
                    warnings.push(Warning::ManyFields);
                }
            }
            Body::Url(address) if address.has_credential() => {
                warnings.push(Warning::CredentialInUrl)
            }
            _ => {}
        }
        Ok((ask, warnings))
    }

    /// Reads an ask that came from a server: refused is only what cannot be shown or answered, the rest is noted
    /// (C3, D2). The error is `invalid_result`.
    pub fn receive(raw: Raw<'a>, rules: &ReceiveRules) -> Result<(Ask<'a>, Vec<Note>), Error> {
        unique(raw).map_err(|fault| Error::new(Code::InvalidResult, fault.to_string()))?;
        let mut judge = Judge::tolerant();
        let ask = Ask::read(raw, rules, &mut judge)?;
        Ok((ask, judge.notes))
    }

    /// Fields of a form that ask for a secret, which a server must not do by form (B5, C14): names as they stand in the schema.
    pub fn secret_fields(&self) -> impl Iterator<Item = Str<'a>> + '_ {
        let fields = match &self.body {
            Body::Form(form) => form.fields(),
            _ => &[],
        };
        let secret = |field: &&Field<'a>| secret::asks_for_secret(field);
        fields.iter().filter(secret).map(|field| field.name)
    }

    /// An ask that was received before: what was checked then is taken for granted.
    pub(crate) fn again(raw: Raw<'a>) -> Result<Ask<'a>, Error> {
        let passed = ReceiveRules {
            allow_http: true,
            has_ids: true,
        };
        Ask::read(raw, &passed, &mut Judge::tolerant())
    }

    /// [`Ask::again`] of a form that was put together again, to be held against an answer.
    pub(crate) fn of_form(raw: Raw<'a>, form: Form<'a>) -> Ask<'a> {
        Ask {
            raw,
            stripped: None,
            params: None,
            message: None,
            schema: None,
            body: Body::Form(form),
        }
    }

    fn read(raw: Raw<'a>, rules: &ReceiveRules, judge: &mut Judge) -> Result<Ask<'a>, Error> {
        let root = Spot::ROOT;
        let Some(members) = raw.members() else {
            return judge.refuse(Code::UnknownKind, &root, "an ask must be an object");
        };
        let (mut method, mut params) = (None, None);
        for (name, value) in members {
            if name.is("method") {
                method = value.string();
            } else if name.is("params") && !value.is_null() {
                params = Some(value);
            }
        }
        let known = |kind: &Kind| method.is_some_and(|method| method.is(kind.method()));
        let Some(kind) = Kind::ALL.into_iter().find(known) else {
            let what = "the method is none that can be asked";
            return judge.refuse(Code::UnknownKind, &root, what);
        };
        if params.is_some_and(|params| !params.is_object()) {
            return judge.refuse(Code::MissingParams, &root, "params must be an object");
        }
        let mut ask = Ask {
            raw,
            stripped: None,
            params,
            message: None,
            schema: None,
            body: Body::Roots,
        };
        match (kind, params) {
            (Kind::Roots, _) => {}
            (_, None) => return judge.refuse(Code::MissingParams, &root, "params are missing"),
            (Kind::Sampling, Some(params)) => {
                ask.body = Body::Sampling(Sampling::read(params, judge, &root)?)
            }
            (Kind::Form | Kind::Url, Some(params)) => ask.read_elicitation(params, rules, judge)?,
        }
        Ok(ask)
    }

    fn read_elicitation(
        &mut self,
        params: Raw<'a>,
        rules: &ReceiveRules,
        judge: &mut Judge,
    ) -> Result<(), Error> {
        let root = Spot::ROOT;
        let (mut mode, mut message, mut schema, mut address) = (None, None, None, None);
        for (name, value) in params.members().into_iter().flatten() {
            match () {
                () if name.is("mode") => mode = Some(value),
                () if name.is("message") => message = Some(value),
                () if name.is("requestedSchema") => {
                    schema = Some(value).filter(|value| !value.is_null())
                }
                () if name.is("url") => address = Some(value).filter(|value| !value.is_null()),
                () if name.is("elicitationId") && !judge.is_strict() && !rules.has_ids => {
                    judge.note(&root.name(name), "this era has no elicitationId");
                }
                () => {}
            }
        }
        let by_url = match mode.map(Raw::string) {
            None => false,
            Some(Some(mode)) if mode.is("form") => false,
            Some(Some(mode)) if mode.is("url") => true,
            Some(_) => {
                let what = "must be \"form\" or \"url\"";
                return judge.refuse(Code::BadMode, &root.word("mode"), what);
            }
        };
        self.message = message.and_then(Raw::string);
        if self.message.is_none() {
            let what = "message must be there, as a string";
            return judge.refuse(Code::MissingParams, &root, what);
        }
        let members = [("requestedSchema", schema), ("url", address)];
        let [(name, wanted), (stranger, beside)] = if by_url {
            let [schema, address] = members;
            [address, schema]
        } else {
            members
        };
        let Some(wanted) = wanted else {
            return judge.refuse(Code::MissingParams, &root, &format!("{name} is missing"));
        };
        if beside.is_some() {
            let what = "has no place in this mode";
            judge.mind(Code::BadMode, &root.word(stranger), what)?;
        }
        let at = root.word(name);
        self.body = if by_url {
            Body::Url(Address::read(wanted, rules.allow_http, judge, &at)?)
        } else {
            self.schema = Some(wanted);
            Body::Form(Form::read(wanted, judge, &at)?)
        };
        Ok(())
    }

    /// Which kind of ask it is.
    pub fn kind(&self) -> Kind {
        match self.body {
            Body::Form(_) => Kind::Form,
            Body::Url(_) => Kind::Url,
            Body::Sampling(_) => Kind::Sampling,
            Body::Roots => Kind::Roots,
        }
    }

    /// What is asked for.
    pub fn body(&self) -> &Body<'a> {
        &self.body
    }

    /// The form, if it is one.
    pub fn form(&self) -> Option<&Form<'a>> {
        if let Body::Form(form) = &self.body {
            Some(form)
        } else {
            None
        }
    }

    /// The URL, if it is a URL ask.
    pub fn url(&self) -> Option<&Address<'a>> {
        if let Body::Url(address) = &self.body {
            Some(address)
        } else {
            None
        }
    }

    /// The sampling request, if it is one.
    pub fn sampling(&self) -> Option<Sampling> {
        if let Body::Sampling(sampling) = self.body {
            Some(sampling)
        } else {
            None
        }
    }

    /// The ask as it was handed in.
    pub fn raw(&self) -> Raw<'a> {
        self.raw
    }

    /// The ask as it goes on the wire, on one line: as handed in, less what was stripped (J5).
    pub fn text(&self) -> Cow<'_, str> {
        match &self.stripped {
            Some(text) => Cow::Borrowed(text),
            None => self.raw.one_line(),
        }
    }

    /// Its params as handed in; absent for roots without any.
    pub fn params(&self) -> Option<Raw<'a>> {
        self.params
    }

    /// The message of an elicitation, as spelled.
    pub fn message(&self) -> Option<Str<'a>> {
        self.message
    }

    /// The schema of a form, as handed in.
    pub fn schema(&self) -> Option<Raw<'a>> {
        self.schema
    }

    /// What the client must declare for it (B8).
    pub fn needs(&self) -> Needs {
        match self.body {
            Body::Form(_) => Need::FORM,
            Body::Url(_) => Need::URL,
            Body::Sampling(Sampling {
                offers_tools: true, ..
            }) => Need::SAMPLING | Need::SAMPLING_TOOLS,
            Body::Sampling(_) => Need::SAMPLING,
            Body::Roots => Need::ROOTS,
        }
    }

    /// Does it want context that a client without `sampling.context` will not give? A warning, no refusal (B8).
    pub fn wants_context(&self) -> bool {
        self.sampling()
            .is_some_and(|sampling| sampling.wants_context)
    }

    /// SHA-256 of the canonical form of the ask as it goes on the wire: two asks have the same digest exactly if they
    /// ask the same, the order of members and the spelling of numbers aside (D16).
    pub fn digest(&self) -> [u8; 32] {
        self.digest_with(&mut Canonical::new())
    }

    /// [`Ask::digest`] with scratch space of the caller.
    pub fn digest_with(&self, scratch: &mut Canonical) -> [u8; 32] {
        let limits = Limits {
            message_bytes: usize::MAX,
            depth: usize::MAX,
            ..Limits::default()
        };
        let stripped = self
            .stripped
            .as_deref()
            .and_then(|text| Raw::parse(text, &limits).ok());
        // No member stands twice in an ask, so the form is always written.
        let _ = canonicalize(stripped.unwrap_or(self.raw), scratch);
        sha256(scratch.bytes())
    }
}

fn refuse_secrets(form: &Form<'_>, allowed: &[&str]) -> Result<(), Error> {
    for field in form.fields() {
        if secret::asks_for_secret(field) && !allowed.iter().any(|name| field.name.is(name)) {
            let at = Spot::ROOT
                .word("requestedSchema")
                .word("properties")
                .name(field.name)
                .pointer();
            let hint =
                "a secret must not be asked for by form: ask by URL, or allow this field by name";
            return Err(Error::new(Code::SecretField, hint).with_at(at));
        }
    }
    Ok(())
}

fn has_member(object: Raw<'_>, wanted: &str) -> bool {
    object
        .members()
        .is_some_and(|mut members| members.any(|(name, _)| name.is(wanted)))
}
