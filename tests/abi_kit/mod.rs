//! What the tests of the C ABI share: the prototypes of the header, and where the built library is.
#![allow(dead_code)]

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// One function of the header.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its return type.
    pub returns: String,
    /// Its name.
    pub name: String,
    /// Types and names of its parameters.
    pub parameters: Vec<(String, String)>,
}

/// The root of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file of the package.
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Where cargo put the libraries that belong to this test.
pub fn built(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows its path");
    let folder = test.parent().expect("a test is in a folder");
    let here = folder.join(name);
    if here.exists() {
        here
    } else {
        folder.parent().expect("target/debug").join(name)
    }
}

/// The header without comments and preprocessor lines.
pub fn header() -> String {
    let header = without_comments(&read("include/mrtr.h"));
    let lines: Vec<&str> = header
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    lines.join("\n")
}

/// All structs of the header with their fields, in its order.
pub fn structs() -> Vec<(String, Vec<String>)> {
    let header = header();
    let bodies = header
        .split("typedef struct ")
        .skip(1)
        .filter_map(|rest| rest.split_once('{'));
    let with_body =
        bodies.filter_map(|(name, rest)| Some((name.trim().to_string(), rest.split_once('}')?.0)));
    with_body
        .map(|(name, body)| (name, body.split(';').filter_map(field).collect()))
        .collect()
}

/// The name that a field of a struct declares.
fn field(text: &str) -> Option<String> {
    let text = match text.split_once("(*") {
        Some((_, function)) => function.split(')').next()?,
        None => text.split('[').next()?,
    };
    let name = text.trim().rsplit([' ', '*']).next()?;
    (!name.is_empty()).then(|| name.to_string())
}

/// All functions that the header declares, in its order.
pub fn functions() -> Vec<Function> {
    header().split(';').filter_map(function).collect()
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        out.push_str(&rest[..start]);
        rest = rest[start..].split_once("*/").map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

fn function(statement: &str) -> Option<Function> {
    let statement = statement
        .rsplit(['{', '}'])
        .next()?
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if statement.contains("(*") || statement.contains('=') || statement.starts_with("return") {
        return None;
    }
    let (head, parameters) = statement.split_once('(')?;
    let (returns, name) = declared(head)?;
    let parameters = parameters.strip_suffix(')')?;
    let parameters = if parameters == "void" {
        Vec::new()
    } else {
        parameters
            .split(',')
            .map(|one| declared(one).expect("a type and a name"))
            .collect()
    };
    name.starts_with("mrtr_").then_some(Function {
        returns,
        name,
        parameters,
    })
}

/// "const struct mrtr_x *y" as ("const mrtr_x *", "y").
fn declared(text: &str) -> Option<(String, String)> {
    let text = text.trim().replace("struct ", "");
    let at = text.rfind([' ', '*'])? + 1;
    Some((text[..at].trim().to_string(), text[at..].to_string()))
}
