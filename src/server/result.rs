//! The end of a leg that still misses something: a result with the open asks and a fresh sealed state (B1, X6).

use super::{Exchange, build, fault, gate};
use crate::json::Key;
use crate::protocol::{Code, Error, asks_allowed};
use crate::state::{Draft, Sealer};

impl Exchange {
    /// The `input_required` result to send: the asks that are open, and the state with all that was answered so far.
    ///
    /// Refused, with nothing sealed: the first error of an ask; asks that the client did not declare (-32021, D8);
    /// a round or a size over its limit (D18); nothing pending and no state to send (B1).
    pub fn result(&mut self) -> Result<String, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if !asks_allowed(&self.method) {
            return Err(fault::method_not_allowed());
        }
        self.require()?;
        if !self.missing.is_empty() {
            return Err(gate::refusal(self.missing));
        }
        if self.pending() == 0 && self.state.is_none() {
            let why = "nothing is pending and there is no state: answer the request";
            return Err(fault::of_server(Error::new(Code::NothingPending, why)));
        }
        let state = match &self.server.options.sealer {
            Some(sealer) => Some(self.seal(sealer)?),
            None => self.raw_state()?,
        };
        let limits = &self.server.options.limits;
        build::write(self.ledger.requests(), state.as_deref(), limits)
            .map_err(|fault| fault::of_server(fault.into()))
    }

    /// For a handler that cannot do without what the gate filtered: refuses with -32021 if nothing else is pending (D8).
    pub fn require(&self) -> Result<(), Error> {
        if self.pending() == 0 && !self.unaskable.is_empty() {
            Err(gate::refusal(self.unaskable))
        } else {
            Ok(())
        }
    }

    /// The token as a string token: it is base64url, nothing in it needs an escape.
    fn seal(&self, sealer: &Sealer) -> Result<String, Error> {
        let answers = self.ledger.settled(&self.forgotten);
        let draft = Draft {
            asked: self.ledger.asked(),
            answers: &answers,
            state: self.state.as_deref(),
        };
        let sealed =
            self.request(|request| sealer.seal(request, self.claims.as_ref(), draft, self.now_ms));
        sealed
            .map(|token| format!("\"{token}\""))
            .map_err(fault::of_sealing)
    }

    /// Without a sealer the host's own text is the state (D19).
    fn raw_state(&self) -> Result<Option<String>, Error> {
        let Some(state) = &self.state else {
            return Ok(None);
        };
        let Some(text) = Key::from_wtf8(state) else {
            return Err(fault::of_server(Error::new(
                Code::NotUtf8,
                "a state that goes out raw must be text",
            )));
        };
        let mut out = String::with_capacity(state.len() + 2);
        text.write_json(&mut out);
        Ok(Some(out))
    }
}
