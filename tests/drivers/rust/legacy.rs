//! Kind `legacy`: a call of a client of an older version, served by a handler in stages.

use super::case::{Case, Observation, Trouble, list, principal, token};
use super::server::{stages, with};
use super::{Seen, told};
use mrtr::json::{Key, Limits, Raw};
use mrtr::protocol::{Capabilities, Era, Error, Peer};
use mrtr::server::{Exchange, Legacy, LegacyEnd, LegacyStep};
use std::collections::HashMap;
use std::sync::Arc;

const COMPLETE: &str = r#"{"content":[],"resultType":"complete"}"#;
const KNOWN: [&str; 14] = [
    "name",
    "kind",
    "version",
    "caps",
    "backChannel",
    "principal",
    "method",
    "params",
    "handler",
    "answers",
    "gate",
    "poll",
    "cancel",
    "era",
];

pub fn observe(case: &Case<'_>) -> Seen {
    told(|seen| tell(case, seen))
}

fn tell(case: &Case<'_>, seen: &mut Observation) -> Result<(), Trouble> {
    case.only(&KNOWN)?;
    let caps = case.text("caps").unwrap_or_default();
    let caps = Raw::parse(&caps, &Limits::default()).map_err(Trouble::failed)?;
    let peer = Peer {
        era: Era::of(&case.text("version").unwrap_or_default()).ok_or(Trouble::Unsupported)?,
        declared: Capabilities::parse(caps).map_err(Trouble::failed)?,
        back_channel: case.flag("backChannel"),
    };
    let call = Legacy::begin(
        &Arc::new(with(case)?),
        peer,
        &case.text("method").unwrap_or_default(),
        &case.text("params").unwrap_or_default(),
        principal(case.get("principal")),
    );
    let given = case.object("answers");
    let answers = given.iter().flat_map(Case::members);
    let mut story = Story {
        call: call.map_err(Trouble::failed)?,
        now_ms: 0,
        keys: Vec::new(),
        sends: Vec::new(),
        sent: Vec::new(),
        cancelled: Vec::new(),
        sleeps: Vec::new(),
        rounds: 0,
        state: None,
        done: None,
        handler: case.list("handler"),
        answers: answers
            .map(|(key, given)| (key, given.elements().into_iter().flatten().collect()))
            .collect(),
        polls: case.number("poll").unwrap_or(0),
        cancels: case.flag("cancel"),
    };
    let end = story.run()?;
    story.say(&end, seen);
    Ok(())
}

struct Story<'a> {
    call: Legacy,
    handler: Vec<Raw<'a>>,
    answers: HashMap<Key, Vec<Raw<'a>>>,
    polls: u64,
    cancels: bool,
    now_ms: u64,
    keys: Vec<Key>,
    sends: Vec<u32>,
    sent: Vec<String>,
    cancelled: Vec<String>,
    sleeps: Vec<String>,
    rounds: u32,
    state: Option<Vec<u8>>,
    done: Option<String>,
}

impl<'a> Story<'a> {
    fn run(&mut self) -> Result<LegacyEnd, Trouble> {
        loop {
            match self.call.next(self.now_ms) {
                LegacyStep::Run { .. } => self.handle()?,
                LegacyStep::Send {
                    ask,
                    method,
                    params,
                } => {
                    let params = params.as_deref().map_or("null".into(), token);
                    self.sent.push(format!("[{},{params}]", token(method)));
                    self.sends.push(ask);
                }
                LegacyStep::Cancel { ask } => self.cancelled.push(ask.to_string()),
                LegacyStep::Sleep { until_ms } => {
                    self.sleeps.push((until_ms - self.now_ms).to_string());
                    self.now_ms = until_ms;
                }
                LegacyStep::Idle => self.respond()?,
                LegacyStep::Done(end) => return Ok(end),
            }
        }
    }

    fn handle(&mut self) -> Result<(), Trouble> {
        self.rounds += 1;
        let result = match self.call.exchange(self.now_ms) {
            Ok(mut exchange) => self.serve(&mut exchange)?,
            Err(error) => Err(error),
        };
        match result {
            Ok(result) => self.call.handled(&result, self.now_ms),
            Err(error) => {
                let rpc = error.rpc().map(|rpc| rpc.to_json());
                let rpc = rpc.ok_or_else(|| Trouble::failed(format!("{error} has no rpc")))?;
                self.call.failed(&rpc)
            }
        }
        .map_err(Trouble::failed)
    }

    fn serve(&mut self, exchange: &mut Exchange) -> Result<Result<String, Error>, Trouble> {
        self.state = exchange.state().map(<[u8]>::to_vec);
        if self.polls > 0 {
            self.polls -= 1;
            exchange.set_state(Some(b"polling"));
            return Ok(exchange.result());
        }
        let (mut status, mut done) = (Observation::default(), Observation::default());
        self.keys.clear();
        let failed = stages(
            &self.handler,
            exchange,
            &mut status,
            &mut done,
            &mut self.keys,
        )?;
        Ok(match failed {
            Some(error) => Err(error),
            None if exchange.pending() == 0 => {
                self.done = Some(done.end());
                Ok(COMPLETE.to_string())
            }
            None => exchange.result(),
        })
    }

    /// Nothing more to do: the client answers what it was sent, or cancels.
    fn respond(&mut self) -> Result<(), Trouble> {
        let sends = std::mem::take(&mut self.sends);
        let mut silent = true;
        for (ask, key) in sends.iter().zip(&self.keys) {
            let given = self
                .answers
                .get_mut(key)
                .filter(|given| !given.is_empty())
                .map(|given| given.remove(0));
            let Some(given) = given.map(Case::of) else {
                return Err(Trouble::failed("an answer is missing"));
            };
            if let Some(result) = given.text("result") {
                silent = false;
                self.call.deliver(*ask, &result).map_err(Trouble::failed)?;
            } else if given.has("error") {
                silent = false;
                self.call.deliver_error(*ask);
            }
        }
        match (silent, self.cancels) {
            (false, _) => Ok(()),
            (true, true) => {
                self.call.cancel();
                Ok(())
            }
            (true, false) => Err(Trouble::failed("nothing is due any more")),
        }
    }

    fn say(self, end: &LegacyEnd, seen: &mut Observation) {
        seen.raw("sent", &list(self.sent));
        seen.raw("cancelled", &list(self.cancelled));
        seen.raw("sleepsMs", &list(self.sleeps));
        seen.raw("rounds", &self.rounds.to_string());
        if let Some(state) = &self.state {
            seen.bytes("state", state);
        }
        if let (Some(done), None, Some(_)) = (&self.done, end.refused, &end.result) {
            seen.raw("done", done);
        }
        for (name, text) in [("result", &end.result), ("rpc", &end.rpc)] {
            if let Some(text) = text {
                seen.text(name, text);
            }
        }
        if let Some(code) = end.refused {
            seen.text("refused", code.name());
        }
    }
}
