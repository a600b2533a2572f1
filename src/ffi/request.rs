//! Requests as hosts received them.

use super::abi::{guard::Call, request::mrtr_request_check};
use crate::{
    json::{Limits, Raw},
    protocol::{Error, meta},
};

/// The protocol version of this era.
const ERA: &str = "2026-07-28";

/// Checks a request of this era (B9).
pub(crate) fn check(c: &Call<'_>, check: &mrtr_request_check) -> Result<(), Error> {
    let method = c.text(check.method, "method")?;
    let params = c.optional_text(check.params, "params")?;
    let header = c.optional_text(check.header_version, "header_version")?;
    let supported = c.texts(check.supported, check.supported_count, "supported")?;
    let methods = c.texts(check.methods, check.method_count, "methods")?;
    let params = params
        .map(|params| Raw::parse(params, &Limits::default()))
        .transpose()?;
    let supported = if supported.is_empty() {
        vec![ERA]
    } else {
        supported
    };
    meta::check_request(params, header, &supported)?;
    if check.methods.is_null() {
        Ok(())
    } else {
        meta::check_method(method, &methods)
    }
}
