//! What a handler answers.

/// The answer of a handler to one ask (C8). Not answering leaves the ask open: the clocks decide.
#[derive(Clone, PartialEq, Eq)]
pub enum Action {
    /// JSON text: the content of a form, ignored for a URL, the whole result for sampling and roots (D3).
    Value(String),
    /// The user said no (elicitation only).
    Decline,
    /// The user dismissed the question (elicitation only).
    Cancel,
    /// The host drops the whole exchange: nothing is sent.
    Refuse,
    /// Nobody could be asked.
    Unavailable,
    /// The handler failed, and why.
    Fail(String),
}

/// Names the action only: what people answered stays out of logs.
impl std::fmt::Debug for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Action::Value(_) => "Value(..)",
            Action::Decline => "Decline",
            Action::Cancel => "Cancel",
            Action::Refuse => "Refuse",
            Action::Unavailable => "Unavailable",
            Action::Fail(_) => "Fail(..)",
        })
    }
}
