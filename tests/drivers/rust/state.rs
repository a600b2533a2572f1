//! Kind `state`: sealing and opening, step by step.

use super::case::{Case, Observation, Trouble, list, principal, text_of, token};
use super::{Seen, told};
use mrtr::json::{Limits, Raw};
use mrtr::protocol::Error;
use mrtr::server::OwnedPrincipal;
use mrtr::state::{
    Cipher, Claims, Draft, MemoryGuard, Principal, Request, Sealer, SealerOptions, Secret,
};
use std::collections::HashMap;
use std::sync::Arc;

pub fn observe(case: &Case<'_>) -> Seen {
    told(|seen| tell(case, seen))
}

fn tell(case: &Case<'_>, seen: &mut Observation) -> Result<(), Trouble> {
    case.only(&["name", "kind", "era", "sealers", "steps"])?;
    let mut story = Story::default();
    for (name, options) in case.object("sealers").iter().flat_map(Case::members) {
        let sealer = Sealer::new(options_of(&Case::of(options))?).map_err(Trouble::failed)?;
        story
            .sealers
            .insert(name.to_str().unwrap_or_default().to_string(), sealer);
    }
    let mut steps = Vec::new();
    for step in case.list("steps") {
        steps.push(story.step(&Case::of(step))?);
    }
    seen.raw("steps", &list(steps));
    Ok(())
}

fn options_of(case: &Case<'_>) -> Result<SealerOptions, Trouble> {
    case.only(&[
        "keys",
        "cipher",
        "ttlMs",
        "skewMs",
        "audience",
        "maxAgeMs",
        "maxRounds",
        "maxStateBytes",
        "singleUse",
    ])?;
    let mut options = SealerOptions::default();
    for key in case.texts("keys") {
        options.keys.push(Secret::new(&hex(&key)?));
    }
    options.cipher = match case.text("cipher").as_deref() {
        None | Some("aes256gcm") => Cipher::Aes256Gcm,
        Some("chacha20poly1305") => Cipher::ChaCha20Poly1305,
        Some("signed") => Cipher::Signed,
        Some(_) => return Err(Trouble::Unsupported),
    };
    options.ttl_ms = case.number("ttlMs").unwrap_or(options.ttl_ms);
    options.skew_ms = case.number("skewMs").unwrap_or(options.skew_ms);
    options.max_age_ms = case.number("maxAgeMs").unwrap_or(options.max_age_ms);
    options.max_rounds = case
        .number("maxRounds")
        .map_or(options.max_rounds, |n| n as u32);
    options.audience = case.text("audience");
    if let Some(bytes) = case.number("maxStateBytes") {
        options.limits = Limits {
            state_bytes: bytes as usize,
            ..Limits::default()
        };
    }
    if case.flag("singleUse") {
        options.single_use = Some(Arc::new(MemoryGuard::default()));
    }
    Ok(options)
}

fn hex(text: &str) -> Result<Vec<u8>, Trouble> {
    let digits: Vec<u8> = text
        .chars()
        .filter_map(|c| c.to_digit(16))
        .map(|d| d as u8)
        .collect();
    match digits.len() == text.len() && digits.len().is_multiple_of(2) {
        true => Ok(digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair[1])
            .collect()),
        false => Err(Trouble::failed("no hex")),
    }
}

#[derive(Default)]
struct Story {
    sealers: HashMap<String, Sealer>,
    tokens: HashMap<String, String>,
}

/// The request of a step, owned.
struct Asked {
    method: String,
    params: String,
    principal: OwnedPrincipal,
    at_ms: u64,
}

impl Asked {
    fn of(step: &Case<'_>) -> Asked {
        Asked {
            method: step.text("method").unwrap_or_default(),
            params: step.text("params").unwrap_or_else(|| "{}".into()),
            principal: principal(step.get("principal")),
            at_ms: step.number("atMs").unwrap_or(0),
        }
    }

    fn with<T>(&self, f: impl FnOnce(&Request<'_>) -> T) -> Result<T, Trouble> {
        let params = Some(Raw::parse(&self.params, &Limits::default()).map_err(Trouble::failed)?);
        let parts: Vec<&[u8]> = match &self.principal {
            OwnedPrincipal::None => Vec::new(),
            OwnedPrincipal::Parts(parts) => parts.iter().map(Vec::as_slice).collect(),
        };
        let principal = match &self.principal {
            OwnedPrincipal::None => Principal::None,
            OwnedPrincipal::Parts(_) => Principal::Parts(&parts),
        };
        Ok(f(&Request {
            method: &self.method,
            params,
            principal,
        }))
    }
}

impl Story {
    fn step(&mut self, step: &Case<'_>) -> Result<String, Trouble> {
        step.only(&[
            "seal", "open", "config", "as", "expect", "state", "stateHex", "round",
        ])?;
        let mut seen = Observation::default();
        if let Some(config) = step.object("config") {
            let outcome =
                Sealer::new(options_of(&config)?).map_or_else(|e| e.code().name(), |_| "ok");
            seen.text("outcome", outcome);
        } else if let Some(seal) = step.object("seal") {
            self.seal(&seal, step.text("as"), &mut seen)?;
        } else {
            self.open(&step.object("open").ok_or(Trouble::Unsupported)?, &mut seen)?;
        }
        Ok(seen.end())
    }

    fn sealer(&self, step: &Case<'_>) -> Result<&Sealer, Trouble> {
        self.sealers
            .get(&step.text("by").unwrap_or_default())
            .ok_or_else(|| Trouble::failed("no such sealer"))
    }

    fn seal(
        &mut self,
        seal: &Case<'_>,
        name: Option<String>,
        seen: &mut Observation,
    ) -> Result<(), Trouble> {
        seal.only(&[
            "by",
            "atMs",
            "method",
            "params",
            "principal",
            "state",
            "stateHex",
            "next",
        ])?;
        let previous = match seal.text("next") {
            None => None,
            Some(next) => match self.tokens.get(&next) {
                Some(token) => Some(token.clone()),
                None => {
                    seen.text("outcome", "no_token");
                    return Ok(());
                }
            },
        };
        let state = match (
            seal.get("state").and_then(Raw::string),
            seal.text("stateHex"),
        ) {
            (Some(text), _) => Some(text.bytes().into_owned()),
            (None, Some(digits)) => Some(hex(&digits)?),
            (None, None) => None,
        };
        let asked = Asked::of(seal);
        let sealer = self.sealer(seal)?;
        let sealed = asked.with(|request| -> Result<String, Error> {
            let previous = previous
                .map(|token| sealer.open_unclaimed(request, &token, asked.at_ms))
                .transpose()?;
            let draft = Draft {
                state: state.as_deref(),
                ..Draft::default()
            };
            sealer.seal(request, previous.as_ref(), draft, asked.at_ms)
        })?;
        match sealed {
            Ok(token) => {
                seen.text("outcome", "ok");
                self.tokens.insert(name.unwrap_or_default(), token);
            }
            Err(error) => seen.text("outcome", error.code().name()),
        }
        Ok(())
    }

    fn open(&self, open: &Case<'_>, seen: &mut Observation) -> Result<(), Trouble> {
        open.only(&[
            "by",
            "atMs",
            "method",
            "params",
            "principal",
            "token",
            "edit",
        ])?;
        let Some(token) = self.tokens.get(&open.text("token").unwrap_or_default()) else {
            seen.text("outcome", "no_token");
            return Ok(());
        };
        let (asked, sealer) = (Asked::of(open), self.sealer(open)?);
        let opened = |token: &str| asked.with(|request| sealer.open(request, token, asked.at_ms));
        match edit(token, open.object("edit"))? {
            Edited::One(token) => tell_opened(opened(&token)?, seen),
            Edited::Each(variants) => tell_each(variants.iter().map(|token| opened(token)), seen)?,
        }
        Ok(())
    }
}

fn rpc_token(error: &Error) -> Option<String> {
    error.rpc().map(|rpc| token(&rpc.to_json()))
}

fn tell_opened(opened: Result<Claims, Error>, seen: &mut Observation) {
    match opened {
        Ok(claims) => {
            seen.text("outcome", "ok");
            seen.raw("round", &claims.round.to_string());
            if let Some(state) = &claims.state {
                match std::str::from_utf8(state) {
                    Ok(text) => seen.text("state", text),
                    Err(_) => seen.text(
                        "stateHex",
                        &state.iter().map(|b| format!("{b:02x}")).collect::<String>(),
                    ),
                }
            }
        }
        Err(error) => {
            seen.text("outcome", error.code().name());
            if let Some(rpc) = rpc_token(&error) {
                seen.raw("rpc", &rpc);
            }
        }
    }
}

fn tell_each(
    opened: impl Iterator<Item = Result<Result<Claims, Error>, Trouble>>,
    seen: &mut Observation,
) -> Result<(), Trouble> {
    let (mut refused, mut rpc) = (true, Vec::new());
    for opened in opened {
        match opened? {
            Ok(_) => refused = false,
            Err(error) => rpc.extend(rpc_token(&error).filter(|text| !rpc.contains(text))),
        }
    }
    seen.text("outcome", if refused { "refused" } else { "accepted" });
    seen.raw("rpc", &list(rpc));
    Ok(())
}

enum Edited {
    One(String),
    Each(Vec<String>),
}

const BASE64URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn edit(token: &str, edit: Option<Case<'_>>) -> Result<Edited, Trouble> {
    let Some((name, how)) = edit.and_then(|edit| edit.members().next()) else {
        return Ok(Edited::One(token.to_string()));
    };
    let text = text_of(how);
    let body = token.split_once('.').map_or(token, |(_, body)| body);
    match (name.to_str(), text) {
        (Some("append"), Some(tail)) => Ok(Edited::One(format!("{token}{tail}"))),
        (Some("prefix"), Some(prefix)) => Ok(Edited::One(format!("{prefix}{body}"))),
        (Some("text"), Some(text)) => Ok(Edited::One(text)),
        (Some("insertAt"), None) => {
            let mut parts = how.elements().into_iter().flatten();
            let at = parts
                .next()
                .and_then(|raw| raw.text().parse().ok())
                .unwrap_or(0);
            let mut edited = token.to_string();
            edited.insert_str(at, &parts.next().and_then(text_of).unwrap_or_default());
            Ok(Edited::One(edited))
        }
        (Some("eachLastChar"), None) => {
            let (head, last) = token.split_at(token.len() - 1);
            Ok(Edited::Each(
                BASE64URL
                    .chars()
                    .filter(|c| !last.contains(*c))
                    .map(|c| format!("{head}{c}"))
                    .collect(),
            ))
        }
        (Some("eachLength"), None) => Ok(Edited::Each(
            (0..token.len()).map(|n| token[..n].to_string()).collect(),
        )),
        (Some("eachBit"), None) => Ok(Edited::Each(flipped(token))),
        _ => Err(Trouble::Unsupported),
    }
}

/// Every token with one of the lower seven bits of one character turned.
fn flipped(token: &str) -> Vec<String> {
    let mut variants = Vec::with_capacity(token.len() * 7);
    for at in 0..token.len() {
        for bit in 0..7 {
            let turn = |(i, c): (usize, char)| {
                if i == at {
                    (c as u8 ^ (1 << bit)) as char
                } else {
                    c
                }
            };
            variants.push(token.chars().enumerate().map(turn).collect());
        }
    }
    variants
}
