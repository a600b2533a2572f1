//! Fields that ask for a secret, told by a word list in ten languages (B5, D10).
//!
//! Texts and phrases are brought into one plain form: lower case, no accents, single spaces between words and around
//! the whole, `camelCase` and digits split, the ends of clauses marked. A phrase then is a piece of text to be found.

use super::form::{Field, Input};
use super::format::lossy;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// Does the field ask for a secret? Yes-or-no fields and choices from a list cannot.
pub(crate) fn asks_for_secret(field: &Field<'_>) -> bool {
    if !matches!(field.input, Input::Text { .. } | Input::Number { .. }) {
        return false;
    }
    let label = |text: &str| names_secret(text);
    label(&lossy(field.name))
        || field.title.is_some_and(|title| label(&lossy(title)))
        || field
            .description
            .is_some_and(|text| mentions_secret(&plain(&lossy(text))))
}

/// Is this name or title one of a secret?
pub fn names_secret(label: &str) -> bool {
    let text = plain(label);
    is_whole(&text, Role::Whole) || mentions_secret(&text)
}

/// Is this name of a query member one of a credential? (B6)
pub(crate) fn is_credential(name: &str) -> bool {
    let text = plain(name);
    is_whole(&text, Role::Query) || mentions_secret(&text)
}

fn is_whole(text: &str, role: Role) -> bool {
    LEXICON.at(text, 0, role).any(|end| end == text.len())
}

/// Is there a secret in the plain text that it does not hide, deny or only speak about?
fn mentions_secret(text: &str) -> bool {
    LEXICON
        .find(text, Role::Secret)
        .any(|hit| !is_harmless(text, &hit))
}

/// Words before a secret that are looked at.
const NEAR: usize = 5;

fn is_harmless(text: &str, hit: &Range<usize>) -> bool {
    let hides = |span: Range<usize>| span.start <= hit.start && hit.end <= span.end;
    if LEXICON.find(text, Role::Harmless).any(hides) {
        return true;
    }
    // The space at the end of a phrase of whole words is the first of what follows; where words stand without
    // spaces, one may still stand there.
    let ends = hit.end.saturating_sub(1)..=hit.end + 1;
    let follows = |end: usize| {
        let between = text.get(hit.end..end).unwrap_or("");
        between.trim().is_empty() && LEXICON.at(text, end, Role::After).next().is_some()
    };
    if ends.into_iter().any(follows) {
        return true;
    }
    let clause = text
        .get(..=hit.start)
        .or(text.get(..hit.start))
        .unwrap_or("");
    let clause = clause.rsplit(CLAUSE).next().unwrap_or("");
    let near = clause
        .rmatch_indices(' ')
        .nth(NEAR)
        .and_then(|(at, _)| clause.get(at..))
        .unwrap_or(clause);
    LEXICON.find(near, Role::Before).next().is_some()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Secret,
    Whole,
    Harmless,
    Before,
    After,
    Query,
}

impl Role {
    fn bit(self) -> u8 {
        1 << self as u8
    }
}

const ROLES: [(&str, Role); 6] = [
    ("secret", Role::Secret),
    ("whole", Role::Whole),
    ("harmless", Role::Harmless),
    ("before", Role::Before),
    ("after", Role::After),
    ("query", Role::Query),
];

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("secrets.txt")));

/// Bytes by which phrases are looked up; no phrase is shorter.
const HEAD: usize = 3;
/// Places of the filters in front of the table.
const FILTER: usize = 1 << 12;
/// In the filter: some phrase has no more than the head.
const SHORT: u8 = 1 << 7;

/// All phrases, by their first bytes and role.
struct Lexicon {
    by_head: FxHashMap<([u8; HEAD], Role), Vec<Phrase>>,
    /// Which roles have phrases with such a head, a bit each: most places of a text are done with after one look.
    filter: Vec<u8>,
    /// Likewise, with the byte behind the head.
    further: Vec<u8>,
}

struct Phrase {
    text: String,
    /// Its first bytes, and which of eight those are: few texts come as far as a comparison of the whole.
    start: u64,
    mask: u64,
}

impl Phrase {
    fn new(text: String) -> Phrase {
        let known = 8 * text.len().min(8) as u32;
        Phrase {
            start: start(text.as_bytes()),
            mask: u64::MAX.checked_shr(64 - known).unwrap_or(0),
            text,
        }
    }
}

/// The first eight bytes as a number, zeros behind a shorter text.
fn start(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(eight) => u64::from_le_bytes(*eight),
        None => bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

impl Lexicon {
    fn read(list: &str) -> Lexicon {
        let mut lexicon = Lexicon {
            by_head: FxHashMap::default(),
            filter: vec![0; FILTER],
            further: vec![0; FILTER],
        };
        for line in list.lines() {
            let Some((role, phrases)) = line.split_once(':') else {
                continue;
            };
            let Some((_, role)) = ROLES.iter().find(|(name, _)| *name == role) else {
                continue;
            };
            for phrase in phrases
                .split(',')
                .map(str::trim)
                .filter(|phrase| !phrase.is_empty())
            {
                lexicon.add(*role, phrase);
            }
        }
        lexicon
    }

    fn add(&mut self, role: Role, phrase: &str) {
        let text = plain(phrase);
        let text = if phrase.starts_with('*') {
            text.trim_start()
        } else {
            &text
        };
        let text = if phrase.ends_with('*') {
            text.trim_end()
        } else {
            text
        };
        self.insert(role, text.to_string());
        let inner = text.trim();
        if role != Role::Before && text.is_ascii() && inner.contains(' ') {
            self.insert(role, format!(" {} ", inner.replace(' ', "")));
        }
    }

    fn insert(&mut self, role: Role, text: String) {
        let Some(head) = head(text.as_bytes(), 0) else {
            return;
        };
        let behind = text.as_bytes().get(HEAD).copied();
        if let Some(roles) = self.filter.get_mut(slot(head)) {
            *roles |= role.bit() | if behind.is_none() { SHORT } else { 0 };
        }
        if let Some(roles) = behind.and_then(|byte| self.further.get_mut(slot_behind(head, byte))) {
            *roles |= role.bit();
        }
        let phrases = self.by_head.entry((head, role)).or_default();
        phrases.push(Phrase::new(text));
    }

    /// May a phrase of this role be at the start of this text, which has this head?
    fn may_start(&self, head: [u8; HEAD], text: &[u8], role: Role) -> bool {
        let has =
            |filter: &[u8], at: usize, bit| filter.get(at).is_some_and(|roles| roles & bit != 0);
        let behind = |byte: &u8| has(&self.further, slot_behind(head, *byte), role.bit());
        has(&self.filter, slot(head), role.bit())
            && (text.get(HEAD).is_some_and(behind) || has(&self.filter, slot(head), SHORT))
    }

    /// Ends of the phrases of a role that start at a place.
    fn at<'t>(
        &'t self,
        text: &'t str,
        start: usize,
        role: Role,
    ) -> impl Iterator<Item = usize> + 't {
        let rest = text.as_bytes().get(start..).unwrap_or(&[]);
        let head = head(rest, 0).filter(|head| self.may_start(*head, rest, role));
        let phrases = head.and_then(|head| self.by_head.get(&(head, role)));
        let first = self::start(rest);
        let fits = move |phrase: &&Phrase| {
            first & phrase.mask == phrase.start && rest.starts_with(phrase.text.as_bytes())
        };
        let phrases = phrases.into_iter().flatten();
        phrases
            .filter(fits)
            .map(move |phrase| start + phrase.text.len())
    }

    /// Where the phrases of a role stand.
    fn find<'t>(&'t self, text: &'t str, role: Role) -> impl Iterator<Item = Range<usize>> + 't {
        let places = 0..text.len().saturating_sub(HEAD - 1);
        places.flat_map(move |start| self.at(text, start, role).map(move |end| start..end))
    }
}

fn head(bytes: &[u8], at: usize) -> Option<[u8; HEAD]> {
    bytes.get(at..at + HEAD)?.try_into().ok()
}

fn slot([a, b, c]: [u8; HEAD]) -> usize {
    (usize::from(a) ^ usize::from(b) << 3 ^ usize::from(c) << 5) % FILTER
}

fn slot_behind(head: [u8; HEAD], byte: u8) -> usize {
    (slot(head) ^ usize::from(byte) << 4) % FILTER
}

/// Marks the end of a clause in a plain text; no phrase reaches across it.
const CLAUSE: char = '|';

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Break,
    Upper,
    Lower,
    Digit,
    /// A letter of a script without case.
    Other,
}

/// The plain form of a text.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    out.push(' ');
    let mut last = Class::Break;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        // Nearly all of most texts.
        if c.is_ascii_lowercase() && !matches!(last, Class::Digit | Class::Other) {
            out.push(c);
            last = Class::Lower;
            continue;
        }
        let c = narrow(c);
        // Combining accents, as separate characters.
        if ('\u{300}'..='\u{36F}').contains(&c) {
            continue;
        }
        if !c.is_alphanumeric() && !is_joiner(c) {
            let next = rest.clone().next();
            if ends_clause(c, next) {
                push_break(&mut out);
                out.push(CLAUSE);
            }
            last = Class::Break;
            push_break(&mut out);
            continue;
        }
        let class = class(c);
        if splits(last, class, rest.clone()) {
            push_break(&mut out);
        }
        for c in c.to_lowercase() {
            push_folded(&mut out, c);
        }
        last = class;
    }
    push_break(&mut out);
    out
}

/// The long-vowel mark and the iteration marks of kana belong to words.
fn is_joiner(c: char) -> bool {
    matches!(c, 'ー' | '々' | '゙' | '゚')
}

fn push_break(out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Full-width forms of ASCII as ASCII.
fn narrow(c: char) -> char {
    match u32::from(c) {
        wide @ 0xFF01..=0xFF5E => char::from_u32(wide - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

fn ends_clause(c: char, next: Option<char>) -> bool {
    match c {
        '.' | ':' => next.is_none_or(char::is_whitespace),
        ',' | ';' | '!' | '?' | '(' | ')' | '\n' | '。' | '、' | '，' | '；' | '：' | '（'
        | '）' => true,
        _ => false,
    }
}

fn class(c: char) -> Class {
    match c {
        _ if c.is_numeric() => Class::Digit,
        _ if c.is_uppercase() => Class::Upper,
        _ if c.is_lowercase() => Class::Lower,
        _ => Class::Other,
    }
}

/// Does a word end between two characters? `rest` is what follows the second.
fn splits(last: Class, now: Class, mut rest: std::str::Chars<'_>) -> bool {
    match (last, now) {
        (Class::Break, _) => false,
        // The last capital of several begins the next word, unless the small letter behind it is a plural.
        (Class::Upper, Class::Upper) => {
            let next = rest.next().filter(|c| c.is_lowercase());
            next.is_some_and(|next| next != 's' || rest.next().is_some_and(char::is_alphanumeric))
        }
        (Class::Upper, Class::Lower) => false,
        (last, now) => last != now,
    }
}

/// Appends a small letter without its accent.
fn push_folded(out: &mut String, c: char) {
    let folded = match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ī' => 'i',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ё' => 'е',
        'й' => 'и',
        'ß' => {
            out.push('s');
            's'
        }
        // A mark that `to_lowercase` split off.
        '\u{300}'..='\u{36F}' => return,
        other => other,
    };
    out.push(folded);
}
