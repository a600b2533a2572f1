//! Who asks: for a handler to show beside a question (C14).

use super::flow::Flow;
use super::round::Round;
use super::text::{decode, member};
use crate::json::{Raw, Str};
use crate::protocol::method::target_member;
use memchr::memmem::Finder;
use std::fmt::Write;
use std::sync::{Arc, LazyLock};

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

static NAMED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("serverInfo"));

/// Code points of a server's own words that are shown.
const MOST: usize = 80;

/// Who asks, and on behalf of what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// The host's own name for the server.
    pub label: Option<String>,
    /// The method of the call.
    pub method: Arc<str>,
    /// The tool or prompt name, or the URI; lone surrogates replaced.
    pub target: Option<String>,
    /// What the server says it is, in its last result. Not verified by anyone.
    pub server: Option<Server>,
    /// The round, from 1; 0 before the first.
    pub round: u32,
}

/// A server by its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: Name,
    /// Its version.
    pub version: Option<Name>,
}

/// An untrusted text, as it came and as it can be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// As it came; lone surrogates replaced.
    pub raw: String,
    /// At most 80 code points of it; control, bidirectional and invisible characters as `\u{…}`.
    pub shown: String,
}

impl Flow {
    /// The same, made once in a round of several asks; what waits for one answer does not hold it.
    pub(super) fn asker(&mut self) -> Arc<Who> {
        if let Some(who) = self.round.as_deref().and_then(|round| round.who.clone()) {
            return who;
        }
        let who = Arc::new(self.who());
        if let Some(round) = self.round.as_deref_mut().filter(|round| round.len() > 1) {
            round.who = Some(Arc::clone(&who));
        }
        who
    }

    /// Who asks in the current round (C14).
    pub fn who(&self) -> Who {
        let round = self.round.as_deref();
        let name = target_member(&self.call.method);
        let target = name.and_then(|name| member(self.call.raw(), name)?.string());
        Who {
            label: self.shared.options.label.clone(),
            method: Arc::clone(&self.call.method),
            target: target.map(decode),
            server: round.and_then(Server::read),
            round: round.map_or(0, |round| round.number),
        }
    }
}

impl Server {
    fn read(round: &Round) -> Option<Server> {
        // Most servers do not name themselves: one look at the bytes saves a walk through the result.
        NAMED.find(round.result().text().as_bytes())?;
        // Who names itself twice has no name (J2).
        let meta = member(round.result(), "_meta")?.object().ok()?;
        let info = meta.get(SERVER_INFO)?.object().ok()?;
        Some(Server {
            name: Name::new(info.get("name")?.string()?),
            version: info.get("version").and_then(Raw::string).map(Name::new),
        })
    }
}

impl Name {
    fn new(text: Str<'_>) -> Name {
        let raw = decode(text);
        let shown = shown(&raw);
        Name { raw, shown }
    }
}

fn shown(raw: &str) -> String {
    let mut out = String::new();
    for (at, c) in raw.chars().enumerate() {
        if at == MOST {
            out.push('…');
            break;
        }
        if misleads(c) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that are not seen, or that move the others.
fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn what_misleads_is_escaped_and_length_is_capped() {
        assert_eq!(shown("Café 北京"), "Café 北京");
        assert_eq!(shown("a\u{202e}b\nc\u{0}"), "a\\u{202e}b\\u{a}c\\u{0}");
        let long = shown(&"é".repeat(81));
        assert_eq!(long.chars().count(), 81);
        assert!(long.ends_with("é…"));
        assert_eq!(shown(&"x".repeat(80)), "x".repeat(80));
    }
}
