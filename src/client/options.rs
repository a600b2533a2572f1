//! What a host chooses about its flows, with the defaults of the rules.

use super::trace::Tracing;
use super::vault::Vault;
use crate::json::{Limits, Raw};
use crate::protocol::{Code, Error, Need, Needs};

/// No duration may be longer (ten years, in ms): what is meant to be endless is `None`.
const LONGEST_MS: u64 = 10 * 366 * 24 * 3_600 * 1_000;

/// How the asks of one round are shown (C13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Elicitations one after the other, sampling and roots beside them.
    #[default]
    Default,
    /// All asks one after the other.
    Serial,
    /// All asks at once.
    Concurrent,
}

/// Options of a client, or of one call. All times are milliseconds.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// What the host can answer; the declared capabilities are derived from it (C16).
    pub handlers: Needs,
    /// Retries with asks that a flow may make; `u32::MAX` = any number, which needs a flow timeout (C5, D7).
    pub max_rounds: u32,
    /// How long one leg may take (C7).
    pub leg_timeout_ms: u64,
    /// How long one input may take; `None` = any time.
    pub input_timeout_ms: Option<u64>,
    /// How long the whole flow may take, people included; `None` = any time.
    pub flow_timeout_ms: Option<u64>,
    /// How long a row of state-only results may go on (C6, D4).
    pub poll_budget_ms: u64,
    /// First wait before a state-only retry; it doubles.
    pub pacing_initial_ms: u64,
    /// Longest wait before a state-only retry.
    pub pacing_max_ms: u64,
    /// Waits are shortened by a random part of up to a half.
    pub jitter: bool,
    /// Seed of the jitter, for a run that can be repeated; `None` = the system's random source.
    pub jitter_seed: Option<u64>,
    /// `input_required` is handed back instead of being worked on (C12).
    pub manual: bool,
    /// How the asks of one round are shown.
    pub order: Order,
    /// Refuse what is tolerated with a note (C1, C2).
    pub strict: bool,
    /// Show `http` URLs (for development).
    pub allow_http: bool,
    /// Count state-only retries as rounds and pace them up to 250 ms, as other SDKs do (D4).
    pub state_only_counts: bool,
    /// Progress of the server restarts the leg clock.
    pub reset_on_progress: bool,
    /// An elicitation that nobody could be asked is answered as cancelled instead of ending the flow (C8, D3).
    pub cancel_if_unavailable: bool,
    /// Limits on what is received (J4).
    pub limits: Limits,
    /// Result types of extensions that the host declares and reads itself (C1).
    pub result_types: Vec<String>,
    /// The protocol version stamped into `_meta`.
    pub protocol_version: String,
    /// JSON text of the client info stamped into `_meta`; `None` leaves what the caller gave.
    pub client_info: Option<String>,
    /// The host's own name for the server, handed to handlers (C14).
    pub label: Option<String>,
    /// Seals continuations; `None` = they are readable, and their safety is the host's concern (C11).
    pub vault: Option<Vault>,
    /// What a flow writes down about itself.
    pub tracing: Tracing,
}

impl Default for ClientOptions {
    fn default() -> Self {
        ClientOptions {
            handlers: Needs::NONE,
            max_rounds: 10,
            leg_timeout_ms: 60_000,
            input_timeout_ms: None,
            flow_timeout_ms: None,
            poll_budget_ms: 300_000,
            pacing_initial_ms: 50,
            pacing_max_ms: 5_000,
            jitter: true,
            jitter_seed: None,
            manual: false,
            order: Order::Default,
            strict: false,
            allow_http: false,
            state_only_counts: false,
            reset_on_progress: false,
            cancel_if_unavailable: false,
            limits: Limits::default(),
            result_types: Vec::new(),
            protocol_version: "2026-07-28".into(),
            client_info: None,
            label: None,
            vault: None,
            tracing: Tracing::Off,
        }
    }
}

impl ClientOptions {
    /// Everything in range, or `config_error` naming the option (D7).
    pub fn check(&self) -> Result<(), Error> {
        let durations = [
            ("leg_timeout_ms", Some(self.leg_timeout_ms)),
            ("input_timeout_ms", self.input_timeout_ms),
            ("flow_timeout_ms", self.flow_timeout_ms),
            ("pacing_initial_ms", Some(self.pacing_initial_ms)),
            ("pacing_max_ms", Some(self.pacing_max_ms)),
        ];
        for (name, value) in durations {
            if value.is_some_and(|ms| ms == 0 || ms > LONGEST_MS) {
                return config(format!("{name} must be between 1 and {LONGEST_MS}"));
            }
        }
        if self.poll_budget_ms > LONGEST_MS {
            return config(format!("poll_budget_ms must be at most {LONGEST_MS}"));
        }
        if self.pacing_initial_ms > self.pacing_max_ms {
            return config("pacing_initial_ms is above pacing_max_ms");
        }
        if self.max_rounds == u32::MAX && self.flow_timeout_ms.is_none() {
            return config("any number of rounds needs a flow_timeout_ms");
        }
        if self.limits.message_bytes == 0 || self.limits.depth == 0 {
            return config("limits of 0 let no message through");
        }
        self.check_identity()
    }

    fn check_identity(&self) -> Result<(), Error> {
        if self.protocol_version.is_empty() || self.protocol_version.chars().any(char::is_control) {
            return config("protocol_version must be a plain non-empty text");
        }
        let Some(info) = &self.client_info else {
            return Ok(());
        };
        let object = Raw::parse(info, &self.limits).and_then(Raw::object);
        match object {
            Ok(_) => Ok(()),
            Err(fault) => config(format!("client_info: {fault}")),
        }
    }

    /// Can the host answer all of `needs`? Context in sampling is a wish of the server, not a need (B8).
    pub(super) fn handles(&self, needs: Needs) -> bool {
        self.handlers.has(needs.without(Need::SAMPLING_CONTEXT))
    }

    /// First and longest wait before a state-only retry (D4).
    pub(super) fn pacing(&self) -> (u64, u64) {
        let (first, most) = (self.pacing_initial_ms, self.pacing_max_ms);
        if self.state_only_counts {
            (first, most.min(first.max(250)))
        } else {
            (first, most)
        }
    }
}

fn config<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::new(Code::ConfigError, message))
}
