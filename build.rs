//! Build script: generated sources come from one place each.

#[path = "build/codes.rs"]
mod codes;

use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build/codes.rs");
    println!("cargo:rerun-if-changed=src/protocol/codes.toml");
    let text =
        fs::read_to_string("src/protocol/codes.toml").expect("src/protocol/codes.toml is readable");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let rows = codes::read(&text);
    fs::write(Path::new(&out).join("codes.rs"), codes::rust(&rows)).expect("OUT_DIR is writable");
}
