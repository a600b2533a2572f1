//! Peers as the header has them.

use super::abi::{
    guard::{Call, flag},
    peer::mrtr_peer,
};
use crate::{
    json::{Limits, Raw},
    protocol::{Capabilities, Code, Era, Error, Peer},
};

/// Reads the struct.
pub(crate) fn read(c: &Call<'_>, peer: &mrtr_peer) -> Result<Peer, Error> {
    let version = c.optional_text(peer.version, "peer.version")?;
    let era = match version {
        None => Some(Era::Stateless),
        Some(version) => Era::of(version),
    };
    let declared = c.optional_text(peer.capabilities, "peer.capabilities")?;
    let declared = match declared {
        Some(text) => Capabilities::parse(Raw::parse(text, &Limits::default())?)?,
        None => Capabilities::default(),
    };
    Ok(Peer {
        era: era.ok_or_else(|| {
            Error::new(Code::UnsupportedVersion, "peer.version is not known here")
        })?,
        declared,
        back_channel: flag(peer.back_channel, "peer.back_channel")?,
    })
}
