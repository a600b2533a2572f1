//! Build script: generated sources come from one place each.
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
