//! Reading cases and writing observations.

use mrtr::json::{Key, Limits, Raw, write};
use mrtr::protocol::Error;
use mrtr::server::OwnedPrincipal;

/// Why a story was not told.
pub enum Trouble {
    Unsupported,
    Failed(String),
}

impl Trouble {
    pub fn failed(why: impl std::fmt::Display) -> Trouble {
        Trouble::Failed(why.to_string())
    }
}

/// An object of a case file.
#[derive(Clone, Copy)]
pub struct Case<'a>(Raw<'a>);

impl<'a> Case<'a> {
    pub fn parse(line: &'a str) -> Result<Case<'a>, Trouble> {
        let limits = Limits {
            message_bytes: 1 << 30,
            depth: 1 << 20,
            ..Limits::default()
        };
        Raw::parse(line, &limits).map(Case).map_err(Trouble::failed)
    }

    pub fn of(raw: Raw<'a>) -> Case<'a> {
        Case(raw)
    }

    /// A member; null counts as absent.
    pub fn get(&self, name: &str) -> Option<Raw<'a>> {
        self.members()
            .find(|(n, _)| *n == Key::from(name))
            .map(|(_, value)| value)
            .filter(|raw| !raw.is_null())
    }

    /// Is the member there, if only as null?
    pub fn has(&self, name: &str) -> bool {
        self.members().any(|(n, _)| n == Key::from(name))
    }

    pub fn object(&self, name: &str) -> Option<Case<'a>> {
        self.get(name).map(Case)
    }

    pub fn list(&self, name: &str) -> Vec<Raw<'a>> {
        self.get(name)
            .and_then(Raw::elements)
            .into_iter()
            .flatten()
            .collect()
    }

    pub fn texts(&self, name: &str) -> Vec<String> {
        self.list(name).into_iter().filter_map(text_of).collect()
    }

    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).and_then(text_of)
    }

    pub fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Raw::as_bool).unwrap_or(false)
    }

    /// A number as the library takes it: a negative one wraps, as it would in C.
    pub fn number(&self, name: &str) -> Option<u64> {
        let text = self.get(name)?.text();
        text.parse()
            .ok()
            .or_else(|| text.parse::<i64>().ok().map(|n| n as u64))
    }

    pub fn members(&self) -> impl Iterator<Item = (Key, Raw<'a>)> {
        self.0
            .members()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.key(), value))
    }

    /// Unknown members make a case unsupported.
    pub fn only(&self, known: &[&str]) -> Result<(), Trouble> {
        match self
            .members()
            .all(|(name, _)| name.to_str().is_some_and(|name| known.contains(&name)))
        {
            true => Ok(()),
            false => Err(Trouble::Unsupported),
        }
    }
}

pub fn text_of(raw: Raw<'_>) -> Option<String> {
    raw.string()?.text().map(|text| text.into_owned())
}

/// null = none, a text, or a list of parts.
pub fn principal(raw: Option<Raw<'_>>) -> OwnedPrincipal {
    let bytes = |raw: Raw<'_>| raw.string().map(|s| s.bytes().into_owned());
    match raw {
        None => OwnedPrincipal::None,
        Some(raw) => OwnedPrincipal::Parts(match bytes(raw) {
            Some(one) => vec![one],
            None => raw
                .elements()
                .into_iter()
                .flatten()
                .filter_map(bytes)
                .collect(),
        }),
    }
}

/// A JSON object under construction.
pub struct Observation {
    text: String,
    first: bool,
}

impl Default for Observation {
    fn default() -> Observation {
        Observation {
            text: "{".into(),
            first: true,
        }
    }
}

impl Observation {
    pub fn raw(&mut self, name: &str, raw: &str) {
        write::push_member(&mut self.text, &mut self.first, name, raw);
    }

    pub fn text(&mut self, name: &str, text: &str) {
        self.raw(name, &token(text));
    }

    pub fn bytes(&mut self, name: &str, bytes: &[u8]) {
        if let Some(key) = Key::from_wtf8(bytes) {
            self.raw(name, &key_token(&key));
        }
    }

    pub fn key(&mut self, key: &Key, raw: &str) {
        if !std::mem::replace(&mut self.first, false) {
            self.text.push(',');
        }
        key.write_json(&mut self.text);
        self.text.push(':');
        self.text.push_str(raw);
    }

    /// The JSON-RPC error that goes out for `error`.
    pub fn rpc(&mut self, name: &str, error: &Error) -> Result<(), Trouble> {
        let rpc = error
            .rpc()
            .ok_or_else(|| Trouble::failed(format!("{error} has no JSON-RPC error")))?;
        self.raw(
            name,
            &format!("{{\"code\":{},\"data\":{}}}", rpc.code, data_token(error)),
        );
        Ok(())
    }

    /// The members alone.
    pub fn members(mut self) -> String {
        self.text.split_off(1)
    }

    pub fn end(mut self) -> String {
        self.text.push('}');
        self.text
    }
}

/// `data` of the JSON-RPC error as a string token, or null.
pub fn data_token(error: &Error) -> String {
    error
        .rpc()
        .and_then(|rpc| rpc.data.as_deref())
        .map_or("null".into(), token)
}

pub fn token(text: &str) -> String {
    let mut out = String::new();
    write::push_string(&mut out, text);
    out
}

pub fn key_token(key: &Key) -> String {
    let mut out = String::new();
    key.write_json(&mut out);
    out
}

pub fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}
