//! One `input_required` result: its asks, what is shown of them and what was answered.

use super::options::Order;
use super::text::{Span, Text};
use super::who::Who;
use crate::json::{Key, Raw, Str, order, write};
use crate::protocol::form::Packed;
use crate::protocol::{Ask, Error, Kind};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::OnceLock;

/// A round as received. Holds the text once; everything else is places in it and answers.
pub(super) struct Round {
    text: Arc<str>,
    state: Option<Span>,
    /// Its number in the flow, from 1, once it is begun; a state-only round has that of the round before.
    pub number: u32,
    /// Who asks, once it was needed.
    pub who: Option<Arc<Who>>,
    entries: Vec<Entry>,
    left: usize,
    /// Next place to look for an ask to show, per lane.
    lanes: [usize; 2],
    order: Order,
    /// The ask shown in the lane that shows one at a time.
    dialog: Option<usize>,
    /// Deadlines of the asks shown, soonest first.
    due: VecDeque<(u64, usize)>,
    /// Where the next answer is likely to belong.
    likely: usize,
    /// Entries by key, once one was looked for in a round too long to look through.
    by_key: OnceLock<Box<[u32]>>,
}

/// Rounds up to here are looked through entry by entry.
const FEW: usize = 16;

/// One ask: places in the text.
pub(super) struct Entry {
    pub kind: Kind,
    /// Does a field ask for a secret?
    pub secrets: bool,
    /// What an answer to a form is held against.
    form: Option<Packed>,
    status: Status,
    /// The token of its key.
    name: Span,
    pub ask: Span,
    params: Span,
    message: Span,
    schema: Span,
}

#[derive(PartialEq)]
enum Status {
    Waiting,
    Shown,
    /// The text of its entry in `inputResponses`.
    Answered(Cow<'static, str>),
}

impl Round {
    pub fn new(text: &Arc<str>, state: Option<Str<'_>>, order: Order, asks: usize) -> Round {
        Round {
            text: Arc::clone(text),
            state: state.map(|token| Span::of(text, token.token())),
            number: 0,
            who: None,
            entries: Vec::with_capacity(asks),
            left: 0,
            lanes: [0, 0],
            order,
            dialog: None,
            due: VecDeque::new(),
            likely: 0,
            by_key: OnceLock::new(),
        }
    }

    /// Adds an ask that was found good.
    pub fn push(&mut self, name: Str<'_>, ask: &Ask<'_>) {
        let place = |part: Option<Raw<'_>>| {
            part.map_or(Span::NONE, |part| Span::of(&self.text, part.text()))
        };
        let token = |part: Str<'_>| Span::of(&self.text, part.token());
        self.left += 1;
        self.entries.push(Entry {
            kind: ask.kind(),
            secrets: ask.secret_fields().next().is_some(),
            form: ask
                .form()
                .zip(ask.schema())
                .and_then(|(form, schema)| Packed::of(form, schema.text())),
            status: Status::Waiting,
            name: token(name),
            ask: place(Some(ask.raw())),
            params: place(ask.params()),
            message: ask.message().map_or(Span::NONE, token),
            schema: place(ask.schema()),
        });
    }

    fn name(&self, at: usize) -> Option<Str<'_>> {
        let name = self.entries.get(at)?.name;
        self.raw(name).string()
    }

    /// The key of an ask.
    pub fn key(&self, at: usize) -> Option<Key> {
        self.name(at).map(Str::key)
    }

    /// The whole result as a value.
    pub fn result(&self) -> Raw<'_> {
        Raw::trusted(self.text.trim_ascii())
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn get(&self, at: usize) -> Option<&Entry> {
        self.entries.get(at)
    }

    /// Is nothing left to be answered?
    pub fn answered(&self) -> bool {
        self.left == 0
    }

    /// A part of the result as a shared text.
    pub fn text(&self, part: Span) -> Text {
        Text::part(&self.text, part)
    }

    /// The params of an ask.
    pub fn params(&self, entry: &Entry) -> Option<Text> {
        entry.params.present().map(|params| self.text(params))
    }

    /// The schema of a form.
    pub fn schema(&self, entry: &Entry) -> Option<Text> {
        entry.schema.present().map(|schema| self.text(schema))
    }

    /// The message of an elicitation.
    pub fn message(&self, entry: &Entry) -> Option<Str<'_>> {
        self.raw(entry.message.present()?).string()
    }

    /// A value in the result.
    pub fn raw(&self, part: Span) -> Raw<'_> {
        Raw::trusted(part.within(&self.text))
    }

    /// The ask again; what was checked on receipt is not checked twice.
    pub fn ask(&self, entry: &Entry) -> Result<Ask<'_>, Error> {
        let raw = self.raw(entry.ask);
        let schema = entry.schema.within(&self.text);
        match entry.form.as_ref().and_then(|form| form.form(schema)) {
            Some(form) => Ok(Ask::of_form(raw, form)),
            None => Ask::again(raw),
        }
    }

    /// The entry with this key; answers mostly come in order.
    pub fn find(&self, key: &Key) -> Option<usize> {
        let is = |at: usize| {
            self.name(at)
                .is_some_and(|name| *name.bytes() == *key.as_bytes())
        };
        if is(self.likely) {
            return Some(self.likely);
        }
        let count = self.entries.len();
        if count <= FEW {
            return (0..count).find(|at| is(*at));
        }
        let bytes = |at: u32| self.name(at as usize).map(Str::bytes);
        let by_key = self.by_key.get_or_init(|| {
            let mut by_key: Box<[u32]> = (0..).take(count).collect();
            order::sort_by(&mut by_key, |a, b| bytes(*a).cmp(&bytes(*b)));
            by_key
        });
        let found = by_key.binary_search_by(|at| bytes(*at).as_deref().cmp(&Some(key.as_bytes())));
        by_key.get(found.ok()?).map(|at| *at as usize)
    }

    pub fn is_answered(&self, at: usize) -> bool {
        self.entries
            .get(at)
            .is_some_and(|entry| matches!(entry.status, Status::Answered(_)))
    }

    /// What an answered ask says.
    pub fn answer_text(&self, at: usize) -> Option<&str> {
        match &self.entries.get(at)?.status {
            Status::Answered(text) => Some(text),
            _ => None,
        }
    }

    /// Takes the answer of an open ask in.
    pub fn answer(&mut self, at: usize, text: Cow<'static, str>) {
        let Some(entry) = self.entries.get_mut(at) else {
            return;
        };
        if !matches!(entry.status, Status::Answered(_)) {
            self.left = self.left.saturating_sub(1);
        }
        entry.status = Status::Answered(text);
        self.settle(at);
    }

    fn settle(&mut self, at: usize) {
        if self.dialog == Some(at) {
            self.dialog = None;
        }
        self.likely = at + 1;
    }

    /// The next ask to show, now shown (C13).
    pub fn show(&mut self, deadline: Option<u64>) -> Option<usize> {
        let side = self.next_in(0);
        let dialog = if self.dialog.is_none() {
            self.next_in(1)
        } else {
            None
        };
        let at = match (side, dialog) {
            (Some(side), Some(dialog)) => side.min(dialog),
            (one, other) => one.or(other)?,
        };
        if dialog == Some(at) {
            self.dialog = Some(at);
        }
        self.entries.get_mut(at)?.status = Status::Shown;
        if let Some(deadline) = deadline {
            self.due.push_back((deadline, at));
        }
        Some(at)
    }

    /// The next waiting ask of a lane: 0 shows all at once, 1 one at a time.
    fn next_in(&mut self, lane: usize) -> Option<usize> {
        let from = self.lanes.get(lane).copied()?;
        let order = self.order;
        let waits = |entry: &Entry| entry.status == Status::Waiting && entry.lane(order) == lane;
        let found = self
            .entries
            .iter()
            .skip(from)
            .position(waits)
            .map(|step| from + step);
        *self.lanes.get_mut(lane)? = found.unwrap_or(self.entries.len());
        found
    }

    /// The open ask whose time runs out first, and when.
    pub fn due(&mut self) -> Option<(u64, usize)> {
        while let Some(&(deadline, at)) = self.due.front() {
            if self.is_shown(at) {
                return Some((deadline, at));
            }
            self.due.pop_front();
        }
        None
    }

    fn is_shown(&self, at: usize) -> bool {
        self.entries
            .get(at)
            .is_some_and(|entry| entry.status == Status::Shown)
    }

    /// The asks that are shown and open, in order.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.entries.len()).filter(|at| self.is_shown(*at))
    }

    /// What is left of its ask after it failed: it needs no stopping, but is unanswered.
    pub fn unshow(&mut self, at: usize) {
        if let Some(entry) = self.entries.get_mut(at) {
            entry.status = Status::Waiting;
        }
    }

    /// Appends what a retry carries: the answers (none on a state-only round) and exactly this round's state (C4).
    pub fn write_retry(&self, out: &mut String) {
        if !self.entries.is_empty() {
            out.push_str(",\"inputResponses\":");
            self.write_answers(out);
        }
        if let Some(state) = self.state {
            out.push_str(",\"requestState\":");
            out.push_str(state.within(&self.text));
        }
    }

    /// Appends the answers so far as an object.
    pub fn write_answers(&self, out: &mut String) {
        let mut first = true;
        out.push('{');
        for entry in &self.entries {
            let Status::Answered(text) = &entry.status else {
                continue;
            };
            write::push_comma(out, &mut first);
            out.push_str(entry.name.within(&self.text));
            out.push(':');
            write::push_line(out, text);
        }
        out.push('}');
    }
}

impl Entry {
    fn lane(&self, order: Order) -> usize {
        match order {
            Order::Serial => 1,
            Order::Concurrent => 0,
            Order::Default => usize::from(self.kind.is_elicitation()),
        }
    }
}
