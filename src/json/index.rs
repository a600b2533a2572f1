//! Where each array and object of a text ends, written down while its grammar is checked, so that nobody walks over it again; and
//! whether an object names a member twice (J2).

use super::walk::{Listener, Token, walk};
use super::{Fault, Limits, Raw, Str, unique};
use std::ops::Range;

/// A text with more arrays and objects than this, or more names in the objects around one place, has none written down: what they
/// take stays bounded, and it is walked over again.
const MOST: usize = 1 << 16;

/// One array or object; those inside it follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Bytes of its text, and in the highest bit whether an object in it, or itself, names a member twice.
    len: u32,
    /// How many there are in it, itself too.
    count: u32,
}

const TWICE: u32 = 1 << 31;

impl Node {
    #[inline]
    pub fn len(self) -> usize {
        (self.len & !TWICE) as usize
    }

    #[inline]
    pub fn count(self) -> usize {
        self.count as usize
    }

    #[inline]
    pub fn twice(self) -> bool {
        self.len & TWICE != 0
    }
}

/// The places in one text, kept by its reader as long as the values are used. They take a few bytes for each array and object, up to
/// a bound.
#[derive(Debug, Default)]
pub struct Index {
    nodes: Vec<Node>,
    /// Where the value stands in the text.
    root: Range<usize>,
}

impl Index {
    /// Checks a text as [`Raw::parse`] does, and writes down where the values inside it end and whether a member stands twice.
    pub fn read(text: &str, limits: &Limits) -> Result<Index, Fault> {
        limits.check_message(text.len())?;
        Index::walk(text, limits.depth, MOST)
    }

    /// Of a text that was checked before, all of it written down.
    pub(super) fn of(text: &str) -> Result<Index, Fault> {
        Index::walk(text, usize::MAX, usize::MAX)
    }

    fn walk(text: &str, depth: usize, most: usize) -> Result<Index, Fault> {
        let mut indexing = Indexing {
            text,
            // Mostly an array or object has more text than this; asks have.
            nodes: Vec::with_capacity((text.len() / 32).clamp(4, MOST)),
            most,
            innermost: NONE,
            names: Vec::with_capacity(32),
        };
        let (start, end) = walk(text, depth, &mut indexing)?;
        let mut nodes = indexing.nodes;
        if nodes.len() > indexing.most {
            nodes.clear();
        }
        Ok(Index {
            nodes,
            root: start..end,
        })
    }

    /// The value of the text that was read: of that text only.
    pub fn root<'a>(&'a self, text: &'a str) -> Raw<'a> {
        let text = text.get(self.root.clone()).unwrap_or("");
        Raw::with_nodes(text, &self.nodes)
    }
}

struct Indexing<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// More than so many are not kept.
    most: usize,
    /// The innermost open one. While one is open, `len` is where it begins and `count` which one it is in.
    innermost: u32,
    /// The names so far of all open objects, behind a [`BORDER`] for each of them.
    names: Vec<Str<'t>>,
}

/// No node has this number.
const NONE: u32 = u32::MAX;
/// No name has a text without quotes.
const BORDER: Str<'static> = Str::trusted("", false);

impl Listener for Indexing<'_> {
    #[inline(always)]
    fn open(&mut self, object: bool, at: usize) {
        if self.nodes.len() > self.most {
            return;
        }
        let outer = std::mem::replace(&mut self.innermost, self.nodes.len() as u32);
        self.nodes.push(Node {
            len: at as u32 & !TWICE,
            count: outer,
        });
        if object {
            self.names.push(BORDER);
        }
    }

    #[inline(always)]
    fn close(&mut self, object: bool, end: usize) {
        let all = self.nodes.len();
        if all > self.most {
            return;
        }
        let Some(node) = self.nodes.get_mut(self.innermost as usize) else {
            return;
        };
        let mut twice = node.len & TWICE;
        if object {
            let own = self.names.iter().rev();
            let own = own.take_while(|name| !name.token().is_empty()).count();
            let first = self.names.len() - own;
            if unique::twice(self.names.get(first..).unwrap_or(&[])).is_some() {
                twice = TWICE;
            }
            self.names.truncate(first.saturating_sub(1));
        }
        let outer = node.count;
        node.len = (end as u32).wrapping_sub(node.len & !TWICE) & !TWICE | twice;
        node.count = all as u32 - self.innermost;
        self.innermost = outer;
        if let Some(outer) = self.nodes.get_mut(outer as usize) {
            outer.len |= twice;
        }
    }

    #[inline(always)]
    fn name(&mut self, token: Token) {
        if self.nodes.len() > self.most {
            return;
        }
        if self.names.len() >= self.most {
            // Given up: that many are looked through where somebody reads them, not wherever they stand.
            (self.most, self.names) = (0, Vec::new());
            return;
        }
        let text = self.text.get(token.start..token.end).unwrap_or("");
        self.names.push(Str::trusted(text, token.escaped));
    }
}
