//! Peers of 2025 (L1, L2): their own requests go to the same handlers, and their -32042 becomes a round of pages to open.

use super::call::Call;
use super::client::Client;
use super::event::Event;
use super::flow::{Flow, Phase};
use super::receive::{too_large, within_limits};
use super::round::Round;
use super::text::{Span, Text};
use crate::json::{Index, Key, Kind as Shape, Limits, Raw, splice, write};
use crate::protocol::form::Input;
use crate::protocol::{Ask, Body, Code, Error, Kind, Need, ReceiveRules, Rpc};
use std::sync::Arc;

/// Versions of the older era, oldest first.
const OLDER: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// Places in [`OLDER`]: forms exist from the first on, pages, choices of several and tools from the second on.
const FORMS: usize = 2;
const PAGES: usize = 3;

const URL_REQUIRED: i64 = -32042;
const REJECTED: i64 = -1;

/// What a flow with an older peer is about.
pub(super) enum Older {
    /// A request of the server's that wants a response.
    Request { id: Box<str>, era: usize },
    /// A call that is made again when these pages are done.
    Pages(Vec<Key>),
}

fn era(version: &str) -> Option<usize> {
    OLDER.iter().position(|own| *own == version)
}

impl Client {
    /// A flow for a request that a server of 2025 made: `message` is the whole JSON-RPC request, `version` what was negotiated (L1).
    ///
    /// It asks what the request asks, and ends with the response to send in `Done::result`: always, except when it was cancelled. How the
    /// flow ended says what became of the ask. `bad_json` for no JSON, `bad_argument` for no request and for a version that is none of 2025.
    pub fn incoming(&self, message: &str, version: &str, now: u64) -> Result<Flow, Error> {
        let bad = |why: &str| Error::new(Code::BadArgument, why);
        let era = era(version).ok_or_else(|| bad("the version is none of the older era"))?;
        let options = self.options();
        let raw = Raw::parse(message, &options.limits)?;
        let object = raw.object()?;
        let method = object.get("method").and_then(Raw::string);
        let id = object.get("id");
        let known = |id: &Raw<'_>| matches!(id.kind(), Shape::String | Shape::Number);
        let (Some(method), Some(id)) = (method, id.filter(known)) else {
            return Err(bad("the message is no request"));
        };
        let name = method.text().unwrap_or_default();
        let call = Call::new(
            if name.is_empty() { "?" } else { &name },
            Raw::EMPTY,
            self.stamp(),
        )?;
        let mut flow = Flow::begin(self.shared(), call, now);
        let id = id.text().into();
        flow.older = Some(Box::new(Older::Request { id, era }));
        if let Err(error) = flow.take_request(message, raw, era) {
            flow.end(Err(error), None);
        }
        Ok(flow)
    }

    /// The capabilities to declare in `initialize` of this older version, as JSON text; `bad_argument` for another version (L1).
    pub fn capabilities_of(&self, version: &str) -> Result<String, Error> {
        let unknown = || Error::new(Code::BadArgument, "the version is none of the older era");
        let era = era(version).ok_or_else(unknown)?;
        if era >= PAGES {
            return Ok(self.capabilities().to_string());
        }
        let handlers = self.options().handlers;
        let mut out = String::from("{");
        let mut first = true;
        let named = [
            ("elicitation", Need::FORM, era >= FORMS),
            ("sampling", Need::SAMPLING, true),
            ("roots", Need::ROOTS, true),
        ];
        for (name, need, exists) in named {
            if exists && handlers.has(need) {
                write::push_member(&mut out, &mut first, name, "{}");
            }
        }
        out.push('}');
        Ok(out)
    }
}

impl Flow {
    /// Puts the request up as a round of one ask; an error is what the response says.
    fn take_request(&mut self, message: &str, raw: Raw<'_>, era: usize) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let options = &shared.options;
        let none = || wire(Code::MethodNotFound, -32601, "Method not found");
        let method = self.method().to_string();
        let kind = Kind::ALL.into_iter().find(|kind| kind.method() == method);
        let kind = kind.ok_or_else(none)?;
        if kind.is_elicitation() && era < FORMS {
            return Err(none());
        }
        let rules = ReceiveRules {
            allow_http: options.allow_http,
            has_ids: true,
        };
        let (ask, _) = Ask::receive(raw, &rules).map_err(|error| bad_params(error.message()))?;
        if era < PAGES && too_new(&ask) {
            return Err(bad_params("the version has no such ask"));
        }
        if !options.handles(ask.needs()) {
            let partly = match ask.kind() {
                Kind::Form | Kind::Url => options.handles(Need::FORM) || options.handles(Need::URL),
                Kind::Sampling => options.handles(Need::SAMPLING),
                Kind::Roots => false,
            };
            let error = if partly {
                bad_params("this was not declared")
            } else {
                none()
            };
            return Err(error.with_code(Code::InputRequired));
        }
        let text: Arc<str> = message.into();
        let raw = Raw::trusted(Span::of(message, raw.text()).within(&text));
        let (ask, _) = Ask::receive(raw, &rules).map_err(|error| bad_params(error.message()))?;
        let mut round = Round::new(&text, None, options.order, 1);
        let named = raw.members().into_iter().flatten();
        let name = named
            .filter(|(name, _)| name.is("method"))
            .find_map(|(_, value)| value.string());
        round.push(name.ok_or_else(none)?, &ask);
        self.round = Some(Box::new(round));
        self.phase = Phase::Asking;
        Ok(())
    }

    /// All asks of the round have their answers.
    pub(super) fn settled(&mut self) {
        match self.older.as_deref() {
            None => self.phase = Phase::Ready,
            Some(Older::Request { .. }) => self.end(Ok(()), None),
            Some(Older::Pages(left)) if left.is_empty() => self.again(),
            Some(Older::Pages(_)) => {
                let text = "the call is made again when the pages are done".to_string();
                self.queue.push_back(Event::Note { key: None, text });
                let wait = self.shared.options.input_timeout_ms;
                let deadline = wait.map(|ms| self.clock.after(ms));
                self.phase = Phase::Completing { deadline };
            }
        }
    }

    /// The same call once more, unchanged (L2).
    fn again(&mut self) {
        self.older = None;
        self.round = None;
        self.phase = Phase::Ready;
    }

    /// A -32042 of an older peer: its pages are a round, and the call is made again when they are done (L2). `false` if it is none.
    pub(super) fn pages(&mut self, rpc: &Rpc) -> Result<bool, Error> {
        let limits = self.shared.options.limits;
        if rpc.code != URL_REQUIRED || era(&self.shared.options.protocol_version) != Some(PAGES) {
            return Ok(false);
        }
        let data = rpc.data.as_deref().unwrap_or("null");
        let data = Raw::parse(data, &limits)?;
        let list = data.members().into_iter().flatten();
        let mut list = list.filter(|(name, _)| name.is("elicitations"));
        let Some(pages) = list.next().and_then(|(_, value)| value.elements()) else {
            return Ok(false);
        };
        let (mut text, mut first, mut left) = (String::from("{"), true, Vec::new());
        for page in pages {
            let id = page
                .object()
                .ok()
                .and_then(|page| page.get("elicitationId")?.string());
            let id =
                id.ok_or_else(|| Error::new(Code::InvalidResult, "a page without elicitationId"))?;
            left.push(id.key());
            write::push_comma(&mut text, &mut first);
            text.push_str(id.token());
            text.push_str(":{\"method\":\"elicitation/create\",\"params\":");
            write::push_line(&mut text, page.text());
            text.push('}');
        }
        text.push('}');
        if left.is_empty() {
            return Ok(false);
        }
        let text: Arc<str> = text.into();
        // What came was within the limits; this text of ours repeats parts of it.
        let loose = Limits {
            message_bytes: usize::MAX,
            ..limits
        };
        let index = Index::read(&text, &loose).map_err(too_large)?;
        let names = index.root(&text).members().into_iter().flatten();
        let names = names.map(|(name, _)| name);
        within_limits(left.len(), names, None, &limits).map_err(too_large)?;
        // Known before the first page is shown: a page may be done before its user says so.
        self.older = Some(Box::new(Older::Pages(left)));
        let asks = index.root(&text).object()?;
        let only_pages = |ask: Raw<'_>| {
            let mode = super::text::member(ask, "params")
                .and_then(|params| super::text::member(params, "mode"));
            mode.and_then(Raw::string)
                .is_some_and(|mode| mode.is("url"))
        };
        if !asks.iter().all(|(_, ask)| only_pages(ask)) {
            return Err(Error::new(
                Code::InvalidResult,
                "a -32042 asks for something else than pages",
            ));
        }
        self.begin_round(&text, Some(&asks), None);
        Ok(true)
    }

    /// A page is done (`notifications/elicitation/complete`), or, without an id, the user says that all are (L2). An id that nobody waits
    /// for is ignored; without an id `wrong_state` unless all pages were agreed to.
    pub fn complete(&mut self, elicitation: Option<&Key>, now: u64) -> Result<(), Error> {
        self.clock.tick(now);
        let waits = matches!(self.phase, Phase::Completing { .. });
        if elicitation.is_none() && !waits {
            return Err(Error::new(Code::WrongState, "the flow waits for no page"));
        }
        let Some(Older::Pages(left)) = self.older.as_deref_mut() else {
            return Ok(());
        };
        left.retain(|id| elicitation.is_some_and(|done| done != id));
        if left.is_empty() && waits {
            self.again();
        }
        Ok(())
    }

    /// The response to the request of an older server, by how the flow ended; `None` if there is none to send.
    pub(super) fn response(&self, end: &Result<(), Error>, round: Option<&Round>) -> Option<Text> {
        let Some(Older::Request { id, era }) = self.older.as_deref() else {
            return None;
        };
        let answer = || round?.answer_text(0).and_then(|text| shaped(text, *era));
        let (member, value) = match (end, answer()) {
            (Ok(()), Some(value)) => ("result", value),
            (Ok(()), None) => ("error", rpc(-32603, "Internal error").to_json()),
            (Err(error), _) => ("error", self.refusal(error)?.to_json()),
        };
        let mut out = String::from("{");
        let mut first = true;
        write::push_member(&mut out, &mut first, "jsonrpc", "\"2.0\"");
        write::push_member(&mut out, &mut first, "id", id);
        write::push_member(&mut out, &mut first, member, &value);
        out.push('}');
        let text: Arc<str> = out.into();
        Some(text.into())
    }

    /// What an older server is told about an end without an answer.
    fn refusal(&self, error: &Error) -> Option<Rpc> {
        Some(match error.code() {
            Code::Cancelled => return None,
            Code::Refused if self.method() == Kind::Roots.method() => {
                rpc(-32601, "Roots not supported")
            }
            Code::Refused if self.method() == Kind::Sampling.method() => {
                rpc(REJECTED, "User rejected sampling request")
            }
            Code::Refused => rpc(REJECTED, "User rejected elicitation request"),
            Code::Unavailable => rpc(-32603, "Nobody could be asked"),
            Code::InputTimeout | Code::FlowTimeout => rpc(-32603, "Nobody answered in time"),
            _ => error
                .rpc()
                .cloned()
                .unwrap_or_else(|| rpc(-32603, "Internal error")),
        })
    }
}

/// Does the ask need what came with the last version of the older era?
fn too_new(ask: &Ask<'_>) -> bool {
    match ask.body() {
        Body::Form(form) => form
            .fields()
            .iter()
            .any(|field| matches!(field.input, Input::Several { .. })),
        Body::Url(_) => true,
        Body::Sampling(_) => ask.needs().has(Need::SAMPLING_TOOLS),
        Body::Roots => false,
    }
}

/// The result as the version knows it: before the last one a message had one block of content.
fn shaped(text: &str, era: usize) -> Option<String> {
    let raw = Raw::trusted(text);
    let content = super::text::member(raw, "content").and_then(Raw::elements);
    let Some(mut blocks) = content.filter(|_| era < PAGES) else {
        return Some(text.to_string());
    };
    match (blocks.next(), blocks.next()) {
        (Some(only), None) => Some(splice(raw, &["content"], &[("content", only.text())])),
        _ => None,
    }
}

fn rpc(code: i64, message: &str) -> Rpc {
    Rpc {
        code,
        message: message.to_string(),
        data: None,
    }
}

fn wire(code: Code, number: i64, message: &str) -> Error {
    Error::new(code, message).with_rpc(rpc(number, message))
}

fn bad_params(why: &str) -> Error {
    wire(
        Code::InvalidParams,
        -32602,
        &format!("Invalid params: {why}"),
    )
}
