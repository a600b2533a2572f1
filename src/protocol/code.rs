//! Error codes, generated from `codes.toml`.

/// What the generated table says of a code.
struct Row {
    name: &'static str,
    group: &'static str,
    summary: &'static str,
    remedy: &'static str,
    rpc: Option<i64>,
    http: u16,
}

include!(concat!(env!("OUT_DIR"), "/codes.rs"));

impl Code {
    /// The name, `snake_case`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The number, the same in every language.
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// Where it comes from: `boundary`, `text`, `build`, `state`, `request` or `flow`.
    pub const fn group(self) -> &'static str {
        self.row().group
    }

    /// One sentence: what happened.
    pub const fn summary(self) -> &'static str {
        self.row().summary
    }

    /// One sentence: what to do about it.
    pub const fn remedy(self) -> &'static str {
        self.row().remedy
    }

    /// The JSON-RPC code that such an error has on the wire by itself (B9).
    pub const fn rpc(self) -> Option<i64> {
        self.row().rpc
    }

    /// The HTTP status that goes with it (B9).
    pub const fn http_status(self) -> u16 {
        self.row().http
    }

    /// The code with this number.
    pub fn from_number(number: i32) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.number() == number)
    }

    /// The code with this name.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.name() == name)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
