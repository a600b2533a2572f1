//! Case driver on the Rust API: a case a line on standard input, an observation a line on standard output.

mod build;
mod case;
mod client;
mod legacy;
mod server;
mod state;

use case::{Case, Observation};
use serde_json::Value;
use std::io::{BufRead, Write};

/// What a driver of a kind says about a case.
pub enum Seen {
    /// The members of the observation, as JSON text without its braces.
    Members(String),
    /// A field of the case is not known.
    Unsupported,
    /// The story could not be told to its end.
    Failed(String),
}

fn main() -> std::io::Result<()> {
    let (input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    for line in input.lines() {
        writeln!(output, "{}", observe(&line?))?;
        output.flush()?;
    }
    Ok(())
}

fn observe(line: &str) -> String {
    let Ok(case) = Case::parse(line) else {
        return r#"{"failed":"the line is no case"}"#.to_string();
    };
    let seen = match case.text("kind").as_deref() {
        Some("build") => build::observe(&case),
        Some("legacy") => legacy::observe(&case),
        Some("server") => server::observe(&case),
        Some("state") => state::observe(&case),
        Some("client") => serde_json::from_str(line).map_or_else(
            |fault| Seen::Failed(fault.to_string()),
            |case| client::observe(&case),
        ),
        _ => Seen::Unsupported,
    };
    let name = case.get("name").map_or("null", |name| name.text());
    match seen {
        Seen::Members(members) => format!("{{\"name\":{name},{members}}}"),
        Seen::Unsupported => format!("{{\"name\":{name},\"unsupported\":true}}"),
        Seen::Failed(why) => format!("{{\"name\":{name},\"failed\":{}}}", Value::from(why)),
    }
}

/// Runs the teller of a kind and puts what it says in the form of [`Seen`].
fn told(tell: impl FnOnce(&mut Observation) -> Result<(), case::Trouble>) -> Seen {
    let mut seen = Observation::default();
    match tell(&mut seen) {
        Ok(()) => Seen::Members(seen.members()),
        Err(case::Trouble::Unsupported) => Seen::Unsupported,
        Err(case::Trouble::Failed(why)) => Seen::Failed(why),
    }
}
