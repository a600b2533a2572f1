//! What the built libraries export (F7): `mrtr_*` and nothing else, as listed in `abi/exports.txt`.

mod abi_kit;

use abi_kit::{built, functions, read};
use std::{collections::BTreeSet, path::Path, process::Command};

fn nm(arguments: &[&str], library: &Path) -> Vec<String> {
    let output = Command::new("nm")
        .args(arguments)
        .arg(library)
        .output()
        .expect("nm is there");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let symbol = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [_, kind, name] if kind.len() == 1 => Some(name.to_string()),
        _ => None,
    };
    text.lines().filter_map(symbol).collect()
}

/// Names in `abi/exports.txt`; the level in which each came stands beside it.
fn listed() -> BTreeSet<String> {
    let text = read("abi/exports.txt");
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            line.split_whitespace()
                .next()
                .unwrap_or_default()
                .to_string()
        })
        .collect()
}

#[test]
fn the_list_is_what_the_header_declares() {
    let header: BTreeSet<String> = functions()
        .into_iter()
        .map(|function| function.name)
        .collect();
    assert_eq!(
        listed(),
        header,
        "abi/exports.txt (left) and include/mrtr.h differ"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_exports_the_list_and_nothing_else() {
    let exported: BTreeSet<String> = nm(&["-D", "--defined-only"], &built("libmrtr.so"))
        .into_iter()
        .collect();
    assert_eq!(exported, listed());
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_has_the_soname_of_the_abi() {
    let output = Command::new("readelf")
        .arg("-d")
        .arg(built("libmrtr.so"))
        .output()
        .expect("readelf is there");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("[libmrtr.so.0]"), "{text}");
}

/// Of C names that a program could clash with, the static library has ours and those of the crypto library, which carry its version.
/// Names that begin with `__` belong to compilers.
#[test]
#[cfg(target_os = "linux")]
fn the_static_library_has_no_other_c_names() {
    const KNOWN: [&str; 8] = [
        "mrtr_",
        "_R",
        "_ZN",
        "ring_core_",
        "anon.",
        "DW.ref.",
        "rust_",
        "__",
    ];
    let symbols = nm(&["--extern-only", "--defined-only"], &built("libmrtr.a"));
    let ours: BTreeSet<String> = symbols
        .iter()
        .filter(|name| name.starts_with("mrtr_"))
        .cloned()
        .collect();
    assert_eq!(ours, listed());
    let known = |name: &String| KNOWN.iter().any(|start| name.starts_with(start));
    let others: BTreeSet<&String> = symbols.iter().filter(|name| !known(name)).collect();
    assert!(others.is_empty(), "{others:?}");
}
