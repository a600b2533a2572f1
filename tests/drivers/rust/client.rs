//! Kind `client`: one flow under a clock that jumps to the next due event.

#[path = "client_story.rs"]
mod story;

use super::Seen;
use mrtr::client::{Action, AskEvent, Client, Done, Event, Flow};
use mrtr::json::{Key, write};
use mrtr::protocol::Error;
use std::collections::BTreeMap;
use story::{Answer, Leg, Outcome, Story};

pub fn observe(case: &serde_json::Map<String, serde_json::Value>) -> Seen {
    let Some(story) = Story::read(case) else {
        return Seen::Unsupported;
    };
    let mut stage = Stage::default();
    match stage.play(&story) {
        Ok(()) => Seen::Members(stage.log.members()),
        Err(why) => Seen::Failed(why),
    }
}

/// What is under way, with the time it is due. Its rank decides between things due at one time.
struct Due {
    at: u64,
    rank: u32,
    what: What,
}

enum What {
    Progress(u32, f64),
    Response(u32, Outcome),
    Answer(Key),
    Completed(Option<Key>),
    Cancel,
    Timer,
}

#[derive(Default)]
struct Stage {
    now: u64,
    due: Vec<Due>,
    in_flight: bool,
    pausing_since: Option<u64>,
    answers: BTreeMap<Key, Vec<Answer>>,
    log: Log,
}

impl Stage {
    fn play(&mut self, story: &Story) -> Result<(), String> {
        self.answers = story.answers.clone();
        self.due.extend(story.cancel_at.map(|at| Due {
            at,
            rank: 2,
            what: What::Cancel,
        }));
        self.due.extend(story.completed.iter().map(|(at, id)| Due {
            at: *at,
            rank: 2,
            what: What::Completed(id.clone()),
        }));
        let mut resume = story.resume.as_ref();
        let begun = Client::new(story.options.clone()).and_then(|client| {
            self.log.declared = client.capabilities().to_string();
            match &story.request {
                Some((version, message)) => client.incoming(message, version, self.now),
                None => client.begin(&story.method, &story.params, None, self.now),
            }
        });
        let mut flow = match begun {
            Ok(flow) => flow,
            Err(error) => return self.refused(&error),
        };
        loop {
            match flow.next(self.now) {
                Event::Send { leg, params, .. } => self.send(leg, params, story),
                Event::CancelLeg { .. } => self.log.cancelled.push(self.log.sent.len()),
                Event::Ask(ask) => self.ask(*ask),
                Event::StopAsk { key } => {
                    self.due
                        .retain(|due| !matches!(&due.what, What::Answer(open) if *open == key));
                    self.log.stopped.push(key);
                }
                Event::Round { .. } => self.log.rounds += 1,
                Event::Progress { value, .. } => self.log.progress.push(value),
                Event::Note { .. } => {}
                Event::Sleep { until, pacing } => {
                    if pacing {
                        self.pausing_since.get_or_insert(self.now);
                    }
                    if let Some(plan) = resume
                        .take_if(|plan| plan.after_leg == self.log.sent.len() && !self.in_flight)
                    {
                        match self.resume(&flow, plan, story) {
                            Ok(resumed) => flow = resumed,
                            Err(error) => return self.refused(&error),
                        }
                        continue;
                    }
                    self.jump(&mut flow, until)?;
                }
                Event::Done(done) => {
                    self.log.end(*done, self.now);
                    return Ok(());
                }
                Event::Idle => return Err("the flow ended without an end".into()),
            }
        }
    }

    /// The start, the export or the resumption was refused.
    fn refused(&mut self, error: &Error) -> Result<(), String> {
        self.log.end = error.code().name().to_string();
        self.log.end_at = self.now;
        Ok(())
    }

    fn send(&mut self, number: u32, params: String, story: &Story) {
        if let Some(since) = self.pausing_since.take() {
            self.log.gaps.push(self.now - since);
        }
        self.in_flight = true;
        let never = Leg::default();
        let leg = story.legs.get(self.log.sent.len()).unwrap_or(&never);
        for (after, value) in &leg.progress {
            self.due.push(Due {
                at: self.now + after,
                rank: 0,
                what: What::Progress(number, *value),
            });
        }
        if let Some(outcome) = leg.outcome.clone() {
            self.due.push(Due {
                at: self.now + leg.after,
                rank: 0,
                what: What::Response(number, outcome),
            });
        }
        self.log.sent.push(params);
    }

    fn ask(&mut self, ask: AskEvent) {
        if let Some(answer) = self.answers.get(&ask.key).and_then(|list| list.first())
            && answer.action.is_some()
        {
            self.due.push(Due {
                at: self.now + answer.after,
                rank: 1,
                what: What::Answer(ask.key.clone()),
            });
        }
        self.log.shown(ask);
    }

    /// Lets the next due thing happen.
    fn jump(&mut self, flow: &mut Flow, until: Option<u64>) -> Result<(), String> {
        let timer = until.map(|at| Due {
            at,
            rank: 3,
            what: What::Timer,
        });
        self.due.extend(timer);
        let soonest =
            (0..self.due.len()).min_by_key(|at| (self.due[*at].at, self.due[*at].rank, *at));
        let Some(at) = soonest else {
            return Err("nothing is due any more and the flow has not ended".into());
        };
        let Due { at, what, .. } = self.due.remove(at);
        self.due.retain(|due| !matches!(due.what, What::Timer));
        self.now = self.now.max(at);
        let now = self.now;
        let done = match what {
            What::Progress(leg, value) => flow.progress(leg, value, now),
            What::Response(leg, outcome) => {
                self.in_flight = false;
                match outcome {
                    Outcome::Result(text) => flow.deliver(leg, &text, now),
                    Outcome::Error(text) => flow.deliver_error(leg, &text, now),
                    Outcome::Lost => flow.lost(leg, now),
                }
            }
            What::Answer(key) => match self.take_answer(&key) {
                Some(action) => flow.answer(&key, &action, now),
                None => Ok(()),
            },
            What::Completed(id) => flow.complete(id.as_ref(), now),
            What::Cancel => flow.cancel(now),
            What::Timer => Ok(()),
        };
        done.map_err(|error| format!("at {now} ms: {error}"))
    }

    fn take_answer(&mut self, key: &Key) -> Option<Action> {
        let list = self.answers.get_mut(key).filter(|list| !list.is_empty())?;
        list.remove(0).action
    }

    /// Another client goes on from the exported text.
    fn resume(&mut self, flow: &Flow, plan: &story::Resume, story: &Story) -> Result<Flow, Error> {
        let mut saved = flow.save()?;
        saved.truncate(saved.len().saturating_sub(plan.truncate));
        self.due.retain(|due| matches!(due.what, What::Cancel));
        let mut resumed = Client::new(story.options.clone())?.resume(&saved, self.now)?;
        if let Some(key) = &plan.answer_key {
            resumed.answer(
                &Key::from(key.as_str()),
                &Action::Value("{}".into()),
                self.now,
            )?;
        }
        Ok(resumed)
    }
}

/// What was seen.
#[derive(Default)]
struct Log {
    end: String,
    sent: Vec<String>,
    shown: Vec<Key>,
    stopped: Vec<Key>,
    cancelled: Vec<usize>,
    key: Option<Key>,
    result: Option<String>,
    end_at: u64,
    gaps: Vec<u64>,
    continuation: bool,
    flags: BTreeMap<Key, u32>,
    progress: Vec<f64>,
    rounds: u32,
    declared: String,
    again: Vec<Key>,
}

const FLAGS: [&str; 5] = [
    "not_https",
    "user_info",
    "ip_literal",
    "punycode",
    "mixed_script",
];

impl Log {
    fn shown(&mut self, ask: AskEvent) {
        if let Some(url) = &ask.url {
            self.flags.insert(ask.key.clone(), url.flags);
        }
        if ask.previously_declined {
            self.again.push(ask.key.clone());
        }
        self.shown.push(ask.key);
    }

    fn end(&mut self, done: Done, now: u64) {
        self.end = match &done.end {
            Ok(()) => "complete".into(),
            Err(error) => error.code().name().into(),
        };
        self.key = done.key().cloned();
        self.result = done.result.map(|text| text.to_string());
        self.continuation = done.continuation.is_some();
        self.end_at = now;
    }

    fn members(&self) -> String {
        let mut out = String::new();
        let mut first = true;
        let mut put =
            |name: &str, json: String| write::push_member(&mut out, &mut first, name, &json);
        put("end", text(&self.end));
        put("legs", self.sent.len().to_string());
        put("sent", list(self.sent.iter().map(|sent| text(sent))));
        put("shown", list(self.shown.iter().map(key)));
        put("stopped", list(self.stopped.iter().map(key)));
        put(
            "cancelledLegs",
            list(self.cancelled.iter().map(usize::to_string)),
        );
        put("key", self.key.as_ref().map_or("null".into(), key));
        put("result", self.result.as_deref().map_or("null".into(), text));
        put("endMs", self.end_at.to_string());
        put("gapsMs", list(self.gaps.iter().map(u64::to_string)));
        put("continuation", self.continuation.to_string());
        put(
            "flags",
            object(self.flags.iter().map(|(of, bits)| (of, flags(*bits)))),
        );
        put("progress", list(self.progress.iter().map(f64::to_string)));
        put("rounds", self.rounds.to_string());
        put("declared", text(&self.declared));
        put(
            "again",
            object(self.again.iter().map(|of| (of, "true".into()))),
        );
        out
    }
}

fn flags(bits: u32) -> String {
    let set = FLAGS
        .iter()
        .enumerate()
        .filter(|(at, _)| bits & (1 << at) != 0);
    list(set.map(|(_, name)| text(name)))
}

fn text(text: &str) -> String {
    let mut out = String::new();
    write::push_string(&mut out, text);
    out
}

fn key(key: &Key) -> String {
    let mut out = String::new();
    key.write_json(&mut out);
    out
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn object<'a>(members: impl Iterator<Item = (&'a Key, String)>) -> String {
    let members: Vec<_> = members
        .map(|(name, value)| format!("{}:{value}", key(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}
