//! Kind `server`: a straight-line handler, run again on every leg.

use super::build::gate;
use super::case::{
    Case, Observation, Trouble, data_token, key_token, list, principal, text_of, token,
};
use super::{Seen, told};
use mrtr::json::{Key, Limits, Raw, splice};
use mrtr::protocol::Error;
use mrtr::server::{AskStatus, Exchange, OwnedPrincipal, Server, ServerOptions};
use mrtr::state::{Sealer, SealerOptions, Secret};
use std::sync::Arc;

pub fn observe(case: &Case<'_>) -> Seen {
    told(|seen| tell(case, seen))
}

fn tell(case: &Case<'_>, seen: &mut Observation) -> Result<(), Trouble> {
    case.only(&[
        "name",
        "kind",
        "era",
        "options",
        "caps",
        "principal",
        "method",
        "params",
        "handler",
        "legs",
    ])?;
    let mut story = Story {
        server: Arc::new(server(case)?),
        method: case.text("method").unwrap_or_default(),
        params: case.text("params").unwrap_or_default(),
        caps: case.text("caps"),
        principal: principal(case.get("principal")),
        handler: case.list("handler"),
        token: None,
    };
    let mut legs = Vec::new();
    for leg in case.list("legs") {
        legs.push(story.leg(&Case::of(leg))?);
    }
    seen.raw("legs", &list(legs));
    Ok(())
}

fn server(case: &Case<'_>) -> Result<Server, Trouble> {
    let Some(options) = case.object("options") else {
        return with(&Case::parse("{}")?);
    };
    options.only(&["maxAsks", "maxRounds", "maxStateBytes", "gate", "noSealer"])?;
    with(&options)
}

pub fn with(options: &Case<'_>) -> Result<Server, Trouble> {
    let mut limits = Limits::default();
    if let Some(asks) = options.number("maxAsks") {
        limits.asks = asks as usize;
    }
    if let Some(bytes) = options.number("maxStateBytes") {
        limits.state_bytes = bytes as usize;
    }
    let mut sealing = SealerOptions {
        keys: vec![Secret::new(&std::array::from_fn::<u8, 32, _>(|at| {
            at as u8
        }))],
        limits,
        ..SealerOptions::default()
    };
    if let Some(rounds) = options.number("maxRounds") {
        sealing.max_rounds = rounds as u32;
    }
    let sealer = match options.flag("noSealer") {
        true => None,
        false => Some(Arc::new(Sealer::new(sealing).map_err(Trouble::failed)?)),
    };
    Ok(Server::new(ServerOptions {
        sealer,
        gate: gate(options)?,
        limits,
        ..ServerOptions::default()
    }))
}

struct Story<'a> {
    server: Arc<Server>,
    method: String,
    params: String,
    caps: Option<String>,
    principal: OwnedPrincipal,
    handler: Vec<Raw<'a>>,
    /// `requestState` of the leg before, as JSON text.
    token: Option<String>,
}

/// What a handler came to.
enum End {
    Asks(String),
    Done(String),
    Error(Error),
}

impl<'a> Story<'a> {
    fn leg(&mut self, leg: &Case<'a>) -> Result<String, Trouble> {
        leg.only(&[
            "answers",
            "token",
            "tokenJson",
            "atMs",
            "params",
            "principal",
            "handler",
        ])?;
        if leg.has("handler") {
            self.handler = leg.list("handler");
        }
        let params = self.params(leg)?;
        let principal = if leg.has("principal") {
            principal(leg.get("principal"))
        } else {
            self.principal.clone()
        };
        let at_ms = leg.number("atMs").unwrap_or(0);
        let mut seen = Observation::default();
        let begun = Exchange::begin(
            &self.server,
            &self.method,
            &params,
            principal,
            self.caps.as_deref(),
            at_ms,
        );
        let end = match begun {
            Ok(mut exchange) => {
                if let Some(state) = exchange.state() {
                    seen.bytes("state", state);
                }
                self.handle(&mut exchange, &mut seen)?
            }
            Err(error) => End::Error(error),
        };
        self.token = None;
        match end {
            End::Asks(result) => self.result(&result, &mut seen)?,
            End::Done(done) => seen.raw("done", &done),
            End::Error(error) => {
                let rpc = error
                    .rpc()
                    .ok_or_else(|| Trouble::failed(format!("{error} has no JSON-RPC error")))?;
                let data = rpc.data.as_deref().map(Case::parse).transpose()?;
                let reason = data
                    .and_then(|d| d.text("reason"))
                    .map_or("null".into(), |text| token(&text));
                seen.raw(
                    "error",
                    &format!("{{\"code\":{},\"reason\":{reason}}}", rpc.code),
                );
                seen.raw("data", &data_token(&error));
            }
        }
        Ok(seen.end())
    }

    /// The params that the client sends: those of the call, with the retry fields of this leg.
    fn params(&self, leg: &Case<'a>) -> Result<String, Trouble> {
        let text = leg.text("params").unwrap_or_else(|| self.params.clone());
        let mut add = Vec::new();
        let answers = leg.text("answers");
        if let Some(answers) = &answers {
            add.push(("inputResponses", answers.as_str()));
        }
        let state = match (leg.text("tokenJson"), leg.text("token").as_deref()) {
            (Some(json), _) => Some(json),
            (None, None | Some("none")) => None,
            (None, Some("echo")) => self.token.clone(),
            (None, Some(text)) => Some(token(text)),
        };
        if let Some(state) = &state {
            add.push(("requestState", state.as_str()));
        }
        let limits = Limits {
            depth: 1 << 20,
            ..Limits::default()
        };
        Ok(splice(
            Raw::parse(&text, &limits).map_err(Trouble::failed)?,
            &[],
            &add,
        ))
    }

    fn handle(&self, exchange: &mut Exchange, seen: &mut Observation) -> Result<End, Trouble> {
        let (mut status, mut done) = (Observation::default(), Observation::default());
        let end = stages(
            &self.handler,
            exchange,
            &mut status,
            &mut done,
            &mut Vec::new(),
        );
        seen.raw("status", &status.end());
        match end? {
            Some(error) => Ok(End::Error(error)),
            None if exchange.pending() == 0 => Ok(End::Done(done.end())),
            None => Ok(exchange.result().map_or_else(End::Error, End::Asks)),
        }
    }

    fn result(&mut self, result: &str, seen: &mut Observation) -> Result<(), Trouble> {
        let result = Case::parse(result)?;
        let asks = result.object("inputRequests");
        seen.raw(
            "asks",
            &list(
                asks.iter()
                    .flat_map(Case::members)
                    .map(|(key, _)| key_token(&key)),
            ),
        );
        self.token = result.get("requestState").map(|raw| raw.text().to_string());
        seen.raw(
            "token",
            if self.token.is_some() {
                "true"
            } else {
                "false"
            },
        );
        // For another driver, which the next leg may go to.
        if let Some(state) = result.text("requestState") {
            seen.raw("requestState", &token(&state));
        }
        Ok(())
    }
}

/// How a settled ask stands in `done`.
fn said(status: AskStatus, content: Option<&str>) -> String {
    content
        .filter(|content| !content.is_empty())
        .unwrap_or(status.name())
        .to_string()
}

/// Runs a handler in stages; `open` are the keys that still wait.
pub fn stages(
    handler: &[Raw<'_>],
    exchange: &mut Exchange,
    status: &mut Observation,
    done: &mut Observation,
    open: &mut Vec<Key>,
) -> Result<Option<Error>, Trouble> {
    for stage in handler {
        let stage = Case::of(*stage);
        stage.only(&["asks", "state"])?;
        if let Some(state) = stage.get("state").and_then(Raw::string) {
            exchange.set_state(Some(&state.bytes()));
        }
        let mut settled = true;
        for (key, ask) in stage.object("asks").iter().flat_map(Case::members) {
            let ask = text_of(ask).ok_or(Trouble::Unsupported)?;
            match exchange.ask(key.clone(), &ask) {
                Ok(outcome) => {
                    if !outcome.status.is_settled() {
                        settled = false;
                        open.push(key.clone());
                    }
                    status.key(&key, &token(outcome.status.name()));
                    done.key(
                        &key,
                        &token(&said(outcome.status, outcome.content.as_deref())),
                    );
                }
                Err(error) => return Ok(Some(error)),
            }
        }
        if !settled {
            break;
        }
    }
    Ok(None)
}
