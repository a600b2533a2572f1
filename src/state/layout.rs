//! The binary layout of the claims (docs/request-state.md). All integers are big-endian.

use super::claims::{Asked, Claims, Kept, Outcome};
use crate::json::Key;
use crate::protocol::Kind;

/// Version of the layout: the first byte of the claims.
const VERSION: u8 = 1;
const HAS_PRINCIPAL: u8 = 1;
const HAS_STATE: u8 = 2;
pub(super) const ID_LEN: usize = 16;
pub(super) const DIGEST_LEN: usize = 32;

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

#[derive(Clone, Copy)]
struct Entries<'a> {
    count: u32,
    bytes: &'a [u8],
}

/// Bytes that count against the state limit: the host's bytes, the answers, the keys (D13).
pub(super) fn counted_len(asked: &[Asked], answers: &[Kept], state: Option<&[u8]>) -> usize {
    let asked = asked.iter().map(|ask| ask.key.as_bytes().len());
    let answers = answers.iter().map(|kept| {
        kept.key
            .as_bytes()
            .len()
            .saturating_add(kept.outcome.content().len())
    });
    asked
        .chain(answers)
        .fold(state.map_or(0, <[u8]>::len), usize::saturating_add)
}

impl Outcome {
    fn number(&self) -> u8 {
        match self {
            Outcome::Accepted(_) => 1,
            Outcome::Declined => 2,
            Outcome::Cancelled => 3,
        }
    }

    fn content(&self) -> &str {
        match self {
            Outcome::Accepted(content) => content,
            Outcome::Declined | Outcome::Cancelled => "",
        }
    }
}

/// Appends the claims; `None` if a part is longer than 2^32 - 1 bytes.
pub(super) fn write(
    out: &mut Vec<u8>,
    head: &Head,
    audience: &[u8],
    asked: &[Asked],
    answers: &[Kept],
    state: Option<&[u8]>,
) -> Option<()> {
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
    for len in [audience.len(), asked.len(), answers.len()] {
        push_len(out, len)?;
    }
    out.extend_from_slice(audience);
    for ask in asked {
        out.push(ask.kind as u8);
        out.extend_from_slice(&ask.digest);
        push_len(out, ask.key.as_bytes().len())?;
        out.extend_from_slice(ask.key.as_bytes());
    }
    for kept in answers {
        out.extend_from_slice(&[kept.kind as u8, kept.outcome.number()]);
        out.extend_from_slice(&kept.digest);
        push_len(out, kept.key.as_bytes().len())?;
        push_len(out, kept.outcome.content().len())?;
        out.extend_from_slice(kept.key.as_bytes());
        out.extend_from_slice(kept.outcome.content().as_bytes());
    }
    out.extend_from_slice(state.unwrap_or_default());
    Some(())
}

fn push_len(out: &mut Vec<u8>, len: usize) -> Option<()> {
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
        let kind = self.kind()?;
        let [outcome] = self.array()?;
        let digest = self.array()?;
        let key_len = self.len()?;
        let content_len = self.len()?;
        let key = Key::from_wtf8(self.bytes(key_len)?)?;
        let content = std::str::from_utf8(self.bytes(content_len)?).ok()?;
        let outcome = match (outcome, content) {
            (1, content) => Outcome::Accepted(content.to_owned()),
            (2, "") => Outcome::Declined,
            (3, "") => Outcome::Cancelled,
            _ => return None,
        };
        Some(Kept {
            key,
            kind,
            digest,
            outcome,
        })
    }

    /// Steps over `count` entries whose lengths stand at the end of a head of `head` bytes.
    fn entries(&mut self, count: usize, head: usize, lengths: usize) -> Option<Entries<'a>> {
        let before = self.0;
        for _ in 0..count {
            self.bytes(head)?;
            let mut len = 0_usize;
            for _ in 0..lengths {
                len = len.checked_add(self.len()?)?;
            }
            self.bytes(len)?;
        }
        let bytes = before.get(..before.len().checked_sub(self.0.len())?)?;
        Some(Entries {
            count: u32::try_from(count).ok()?,
            bytes,
        })
    }
}

/// Reads claims; `None` if they are not exactly what [`write`] makes.
pub(super) fn read(plain: &[u8]) -> Option<View<'_>> {
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
    let (audience, asked, answers) = (from.len()?, from.len()?, from.len()?);
    let audience = from.bytes(audience)?;
    let asked = from.entries(asked, 1 + DIGEST_LEN, 1)?;
    let answers = from.entries(answers, 2 + DIGEST_LEN, 2)?;
    let has_state = flags & HAS_STATE != 0;
    if head.round == 0 || (!has_state && !from.0.is_empty()) {
        return None;
    }
    Some(View {
        head,
        audience,
        asked,
        answers,
        state: has_state.then_some(from.0),
    })
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
        let (mut asked, mut answers) = (Reader(self.asked.bytes), Reader(self.answers.bytes));
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
            answers: (0..self.answers.count)
                .map(|_| answers.kept())
                .collect::<Option<_>>()?,
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
