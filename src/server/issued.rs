//! What a host hears of the asks that went out, so that it can release what it holds when nobody answers.

use super::Exchange;
use crate::json::Key;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Hears of what a server sends.
pub trait Observer: Send + Sync {
    /// A result sealed a state with asks that wait: once for each such result, on the thread that made it, after all else of it.
    ///
    /// It decides nothing: a panic in it is dropped. Not called without a sealer, nor for a result without asks.
    fn issued(&self, issued: &Issued);
}

/// Asks that went out with a result; never their content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// The id of the flow, as in [`Info`](super::Info).
    pub flow_id: [u8; 16],
    /// The round of the state that went out: the request which brings its answers has this one. The first is 1.
    pub round: u32,
    /// The method of the request.
    pub method: Box<str>,
    /// Keys of the asks that wait, in the order in which they were stated.
    pub keys: Vec<Key>,
    /// Until when the state can come back: Unix time in ms. It opens before that, not at it.
    pub expires_ms: u64,
}

/// News that its observer has yet to hear.
pub(crate) struct News {
    observer: Arc<dyn Observer>,
    issued: Issued,
}

impl News {
    /// Tells them. The result stands already, so a fault of the observer changes nothing.
    pub(crate) fn tell(self) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.observer.issued(&self.issued)))
        {
            // Dropping what a panic carried could panic again.
            std::mem::forget(payload);
        }
    }
}

impl Exchange {
    /// What the observer is to hear of the result that was just made.
    pub(super) fn news(&self) -> Option<News> {
        let observer = self.server.options.observer.as_ref()?;
        let info = self.info();
        let (Some(flow_id), Some(expires_ms), true) =
            (info.flow_id, info.expires_ms, self.pending() > 0)
        else {
            return None;
        };
        let keys = self.ledger.asked().iter().map(|ask| ask.key.clone());
        Some(News {
            observer: Arc::clone(observer),
            issued: Issued {
                flow_id,
                round: info.round.saturating_add(1),
                method: self.method.clone(),
                keys: keys.collect(),
                expires_ms,
            },
        })
    }
}
