//! The address of a URL ask: what may be asked for, and what a user should be told about it (B6, C14).

use super::Code;
use super::format::is_iri;
use super::note::{Judge, Spot};
use super::{Error, secret};
use crate::json::{Raw, Str};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup, Script};
use icu_properties::script::{ScriptExtensionsSet, ScriptWithExtensions};
use std::borrow::Cow;
use url::{Host, Url};

/// The scheme is not `https`.
pub const NOT_HTTPS: u8 = 1;
/// A user name or password stands before the host.
pub const USER_INFO: u8 = 2;
/// The host is an IP address, however it is written.
pub const IP_LITERAL: u8 = 4;
/// A label of the ASCII host is Punycode, however the host was written (D6).
pub const PUNYCODE: u8 = 8;
/// A label mixes scripts that no one language writes together, as Latin and Cyrillic (D6).
pub const MIXED_SCRIPT: u8 = 16;

/// All flags with their names.
pub const FLAGS: [(u8, &str); 5] = [
    (NOT_HTTPS, "not_https"),
    (USER_INFO, "user_info"),
    (IP_LITERAL, "ip_literal"),
    (PUNYCODE, "punycode"),
    (MIXED_SCRIPT, "mixed_script"),
];

/// An absolute http or https URL. Never opened, never fetched (C14).
#[derive(Debug)]
pub struct Address<'a> {
    text: Cow<'a, str>,
    url: Url,
    flags: u8,
    unicode: String,
}

impl<'a> Address<'a> {
    /// Reads the URL at `at`. The author must give a plain https URL without user-info; to the receiver user-info
    /// is shown with its flag (D2).
    pub(crate) fn read(
        raw: Raw<'a>,
        allow_http: bool,
        judge: &Judge,
        at: &Spot<'_>,
    ) -> Result<Address<'a>, Error> {
        let address = match raw.string().map(Str::text) {
            Some(Some(text)) => Address::parse(text, judge.is_strict()),
            Some(None) => Err("holds a lone surrogate"),
            None => Err("must be a string"),
        };
        let address = address.and_then(|address| match () {
            () if address.flags & NOT_HTTPS != 0 && !allow_http => Err("must be https"),
            () if address.flags & USER_INFO != 0 && judge.is_strict() => {
                Err("must not have user-info")
            }
            () => Ok(address),
        });
        address.or_else(|what| judge.refuse(Code::BadUrl, at, what))
    }

    fn parse(text: Cow<'a, str>, strict: bool) -> Result<Address<'a>, &'static str> {
        if text.chars().any(char::is_control) {
            return Err("holds a control character");
        }
        if text.chars().any(turns) {
            return Err("holds a character that turns the direction of the text");
        }
        // Browsers mend backslashes, blanks and missing slashes, other programs read another host into the same text.
        let (scheme, rest) = text.split_once("://").ok_or("must be an absolute URL")?;
        if rest.starts_with(['/', '?', '#']) || scheme.trim() != scheme || text.contains('\\') {
            return Err("must be an absolute URL");
        }
        if strict && !is_iri(&text) {
            return Err("is no URI");
        }
        let url = Url::parse(&text).map_err(|_| "is no URL")?;
        // In "https:a://b" the scheme ends before the "://", and the host is a.
        if !scheme.eq_ignore_ascii_case(url.scheme()) {
            return Err("must be an absolute URL");
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
        let mut flags = match url.scheme() {
            "https" => 0,
            "http" => NOT_HTTPS,
            _ => return Err("must be https"),
        };
        if authority.contains('@') {
            flags |= USER_INFO;
        }
        let mut unicode = String::new();
        match url.host() {
            Some(Host::Domain(ascii)) => {
                let decoded = idna::domain_to_unicode(ascii).0;
                flags |= name_flags(ascii, &decoded);
                unicode = shown(ascii, &decoded);
            }
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => {
                flags |= IP_LITERAL;
                unicode.push_str(url.host_str().unwrap_or(""));
            }
            None => return Err("has no host"),
        }
        Ok(Address {
            text,
            url,
            flags,
            unicode,
        })
    }

    /// The URL exactly as it was given, decoded.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What to warn of: a union of [`NOT_HTTPS`], [`USER_INFO`], [`IP_LITERAL`], [`PUNYCODE`], [`MIXED_SCRIPT`] (C14).
    pub fn flags(&self) -> u8 {
        self.flags
    }

    /// The host as it goes to the resolver: lower case, Punycode; IPv6 in brackets.
    pub fn host_ascii(&self) -> &str {
        self.url.host_str().unwrap_or("")
    }

    /// The host with its Punycode labels decoded, but for those that hold more than letters, marks, digits and hyphens:
    /// a sign that looks like a slash must not end the host for the eye.
    pub fn host_unicode(&self) -> &str {
        &self.unicode
    }

    /// Does a member of the query look like a credential? (B6)
    pub(crate) fn has_credential(&self) -> bool {
        self.url
            .query_pairs()
            .any(|(name, _)| secret::is_credential(&name))
    }
}

/// Does the character change the direction in which a text is shown, or break its line? RFC 3987, 4.1 bans the former.
fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The labels of a host as they are shown: decoded where they are plain words, else in ASCII.
fn shown(ascii: &str, decoded: &str) -> String {
    let labels = ascii.split('.').zip(decoded.split('.'));
    let shown = labels.map(|(ascii, decoded)| if is_word(decoded) { decoded } else { ascii });
    shown.collect::<Vec<_>>().join(".")
}

fn is_word(label: &str) -> bool {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let parts = [
        GeneralCategoryGroup::Letter,
        GeneralCategoryGroup::Mark,
        GeneralCategoryGroup::Number,
    ];
    label.chars().all(|c| {
        // The middle dots of Catalan and Katakana, and the joiners of Persian and Indic words.
        matches!(
            c,
            '-' | '_' | '\u{b7}' | '\u{30fb}' | '\u{200c}' | '\u{200d}'
        ) || parts.iter().any(|part| part.contains(categories.get(c)))
    })
}

fn name_flags(ascii: &str, unicode: &str) -> u8 {
    let mut flags = 0;
    if ascii.split('.').any(|label| label.starts_with("xn--")) {
        flags |= PUNYCODE;
    }
    if !unicode.is_ascii() && unicode.split('.').any(mixes_scripts) {
        flags |= MIXED_SCRIPT;
    }
    flags
}

/// Writing systems made of several scripts (UTS 39): they count as one.
const TOGETHER: [&[Script]; 3] = [
    &[Script::Han, Script::Hiragana, Script::Katakana],
    &[Script::Han, Script::Hangul],
    &[Script::Han, Script::Bopomofo],
];

/// Is there no script, and no writing system, that has all characters of the label? Digits, hyphens and marks
/// belong to all.
fn mixes_scripts(label: &str) -> bool {
    let scripts = ScriptWithExtensions::new();
    let sets: Vec<ScriptExtensionsSet<'_>> = label
        .chars()
        .map(|c| scripts.get_script_extensions_val(c))
        .filter(|set| !set.contains(&Script::Common) && !set.contains(&Script::Inherited))
        .collect();
    let Some(first) = sets.first() else {
        return false;
    };
    let alone = first
        .iter()
        .any(|script| sets.iter().all(|set| set.contains(&script)));
    let together = TOGETHER.iter().any(|system| {
        sets.iter()
            .all(|set| system.iter().any(|script| set.contains(script)))
    });
    !alone && !together
}
