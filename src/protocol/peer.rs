//! Whom a server talks to: the era of its protocol, what it declared, and whether a request can be sent to it (E3).

use super::{Capabilities, Need, Needs, asks_allowed};

/// A revision of the protocol, oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Era {
    /// 2024-11-05.
    First,
    /// 2025-03-26.
    March2025,
    /// 2025-06-18: forms.
    June2025,
    /// 2025-11-25: pages to open, sampling with tools, lists in forms.
    November2025,
    /// 2026-07-28: asks travel in results.
    Stateless,
}

const ERAS: [(Era, &str); 5] = [
    (Era::First, "2024-11-05"),
    (Era::March2025, "2025-03-26"),
    (Era::June2025, "2025-06-18"),
    (Era::November2025, "2025-11-25"),
    (Era::Stateless, "2026-07-28"),
];

impl Era {
    /// The era of a protocol version; `None` for one that is not known.
    pub fn of(version: &str) -> Option<Era> {
        ERAS.iter()
            .find(|(_, name)| *name == version)
            .map(|(era, _)| *era)
    }

    /// Its version.
    pub fn version(self) -> &'static str {
        ERAS.iter()
            .find(|(era, _)| *era == self)
            .map_or("", |(_, name)| name)
    }

    /// Do asks go out as requests of their own?
    pub fn is_legacy(self) -> bool {
        self < Era::Stateless
    }

    /// What can be asked in it at all.
    pub fn knows(self) -> Needs {
        let oldest = Need::SAMPLING | Need::SAMPLING_CONTEXT | Need::ROOTS;
        match self {
            Era::First | Era::March2025 => oldest,
            Era::June2025 => oldest | Need::FORM,
            Era::November2025 | Era::Stateless => Needs::ALL,
        }
    }
}

/// Whether a peer can be asked something, and if not, why (E3). The numbers are those of the C header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CanAsk {
    /// It can.
    Yes = 1,
    /// Requests of this method never ask.
    Method = 2,
    /// Its era does not know such asks.
    Era = 3,
    /// In its era asks are requests, and there is no way to send it one.
    Channel = 4,
    /// It did not declare it.
    Undeclared = 5,
}

/// The other side of a session, or of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// The era of the protocol version that was agreed on.
    pub era: Era,
    /// What it declared, in `initialize` or in this request.
    pub declared: Capabilities,
    /// Can a request be sent to it while it waits for its answer? Of no account in this era.
    pub back_channel: bool,
}

impl Peer {
    /// Can it be asked what needs all of `needs`, while a request of `method` is served?
    pub fn can_ask(&self, method: &str, needs: Needs) -> CanAsk {
        match () {
            () if !asks_allowed(method) => CanAsk::Method,
            () if !self.era.knows().has(needs) => CanAsk::Era,
            () if self.era.is_legacy() && !self.back_channel => CanAsk::Channel,
            () if !self.declared.missing(needs).is_empty() => CanAsk::Undeclared,
            () => CanAsk::Yes,
        }
    }

    /// All that it can be asked.
    pub fn askable(&self) -> Needs {
        if self.era.is_legacy() && !self.back_channel {
            return Needs::NONE;
        }
        let known = self.era.knows();
        self.declared.declared().without(Needs::ALL.without(known))
    }
}
