//! What goes beside the JSON of a request: headers, and the version to speak.

use crate::{
    json::{Limits, Raw},
    protocol::{Error, header},
};

/// The headers of a request as lines.
pub fn headers(method: &str, params: Option<&str>, tool: Option<&str>) -> Result<String, Error> {
    let limits = Limits::default();
    let params = match params {
        Some(text) => Raw::parse(text, &limits)?,
        None => Raw::EMPTY,
    };
    let tool = tool.map(|text| Raw::parse(text, &limits)).transpose()?;
    header::request_headers(method, &params.object()?, tool)
}

/// Refuses a tool whose marks break the rules.
pub fn check_tool(tool: &str) -> Result<(), Error> {
    header::check_tool(Raw::parse(tool, &Limits::default())?)
}

/// The version to retry with.
pub fn retry_version<'a>(error: &str, spoken: &[&'a str]) -> Result<Option<&'a str>, Error> {
    let limits = Limits::default();
    let at = header::retry_version(Raw::parse(error, &limits)?, spoken, &limits);
    Ok(at.and_then(|at| spoken.get(at).copied()))
}
