//! Build script: sets the SONAME and makes what is generated from one source: error codes in every language, and the C header.
//!
//! Everything is made in `OUT_DIR`. `MRTR_WRITE_GENERATED=1 cargo build` also writes the files that are checked in;
//! `tests/generated.rs` holds those against what was made.

#[path = "build/bindings.rs"]
mod bindings;
#[path = "build/codes.rs"]
mod codes;
#[path = "build/header.rs"]
mod header;

use std::{env, fs, path::Path};

/// The number in the SONAME: `MRTR_ABI_MAJOR`.
const ABI_MAJOR: u32 = 0;

fn main() {
    for input in [
        "build.rs",
        "build",
        "cbindgen.toml",
        "src/protocol/codes.toml",
        "src/ffi/abi",
    ] {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-env-changed=MRTR_WRITE_GENERATED");
    soname();

    let text =
        fs::read_to_string("src/protocol/codes.toml").expect("src/protocol/codes.toml is readable");
    let rows = codes::read(&text);
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let out = Path::new(&out);
    put(&out.join("codes.rs"), &codes::rust(&rows));
    let checked_in = [
        ("include/mrtr.h", header::text(&rows)),
        ("docs/errors.md", bindings::markdown(&rows)),
        (
            "bindings/python/src/mrtr/_codes.py",
            bindings::python(&rows),
        ),
        ("bindings/go/codes.go", bindings::go(&rows)),
        (
            "bindings/swift/Sources/MRTR/Codes.swift",
            bindings::swift(&rows),
        ),
    ];
    for (path, text) in checked_in {
        put(&out.join("generated").join(path), &text);
        if env::var_os("MRTR_WRITE_GENERATED").is_some_and(|on| on == "1") {
            put(Path::new(path), &text);
        }
    }
}

fn put(path: &Path, text: &str) {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    }
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The name under which programs find the shared library: it follows the ABI, not the package version.
fn soname() {
    let os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    match os.as_str() {
        "linux" | "freebsd" | "netbsd" | "openbsd" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmrtr.so.{ABI_MAJOR}");
        }
        "android" => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libmrtr.so"),
        "macos" | "ios" => {
            println!(
                "cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libmrtr.{ABI_MAJOR}.dylib"
            );
        }
        _ => {}
    }
}
