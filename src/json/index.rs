//! Where each value and each name of a text stands, written down while its grammar is checked, so that nobody walks over it again; and
//! whether an object names a member twice (J2).

use super::walk::{Listener, Token, walk};
use super::{Fault, Limits, Raw, Str, unique};
use std::ops::Range;

/// A text with more names and values than this, or more names in the objects around one place, has none written down: what they
/// take stays bounded, and it is walked over again.
const MOST: usize = 1 << 16;
/// Room for so many is there from the start, if the text is not short.
const USUAL: usize = 1 << 10;

/// One name or value; those inside an array or object follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Where it begins in the text that was read.
    start: u32,
    /// Bytes of its text, and two marks.
    len: u32,
    /// How many there are in it, itself too.
    count: u32,
}

/// Mark of an array or object: one in it, or itself, names a member twice.
const TWICE: u32 = 1 << 31;
/// Mark of a string: it has escapes.
const ESCAPED: u32 = 1 << 30;
/// What is left for the length.
pub(super) const LONGEST: usize = ESCAPED as usize - 1;

impl Node {
    #[inline]
    fn at(start: usize, end: usize) -> Node {
        Node {
            start: start as u32,
            len: end.saturating_sub(start) as u32,
            count: 1,
        }
    }

    #[inline]
    fn of(token: Token) -> Node {
        let mut node = Node::at(token.start, token.end);
        if token.escaped {
            node.len |= ESCAPED;
        }
        node
    }

    /// Where it stands in a part of the text that begins at `base`.
    #[inline]
    pub fn range(self, base: u32) -> Range<usize> {
        let start = self.start.saturating_sub(base) as usize;
        start..start + (self.len & !(TWICE | ESCAPED)) as usize
    }

    #[inline]
    pub fn start(self) -> u32 {
        self.start
    }

    #[inline]
    pub fn count(self) -> usize {
        self.count as usize
    }

    #[inline]
    pub fn twice(self) -> bool {
        self.len & TWICE != 0
    }

    #[inline]
    pub fn escaped(self) -> bool {
        self.len & ESCAPED != 0
    }
}

/// The places in one text, kept by its reader as long as the values are used. They take a few bytes for each name and value, up to
/// a bound.
#[derive(Debug, Default)]
pub struct Index {
    nodes: Vec<Node>,
    /// Where the value stands in the text.
    root: Range<usize>,
}

impl Index {
    /// Checks a text as [`Raw::parse`] does, and writes down where the values inside it stand and whether a member stands twice.
    pub fn read(text: &str, limits: &Limits) -> Result<Index, Fault> {
        limits.check_message(text.len())?;
        Index::walk(text, limits.depth, MOST)
    }

    /// Of a text that was checked before, all of it written down.
    pub(super) fn of(text: &str) -> Result<Index, Fault> {
        Index::walk(text, usize::MAX, usize::MAX)
    }

    fn walk(text: &str, depth: usize, most: usize) -> Result<Index, Fault> {
        Fault::check_size("message", text.len(), LONGEST)?;
        let mut indexing = Indexing {
            text,
            // Seldom are there more than one for eight bytes.
            nodes: Vec::with_capacity((text.len() / 8).clamp(4, USUAL)),
            most,
            innermost: NONE,
            names: Vec::with_capacity(32),
        };
        let (start, end) = walk(text, depth, &mut indexing)?;
        let mut nodes = indexing.nodes;
        if nodes.len() > indexing.most {
            nodes.clear();
        }
        let root = start..end;
        Ok(Index { nodes, root })
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
    /// The innermost open array or object. While one is open, `count` is which one it is in.
    innermost: u32,
    /// The names so far of all open objects, behind a [`BORDER`] for each of them.
    names: Vec<Str<'t>>,
}

/// No node has this number.
const NONE: u32 = u32::MAX;
/// No name has a text without quotes.
const BORDER: Str<'static> = Str::trusted("", false);

impl Indexing<'_> {
    #[inline(always)]
    fn push(&mut self, node: Node) {
        if self.nodes.len() <= self.most {
            self.nodes.push(node);
        }
    }
}

impl Listener for Indexing<'_> {
    #[inline(always)]
    fn open(&mut self, object: bool, at: usize) {
        if self.nodes.len() > self.most {
            return;
        }
        let outer = std::mem::replace(&mut self.innermost, self.nodes.len() as u32);
        let mut node = Node::at(at, at);
        node.count = outer;
        self.nodes.push(node);
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
        node.len = (end as u32).wrapping_sub(node.start) | twice;
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
        self.nodes.push(Node::of(token));
        let text = self.text.get(token.start..token.end).unwrap_or("");
        self.names.push(Str::trusted(text, token.escaped));
    }

    #[inline(always)]
    fn string(&mut self, token: Token) {
        self.push(Node::of(token));
    }

    #[inline(always)]
    fn number(&mut self, start: usize, end: usize) {
        self.push(Node::at(start, end));
    }

    #[inline(always)]
    fn word(&mut self, _letter: u8, start: usize, end: usize) {
        self.push(Node::at(start, end));
    }
}
