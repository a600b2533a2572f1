//! Reads `src/protocol/codes.toml`, the one source of error codes, and writes what is generated from it.

use std::fmt::Write;

/// One error code.
#[derive(Debug, Default, Clone)]
pub struct CodeRow {
    /// `snake_case` name.
    pub name: String,
    /// Number; never reused.
    pub number: u32,
    /// Where it comes from: boundary, text, build, state, request, flow.
    pub group: String,
    /// One sentence: what happened.
    pub summary: String,
    /// One sentence: what to do.
    pub remedy: String,
    /// JSON-RPC code on the wire, if it has one by itself.
    pub rpc: Option<i64>,
    /// HTTP status.
    pub http: u16,
}

impl CodeRow {
    /// The name in `CamelCase`.
    pub fn camel(&self) -> String {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        self.name.split('_').map(capital).collect()
    }
}

/// All codes in the order of the file. Panics, naming the line, on anything it does not understand.
pub fn read(text: &str) -> Vec<CodeRow> {
    let mut rows: Vec<CodeRow> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line == "[[code]]" {
            rows.push(CodeRow {
                http: 200,
                ..CodeRow::default()
            });
            continue;
        }
        let fail = |what: &str| -> ! { panic!("codes.toml line {}: {what}: {line}", at + 1) };
        let Some((field, value)) = line.split_once(" = ") else {
            fail("no `field = value`")
        };
        let Some(row) = rows.last_mut() else {
            fail("before the first [[code]]")
        };
        let text = || match value.strip_prefix('"').and_then(|v| v.strip_suffix('"')) {
            Some(text) if !text.contains(['"', '\\']) => text.to_string(),
            _ => fail("no plain string"),
        };
        let number = || value.parse::<i64>().unwrap_or_else(|_| fail("no integer"));
        match field {
            "name" => row.name = text(),
            "group" => row.group = text(),
            "summary" => row.summary = text(),
            "remedy" => row.remedy = text(),
            "number" => row.number = number().try_into().unwrap_or_else(|_| fail("out of range")),
            "rpc" => row.rpc = Some(number()),
            "http" => row.http = number().try_into().unwrap_or_else(|_| fail("out of range")),
            _ => fail("unknown field"),
        }
    }
    check(&rows);
    rows
}

fn check(rows: &[CodeRow]) {
    for (at, row) in rows.iter().enumerate() {
        let full = [&row.name, &row.group, &row.summary, &row.remedy]
            .iter()
            .all(|text| !text.is_empty());
        assert!(full && row.number > 0, "codes.toml: {row:?} lacks a field");
        let twice = rows[..at]
            .iter()
            .any(|other| other.name == row.name || other.number == row.number);
        assert!(
            !twice,
            "codes.toml: {} or its number {} stands twice",
            row.name, row.number
        );
    }
}

/// The Rust enum `Code` with its tables.
pub fn rust(rows: &[CodeRow]) -> String {
    let mut out = String::new();
    out.push_str(
        "/// What went wrong; generated from `codes.toml`. Numbers are never reused.\n\
         #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]\n\
         #[repr(i32)]\npub enum Code {\n",
    );
    for row in rows {
        let _ = writeln!(
            out,
            "    /// {}\n    ///\n    /// Remedy: {}",
            row.summary, row.remedy
        );
        let _ = writeln!(out, "    {} = {},", row.camel(), row.number);
    }
    out.push_str("}\n\nimpl Code {\n    /// Every code, by number.\n");
    let _ = writeln!(out, "    pub const ALL: [Code; {}] = [", rows.len());
    for row in rows {
        let _ = writeln!(out, "        Code::{},", row.camel());
    }
    out.push_str("    ];\n\n    const fn row(self) -> &'static Row {\n        match self {\n");
    for row in rows {
        let _ = writeln!(
            out,
            "            Code::{} => &Row {{ name: {:?}, group: {:?}, summary: {:?}, remedy: {:?}, rpc: {:?}, http: {} }},",
            row.camel(),
            row.name,
            row.group,
            row.summary,
            row.remedy,
            row.rpc,
            row.http
        );
    }
    out.push_str("        }\n    }\n}\n");
    out
}
