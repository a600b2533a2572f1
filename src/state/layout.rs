//! The binary layout of the claims (docs/request-state.md). All integers are big-endian.

use super::book::Book;
use super::claims::{Answers, Asked, Claims, Kept, Outcome, Sealing, Settled};
use super::kept::{self, HEAD_LEN as KEPT_HEAD};
use crate::json::Key;
use crate::protocol::Kind;

/// Version of the layout: the first byte of the claims.
const VERSION: u8 = 1;
const HAS_PRINCIPAL: u8 = 1;
const HAS_STATE: u8 = 2;
pub(super) const ID_LEN: usize = 16;
pub(super) const DIGEST_LEN: usize = 32;
/// Bytes before the lists: version and flags, round, three times, two ids, two digests, three lengths.
const HEAD_LEN: usize = 2 + 4 + 3 * 8 + 3 * ID_LEN + DIGEST_LEN + 3 * 4;

/// Everything that precedes the lists.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) round: u32,
    pub(super) issued_ms: u64,
    pub(super) expires_ms: u64,
    pub(super) flow_start_ms: u64,
    pub(super) token_id: [u8; ID_LEN],
    pub(super) flow_id: [u8; ID_LEN],
    pub(super) request: [u8; DIGEST_LEN],
    pub(super) principal: Option<[u8; ID_LEN]>,
}

/// The claims of an opened token, borrowed from the buffer that it was opened in.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(super) head: Head,
    pub(super) audience: &'a [u8],
    asked: Entries<'a>,
    answers: Entries<'a>,
    state: Option<&'a [u8]>,
}

/// Entries of a list, one behind the other.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    pub(super) count: u32,
    pub(super) bytes: &'a [u8],
}

/// Bytes that count against the state limit: the host's bytes, the answers, the keys (D13).
pub(super) fn counted_len(draft: &Sealing<'_>) -> usize {
    let asked = draft.asked.iter().map(|ask| ask.key.as_bytes().len());
    let answers = match draft.answers {
        Answers::List(list) => list.iter().map(counted_kept).fold(0, usize::saturating_add),
        Answers::Book(book) => book.bytes().len().saturating_sub(book.len() * KEPT_HEAD),
    };
    let state = draft.state.map_or(0, <[u8]>::len);
    asked.fold(state.saturating_add(answers), usize::saturating_add)
}

/// Bytes of the answers in a token.
pub(super) fn answers_len(answers: Answers<'_>) -> usize {
    match answers {
        Answers::Book(book) => book.bytes().len(),
        Answers::List(list) => list
            .iter()
            .map(|kept| counted_kept(kept).saturating_add(KEPT_HEAD))
            .fold(0, usize::saturating_add),
    }
}

fn counted_kept(kept: &Kept) -> usize {
    let content = Settled::from(&kept.outcome).content();
    kept.key.as_bytes().len().saturating_add(content.len())
}

/// Appends the claims; `None` if a part is longer than 2^32 - 1 bytes.
pub(super) fn write(
    out: &mut Vec<u8>,
    head: &Head,
    audience: &[u8],
    draft: &Sealing<'_>,
) -> Option<()> {
    let Sealing {
        asked,
        answers,
        state,
    } = *draft;
    let flags = if head.principal.is_some() {
        HAS_PRINCIPAL
    } else {
        0
    } | if state.is_some() { HAS_STATE } else { 0 };
    out.extend_from_slice(&[VERSION, flags]);
    out.extend_from_slice(&head.round.to_be_bytes());
    for time in [head.issued_ms, head.expires_ms, head.flow_start_ms] {
        out.extend_from_slice(&time.to_be_bytes());
    }
    out.extend_from_slice(&head.token_id);
    out.extend_from_slice(&head.flow_id);
    out.extend_from_slice(&head.request);
    out.extend_from_slice(&head.principal.unwrap_or_default());
    let answered = match answers {
        Answers::List(list) => list.len(),
        Answers::Book(book) => book.len(),
    };
    for len in [audience.len(), asked.len(), answered] {
        push_len(out, len)?;
    }
    out.extend_from_slice(audience);
    for ask in asked {
        out.push(ask.kind as u8);
        out.extend_from_slice(&ask.digest);
        push_len(out, ask.key.as_bytes().len())?;
        out.extend_from_slice(ask.key.as_bytes());
    }
    match answers {
        Answers::Book(book) => out.extend_from_slice(book.bytes()),
        Answers::List(list) => {
            for kept in list {
                let settled = Settled::from(&kept.outcome);
                kept::push(out, kept.kind, settled, &kept.digest, &kept.key)?;
            }
        }
    }
    out.extend_from_slice(state.unwrap_or_default());
    Some(())
}

pub(super) fn push_len(out: &mut Vec<u8>, len: usize) -> Option<()> {
    out.extend_from_slice(&u32::try_from(len).ok()?.to_be_bytes());
    Some(())
}

/// Takes parts off the front of a slice; `None` when it is too short.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(head)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_be_bytes)
    }

    fn len(&mut self) -> Option<usize> {
        self.u32().and_then(|len| usize::try_from(len).ok())
    }

    fn kind(&mut self) -> Option<Kind> {
        let [number] = self.array()?;
        Kind::from_number(number)
    }

    fn asked(&mut self) -> Option<Asked> {
        let kind = self.kind()?;
        let digest = self.array()?;
        let len = self.len()?;
        let key = Key::from_wtf8(self.bytes(len)?)?;
        Some(Asked { key, kind, digest })
    }

    fn kept(&mut self) -> Option<Kept> {
        let (key, len) = kept::check(self.0)?;
        let key = Key::from_wtf8(key)?;
        let entry = self.bytes(len)?;
        let outcome = match kept::settled(entry)? {
            Settled::Accepted(content) => {
                Outcome::Accepted(std::str::from_utf8(content).ok()?.to_owned())
            }
            Settled::Declined => Outcome::Declined,
            Settled::Cancelled => Outcome::Cancelled,
        };
        Some(Kept {
            key,
            kind: Kind::from_number(*entry.first()?)?,
            digest: *kept::digest(entry)?,
            outcome,
        })
    }

    /// Steps over `count` entries whose lengths stand at the end of a head of `head` bytes; gives their bytes.
    fn entries(&mut self, count: usize, head: usize, lengths: usize) -> Option<usize> {
        let before = self.0.len();
        for _ in 0..count {
            self.bytes(head)?;
            let mut len = 0_usize;
            for _ in 0..lengths {
                len = len.checked_add(self.len()?)?;
            }
            self.bytes(len)?;
        }
        before.checked_sub(self.0.len())
    }
}

/// Claims that were read, apart from their bytes: those are wiped if anything about them is refused.
pub(super) struct Shape {
    pub(super) head: Head,
    audience: usize,
    asked: (u32, usize),
    answers: (u32, usize),
    has_state: bool,
}

/// Reads claims; `None` if they are not exactly what [`write`] makes.
pub(super) fn read(plain: &[u8]) -> Option<Shape> {
    let mut from = Reader(plain);
    let [version, flags] = from.array()?;
    if version != VERSION || flags & !(HAS_PRINCIPAL | HAS_STATE) != 0 {
        return None;
    }
    let mut head = Head {
        round: from.u32()?,
        issued_ms: from.u64()?,
        expires_ms: from.u64()?,
        flow_start_ms: from.u64()?,
        token_id: from.array()?,
        flow_id: from.array()?,
        request: from.array()?,
        principal: Some(from.array()?),
    };
    if flags & HAS_PRINCIPAL == 0 && head.principal.take() != Some([0; ID_LEN]) {
        return None;
    }
    let audience = from.len()?;
    let (asked, answers) = (from.u32()?, from.u32()?);
    from.bytes(audience)?;
    let asked = (asked, from.entries(asked as usize, 1 + DIGEST_LEN, 1)?);
    let answers = (answers, from.entries(answers as usize, KEPT_HEAD - 8, 2)?);
    let has_state = flags & HAS_STATE != 0;
    if head.round == 0 || (!has_state && !from.0.is_empty()) {
        return None;
    }
    Some(Shape {
        head,
        audience,
        asked,
        answers,
        has_state,
    })
}

impl Shape {
    /// The claims, in the bytes that they were read from.
    pub(super) fn view<'a>(&self, plain: &'a [u8]) -> Option<View<'a>> {
        let mut from = Reader(plain.get(HEAD_LEN..)?);
        let mut list = |(count, len)| {
            let bytes = from.bytes(len)?;
            Some(Entries { count, bytes })
        };
        let audience = list((0, self.audience))?.bytes;
        let (asked, answers) = (list(self.asked)?, list(self.answers)?);
        Some(View {
            head: self.head,
            audience,
            asked,
            answers,
            state: self.has_state.then_some(from.0),
        })
    }
}

impl<'a> View<'a> {
    /// Random, one per token.
    #[must_use]
    pub fn token_id(&self) -> [u8; 16] {
        self.head.token_id
    }

    /// The same over all rounds of a flow.
    #[must_use]
    pub fn flow_id(&self) -> [u8; 16] {
        self.head.flow_id
    }

    /// Milliseconds of the host's clock.
    #[must_use]
    pub fn issued_ms(&self) -> u64 {
        self.head.issued_ms
    }

    /// From this millisecond on the token is refused.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        self.head.expires_ms
    }

    /// When the first token of the flow was sealed.
    #[must_use]
    pub fn flow_start_ms(&self) -> u64 {
        self.head.flow_start_ms
    }

    /// 1 for the first token of a flow.
    #[must_use]
    pub fn round(&self) -> u32 {
        self.head.round
    }

    /// The host's own bytes; empty is not none (D13).
    #[must_use]
    pub fn state(&self) -> Option<&'a [u8]> {
        self.state
    }

    /// An owned copy; `None` if an entry is not of this version of the format.
    pub(super) fn claims(&self) -> Option<Claims> {
        let mut claims = self.bare()?;
        let mut answers = Reader(self.answers.bytes);
        claims.answers = (0..self.answers.count)
            .map(|_| answers.kept())
            .collect::<Option<_>>()?;
        Some(claims)
    }

    /// An owned copy with the answers apart, as they travel.
    pub(super) fn booked(&self) -> Option<(Claims, Book)> {
        Some((self.bare()?, Book::open(self.answers)?))
    }

    /// An owned copy without the answers.
    fn bare(&self) -> Option<Claims> {
        let mut asked = Reader(self.asked.bytes);
        Some(Claims {
            token_id: self.head.token_id,
            flow_id: self.head.flow_id,
            issued_ms: self.head.issued_ms,
            expires_ms: self.head.expires_ms,
            flow_start_ms: self.head.flow_start_ms,
            round: self.head.round,
            asked: (0..self.asked.count)
                .map(|_| asked.asked())
                .collect::<Option<_>>()?,
            answers: Vec::new(),
            state: self.state.map(<[u8]>::to_vec),
            request: self.head.request,
        })
    }
}

impl std::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View")
            .field("round", &self.head.round)
            .finish_non_exhaustive()
    }
}
