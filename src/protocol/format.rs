//! The four string formats of a form (B4, X4), each judged by a crate made for it.

use crate::json::Str;
use std::borrow::Cow;
use std::str::FromStr;
use time::format_description::well_known::Rfc3339;
use time::{Date, Month, OffsetDateTime};

/// A format that a string field may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// An address `local@domain` (RFC 5321), without a display name.
    Email,
    /// An absolute URI (RFC 3986).
    Uri,
    /// A day `YYYY-MM-DD` that exists (RFC 3339 full-date).
    Date,
    /// A moment with its offset (RFC 3339 date-time).
    DateTime,
}

impl Format {
    const ALL: [Format; 4] = [Format::Email, Format::Uri, Format::Date, Format::DateTime];

    /// By its place in the list, from 1; 0 is none.
    pub(super) fn numbered(number: u32) -> Option<Format> {
        let at = number.checked_sub(1)?;
        Format::ALL.get(at as usize).copied()
    }

    /// By its name in a schema.
    pub fn named(name: Str<'_>) -> Option<Format> {
        Format::ALL
            .into_iter()
            .find(|format| name.is(format.name()))
    }

    /// Its name in a schema.
    pub fn name(self) -> &'static str {
        match self {
            Format::Email => "email",
            Format::Uri => "uri",
            Format::Date => "date",
            Format::DateTime => "date-time",
        }
    }

    /// Is the string of this format? One with a lone surrogate is of none.
    pub fn matches(self, string: Str<'_>) -> bool {
        let Some(text) = string.text() else {
            return false;
        };
        match self {
            Format::Email => is_email(&text),
            Format::Uri => is_uri(&text),
            Format::Date => is_date(&text),
            Format::DateTime => is_date_time(&text),
        }
    }
}

fn is_email(text: &str) -> bool {
    let options = email_address::Options::default().without_display_text();
    email_address::EmailAddress::parse_with_options(text, options).is_ok()
}

/// Is it an absolute IRI: a URI that may hold other characters than ASCII? (RFC 3987)
pub(crate) fn is_iri(text: &str) -> bool {
    iri_string::types::IriStr::new(text).is_ok()
}

/// Is it an absolute URI, ASCII only? (RFC 3986)
fn is_uri(text: &str) -> bool {
    iri_string::types::UriStr::new(text).is_ok()
}

fn is_date(text: &str) -> bool {
    let Some((year, month, day)) = date_parts(text) else {
        return false;
    };
    Month::try_from(month).is_ok_and(|month| Date::from_calendar_date(year, month, day).is_ok())
}

/// The numbers of `dddd-dd-dd`; signs and blanks are not digits.
fn date_parts(text: &str) -> Option<(i32, u8, u8)> {
    let shape = |(at, byte): (usize, u8)| {
        if matches!(at, 4 | 7) {
            byte == b'-'
        } else {
            byte.is_ascii_digit()
        }
    };
    if text.len() != 10 || !text.bytes().enumerate().all(shape) {
        return None;
    }
    Some((
        number(text.get(..4)?)?,
        number(text.get(5..7)?)?,
        number(text.get(8..)?)?,
    ))
}

fn number<T: FromStr>(digits: &str) -> Option<T> {
    digits.parse().ok()
}

fn is_date_time(text: &str) -> bool {
    // The grammar knows T and t between day and time; the parser below lets any character pass.
    if !matches!(text.as_bytes().get(10), Some(b'T' | b't')) {
        return false;
    }
    OffsetDateTime::parse(text, &Rfc3339).is_ok()
}

/// The text of a string, lone surrogates replaced: for looking at, never for sending.
pub(crate) fn lossy<'a>(string: Str<'a>) -> Cow<'a, str> {
    match string.text() {
        Some(text) => text,
        None => Cow::Owned(String::from_utf8_lossy(&string.bytes()).into_owned()),
    }
}
