//! Rules that the source of the boundary keeps: every entry is guarded (F3), every comment of the header is complete.

mod abi_kit;

use abi_kit::{functions, read, root};
use std::fs;

/// The sources of `src/ffi/abi`, by name.
fn sources() -> Vec<(String, String)> {
    let folder = fs::read_dir(root().join("src/ffi/abi")).expect("the folder is there");
    let mut all: Vec<_> = folder
        .map(|file| {
            file.expect("readable")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .filter(|name| name.ends_with(".rs"))
        .map(|name| (name.clone(), read(&format!("src/ffi/abi/{name}"))))
        .collect();
    all.sort();
    all
}

/// Every exported function of a source: its comment, its name, its body.
fn exported(source: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("#[unsafe(no_mangle)]") {
        let before: Vec<&str> = source[..at]
            .lines()
            .rev()
            .take_while(|line| line.starts_with("///"))
            .collect();
        let comment = before.into_iter().rev().collect::<Vec<_>>().join("\n");
        let rest = &source[at..];
        let name = rest
            .split_once("fn ")
            .expect("a function")
            .1
            .split('(')
            .next()
            .expect("a name");
        let body = rest
            .split_once("{\n")
            .expect("a body")
            .1
            .split("\n}\n")
            .next()
            .expect("an end");
        found.push((comment, name.to_string(), body.to_string()));
    }
    found
}

#[test]
fn every_exported_function_is_one_call_of_the_guard() {
    let mut names = Vec::new();
    for (file, source) in sources() {
        for (_, name, body) in exported(&source) {
            let body = body.trim();
            let safety = body
                .lines()
                .next()
                .is_some_and(|line| line.trim().starts_with("// SAFETY:"));
            let code = body
                .lines()
                .skip(1)
                .collect::<String>()
                .replace(char::is_whitespace, "");
            let guarded =
                code.starts_with("unsafe{guard(") || code.starts_with("unsafe{guard_value(");
            assert!(
                safety && guarded && code.ends_with('}'),
                "{file}: {name} is not just one call of the guard"
            );
            assert!(name.starts_with("mrtr_"), "{file}: {name}");
            names.push(name);
        }
        let declared = source.matches("pub unsafe extern \"C\" fn").count()
            + source.matches("pub extern \"C\" fn").count();
        assert_eq!(
            declared,
            exported(&source).len(),
            "{file}: a function that is not exported"
        );
    }
    let mut in_header: Vec<String> = functions()
        .into_iter()
        .map(|function| function.name)
        .collect();
    in_header.sort();
    names.sort();
    assert_eq!(
        names, in_header,
        "what is exported is what the header declares"
    );
}

#[test]
fn every_comment_says_threads_and_since_and_errors_where_there_are_any() {
    for (file, source) in sources() {
        for (comment, name, _) in exported(&source) {
            let function = functions()
                .into_iter()
                .find(|function| function.name == name)
                .expect("in the header");
            // Either a field of its own or one that several share: "Ownership, threads, errors: as …".
            let (threads, errors) = (comment.contains("hreads"), comment.contains("rrors"));
            assert!(
                threads && comment.contains("/// Since: "),
                "{file}: {name} does not say threads or since"
            );
            assert!(
                function.returns != "mrtr_status" || errors,
                "{file}: {name} does not say its errors"
            );
            let makes = function
                .parameters
                .iter()
                .any(|(kind, _)| kind == "mrtr_buf *");
            assert!(
                !makes || comment.contains("Ownership: "),
                "{file}: {name} does not say who owns what it makes"
            );
        }
    }
}

#[test]
fn errors_come_last_and_handles_first() {
    for function in functions() {
        let last = function.parameters.len().saturating_sub(1);
        for (at, (kind, name)) in function.parameters.iter().enumerate() {
            assert!(
                name != "err" || (at == last && kind == "mrtr_error *"),
                "{}",
                function.name
            );
            let before = function.parameters.iter().take(at);
            assert!(
                !is_handle(kind) || before.clone().all(|(kind, _)| is_handle(kind)),
                "{}: handles come first",
                function.name
            );
        }
    }
}

fn is_handle(kind: &str) -> bool {
    let kinds = "error sealer server exchange client flow form runtime queue";
    kind.strip_prefix("mrtr_")
        .is_some_and(|name| kinds.split(' ').any(|known| known == name))
}

#[test]
fn the_border_has_fixed_widths_only() {
    for function in functions() {
        for (kind, name) in function
            .parameters
            .iter()
            .chain([&(function.returns.clone(), "result".to_string())])
        {
            let plain = kind
                .trim_start_matches("const ")
                .trim_end_matches('*')
                .trim();
            let known = [
                "int32_t", "uint32_t", "uint64_t", "size_t", "double", "void",
            ]
            .contains(&plain)
                || plain.starts_with("mrtr_");
            assert!(known, "{}: {kind} {name}", function.name);
        }
    }
}

#[test]
fn every_name_of_the_header_has_the_prefix() {
    let header = read("include/mrtr.h");
    let named = |line: &str, before: &str| {
        let rest = line.trim_start().strip_prefix(before)?;
        Some(rest.trim_start_matches("struct ").to_string())
    };
    let mut seen = 0;
    for line in header.lines() {
        for before in ["typedef struct ", "typedef ", "#define "] {
            let Some(name) = named(line, before) else {
                continue;
            };
            // `typedef int32_t mrtr_status;` names what comes last.
            let name = if before == "typedef " {
                name.rsplit(' ').next().unwrap_or("").to_string()
            } else {
                name
            };
            assert!(
                name == "{" || name.to_ascii_lowercase().starts_with("mrtr_"),
                "{line}"
            );
            seen += 1;
            break;
        }
    }
    assert!(seen > 100, "only {seen} names were found");
}
