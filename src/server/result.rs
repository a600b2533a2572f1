//! The end of a leg that still misses something: a result with the open asks and a fresh sealed state (B1, X6).

use super::{Exchange, build, fault, gate, issued::News};
use crate::json::{Fault, Key};
use crate::protocol::{Code, Error};
use crate::state::{Answers, Sealer, Sealing};

impl Exchange {
    /// The `input_required` result to send: the asks that are open, and the state with all that was answered so far.
    ///
    /// Refused, with nothing sealed: the first error of an ask; asks that the client did not declare (-32021, D8);
    /// a round or a size over its limit (D18); nothing pending and no state to send (B1).
    pub fn result(&mut self) -> Result<String, Error> {
        let (result, news) = self.result_and_news()?;
        let text = String::from_utf8(result)
            .map_err(|_| fault::of_server(Error::new(Code::NotUtf8, "the token is no text")))?;
        if let Some(news) = news {
            news.tell();
        }
        Ok(text)
    }

    /// The same for owners of a lock, who tell the news when they have left it (F4). The result is UTF-8.
    pub(crate) fn result_and_news(&mut self) -> Result<(Vec<u8>, Option<News>), Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        if !self.askable {
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
        let mut out = match &self.server.options.sealer {
            Some(sealer) => self.seal(sealer)?,
            None => self.raw_state()?.into_bytes(),
        };
        out.push(b'}');
        let most = self.server.options.limits.message_bytes;
        Fault::check_size("message", out.len(), most)
            .map_err(|fault| fault::of_server(fault.into()))?;
        let start = self.claims.as_ref().map(|claims| claims.flow_start_ms);
        let start = start.unwrap_or(self.now_ms);
        let sealer = self.server.options.sealer.as_ref();
        self.expires_ms = sealer.map(|sealer| sealer.until_ms(start, self.now_ms));
        Ok((out, self.news()))
    }

    /// For a handler that cannot do without what the gate filtered: refuses with -32021 if nothing else is pending (D8).
    pub fn require(&self) -> Result<(), Error> {
        if self.pending() == 0 && !self.unaskable.is_empty() {
            Err(gate::refusal(self.unaskable))
        } else {
            Ok(())
        }
    }

    /// The result up to its sealed state.
    fn seal(&self, sealer: &Sealer) -> Result<Vec<u8>, Error> {
        let answers = self.ledger.settled(&self.forgotten);
        let sealing = Sealing {
            asked: self.ledger.asked(),
            answers: Answers::Book(&answers),
            state: self.state.as_deref(),
        };
        let mut out = build::head(self.ledger.requests(), sealer.room(&sealing));
        out.push_str(build::STATE);
        // A token is base64url: nothing in it needs an escape.
        out.push('"');
        let mut bytes = out.into_bytes();
        self.request(|request| match &self.claims {
            Some(opened) => sealer.seal_on(request, opened, sealing, self.now_ms, &mut bytes),
            None => sealer.seal_first(request, &self.flow_id, sealing, self.now_ms, &mut bytes),
        })
        .map_err(fault::of_sealing)?;
        bytes.push(b'"');
        Ok(bytes)
    }

    /// The result up to its state, which without a sealer is the host's own text (D19).
    fn raw_state(&self) -> Result<String, Error> {
        let state = self.state.as_deref().unwrap_or_default();
        let mut out = build::head(self.ledger.requests(), state.len());
        if self.state.is_none() {
            return Ok(out);
        }
        let Some(text) = Key::from_wtf8(state) else {
            let why = "a state that goes out raw must be text";
            return Err(fault::of_server(Error::new(Code::NotUtf8, why)));
        };
        out.push_str(build::STATE);
        text.write_json(&mut out);
        Ok(out)
    }
}
