//! A case of kind `client`, read. `None` wherever a field is not known.

use mrtr::client::{Action, ClientOptions, Order};
use mrtr::json::Key;
use mrtr::protocol::{Need, Needs};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub struct Story {
    pub options: ClientOptions,
    pub method: String,
    pub params: String,
    /// Version and message of a request that a server of the older era made.
    pub request: Option<(String, String)>,
    /// When pages of the older era are done; none = all.
    pub completed: Vec<(u64, Option<Key>)>,
    pub legs: Vec<Leg>,
    pub answers: BTreeMap<Key, Vec<Answer>>,
    pub cancel_at: Option<u64>,
    pub resume: Option<Resume>,
}

/// What becomes of a leg; without an outcome nothing ever does.
#[derive(Default)]
pub struct Leg {
    pub after: u64,
    pub progress: Vec<(u64, f64)>,
    pub outcome: Option<Outcome>,
}

#[derive(Clone)]
pub enum Outcome {
    Result(String),
    Error(String),
    Lost,
}

/// What a handler gives; without an action nothing ever comes.
#[derive(Clone)]
pub struct Answer {
    pub after: u64,
    pub action: Option<Action>,
}

pub struct Resume {
    pub after_leg: usize,
    pub truncate: usize,
    pub answer_key: Option<String>,
}

type Object = Map<String, Value>;

impl Story {
    pub fn read(case: &Object) -> Option<Story> {
        let known = [
            "name",
            "rule",
            "kind",
            "era",
            "options",
            "handlers",
            "call",
            "request",
            "completed",
            "legs",
            "answers",
            "cancelAtMs",
            "resume",
        ];
        only(case, &known)?;
        let mut options = read_options(case.get("options"))?;
        if case.contains_key("era") {
            options.protocol_version = text(case, "era")?;
        }
        let request = match case.get("request") {
            Some(_) => Some((options.protocol_version.clone(), text(case, "request")?)),
            None => None,
        };
        options.handlers = read_handlers(case.get("handlers"))?;
        let none = Object::new();
        let call = match case.get("call") {
            None if request.is_some() => &none,
            call => call?.as_object()?,
        };
        only(call, &["method", "params"])?;
        Some(Story {
            options,
            method: text(call, "method").or(request.as_ref().map(|_| String::new()))?,
            params: text(call, "params").or(request.as_ref().map(|_| String::new()))?,
            request,
            completed: items(case.get("completed"))
                .iter()
                .map(|pair| Some((pair.get(0)?.as_u64()?, pair.get(1)?.as_str().map(Key::from))))
                .collect::<Option<_>>()?,
            legs: items(case.get("legs"))
                .iter()
                .map(read_leg)
                .collect::<Option<_>>()?,
            answers: match case.get("answers") {
                Some(answers) => answers
                    .as_object()?
                    .iter()
                    .map(read_answers)
                    .collect::<Option<_>>()?,
                None => BTreeMap::new(),
            },
            cancel_at: match case.get("cancelAtMs") {
                Some(at) => Some(at.as_u64()?),
                None => None,
            },
            resume: match case.get("resume") {
                Some(resume) => Some(read_resume(resume.as_object()?)?),
                None => None,
            },
        })
    }
}

fn only(object: &Object, known: &[&str]) -> Option<()> {
    object
        .keys()
        .all(|name| known.contains(&name.as_str()))
        .then_some(())
}

fn items(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn text(object: &Object, name: &str) -> Option<String> {
    object.get(name)?.as_str().map(str::to_owned)
}

fn read_options(options: Option<&Value>) -> Option<ClientOptions> {
    let mut read = ClientOptions {
        jitter: false,
        ..ClientOptions::default()
    };
    let none = Object::new();
    let options = options.map_or(Some(&none), Value::as_object)?;
    for (name, value) in options {
        let on = || value.as_bool();
        // As a C program would hand it over: a negative number is a huge one.
        let number = || value.as_u64().or_else(|| value.as_i64().map(|n| n as u64));
        let size = || number().map(|n| n as usize);
        match name.as_str() {
            "maxRounds" => read.max_rounds = number()?.try_into().ok()?,
            "legTimeoutMs" => read.leg_timeout_ms = number()?,
            "inputTimeoutMs" => read.input_timeout_ms = Some(number()?),
            "flowTimeoutMs" => read.flow_timeout_ms = Some(number()?),
            "pollBudgetMs" => read.poll_budget_ms = number()?,
            "pacingInitialMs" => read.pacing_initial_ms = number()?,
            "pacingMaxMs" => read.pacing_max_ms = number()?,
            "jitter" => read.jitter = on()?,
            "manual" => read.manual = on()?,
            "serial" => {
                read.order = if on()? {
                    Order::Serial
                } else {
                    Order::Concurrent
                }
            }
            "strict" => read.strict = on()?,
            "allowHttp" => read.allow_http = on()?,
            "stateOnlyCounts" => read.state_only_counts = on()?,
            "resetOnProgress" => read.reset_on_progress = on()?,
            "cancelIfUnavailable" => read.cancel_if_unavailable = on()?,
            "maxAsks" => read.limits.asks = size()?,
            "maxTokenBytes" => read.limits.token_bytes = size()?,
            "maxMessageBytes" => read.limits.message_bytes = size()?,
            _ => return None,
        }
    }
    Some(read)
}

fn read_handlers(handlers: Option<&Value>) -> Option<Needs> {
    items(handlers)
        .iter()
        .try_fold(Needs::NONE, |all, handler| {
            let one = match handler.as_str()? {
                "elicitation.form" => Need::FORM,
                "elicitation.url" => Need::URL,
                "sampling" => Need::SAMPLING,
                "sampling.tools" => Need::SAMPLING_TOOLS,
                "sampling.context" => Need::SAMPLING_CONTEXT,
                "roots" => Need::ROOTS,
                _ => return None,
            };
            Some(all | one)
        })
}

fn read_leg(leg: &Value) -> Option<Leg> {
    let leg = leg.as_object()?;
    only(
        leg,
        &["result", "error", "lost", "never", "afterMs", "progress"],
    )?;
    let outcome = match (text(leg, "result"), text(leg, "error"), leg.get("lost")) {
        (Some(result), None, None) => Some(Outcome::Result(result)),
        (None, Some(error), None) => Some(Outcome::Error(error)),
        (None, None, Some(_)) => Some(Outcome::Lost),
        _ => None,
    };
    let point = |pair: &Value| Some((pair.get(0)?.as_u64()?, pair.get(1)?.as_f64()?));
    Some(Leg {
        after: leg.get("afterMs").and_then(Value::as_u64).unwrap_or(0),
        progress: items(leg.get("progress"))
            .iter()
            .map(point)
            .collect::<Option<_>>()?,
        outcome,
    })
}

fn read_answers((key, list): (&String, &Value)) -> Option<(Key, Vec<Answer>)> {
    let list = list
        .as_array()?
        .iter()
        .map(read_answer)
        .collect::<Option<_>>()?;
    Some((Key::from(key.as_str()), list))
}

fn read_answer(answer: &Value) -> Option<Answer> {
    let answer = answer.as_object()?;
    let after = answer.get("afterMs").and_then(Value::as_u64).unwrap_or(0);
    let mut names = answer.keys().filter(|name| *name != "afterMs");
    let action = match names.next()?.as_str() {
        "value" => Some(Action::Value(text(answer, "value")?)),
        "decline" => Some(Action::Decline),
        "cancel" => Some(Action::Cancel),
        "refuse" => Some(Action::Refuse),
        "unavailable" => Some(Action::Unavailable),
        "fail" => Some(Action::Fail(text(answer, "fail")?)),
        "never" => None,
        _ => return None,
    };
    names.next().is_none().then_some(Answer { after, action })
}

fn read_resume(resume: &Object) -> Option<Resume> {
    only(resume, &["afterLeg", "truncate", "answerKey"])?;
    let number = |name: &str| resume.get(name).and_then(Value::as_u64).unwrap_or(0) as usize;
    Some(Resume {
        after_leg: number("afterLeg"),
        truncate: number("truncate"),
        answer_key: text(resume, "answerKey"),
    })
}
