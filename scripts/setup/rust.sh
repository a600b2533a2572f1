#!/usr/bin/env bash
# Checks the Rust toolchain; it is not installed by us.
set -euo pipefail
. "$(dirname "$(readlink -f "$0")")/common.sh"
need=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")
command -v cargo >/dev/null || die "missing: cargo and rustc $need or later (rustup installs them)"
have=$(rustc --version | awk '{print $2}')
[ "$(printf '%s\n' "$need" "${have%%-*}" | sort -V | head -n 1)" = "$need" ] || die "rustc $have is too old: $need or later is needed"
cargo fmt --version >/dev/null 2>&1 || die "missing: rustfmt (rustup component add rustfmt)"
cargo clippy --version >/dev/null 2>&1 || die "missing: clippy (rustup component add clippy)"
