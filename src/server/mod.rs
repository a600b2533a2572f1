//! The server half: results are built, asks are gated, and a request that may be a retry is served as an
//! [`Exchange`] (B1-B3, B8, X1-X10).
//!
//! Nothing is kept per flow (S12): what a flow has got so far travels in its sealed `requestState`, so a handler
//! can be run again from its start on any process that holds the keys.

mod answers;
mod ask_text;
mod build;
mod complete;
mod exchange;
mod fault;
mod gate;
mod issued;
mod ledger;
mod legacy;
mod outcome;
mod principal;
mod question;
mod reading;
mod request;
mod result;
mod span;
mod wording;

pub use ask_text::{form, roots, sampling, url};
pub use build::{BuildRequest, build};
pub use complete::{Discovery, complete};
pub use exchange::Exchange;
pub use gate::Gate;
pub use issued::{Issued, Observer};
pub use legacy::{Legacy, LegacyEnd, LegacyStep};
pub(crate) use outcome::Standing;
pub use outcome::{AskOutcome, AskStatus, Info};
pub use principal::OwnedPrincipal;
pub(crate) use wording::{Made, Wording};

use crate::json::Limits;
use crate::state::Sealer;
use std::sync::Arc;

/// What a server serves all its requests with.
#[derive(Default, Clone)]
pub struct ServerOptions {
    /// Seals and opens `requestState`. `None`: the host protects its state itself, it goes out and comes in raw (D19).
    pub sealer: Option<Arc<Sealer>>,
    /// What becomes of asks that the client did not declare (B8).
    pub gate: Gate,
    /// Limits of the texts that clients send and that results hold (J4).
    pub limits: Limits,
    /// Lets URL asks use `http`, for development (B6).
    pub allow_http: bool,
    /// Names of form fields that may ask for a secret in spite of B5.
    pub allow_secret: Vec<String>,
    /// Hears of asks that went out, and until when they can be answered. `None` costs nothing.
    pub observer: Option<Arc<dyn Observer>>,
}

/// A server: its options, and a bounded store of the questions it has checked already. Shared by every thread.
#[derive(Default)]
pub struct Server {
    options: ServerOptions,
    questions: question::Shelf,
}

impl Server {
    /// A server with these options.
    pub fn new(options: ServerOptions) -> Server {
        Server {
            options,
            questions: question::Shelf::default(),
        }
    }

    /// Its options.
    pub fn options(&self) -> &ServerOptions {
        &self.options
    }
}
