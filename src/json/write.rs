//! Writing JSON text by appending; a member that is absent is simply not appended (J5).

use memchr::memchr2;

/// Appends a string token.
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// Appends `text` escaped for the inside of a string token.
pub fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest
        .bytes()
        .position(|b| b < 0x20 || b == b'"' || b == b'\\')
    {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let Some(&byte) = special.as_bytes().first() else {
            break;
        };
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            other => push_unit(out, u16::from(other)),
        }
        rest = special.get(1..).unwrap_or("");
    }
    out.push_str(rest);
}

/// Appends the escape of one code unit.
pub(super) fn push_unit(out: &mut String, unit: u16) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        let digit = u32::from(unit >> shift & 0xF);
        out.push(char::from_digit(digit, 16).unwrap_or('0'));
    }
}

/// Appends `"name":raw`, with a comma before it unless it is the first; line breaks of `raw` are dropped (J5).
pub fn push_member(out: &mut String, first: &mut bool, name: &str, raw: &str) {
    push_name(out, first, name);
    push_line(out, raw);
}

/// Appends `"name":`, with a comma before it unless it is the first.
pub fn push_name(out: &mut String, first: &mut bool, name: &str) {
    push_comma(out, first);
    push_string(out, name);
    out.push(':');
}

/// Appends `"name":"text"`, with a comma before it unless it is the first.
pub fn push_text_member(out: &mut String, first: &mut bool, name: &str, text: &str) {
    push_name(out, first, name);
    push_string(out, text);
}

/// Appends a comma unless nothing stands before it.
pub fn push_comma(out: &mut String, first: &mut bool) {
    if !std::mem::replace(first, false) {
        out.push(',');
    }
}

/// Appends JSON text without its line breaks: they can only stand between tokens (J5).
pub fn push_line(out: &mut String, raw: &str) {
    let mut rest = raw;
    while let Some(at) = memchr2(b'\n', b'\r', rest.as_bytes()) {
        out.push_str(rest.get(..at).unwrap_or(""));
        rest = rest.get(at + 1..).unwrap_or("");
    }
    out.push_str(rest);
}
