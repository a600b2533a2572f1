//! One request being served: the state is opened, answers are read by the questions that the handler states (X1-X10).

use super::ledger::Ledger;
use super::question::Question;
use super::reading::{self, Reading};
use super::request::{self, Found};
use super::{
    AskOutcome, AskStatus, Gate, Info, Made, OwnedPrincipal, Server, Standing, Wording, fault, gate,
};
use crate::json::{Fault, Key, Raw, order};
use crate::protocol::{Answer, Capabilities, Code, Error, Needs, Warning, asks_allowed};
use crate::state::{Asked, Claims, Place, Request, Settled, refused};
use std::cell::OnceCell;
use std::sync::Arc;

/// Where the capabilities of this request's client stand.
enum Declared {
    /// In the `_meta` of its params.
    Meta,
    /// In a text that the host handed over.
    Text(Box<str>),
    /// They were read.
    Known(Capabilities),
}

/// Where a question stands.
enum Stand {
    /// Settled, at this place of the ledger.
    Settled(Place),
    /// Open, and why.
    Open(AskStatus, Vec<String>),
}

/// One request being served. It owns its texts; nothing of it outlives the request (S12).
///
/// Straight-line use (X7): state what you need in order with [`Exchange::ask`]; while [`Exchange::pending`] is not 0,
/// send [`Exchange::result`], and the client's retry runs the same handler from its start.
/// May move between threads; one at a time.
pub struct Exchange {
    pub(super) server: Arc<Server>,
    pub(super) method: Box<str>,
    pub(super) now_ms: u64,
    pub(super) claims: Option<Claims>,
    pub(super) ledger: Ledger,
    /// Keys whose earlier answers count no more.
    pub(super) forgotten: Vec<Key>,
    pub(super) state: Option<Vec<u8>>,
    pub(super) missing: Needs,
    pub(super) unaskable: Needs,
    pub(super) failed: Option<Error>,
    /// Id of a flow that begins here, once somebody wants to know it.
    pub(super) flow_id: OnceCell<[u8; 16]>,
    /// Until when the state that went out can come back.
    pub(super) expires_ms: Option<u64>,
    /// Is it a request of a method that asks (B2)?
    pub(super) askable: bool,
    principal: OwnedPrincipal,
    found: Found,
    declared: Declared,
}

impl Exchange {
    /// Reads a request: its retry members are checked and its state is opened before any handler runs (X1, S10).
    ///
    /// `params` is the whole text of its params (empty: absent); `capabilities` replaces what its `_meta` declares;
    /// `now_ms` is Unix time, for the whole leg. Errors carry the JSON-RPC error to send. On a method that never asks (B2) the retry
    /// members are not looked at.
    pub fn begin(
        server: &Arc<Server>,
        method: &str,
        params: &str,
        principal: OwnedPrincipal,
        capabilities: Option<&str>,
        now_ms: u64,
    ) -> Result<Exchange, Error> {
        principal.check()?;
        let limits = &server.options.limits;
        let raw = request::parse(params, limits)?;
        let askable = asks_allowed(method);
        let (found, token) = match askable {
            true => Found::read(method, raw, limits)?,
            false => (Found::default(), None),
        };
        let mut exchange = Exchange {
            server: Arc::clone(server),
            method: method.into(),
            now_ms,
            claims: None,
            ledger: Ledger::default(),
            forgotten: Vec::new(),
            state: None,
            missing: Needs::NONE,
            unaskable: Needs::NONE,
            failed: None,
            flow_id: OnceCell::new(),
            expires_ms: None,
            askable,
            principal,
            found,
            declared: capabilities.map_or(Declared::Meta, |text| Declared::Text(text.into())),
        };
        if let Some(token) = token {
            // All of the request is read before a claim is spent on it (S11).
            exchange.capabilities()?;
            exchange.open(token)?;
        }
        Ok(exchange)
    }

    fn open(&mut self, token: Raw<'_>) -> Result<(), Error> {
        let Some(sealer) = &self.server.options.sealer else {
            return self.open_raw(token);
        };
        let opened = self.request(|request| sealer.open_book(request, token, self.now_ms));
        let (mut claims, answers) = opened.map_err(fault::of_opening)?;
        order::sort_by(&mut claims.asked, |a, b| a.key.cmp(&b.key));
        self.ledger = Ledger::with(answers);
        self.state = claims.state.take();
        self.claims = Some(claims);
        Ok(())
    }

    /// The host protects its state: any text is one (D19).
    fn open_raw(&mut self, token: Raw<'_>) -> Result<(), Error> {
        let token = token.string().ok_or_else(|| refused(Code::WrongType))?;
        if token.bytes_len() > self.server.options.limits.token_bytes {
            return Err(refused(Code::TooLarge));
        }
        self.state = Some(token.bytes().into_owned());
        Ok(())
    }

    /// Runs `f` with the request as the sealer binds it (S4, S5).
    pub(super) fn request<T>(&self, f: impl FnOnce(&Request<'_>) -> T) -> T {
        let params = self.found.bound();
        self.principal.with(|principal| {
            f(&Request {
                method: &self.method,
                params,
                principal,
            })
        })
    }

    /// States a question under `key` and tells where it stands; `ask` is the JSON text of an entry of `inputRequests`.
    ///
    /// An accepted answer is there at once; else the ask goes out with [`Exchange::result`]. A question whose words
    /// change from leg to leg, by a time of day say, makes every answer stale and never converges (X8). The same
    /// question may be stated again, another one under the same key is an error (B3). The first error stands: later calls repeat it,
    /// and so does the result. It names the key, and the spot as a JSON pointer relative to the ask's params.
    pub fn ask(&mut self, key: Key, ask: &str) -> Result<AskOutcome, Error> {
        let wording = Wording::of(Made::Whole, ask.as_bytes(), &[]);
        if let Some(settled) = self.recall(key.as_bytes(), &wording) {
            return Ok(Standing::settled(settled).into());
        }
        self.ask_as(key.as_bytes(), &wording).map(AskOutcome::from)
    }

    /// Where a question stands that is settled and was checked before, with no warnings: nothing of it need be looked at
    /// again, since key and wording are the same byte for byte. Long flows consist of these (X7). `None`: it has to be asked.
    #[inline]
    pub(crate) fn recall(&mut self, key: &[u8], wording: &Wording<'_>) -> Option<Settled<'_>> {
        let server = &self.server;
        let whole = self.failed.is_none() && self.forgotten.is_empty();
        if !whole || key.len() > server.options.limits.key_bytes {
            return None;
        }
        let is_it = |digest: &[u8; 32]| server.questions.knows(wording, digest);
        self.ledger.recall(key, is_it)
    }

    /// [`Exchange::ask`] of a question in any wording. That a key or a part is no text does not stand: nothing was asked.
    pub(crate) fn ask_as(
        &mut self,
        key: &[u8],
        wording: &Wording<'_>,
    ) -> Result<Standing<'_>, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let (stand, warnings) = match self.state_question(key, wording) {
            Ok(stated) => stated,
            Err(error) if error.code() == Code::NotUtf8 => return Err(error),
            Err(error) => {
                let Some(key) = Key::from_wtf8(key) else {
                    return Err(no_text());
                };
                let error = fault::of_server(error.with_key(key));
                self.failed = Some(error.clone());
                return Err(error);
            }
        };
        let standing = match stand {
            Stand::Open(status, reasons) => Standing::open(status, reasons),
            Stand::Settled(place) => {
                Standing::settled(self.ledger.outcome(place).unwrap_or(Settled::Cancelled))
            }
        };
        Ok(Standing {
            warnings,
            ..standing
        })
    }

    fn state_question(
        &mut self,
        key: &[u8],
        wording: &Wording<'_>,
    ) -> Result<(Stand, Vec<Warning>), Error> {
        if !self.askable {
            return Err(fault::method_not_allowed());
        }
        let options = &self.server.options;
        Fault::check_size("key", key.len(), options.limits.key_bytes)?;
        let known = self.server.questions.get(wording, options)?;
        let question = &known.question;
        let settled = self.ledger.find(key);
        let forgotten = self.forgotten.iter().any(|other| other.as_bytes() == key);
        // What was forgotten may be asked in other words, as long as it does not go out yet.
        if (!forgotten || self.ledger.is_asked(key))
            && self
                .ledger
                .stated_digest(key, settled)
                .is_some_and(|digest| *digest != question.digest)
        {
            return Err(fault::duplicate_key());
        }
        if let Some(place) = settled.filter(|_| !forgotten) {
            if self.ledger.settled_digest(place) == Some(&question.digest) {
                self.ledger.confirm(place);
                self.server.questions.settle(&known, wording);
                return Ok((Stand::Settled(place), question.warnings.clone()));
            }
            return self.put(
                asked(key, question)?,
                question,
                AskStatus::Stale,
                Vec::new(),
            );
        }
        let ask = asked(key, question)?;
        if forgotten {
            return self.put(ask, question, AskStatus::Missing, Vec::new());
        }
        let claims = self.claims.as_ref();
        let answer = match reading::read(claims, &self.found, &ask.key, &question.digest) {
            Reading::Open(status) => return self.put(ask, question, status, Vec::new()),
            Reading::Answered(raw) => question.read(raw)?,
        };
        let settled = match &answer {
            Answer::Accepted(content) => Settled::Accepted(content.as_bytes()),
            Answer::Declined => Settled::Declined,
            Answer::Cancelled => Settled::Cancelled,
            Answer::Missing => return self.put(ask, question, AskStatus::Missing, Vec::new()),
            Answer::Invalid(reasons) => {
                return self.put(ask, question, AskStatus::Invalid, reasons.clone());
            }
        };
        let place = self.ledger.enter_answer(&ask, settled)?;
        Ok((Stand::Settled(place), question.warnings.clone()))
    }

    /// An open question goes out, if the gate lets it.
    fn put(
        &mut self,
        ask: Asked,
        question: &Question,
        status: AskStatus,
        reasons: Vec<String>,
    ) -> Result<(Stand, Vec<Warning>), Error> {
        let (missing, context) = gate::check(&self.capabilities()?, question);
        let warnings = question.warnings.iter().cloned().chain(context).collect();
        if self.server.options.gate == Gate::Filter && !missing.is_empty() {
            self.unaskable |= missing;
            return Ok((Stand::Open(AskStatus::Unaskable, Vec::new()), warnings));
        }
        self.missing |= missing;
        if !self.ledger.is_asked(ask.key.as_bytes()) {
            let count = self.ledger.asked().len().saturating_add(1);
            Fault::check_count("asks", count, self.server.options.limits.asks)?;
            self.ledger.enter_ask(ask, question.out());
        }
        Ok((Stand::Open(status, reasons), warnings))
    }

    fn capabilities(&mut self) -> Result<Capabilities, Error> {
        let read = match &self.declared {
            Declared::Known(known) => return Ok(*known),
            Declared::Meta => Capabilities::read_meta(self.found.meta()),
            Declared::Text(text) => Raw::parse(text, &self.server.options.limits)
                .map_err(Error::from)
                .and_then(Capabilities::parse),
        };
        let known = read.map_err(fault::of_client)?;
        self.declared = Declared::Known(known);
        Ok(known)
    }

    /// Can this request's client be asked what needs all of `needs` (B8, E3)? Never on a method that does not ask (B2).
    pub fn can_ask(&mut self, needs: Needs) -> Result<bool, Error> {
        Ok(self.askable && self.capabilities()?.missing(needs).is_empty())
    }

    /// Drops what was answered under `key`, in this request and before, so that the question is asked anew (X6).
    pub fn forget(&mut self, key: &Key) {
        if !self.forgotten.contains(key) {
            self.forgotten.push(key.clone());
        }
    }

    /// The host's own bytes: those that came in, until they are set anew (X9, D13). Empty ones differ from none.
    pub fn state(&self) -> Option<&[u8]> {
        self.state.as_deref()
    }

    /// Sets the host's own bytes for the rounds to come; `None` drops them (X9).
    ///
    /// Without a sealer they must be text: they go out as `requestState` itself (D19).
    pub fn set_state(&mut self, state: Option<&[u8]>) {
        self.state = state.map(<[u8]>::to_vec);
    }

    /// What is known of the flow (X7).
    pub fn info(&self) -> Info {
        match &self.claims {
            Some(claims) => Info {
                round: claims.round,
                flow_id: Some(claims.flow_id),
                first_seen_ms: claims.flow_start_ms,
                expires_ms: self.expires_ms,
            },
            None => Info {
                round: 0,
                flow_id: self.new_flow_id(),
                first_seen_ms: self.now_ms,
                expires_ms: self.expires_ms,
            },
        }
    }

    /// The id of a flow that begins with this request: made up when it is first asked for, and sealed then.
    fn new_flow_id(&self) -> Option<[u8; 16]> {
        if let Some(id) = self.flow_id.get() {
            return Some(*id);
        }
        let id = self.server.options.sealer.as_ref()?.fresh_flow_id().ok()?;
        Some(*self.flow_id.get_or_init(|| id))
    }

    /// How many asks go out with the result; 0: the handler can answer.
    pub fn pending(&self) -> usize {
        self.ledger.asked().len()
    }
}

/// What a state tells of a question that goes out, or was answered.
fn asked(key: &[u8], question: &Question) -> Result<Asked, Error> {
    let key = Key::from_wtf8(key).ok_or_else(no_text)?;
    Ok(Asked {
        key,
        kind: question.kind,
        digest: question.digest,
    })
}

fn no_text() -> Error {
    Error::new(Code::NotUtf8, "key is neither UTF-8 nor WTF-8")
}
