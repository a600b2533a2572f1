//! What the world may do to a flow, for the model test.

use crate::client_support::{self, ROOTS, SAMPLING, options};
use mrtr::client::{Action, ClientOptions, Order};
use mrtr::protocol::Code;
use proptest::prelude::*;

pub const KEYS: [&str; 5] = ["a", "b", "c", "d", "zz"];

/// One thing that the world does to a flow.
#[derive(Debug, Clone)]
pub enum Step {
    Wait(u64),
    Result { leg: u8, what: What },
    Error { leg: u8 },
    Lost { leg: u8 },
    Progress { leg: u8, value: i8 },
    Answer { key: usize, how: How },
    Cancel,
    Resume,
}

#[derive(Debug, Clone)]
pub enum What {
    Complete,
    Asks { kinds: Vec<u8>, state: bool },
    StateOnly,
    Broken(u8),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    Good,
    Bad,
    Decline,
    Cancel,
    Refuse,
    Unavailable,
    Fail,
}

pub fn step() -> impl Strategy<Value = Step> {
    let what = prop_oneof![
        1 => Just(What::Complete),
        6 => (prop::collection::vec(0u8..3, 1..4), any::<bool>()).prop_map(|(kinds, state)| What::Asks { kinds, state }),
        3 => Just(What::StateOnly),
        1 => (0u8..5).prop_map(What::Broken),
    ];
    let how = prop_oneof![
        12 => Just(How::Good),
        4 => Just(How::Decline),
        2 => Just(How::Cancel),
        1 => prop_oneof![Just(How::Bad), Just(How::Refuse), Just(How::Unavailable), Just(How::Fail)],
    ];
    prop_oneof![
        4 => (0u64..3_000).prop_map(Step::Wait),
        // Mostly the current leg; sometimes the one before it or one to come.
        8 => (prop_oneof![8 => Just(1u8), 1 => Just(0u8), 1 => Just(2u8)], what).prop_map(|(leg, what)| Step::Result { leg, what }),
        10 => (0usize..KEYS.len(), how).prop_map(|(key, how)| Step::Answer { key, how }),
        2 => (0u8..3, any::<i8>()).prop_map(|(leg, value)| Step::Progress { leg, value }),
        1 => prop_oneof![(0u8..3).prop_map(|leg| Step::Error { leg }), (0u8..3).prop_map(|leg| Step::Lost { leg })],
        1 => prop_oneof![Just(Step::Cancel), Just(Step::Resume)],
    ]
}

pub fn some_options() -> impl Strategy<Value = ClientOptions> {
    let times = (
        prop::option::of(1u64..6_000),
        prop::option::of(1u64..20_000),
        100u64..4_000,
        0u64..3_000,
    );
    let order = prop_oneof![
        Just(Order::Default),
        Just(Order::Serial),
        Just(Order::Concurrent)
    ];
    (times, order, 0u32..6, any::<[bool; 4]>()).prop_map(
        |((input, whole, leg, budget), order, rounds, on)| ClientOptions {
            input_timeout_ms: input,
            flow_timeout_ms: whole,
            leg_timeout_ms: leg,
            poll_budget_ms: budget,
            order,
            max_rounds: rounds,
            state_only_counts: on[0],
            reset_on_progress: on[1],
            cancel_if_unavailable: on[2],
            jitter: on[3],
            jitter_seed: Some(1),
            ..options()
        },
    )
}

impl What {
    pub fn text(&self) -> String {
        match self {
            What::Complete => client_support::DONE.into(),
            What::StateOnly => client_support::state_only("S"),
            What::Broken(0) => "{".into(),
            What::Broken(1) => r#"{"resultType":"input_required"}"#.into(),
            What::Broken(2) => r#"{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"},"b":null}}"#.into(),
            What::Broken(3) => r#"{"resultType":"later"}"#.into(),
            What::Broken(_) => r#"{"resultType":"input_required","requestState":"x","requestState":"x"}"#.into(),
            What::Asks { kinds, state } => {
                let asks: Vec<_> = KEYS.iter().zip(kinds).map(|(name, kind)| (*name, ask(*kind))).collect();
                client_support::asks(&asks, state.then_some("S"))
            }
        }
    }
}

fn ask(kind: u8) -> &'static str {
    [client_support::FORM, SAMPLING, ROOTS][usize::from(kind)]
}

const GOOD: [&str; 3] = [
    r#"{"ok":true}"#,
    r#"{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}"#,
    r#"{"roots":[]}"#,
];

impl How {
    pub fn action(self, kind: Option<u8>) -> Action {
        match self {
            How::Good => Action::Value(GOOD[usize::from(kind.unwrap_or(0))].into()),
            How::Bad => Action::Value(r#"{"ok":3,"roots":5}"#.into()),
            How::Decline => Action::Decline,
            How::Cancel => Action::Cancel,
            How::Refuse => Action::Refuse,
            How::Unavailable => Action::Unavailable,
            How::Fail => Action::Fail("no display".into()),
        }
    }

    /// What is sent for it, or how it ends the flow.
    pub fn text(self, kind: u8, cancels: bool) -> Result<String, Code> {
        match (self, kind) {
            (How::Good, 0) => Ok(format!(r#"{{"action":"accept","content":{}}}"#, GOOD[0])),
            (How::Good, _) => Ok(GOOD[usize::from(kind)].into()),
            (How::Decline, 0) => Ok(r#"{"action":"decline"}"#.into()),
            (How::Cancel, 0) => Ok(r#"{"action":"cancel"}"#.into()),
            (How::Unavailable, 0) if cancels => Ok(r#"{"action":"cancel"}"#.into()),
            (How::Unavailable, _) => Err(Code::Unavailable),
            (How::Refuse, _) => Err(Code::Refused),
            (How::Bad | How::Fail | How::Decline | How::Cancel, _) => Err(Code::HandlerFailed),
        }
    }
}
