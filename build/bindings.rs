//! The error codes for people and for the bindings.

use crate::codes::CodeRow;
use std::fmt::Write;

const SOURCE: &str = "src/protocol/codes.toml";

/// `docs/errors.md`
pub fn markdown(rows: &[CodeRow]) -> String {
    let mut out = format!(
        "# Errors\n\nGenerated from `{SOURCE}`: do not edit. A number is never reused and never changes its meaning.\n\
         \"On the wire\" is the JSON-RPC code and the HTTP status with it, where an error has its own.\n"
    );
    let mut group = "";
    for row in rows {
        if row.group != group {
            group = &row.group;
            let _ = write!(
                out,
                "\n## {group}\n\n| Number | Name | What happened | What to do | On the wire |\n|---|---|---|---|---|\n"
            );
        }
        let wire = row
            .rpc
            .map_or("-".into(), |rpc| format!("{rpc}, {}", row.http));
        let _ = writeln!(
            out,
            "| {} | `{}` | {} | {} | {wire} |",
            row.number, row.name, row.summary, row.remedy
        );
    }
    out
}

/// `bindings/python/src/mrtr/_codes.py`
pub fn python(rows: &[CodeRow]) -> String {
    let mut out = format!(
        "\"\"\"Error codes. Generated from {SOURCE}: do not edit.\"\"\"\n\nfrom enum import IntEnum\n\n\n\
         class Code(IntEnum):\n    \"\"\"What went wrong. A number is never reused; a library newer than this file may have more.\"\"\"\n\n"
    );
    for row in rows {
        let _ = writeln!(
            out,
            "    {} = {}  # {}",
            row.name.to_uppercase(),
            row.number,
            row.summary
        );
    }
    out.push_str("\n\nNAMES: dict[int, str] = {code.value: code.name.lower() for code in Code}\n\nREMEDIES: dict[int, str] = {\n");
    for row in rows {
        let _ = writeln!(out, "    {}: \"{}\",", row.number, row.remedy);
    }
    out.push_str("}\n");
    out
}

/// `bindings/go/codes.go`
pub fn go(rows: &[CodeRow]) -> String {
    let mut out = format!(
        "// Code generated from {SOURCE}. DO NOT EDIT.\n\npackage mrtr\n\nimport \"strconv\"\n\n\
         // Code says what went wrong. A number is never reused; a library newer than this file may have more.\ntype Code int32\n\n\
         // The error codes.\nconst (\n"
    );
    for row in rows {
        let _ = writeln!(
            out,
            "\t// Code{}: {}\n\tCode{} Code = {}",
            row.camel(),
            row.summary,
            row.camel(),
            row.number
        );
    }
    out.push_str(")\n\n// String is the name of the code, such as \"expired\".\nfunc (c Code) String() string {\n\tswitch c {\n");
    for row in rows {
        let _ = writeln!(
            out,
            "\tcase Code{}:\n\t\treturn \"{}\"",
            row.camel(),
            row.name
        );
    }
    out.push_str("\t}\n\treturn \"code \" + strconv.Itoa(int(c))\n}\n");
    out
}

/// `bindings/swift/Sources/MRTR/Codes.swift`
pub fn swift(rows: &[CodeRow]) -> String {
    let mut out = format!(
        "// Error codes. Generated from {SOURCE}: do not edit.\n\n\
         /// What went wrong. A number is never reused; a library newer than this file may have more.\n\
         public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {{\n\
         \x20   public let rawValue: Int32\n\x20   public init(rawValue: Int32) {{ self.rawValue = rawValue }}\n\n"
    );
    for row in rows {
        let camel = row.camel();
        let name = camel[..1].to_lowercase() + &camel[1..];
        let _ = writeln!(
            out,
            "    /// {}\n    public static let {name} = Code(rawValue: {})",
            row.summary, row.number
        );
    }
    out.push_str("\n    /// The name of the code, such as `expired`.\n    public var description: String {\n        switch rawValue {\n");
    for row in rows {
        let _ = writeln!(out, "        case {}: return \"{}\"", row.number, row.name);
    }
    out.push_str("        default: return \"code \\(rawValue)\"\n        }\n    }\n}\n");
    out
}
