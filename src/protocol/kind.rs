//! The four kinds of ask (B3).

/// What kind of ask it is. The numbers stay as they are for ever: they stand in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Elicitation by a form.
    Form = 1,
    /// Elicitation by a page that the user opens.
    Url = 2,
    /// A completion by the client's model.
    Sampling = 3,
    /// The client's roots.
    Roots = 4,
}

impl Kind {
    /// All kinds, by number.
    pub const ALL: [Kind; 4] = [Kind::Form, Kind::Url, Kind::Sampling, Kind::Roots];

    /// The method that an ask of this kind has.
    pub const fn method(self) -> &'static str {
        match self {
            Kind::Form | Kind::Url => "elicitation/create",
            Kind::Sampling => "sampling/createMessage",
            Kind::Roots => "roots/list",
        }
    }

    /// Is it one of the two modes of elicitation?
    pub const fn is_elicitation(self) -> bool {
        matches!(self, Kind::Form | Kind::Url)
    }

    /// A short name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Form => "form",
            Kind::Url => "url",
            Kind::Sampling => "sampling",
            Kind::Roots => "roots",
        }
    }

    /// The kind with this number.
    #[inline]
    pub fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }
}
