//! Requests as hosts received them.

use super::abi::{
    guard::{Call, bad},
    request::{
        MRTR_PRINCIPAL_NONE, MRTR_PRINCIPAL_PARTS, mrtr_header, mrtr_principal, mrtr_request,
        mrtr_request_check,
    },
    sized::one_of,
};
use crate::{
    json::{Limits, Raw},
    protocol::{self, Error, Headers, HttpRequest, meta},
    state,
};

/// The protocol version of this era.
const ERA: &str = "2026-07-28";
/// Most parts of a principal that need no memory of their own.
const FEW: usize = 4;

/// A request whose texts live as long as the call.
pub(crate) struct Request<'c> {
    pub(crate) method: &'c str,
    /// The text of `params`, not looked at yet.
    pub(crate) params: Option<&'c str>,
    pub(crate) capabilities: Option<&'c str>,
    few: [&'c [u8]; FEW],
    many: Vec<&'c [u8]>,
    /// Number of parts; none is "nobody".
    parts: Option<usize>,
}

impl<'c> Request<'c> {
    /// Reads the struct and its slices.
    pub(crate) fn read(c: &Call<'c>, request: *const mrtr_request) -> Result<Self, Error> {
        let request = c.sized(request, "request")?;
        one_of(request.reserved, &[0], "request.reserved")?;
        let mut read = Request {
            method: c.text(request.method, "method")?,
            params: c.optional_text(request.params, "params")?,
            capabilities: c.optional_text(request.capabilities, "capabilities")?,
            few: [&[]; FEW],
            many: Vec::new(),
            parts: None,
        };
        read.principal(c, request.principal)?;
        Ok(read)
    }

    fn principal(&mut self, c: &Call<'c>, principal: mrtr_principal) -> Result<(), Error> {
        one_of(principal.reserved, &[0], "principal.reserved")?;
        match principal.kind {
            MRTR_PRINCIPAL_NONE => return Ok(()),
            MRTR_PRINCIPAL_PARTS => {}
            0 => {
                return Err(bad(
                    "principal.kind is 0: say that there is none, or name its parts",
                ));
            }
            other => return Err(bad(format!("principal.kind cannot be {other}"))),
        }
        self.parts = Some(principal.count);
        if principal.count > FEW {
            self.many = c.byte_strings(principal.parts, principal.count, "principal.parts")?;
            return Ok(());
        }
        for (at, part) in self.few.iter_mut().enumerate().take(principal.count) {
            *part = c.bytes(
                c.element(principal.parts, at, "principal.parts")?,
                "principal.parts",
            )?;
        }
        Ok(())
    }

    /// The text of `params`, to see what it overlaps.
    pub(crate) fn params_bytes(&self) -> Option<&'c [u8]> {
        self.params.map(str::as_bytes)
    }

    /// Who it is from.
    pub(crate) fn principal_ref(&self) -> state::Principal<'_> {
        match self.parts {
            None => state::Principal::None,
            Some(count) => state::Principal::Parts(self.few.get(..count).unwrap_or(&self.many)),
        }
    }

    /// What a state is bound to. The whole of `params` is checked to be JSON.
    pub(crate) fn binding(&self, limits: &Limits) -> Result<state::Request<'_>, Error> {
        state::Request::read(self.method, self.params, self.principal_ref(), limits)
    }
}

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
    if !check.headers.is_null() {
        return check_http(c, check, method, params, &supported, &methods);
    }
    meta::check_request(params, header, &supported)?;
    if check.methods.is_null() {
        Ok(())
    } else {
        meta::check_method(method, &methods)
    }
}

/// Checks a request that came over HTTP, all its headers included (E2).
fn check_http(
    c: &Call<'_>,
    check: &mrtr_request_check,
    method: &str,
    params: Option<Raw<'_>>,
    supported: &[&str],
    methods: &[&str],
) -> Result<(), Error> {
    let headers: Result<Vec<(&str, &str)>, Error> = c
        .array(check.headers, check.header_count, "headers")?
        .into_iter()
        .map(|header: mrtr_header| {
            // A value need not be UTF-8; one that is not matches nothing.
            let value = c.bytes(header.value, "header.value")?;
            let value = std::str::from_utf8(value).unwrap_or("\u{FFFD}");
            Ok((c.text(header.name, "header.name")?, value))
        })
        .collect();
    let schema = c.optional_text(check.input_schema, "input_schema")?;
    protocol::check_http(&HttpRequest {
        method,
        params,
        headers: Headers(&headers?),
        supported,
        methods,
        input_schema: schema
            .map(|schema| Raw::parse(schema, &Limits::default()))
            .transpose()?,
    })
}
