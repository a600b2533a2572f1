//! JSON text: raw tokens kept, members spliced, duplicates refused, limits, canonical digest (J1-J5, S5).
//!
//! Nothing here builds a tree. [`Raw::parse`] checks the grammar once; everything after it walks the
//! checked text and hands out slices of it, so what is not ours travels byte for byte. What else is to be
//! known of a text, where its inner values end or its canonical form, is heard in the same walk.

mod canonical;
mod digest;
mod exponent;
mod fault;
mod index;
mod key;
mod limits;
mod number;
mod object;
pub(crate) mod order;
mod raw;
mod skip;
mod splice;
mod string;
mod unique;
mod walk;
pub mod write;

pub use canonical::Canonical;
pub use digest::{
    canonicalize, params_digest_with, read_params_digest, request_digest, request_digest_with,
    sha256,
};
pub use fault::Fault;
pub use index::Index;
pub use key::Key;
pub use limits::Limits;
pub use number::Number;
pub use object::Object;
pub use raw::{Elements, Kind, Members, Raw};
pub use splice::splice;
pub use string::Str;
pub use unique::unique;
