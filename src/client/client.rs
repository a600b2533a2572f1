//! A client: options that many flows share.

use super::call::Call;
use super::continuation::{self, Saved};
use super::flow::Flow;
use super::options::ClientOptions;
use crate::json::Raw;
use crate::protocol::{Code, Error, meta};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Begins and resumes flows. Cheap to clone; may be shared between threads.
#[derive(Clone)]
pub struct Client(Arc<Shared>);

/// What the flows of a client share.
pub(super) struct Shared {
    pub options: ClientOptions,
    stamp: Stamp,
    ids: Arc<AtomicU64>,
}

impl Shared {
    /// A JSON-RPC id that no other leg of the client has.
    pub fn fresh_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }
}

impl Client {
    /// A client with these options; `config_error` if one is out of range (D7).
    pub fn new(options: ClientOptions) -> Result<Client, Error> {
        Client::build(options, Arc::new(AtomicU64::new(1)))
    }

    fn build(options: ClientOptions, ids: Arc<AtomicU64>) -> Result<Client, Error> {
        options.check()?;
        let stamp = Stamp::new(&options);
        Ok(Client(Arc::new(Shared {
            options,
            stamp,
            ids,
        })))
    }

    /// The same client with other options; its handlers and its vault stay (C16, C11). Ids stay unique over both.
    pub fn with(&self, options: &ClientOptions) -> Result<Client, Error> {
        let options = ClientOptions {
            handlers: self.0.options.handlers,
            vault: self.0.options.vault.clone(),
            ..options.clone()
        };
        Client::build(options, Arc::clone(&self.0.ids))
    }

    pub(super) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.0)
    }

    pub(super) fn stamp(&self) -> &Stamp {
        &self.0.stamp
    }

    /// The options.
    pub fn options(&self) -> &ClientOptions {
        &self.0.options
    }

    /// The capabilities that the client declares, as JSON text (C16).
    pub fn capabilities(&self) -> &str {
        &self.0.stamp.capabilities
    }

    /// A flow for one call, by `options` or the client's own. Nothing happens before its first `next`.
    ///
    /// `params` is the JSON text of the call's params; `config_error` unless it is one object that holds no retry field twice (D7),
    /// `too_large` over a limit.
    /// `now` is the host's monotonic clock in ms, here and in every call of the flow.
    pub fn begin(
        &self,
        method: &str,
        params: &str,
        options: Option<&ClientOptions>,
        now: u64,
    ) -> Result<Flow, Error> {
        let shared = match options {
            Some(options) => self.with(options)?.0,
            None => Arc::clone(&self.0),
        };
        let raw = Raw::parse(params, &shared.options.limits)
            .map_err(Error::from)
            .map_err(|error| {
                if error.code() == Code::BadJson {
                    error.with_code(Code::ConfigError)
                } else {
                    error
                }
            })?;
        let call = Call::new(method, raw, &shared.stamp)?;
        Ok(Flow::begin(shared, call, now))
    }

    /// A flow that goes on from a continuation (C11): the asks of its round that have no answer are shown again, whatever the client's handlers.
    ///
    /// A text that is not whole, that another version wrote, or that the client's vault does not open, is a `config_error`; a client with a
    /// vault takes sealed ones only.
    pub fn resume(&self, saved: &str, now: u64) -> Result<Flow, Error> {
        let shared = Arc::clone(&self.0);
        let text = continuation::open(saved, shared.options.vault.as_ref())?;
        let saved = Saved::read(&text, &shared.options.limits)?;
        let call = Call::new(&saved.method, saved.params, &shared.stamp)?;
        Flow::resume(shared, call, &saved, now)
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("capabilities", &self.capabilities())
            .finish_non_exhaustive()
    }
}

/// What is stamped into `_meta` of every leg.
pub(super) struct Stamp {
    version: String,
    info: Option<String>,
    capabilities: String,
}

impl Stamp {
    fn new(options: &ClientOptions) -> Stamp {
        Stamp {
            version: options.protocol_version.clone(),
            info: options.client_info.clone(),
            capabilities: options.handlers.declared_json(),
        }
    }

    /// The caller's `_meta` with ours in it, without a progress token; and whether the caller wanted progress.
    pub fn meta(&self, given: Option<Raw<'_>>) -> Result<(String, bool), Error> {
        let object = given
            .unwrap_or(Raw::EMPTY)
            .object()
            .map_err(|fault| Error::from(fault.under("/_meta")).with_code(Code::ConfigError))?;
        let text = meta::stamp(
            given,
            &self.version,
            self.info.as_deref(),
            &self.capabilities,
            None,
        );
        Ok((text, object.get(meta::PROGRESS_TOKEN).is_some()))
    }
}
