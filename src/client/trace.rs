//! What happened in a flow, for a person who looks for a fault: rounds, asks, waits. No content unless it was asked for.

use super::action::Action;
use super::event::Event;
use super::flow::{Flow, Phase};
use crate::json::{Key, write};
use crate::protocol::{Code, Error};
use std::borrow::Cow;
use std::fmt::Write;

/// What a flow writes down about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tracing {
    /// Nothing.
    #[default]
    Off,
    /// What happened and when: methods, numbers, keys, kinds of answers. No params, results, questions or answers.
    Events,
    /// The texts, too: they hold what people were asked and answered.
    Content,
}

/// No flow writes down more than this.
const MOST: usize = 10_000;

/// One thing that happened.
pub(super) struct Record {
    at: u64,
    /// What, as a word of the JSON lines.
    what: &'static str,
    /// Leg, round or milliseconds, by `what`.
    number: Option<u64>,
    key: Option<Key>,
    /// A plain word about it: a method, a kind, an action, the name of an end.
    word: Option<String>,
    content: Option<String>,
}

/// The records of a flow.
pub(super) struct Trace {
    content: bool,
    records: Vec<Record>,
}

impl Trace {
    pub fn new(tracing: Tracing) -> Option<Box<Trace>> {
        (tracing != Tracing::Off).then(|| {
            Box::new(Trace {
                content: tracing == Tracing::Content,
                records: Vec::new(),
            })
        })
    }
}

impl Flow {
    fn record(&mut self, record: impl FnOnce(&Flow) -> Option<Record>) {
        let Some(mut trace) = self.trace.take() else {
            return;
        };
        if let Some(mut record) = record(self).filter(|_| trace.records.len() < MOST) {
            record.content = record.content.filter(|_| trace.content);
            trace.records.push(record);
        }
        self.trace = Some(trace);
    }

    /// An event that the host takes.
    pub(super) fn trace_event(&mut self, event: &Event) {
        let last = self.trace.as_ref().and_then(|trace| trace.records.last());
        let waits = last.is_some_and(|record| record.what == "wait");
        self.record(|flow| {
            let of = |what, number: u64| plain(flow, what, Some(number), None);
            Some(match event {
                Event::Send {
                    leg,
                    method,
                    params,
                    ..
                } => Record {
                    word: Some(method.to_string()),
                    content: Some(params.clone()),
                    ..of("send", (*leg).into())
                },
                Event::CancelLeg { leg, .. } => of("cancel_leg", (*leg).into()),
                Event::Ask(ask) => Record {
                    word: Some(ask.kind.name().to_string()),
                    content: Some(ask.ask.to_string()),
                    ..plain(flow, "ask", None, Some(&ask.key))
                },
                Event::StopAsk { key } => plain(flow, "stop_ask", None, Some(key)),
                Event::Round { n, .. } => of("round", (*n).into()),
                Event::Progress { leg, .. } => of("progress", (*leg).into()),
                Event::Note { key, text } => Record {
                    content: Some(text.clone()),
                    ..plain(flow, "note", None, key.as_ref())
                },
                Event::Sleep {
                    until: Some(until),
                    pacing: true,
                } if !waits => of("wait", until.saturating_sub(flow.clock.now())),
                Event::Done(done) => Record {
                    word: Some(named(&done.end)),
                    content: done.result.as_ref().map(|text| text.to_string()),
                    ..plain(flow, "end", None, done.key())
                },
                Event::Sleep { .. } | Event::Idle => return None,
            })
        });
    }

    /// A response, or the loss of one, after it was taken in.
    pub(super) fn trace_response(&mut self, leg: u32, text: Option<&str>) {
        self.record(|flow| {
            let word = match &flow.phase {
                Phase::Over(Some(done)) => named(&done.end),
                Phase::Pausing { .. } => "state only".to_string(),
                _ => "input required".to_string(),
            };
            Some(Record {
                word: Some(word),
                content: text.map(str::to_string),
                ..plain(flow, "response", Some(leg.into()), None)
            })
        });
    }

    /// What a handler said.
    pub(super) fn trace_answer(&mut self, key: &Key, action: &Action) {
        let (word, content) = match action {
            Action::Value(text) => ("value", Some(text.clone())),
            Action::Decline => ("decline", None),
            Action::Cancel => ("cancel", None),
            Action::Refuse => ("refuse", None),
            Action::Unavailable => ("unavailable", None),
            Action::Fail(_) => ("fail", None),
        };
        self.record(|flow| {
            Some(Record {
                word: Some(word.to_string()),
                content,
                ..plain(flow, "answer", None, Some(key))
            })
        });
    }

    /// The trace as JSON lines, one a record: `at` (ms of the flow's clock), `what`, and by what `number`, `key`, `word`, `content`.
    ///
    /// `wrong_state` if the client does not trace.
    pub fn trace_lines(&self) -> Result<String, Error> {
        let mut out = String::new();
        for record in &self.traced()?.records {
            let mut first = true;
            out.push('{');
            write::push_member(&mut out, &mut first, "at", &record.at.to_string());
            write::push_text_member(&mut out, &mut first, "what", record.what);
            if let Some(number) = record.number {
                write::push_member(&mut out, &mut first, "number", &number.to_string());
            }
            if let Some(key) = &record.key {
                write::push_name(&mut out, &mut first, "key");
                key.write_json(&mut out);
            }
            if let Some(word) = &record.word {
                write::push_text_member(&mut out, &mut first, "word", word);
            }
            if let Some(content) = &record.content {
                write::push_text_member(&mut out, &mut first, "content", content);
            }
            out.push_str("}\n");
        }
        Ok(out)
    }

    /// The trace as a sequence diagram in Mermaid's language, without content. `wrong_state` if the client does not trace.
    pub fn trace_mermaid(&self) -> Result<String, Error> {
        let mut out = String::from(
            "sequenceDiagram\n    participant U as User\n    participant C as Client\n    participant S as Server\n",
        );
        let records = &self.traced()?.records;
        let began = records.first().map_or(0, |record| record.at);
        for record in records {
            let arrow = match record.what {
                "send" | "cancel_leg" => "C->>S",
                "response" | "progress" => "S-->>C",
                "ask" | "stop_ask" => "C->>U",
                "answer" => "U-->>C",
                _ => "Note over C",
            };
            let _ = write!(out, "    {arrow}: {}", record.what.replace('_', " "));
            if let Some(number) = record.number {
                let _ = write!(out, " {number}");
                out.push_str(if record.what == "wait" { " ms" } else { "" });
            }
            let key = record.key.as_ref().map(Key::as_bytes);
            let key = key.map(String::from_utf8_lossy);
            let word = record.word.as_deref().map(Cow::Borrowed);
            for part in [key, word].into_iter().flatten() {
                out.push(' ');
                push_quiet(&mut out, &part);
            }
            let _ = writeln!(out, " (+{} ms)", record.at.saturating_sub(began));
        }
        Ok(out)
    }

    fn traced(&self) -> Result<&Trace, Error> {
        let off = || {
            Error::new(
                Code::WrongState,
                "the flow is not traced: the option `trace`",
            )
        };
        self.trace.as_deref().ok_or_else(off)
    }
}

fn plain(flow: &Flow, what: &'static str, number: Option<u64>, key: Option<&Key>) -> Record {
    Record {
        at: flow.clock.now(),
        what,
        number,
        key: key.cloned(),
        word: None,
        content: None,
    }
}

fn named(end: &Result<(), Error>) -> String {
    let name = end.as_ref().err().map(|error| error.code().name());
    name.unwrap_or("complete").replace('_', " ")
}

/// A text as a label: what means something to Mermaid is written by number.
fn push_quiet(out: &mut String, text: &str) {
    for c in text.chars().take(80) {
        if c.is_alphanumeric() || " _-./".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
}
