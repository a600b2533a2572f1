//! Case driver on the Rust API: a case a line on standard input, an observation a line on standard output.

mod client;

use serde_json::{Map, Value};
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
        let case: Map<String, Value> = serde_json::from_str(&line?)?;
        let seen = match case.get("kind").and_then(Value::as_str) {
            Some("client") => client::observe(&case),
            _ => Seen::Unsupported,
        };
        let name = case.get("name").cloned().unwrap_or_default();
        match seen {
            Seen::Members(members) => writeln!(output, "{{\"name\":{name},{members}}}")?,
            Seen::Unsupported => writeln!(output, "{{\"name\":{name},\"unsupported\":true}}")?,
            Seen::Failed(why) => writeln!(
                output,
                "{{\"name\":{name},\"failed\":{}}}",
                Value::from(why)
            )?,
        }
        output.flush()?;
    }
    Ok(())
}
