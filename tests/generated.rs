//! The files that are generated and checked in are current: header, error codes.

use std::{fs, path::Path};

const FILES: [&str; 5] = [
    "include/mrtr.h",
    "docs/errors.md",
    "bindings/python/src/mrtr/_codes.py",
    "bindings/go/codes.go",
    "bindings/swift/Sources/MRTR/Codes.swift",
];

#[test]
fn checked_in_files_are_what_the_build_makes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = Path::new(env!("OUT_DIR")).join("generated");
    for file in FILES {
        let made = fs::read_to_string(made.join(file)).expect(file);
        let checked_in = fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(
            made == checked_in,
            "{file} is not current: run `MRTR_WRITE_GENERATED=1 cargo build --lib`"
        );
    }
}

#[test]
fn the_header_speaks_of_this_package() {
    let header = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("include/mrtr.h"))
        .expect("header");
    let number = |name: &str| {
        let line = header
            .lines()
            .find_map(|line| line.strip_prefix(&format!("#define MRTR_{name} ")));
        line.and_then(|value| value.parse::<u32>().ok())
            .expect(name)
    };
    let version =
        ["VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH"].map(|name| number(name).to_string());
    assert_eq!(version.join("."), env!("CARGO_PKG_VERSION"));
    assert_eq!(
        number("ABI"),
        number("ABI_MAJOR") << 16 | number("ABI_LEVEL")
    );
}
