//! The answer to `server/discover` as the header has it, and results that are complete.

use super::abi::{discovery::mrtr_discovery, guard::Call, sized::zeroed};
use crate::{
    json::Limits,
    protocol::{Error, meta},
    server::Discovery,
};

/// The defaults.
pub(crate) fn defaults() -> mrtr_discovery {
    mrtr_discovery {
        ttl_ms: u64::MAX,
        ..zeroed()
    }
}

/// Writes the result.
pub(crate) fn result(c: &Call<'_>, d: &mrtr_discovery) -> Result<String, Error> {
    let mut supported = c.texts(d.supported, d.supported_count, "supported")?;
    if supported.is_empty() {
        supported.push(meta::VERSION);
    }
    let discovery = Discovery {
        supported: &supported,
        capabilities: c
            .optional_text(d.capabilities, "capabilities")?
            .unwrap_or("{}"),
        server_info: c.optional_text(d.server_info, "server_info")?,
        instructions: c.optional_text(d.instructions, "instructions")?,
        ttl_ms: Some(d.ttl_ms).filter(|ttl| *ttl != u64::MAX),
        cache_scope: c.optional_text(d.cache_scope, "cache_scope")?,
    };
    discovery.result(&Limits::default())
}
