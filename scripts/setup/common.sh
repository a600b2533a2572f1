# Sourced by the setup scripts.
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
target=$root/target

die() { echo "setup: $*" >&2; exit 1; }

# Runs a command and shows what it said only if it failed.
quietly() {
  local said
  said=$("$@" 2>&1 </dev/null) || { printf '%s\n' "$said" | tail -n 15 >&2; die "\`$1 ${2-} …\` failed"; }
}

# fresh STAMP FILE…: whether STAMP was made from just these contents (and this place, as some tools keep absolute paths).
fresh() { [ -f "$1" ] && [ "$(cat "$1")" = "$(print_of "${@:2}")" ]; }
stamp() { print_of "${@:2}" > "$1"; }
print_of() { { echo "$target"; cat "$@"; } | sha256sum | cut -d' ' -f1; }
