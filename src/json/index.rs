//! Where each array and object of a text ends, written down while its grammar is checked, so that nobody walks over it again; and
//! whether an object names a member twice (J2).

use super::walk::{Listener, Token};
use super::{Str, unique};

/// More arrays and objects than this are not written down: what they take stays bounded, and such a text is walked over.
const MOST: usize = 1 << 16;

/// One array or object; those inside it follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Bytes of its text.
    pub len: u32,
    /// How many there are in it, itself too.
    pub count: u32,
    /// Does an object in it, or itself, name a member twice?
    pub twice: bool,
}

/// The places of one text, kept by its reader as long as the values are used. What a text takes here is a few bytes for each array and
/// object, up to a bound.
#[derive(Debug, Default)]
pub struct Index {
    nodes: Vec<Node>,
}

impl Index {
    /// Room for one text.
    pub fn new() -> Index {
        Index::default()
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Listens to a walk over `text`.
    pub(super) fn listen<'i, 't>(&'i mut self, text: &'t str) -> Indexing<'i, 't> {
        self.nodes.clear();
        // Mostly an array or object has more text than this; asks have.
        self.nodes.reserve((text.len() / 32).min(MOST));
        Indexing {
            text,
            nodes: &mut self.nodes,
            innermost: NONE,
            names: Vec::with_capacity(16),
        }
    }
}

pub(super) struct Indexing<'i, 't> {
    text: &'t str,
    nodes: &'i mut Vec<Node>,
    /// The innermost open one. While one is open, `len` is where it begins and `count` which one it is in.
    innermost: u32,
    /// The names so far of all open objects, behind a [`BORDER`] for each of them.
    names: Vec<Str<'t>>,
}

/// No node has this number.
const NONE: u32 = u32::MAX;
/// No name has a text without quotes.
const BORDER: Str<'static> = Str::trusted("", false);

impl Indexing<'_, '_> {
    /// The walk came to its end. Too many places are none, and so are those of a text beyond 32 bits.
    pub fn end(self) {
        if self.nodes.len() > MOST || u32::try_from(self.text.len()).is_err() {
            self.nodes.clear();
        }
    }
}

impl Listener for Indexing<'_, '_> {
    #[inline(always)]
    fn open(&mut self, object: bool, at: usize) {
        if self.nodes.len() > MOST {
            return;
        }
        let outer = std::mem::replace(&mut self.innermost, self.nodes.len() as u32);
        self.nodes.push(Node {
            len: at as u32,
            count: outer,
            twice: false,
        });
        if object {
            self.names.push(BORDER);
        }
    }

    #[inline(always)]
    fn close(&mut self, object: bool, end: usize) {
        let all = self.nodes.len();
        if all > MOST {
            return;
        }
        let Some(node) = self.nodes.get_mut(self.innermost as usize) else {
            return;
        };
        if object {
            let names = self
                .names
                .iter()
                .rev()
                .take_while(|name| !name.token().is_empty());
            let first = self.names.len() - names.count();
            node.twice |= unique::twice(self.names.get(first..).unwrap_or(&[])).is_some();
            self.names.truncate(first.saturating_sub(1));
        }
        let outer = node.count;
        node.len = (end as u32).wrapping_sub(node.len);
        node.count = all as u32 - self.innermost;
        let twice = node.twice;
        self.innermost = outer;
        if twice && let Some(outer) = self.nodes.get_mut(outer as usize) {
            outer.twice = true;
        }
    }

    #[inline(always)]
    fn name(&mut self, token: Token) {
        let text = self.text.get(token.start..token.end).unwrap_or("");
        self.names.push(Str::trusted(text, token.escaped));
    }
}
