//! Places in a text that its owner keeps, so that an exchange can own its texts without borrowing from itself.

/// Start and end in bytes. 32 bits: a text of 1 GiB is refused before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span(u32, u32);

impl Span {
    /// From `start` to `end`; `None` beyond 32 bits.
    pub fn from(start: usize, end: usize) -> Option<Span> {
        Some(Span(u32::try_from(start).ok()?, u32::try_from(end).ok()?))
    }

    /// Where `part`, a slice of `whole`, stands; `None` if it is no slice of it.
    pub fn of(whole: &str, part: &str) -> Option<Span> {
        let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
        let end = start.checked_add(part.len())?;
        if end > whole.len() {
            return None;
        }
        Span::from(start, end)
    }

    /// The text at this place of `whole`.
    pub fn text(self, whole: &str) -> &str {
        whole.get(self.0 as usize..self.1 as usize).unwrap_or("")
    }
}
