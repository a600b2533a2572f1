//! Raw text out of a JSON object.

use crate::{
    json::{Key, Limits, Raw},
    protocol::{Code, Error},
};

/// The raw text of a top-level member; duplicates are refused (J2).
pub fn member<'a>(object: &'a [u8], name: &[u8]) -> Result<Option<&'a str>, Error> {
    let key = Key::from_wtf8(name)
        .ok_or_else(|| Error::new(Code::NotUtf8, "name is neither UTF-8 nor WTF-8"))?;
    let object = Raw::parse_bytes(object, &Limits::default())?.object()?;
    Ok(object.get_key(&key).map(Raw::text))
}
