//! Answers: read by the question that was asked (X2-X5, D15, D17), and written for it (C9, D3).

use super::ask::{Ask, Body};
use super::note::Note;
use super::{Code, Error, roots, sampling};
use crate::json::{Raw, unique, write};
use std::fmt;

/// What an entry of `inputResponses` says to its ask (X3).
#[derive(Clone, PartialEq, Eq)]
pub enum Answer {
    /// Accepted and valid. For a form the content object (defaults filled, unknown members dropped); for sampling
    /// and roots the whole result; for a URL the empty text: consent, never completion (X5). One line.
    Accepted(String),
    /// The user said no.
    Declined,
    /// The user said nothing.
    Cancelled,
    /// Not readable as an answer to this ask, with the reasons: pointers and causes, no values.
    Invalid(Vec<String>),
    /// `null`: as good as not there (D15).
    Missing,
}

/// Shows what it is, never what was answered.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Accepted(content) => write!(f, "Accepted({} bytes)", content.len()),
            Answer::Declined => f.write_str("Declined"),
            Answer::Cancelled => f.write_str("Cancelled"),
            Answer::Invalid(reasons) => f.debug_tuple("Invalid").field(reasons).finish(),
            Answer::Missing => f.write_str("Missing"),
        }
    }
}

/// Reads the entry for `ask` (X2): by the kind of the ask, never by the shape of the entry. Duplicate members
/// anywhere in it make it invalid (D15).
pub fn read(ask: &Ask<'_>, entry: Raw<'_>) -> Answer {
    if entry.is_null() {
        return Answer::Missing;
    }
    if unique(entry).is_err() {
        return Answer::Invalid(vec!["a member stands twice".to_string()]);
    }
    let whole = |checked: Result<(), Vec<String>>| match checked {
        Ok(()) => Answer::Accepted(entry.one_line().into_owned()),
        Err(reasons) => Answer::Invalid(reasons),
    };
    match ask.body() {
        Body::Form(_) | Body::Url(_) => read_elicitation(ask.body(), entry),
        Body::Sampling(asked) => whole(sampling::check(*asked, entry)),
        Body::Roots => whole(roots::check(entry)),
    }
}

fn read_elicitation(body: &Body<'_>, entry: Raw<'_>) -> Answer {
    let (mut action, mut content) = (None, None);
    for (name, value) in entry.members().into_iter().flatten() {
        if name.is("action") {
            action = value.string();
        } else if name.is("content") {
            content = Some(value).filter(|value| !value.is_null());
        }
    }
    match (action, body) {
        (Some(action), _) if action.is("decline") => Answer::Declined,
        (Some(action), _) if action.is("cancel") => Answer::Cancelled,
        (Some(action), Body::Form(form)) if action.is("accept") => match form.read_content(content)
        {
            Ok(filled) => Answer::Accepted(filled.content),
            Err(reasons) => Answer::Invalid(reasons),
        },
        (Some(action), _) if action.is("accept") => Answer::Accepted(String::new()),
        _ => Answer::Invalid(vec![
            "/action: must be \"accept\", \"decline\" or \"cancel\"".to_string(),
        ]),
    }
}

/// The entry of `inputResponses` for what a handler gave (C9, D3): for a form the content object, for a URL anything,
/// for sampling and roots the whole result. One line, values spelled as given.
///
/// Members that the form does not know are sent, with a note. A value that does not fit, or names a member twice,
/// is [`Code::HandlerFailed`].
pub fn check_value(ask: &Ask<'_>, value: Raw<'_>) -> Result<(String, Vec<Note>), Error> {
    let failed = |reasons: Vec<String>| Error::new(Code::HandlerFailed, reasons.join("; "));
    if let Body::Url(_) = ask.body() {
        return Ok((accepted(None), Vec::new()));
    }
    unique(value).map_err(|fault| Error::new(Code::HandlerFailed, fault.to_string()))?;
    match ask.body() {
        Body::Sampling(asked) => sampling::check(*asked, value).map_err(failed)?,
        Body::Roots => roots::check(value).map_err(failed)?,
        Body::Url(_) => {}
        Body::Form(form) => {
            let filled = form.check_content(value).map_err(failed)?;
            let what = "holds members that the form does not know";
            let notes = if filled.unknown {
                vec![Note {
                    at: String::new(),
                    what,
                }]
            } else {
                Vec::new()
            };
            return Ok((accepted(Some(&filled.content)), notes));
        }
    }
    Ok((value.one_line().into_owned(), Vec::new()))
}

fn accepted(content: Option<&str>) -> String {
    let mut entry = String::with_capacity(32 + content.map_or(0, str::len));
    entry.push_str("{\"action\":\"accept\"");
    if let Some(content) = content {
        write::push_member(&mut entry, &mut false, "content", content);
    }
    entry.push('}');
    entry
}

/// The entry that says no to an elicitation.
pub fn declined() -> &'static str {
    "{\"action\":\"decline\"}"
}

/// The entry that leaves an elicitation unanswered.
pub fn cancelled() -> &'static str {
    "{\"action\":\"cancel\"}"
}
