//! Sampling: what may be asked (B7), and what is an answer to it (X5, D17).

use super::note::{Judge, Reasons, Spot};
use super::{Code, Error};
use crate::json::{Kind as Json, Raw, Str};
use std::collections::HashSet;

const BAD: Code = Code::BadSampling;

/// What a sampling ask offers and wants; the rest of it is text for the handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// Are `tools` or `toolChoice` there? Then the client needs `sampling.tools`, and the answer may use tools.
    pub offers_tools: bool,
    /// Is `includeContext` there and other than `none`?
    pub wants_context: bool,
}

impl Sampling {
    /// Reads the params at `at`.
    pub(crate) fn read(
        params: Raw<'_>,
        judge: &mut Judge,
        at: &Spot<'_>,
    ) -> Result<Sampling, Error> {
        let mut sampling = Sampling {
            offers_tools: false,
            wants_context: false,
        };
        let (mut messages, mut max_tokens) = (None, None);
        for (name, value) in params.members().into_iter().flatten() {
            match () {
                () if name.is("messages") => messages = Some(value),
                () if name.is("maxTokens") => max_tokens = Some(value),
                () if name.is("tools") => {
                    sampling.offers_tools |= read_tools(value, judge, &at.word("tools"))?
                }
                () if name.is("toolChoice") => {
                    sampling.offers_tools |= read_choice(value, judge, &at.word("toolChoice"))?;
                }
                () if name.is("includeContext") => {
                    sampling.wants_context =
                        read_context(value, judge, &at.word("includeContext"))?;
                }
                () => {}
            }
        }
        let present = |value: Option<Raw<'_>>| value.is_some_and(|value| !value.is_null());
        let (Some(messages), true) = (messages, present(messages)) else {
            return judge.refuse(Code::MissingParams, at, "messages is missing");
        };
        let (Some(max_tokens), true) = (max_tokens, present(max_tokens)) else {
            return judge.refuse(Code::MissingParams, at, "maxTokens is missing");
        };
        check_messages(messages, judge, &at.word("messages"))?;
        let positive = max_tokens
            .number()
            .is_some_and(|n| n.is_integer() && !n.text().starts_with('-') && n.to_u64() != Some(0));
        if !positive {
            return judge.refuse(BAD, &at.word("maxTokens"), "must be an integer above 0");
        }
        Ok(sampling)
    }
}

fn read_tools(tools: Raw<'_>, judge: &mut Judge, at: &Spot<'_>) -> Result<bool, Error> {
    let Some(list) = tools.elements() else {
        return judge.mind(BAD, at, "expected an array").map(|()| false);
    };
    for (index, tool) in list.enumerate() {
        if !tool.is_object() {
            return judge.refuse(BAD, &at.index(index), "expected an object");
        }
    }
    Ok(true)
}

fn read_choice(choice: Raw<'_>, judge: &mut Judge, at: &Spot<'_>) -> Result<bool, Error> {
    let Some(mut members) = choice.members() else {
        return judge.mind(BAD, at, "expected an object").map(|()| false);
    };
    let mode = members.find(|(name, _)| name.is("mode"));
    let known = |mode: Str<'_>| {
        ["auto", "required", "none"]
            .iter()
            .any(|word| mode.is(word))
    };
    if mode.is_some_and(|(_, mode)| !mode.string().is_some_and(known)) {
        judge.mind(
            BAD,
            &at.word("mode"),
            "must be one of \"auto\", \"required\", \"none\"",
        )?;
    }
    Ok(true)
}

fn read_context(value: Raw<'_>, judge: &mut Judge, at: &Spot<'_>) -> Result<bool, Error> {
    match value.string() {
        Some(word) if word.is("none") => Ok(false),
        Some(word) if word.is("thisServer") || word.is("allServers") => Ok(true),
        _ => judge
            .mind(
                BAD,
                at,
                "must be one of \"none\", \"thisServer\", \"allServers\"",
            )
            .map(|()| !value.is_null()),
    }
}

fn check_messages(messages: Raw<'_>, judge: &Judge, at: &Spot<'_>) -> Result<(), Error> {
    let Some(list) = messages.elements() else {
        return judge.refuse(BAD, at, "expected an array");
    };
    let mut open: Vec<Str<'_>> = Vec::new();
    let mut count = 0;
    for (index, message) in list.enumerate() {
        count += 1;
        check_message(message, &mut open)
            .or_else(|what| judge.refuse(BAD, &at.index(index), what))?;
    }
    match () {
        () if count == 0 => judge.refuse(BAD, at, "there is no message"),
        () if !open.is_empty() => judge.refuse(BAD, at, UNANSWERED),
        () => Ok(()),
    }
}

const UNANSWERED: &str = "a tool_use is not answered by the next message";

/// Checks one message against the tool uses that the one before left open, and leaves its own.
fn check_message<'a>(message: Raw<'a>, open: &mut Vec<Str<'a>>) -> Result<(), &'static str> {
    let (mut role, mut content) = (None, None);
    for (name, value) in message.members().ok_or("expected an object")? {
        if name.is("role") {
            role = value.string();
        } else if name.is("content") {
            content = Some(value);
        }
    }
    let assistant = match role {
        Some(role) if role.is("assistant") => true,
        Some(role) if role.is("user") => false,
        _ => return Err("role must be \"user\" or \"assistant\""),
    };
    let mut uses = Vec::new();
    let mut results = Vec::new();
    let mut others = false;
    for block in blocks(content)? {
        match read_block(block)? {
            Block::Use(id) => uses.push(id),
            Block::Result(id) => results.push(id),
            Block::Other => others = true,
        }
    }
    if !uses.is_empty() && !assistant {
        return Err("a tool_use in a message of the user");
    }
    if !results.is_empty() && (assistant || others) {
        return Err("tool results must stand alone in a message of the user");
    }
    if !all_answered(open, &results) {
        return Err(UNANSWERED);
    }
    *open = uses;
    Ok(())
}

/// Is every id of `uses` among `results`? Hashed, so that many cost little.
fn all_answered(uses: &[Str<'_>], results: &[Str<'_>]) -> bool {
    if uses.is_empty() {
        return true;
    }
    let answered: HashSet<_> = results.iter().map(|id| id.bytes()).collect();
    uses.iter().all(|id| answered.contains(&id.bytes()))
}

/// The content of a message: one block, or an array of them.
fn blocks<'a>(content: Option<Raw<'a>>) -> Result<impl Iterator<Item = Raw<'a>>, &'static str> {
    let content = content.ok_or("content is missing")?;
    let (one, many) = match content.kind() {
        Json::Object => (Some(content), None),
        Json::Array => (None, content.elements()),
        _ => return Err("content must be a block or an array of blocks"),
    };
    Ok(one.into_iter().chain(many.into_iter().flatten()))
}

enum Block<'a> {
    Use(Str<'a>),
    Result(Str<'a>),
    Other,
}

/// The types of blocks, and the members that each must have.
const BLOCKS: [(&str, &[(&str, Json)]); 5] = [
    ("text", &[("text", Json::String)]),
    (
        "image",
        &[("data", Json::String), ("mimeType", Json::String)],
    ),
    (
        "audio",
        &[("data", Json::String), ("mimeType", Json::String)],
    ),
    (
        "tool_use",
        &[
            ("id", Json::String),
            ("name", Json::String),
            ("input", Json::Object),
        ],
    ),
    (
        "tool_result",
        &[("toolUseId", Json::String), ("content", Json::Array)],
    ),
];

fn read_block(block: Raw<'_>) -> Result<Block<'_>, &'static str> {
    let members = block.members().ok_or("a content block must be an object")?;
    let get = |wanted: &str| {
        members
            .clone()
            .find(|(name, _)| name.is(wanted))
            .map(|(_, value)| value)
    };
    let kind = get("type")
        .and_then(Raw::string)
        .ok_or("a content block has no type")?;
    let (name, needed) = BLOCKS
        .iter()
        .find(|(name, _)| kind.is(name))
        .ok_or("unknown type of content block")?;
    for (member, wanted) in *needed {
        if get(member).map(Raw::kind) != Some(*wanted) {
            return Err("a content block lacks a member that its type needs");
        }
    }
    Ok(
        match (
            *name,
            get("id").and_then(Raw::string),
            get("toolUseId").and_then(Raw::string),
        ) {
            ("tool_use", Some(id), _) => Block::Use(id),
            ("tool_result", _, Some(id)) => Block::Result(id),
            _ => Block::Other,
        },
    )
}

/// Why `answer` is no answer to the ask; `Ok` if it is one (X5, D17).
pub(crate) fn check(ask: Sampling, answer: Raw<'_>) -> Result<(), Vec<String>> {
    let mut reasons = Reasons::default();
    let root = Spot::ROOT;
    let (mut role, mut model, mut content) = (None, None, None);
    let Some(members) = answer.members() else {
        return Err(vec!["expected an object".to_string()]);
    };
    for (name, value) in members {
        match () {
            () if name.is("role") => role = value.string(),
            () if name.is("model") => model = value.string(),
            () if name.is("content") => content = Some(value),
            () => {}
        }
    }
    if !role.is_some_and(|role| role.is("assistant")) {
        reasons.add(&root.word("role"), "must be \"assistant\"");
    }
    if model.is_none() {
        reasons.add(&root.word("model"), "must be a string");
    }
    match blocks(content) {
        Err(what) => reasons.add(&root.word("content"), what),
        Ok(blocks) => {
            for block in blocks {
                match read_block(block) {
                    Err(what) => reasons.add(&root.word("content"), what),
                    Ok(Block::Use(_)) if !ask.offers_tools => {
                        reasons.add(&root.word("content"), "no tools were offered");
                    }
                    Ok(_) => {}
                }
            }
        }
    }
    reasons.into_result()
}
