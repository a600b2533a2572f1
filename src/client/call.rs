//! The original call, and the params of its legs (C4).

use super::client::Stamp;
use crate::json::{Raw, splice};
use crate::protocol::meta::META;
use crate::protocol::result::{INPUT_RESPONSES as ANSWERS, REQUEST_STATE as STATE};
use crate::protocol::{Code, Error};
use std::fmt::Write;
use std::sync::Arc;

/// Method and params of a call. The params are kept with the stamped `_meta` as their last member, so that a leg's text is
/// one copy: up to the end of `_meta`, a progress token if one is wanted, and what the retry adds.
pub(super) struct Call {
    pub method: Arc<str>,
    base: Box<str>,
    /// The params of the first leg, where they differ: they still hold the caller's own retry fields (D7).
    first: Option<Box<str>>,
    progress: bool,
    retry: bool,
}

impl Call {
    /// Checks the caller's params (D7) and stamps `_meta`.
    pub fn new(method: &str, raw: Raw<'_>, stamp: &Stamp) -> Result<Call, Error> {
        if method.is_empty() {
            return Err(refused("the method is empty"));
        }
        let fields = Fields::read(raw)?;
        let (meta, progress) = stamp.meta(fields.meta)?;
        let add = [(META, meta.as_str())];
        let base = splice(raw, &[ANSWERS, STATE, META], &add).into();
        let first = fields.retry.then(|| splice(raw, &[META], &add).into());
        Ok(Call {
            method: method.into(),
            base,
            first,
            progress,
            retry: fields.retry,
        })
    }

    /// Did the caller go on with a flow of its own?
    pub fn is_retry(&self) -> bool {
        self.retry
    }

    /// The params, as they are kept.
    pub fn raw(&self) -> Raw<'_> {
        Raw::trusted(&self.base)
    }

    /// Without the caller's retry fields, with a placeholder for the progress token if legs carry one.
    pub fn params(&self) -> String {
        leg_text(&self.base, self.progress.then_some(0), |_| ())
    }

    /// The params of the first leg.
    pub fn first(&mut self, id: u64) -> String {
        let token = self.progress.then_some(id);
        match self.first.take() {
            Some(first) => leg_text(&first, token, |_| ()),
            None => leg_text(&self.base, token, |_| ()),
        }
    }

    /// The params of a retry; `add` appends `,"name":value` for what it carries.
    pub fn retry(&self, id: u64, add: impl FnOnce(&mut String)) -> String {
        leg_text(&self.base, self.progress.then_some(id), add)
    }
}

/// `base` ends with `}}`: of `_meta`, which is never empty, and of the params.
fn leg_text(base: &str, token: Option<u64>, add: impl FnOnce(&mut String)) -> String {
    let head = base.strip_suffix("}}").unwrap_or(base);
    let mut out = String::with_capacity(base.len() + 512);
    out.push_str(head);
    if let Some(token) = token {
        let _ = write!(out, ",\"progressToken\":{token}");
    }
    out.push('}');
    add(&mut out);
    out.push('}');
    out
}

/// The members of the params that are ours.
struct Fields<'a> {
    meta: Option<Raw<'a>>,
    retry: bool,
}

impl<'a> Fields<'a> {
    fn read(raw: Raw<'a>) -> Result<Fields<'a>, Error> {
        let members = raw
            .members()
            .ok_or_else(|| refused("params must be one object"))?;
        let mut fields = Fields {
            meta: None,
            retry: false,
        };
        let mut seen = [false; 3];
        for (name, value) in members {
            let Some(at) = [META, ANSWERS, STATE].iter().position(|own| name.is(own)) else {
                continue;
            };
            let twice = seen
                .get_mut(at)
                .is_some_and(|seen| std::mem::replace(seen, true));
            if twice {
                return Err(refused(format!("params hold {} twice", name.token())));
            }
            if at == 0 {
                fields.meta = (!value.is_null()).then_some(value);
            } else {
                fields.retry = true;
            }
        }
        Ok(fields)
    }
}

fn refused(message: impl Into<String>) -> Error {
    Error::new(Code::ConfigError, message)
}
