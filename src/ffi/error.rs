//! Errors as the header shows them.

use super::abi::{
    error::{mrtr_error_info, mrtr_status},
    sized::{ABSENT, zeroed},
    slice::mrtr_slice,
    storage::{Storage, fixed},
};
use crate::protocol::{Code, Error};

/// All that an error says, in one buffer.
pub(crate) fn info(error: &Error) -> mrtr_error_info {
    let rpc = error.rpc().map(|rpc| rpc.to_json());
    let mut storage = Storage::new();
    let message = storage.add(error.message());
    let key = storage.add_optional(error.key().map(|key| key.as_bytes()));
    let at = storage.add_optional(error.at());
    let data = storage.add_optional(error.data());
    let whole_rpc = storage.add_optional(rpc.as_deref());
    let stored = storage.finish();
    mrtr_error_info {
        code: error.code().number(),
        rpc_code: error.rpc().map_or(0, |rpc| rpc.code),
        has_rpc: u32::from(error.rpc().is_some()),
        http_status: u32::from(error.http_status()),
        name: fixed(error.code().name()),
        message: stored.slice(message),
        key: stored.slice(key),
        at: stored.slice(at),
        data: stored.slice(data),
        rpc: stored.slice(whole_rpc),
        storage: stored.into_buf(),
        ..zeroed()
    }
}

/// The name of a code; absent for a number that is none.
pub(crate) fn name(code: mrtr_status) -> mrtr_slice {
    match Code::from_number(code) {
        Some(code) => fixed(code.name()),
        None if code == 0 => fixed("ok"),
        None => ABSENT,
    }
}
