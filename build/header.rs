//! `include/mrtr.h`: one section per noun, in reading order, each written by cbindgen from the noun's file.

use crate::codes::CodeRow;
use std::{fmt::Write as _, fs};

/// Nouns in the order of the header; each is `src/ffi/abi/<noun>.rs`.
pub const NOUNS: [&str; 30] = [
    "slice",
    "buf",
    "error",
    "version",
    "json",
    "wire",
    "ask",
    "form",
    "request",
    "peer",
    "sealer_callbacks",
    "sealer",
    "counters",
    "gateway",
    "result",
    "discovery",
    "server_callbacks",
    "server",
    "exchange",
    "answer",
    "legacy",
    "client",
    "event",
    "flow",
    "reply",
    "older",
    "trace",
    "callbacks",
    "queue",
    "runtime",
];

const TOP: &str = "\
/* mrtr.h: multi round-trip requests (`input_required`) of MCP 2026-07-28, both halves.
 *
 * Generated from the library's source: do not edit. CONVENTIONS.md has the rules that all of it follows,
 * ABI.md what never changes.
 */
#ifndef MRTR_H
#define MRTR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const BOTTOM: &str = "
/* ---- convenience ---- */

#ifdef __cplusplus
#define MRTR_SIZE_OF_(pointer) static_cast<uint32_t>(sizeof *(pointer))
#define MRTR_BYTES_OF_(text) reinterpret_cast<const uint8_t *>(text)
#else
#define MRTR_SIZE_OF_(pointer) ((uint32_t)sizeof *(pointer))
#define MRTR_BYTES_OF_(text) ((const uint8_t *)(text))
#endif

/** Fills a struct with its defaults: `MRTR_INIT(sealer_options, &options)`. */
#define MRTR_INIT(name, pointer) mrtr_##name##_init((pointer), MRTR_SIZE_OF_(pointer), MRTR_ABI)

/** Tells the library how large a struct is that it fills: `mrtr_opened opened; MRTR_SIZE(&opened);`. Nothing else of it need be set. */
#define MRTR_SIZE(pointer) ((pointer)->struct_size = MRTR_SIZE_OF_(pointer))

/** A NUL-terminated text as a slice; NULL gives the absent slice. */
static inline mrtr_slice mrtr_str(const char *text) {
    mrtr_slice slice;
    slice.ptr = MRTR_BYTES_OF_(text);
    slice.len = text ? strlen(text) : 0;
    return slice;
}

#ifdef __cplusplus
} /* extern \"C\" */
#endif

#endif /* MRTR_H */
";

/// The text of the header.
pub fn text(rows: &[CodeRow]) -> String {
    let mut text = String::from(TOP);
    for noun in NOUNS {
        let _ = write!(text, "\n/* ---- {noun} ---- */\n\n");
        text.push_str(&section(noun));
        match noun {
            "error" => text.push_str(&codes(rows)),
            "version" => {
                let version = env!("CARGO_PKG_VERSION");
                let _ = write!(
                    text,
                    "\n/** Package version of this header. */\n#define MRTR_VERSION \"{version}\"\n"
                );
            }
            _ => {}
        }
    }
    text.push_str(BOTTOM);
    text
}

/// What cbindgen makes of one noun. Types of other nouns stand as their names.
fn section(noun: &str) -> String {
    let source = format!("src/ffi/abi/{noun}.rs");
    let text = fs::read_to_string(&source).expect("each noun has a file");
    let mut config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml is valid");
    config.export.include = types(&text);
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(&source)
        .generate()
        .unwrap_or_else(|error| panic!("{noun}: {error}"))
        .write(&mut made);
    let made = String::from_utf8(made).expect("cbindgen writes UTF-8");
    format!("{}\n", one_line(made.trim()))
}

/// Comments of one line stand on one line.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let comment = match lines.get(at..at + 3) {
            Some([open, only, close]) if open.trim() == "/**" && close.trim() == "*/" => {
                only.trim().strip_prefix("* ").map(|only| (open, only))
            }
            _ => None,
        };
        match comment {
            Some((open, only)) => out.push(format!("{open} {only} */")),
            None => out.push((*line).to_string()),
        }
        at += if comment.is_some() { 3 } else { 1 };
    }
    out.join("\n")
}

/// Names of the structs and types of the header in a source, used by a function or not.
fn types(source: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line
            .strip_prefix("pub struct ")
            .or_else(|| line.strip_prefix("pub type "))?;
        let name: String = rest
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        name.starts_with("mrtr_").then_some(name)
    };
    source.lines().filter_map(name).collect()
}

/// The error codes as constants.
fn codes(rows: &[CodeRow]) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = write!(
            text,
            "\n/** {} */\n#define MRTR_{} {}\n",
            row.summary,
            row.name.to_uppercase(),
            row.number
        );
    }
    text
}
