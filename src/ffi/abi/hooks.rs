//! Functions of a host as the sealer's guard, crypto and observer.

use super::{
    buf::mrtr_buf,
    sealer_callbacks::{MRTR_CLAIM_FIRST, MRTR_CLAIM_USED, mrtr_sealer_callbacks},
    sized::Plain,
    slice::mrtr_slice,
};
use crate::{
    protocol::{Code, Error},
    state::{Crypto, Guard, Observer},
};
use core::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// A host's functions; `destroy` is called when the last owner lets go of them, once they are `kept`.
pub struct Hooks {
    table: mrtr_sealer_callbacks,
    kept: AtomicBool,
}

// SAFETY: the host promises that its functions may be called, with its `user_data`, by whichever thread seals, opens or frees.
unsafe impl Send for Hooks {}
// SAFETY: as above, by several threads at once.
unsafe impl Sync for Hooks {}

type Change = unsafe extern "C" fn(*mut c_void, mrtr_slice, *mut mrtr_buf);

impl Hooks {
    pub(crate) fn new(table: mrtr_sealer_callbacks) -> Hooks {
        Hooks {
            table,
            kept: AtomicBool::new(false),
        }
    }

    /// From now on `user_data` is the library's.
    pub(crate) fn keep(&self) {
        self.kept.store(true, SeqCst);
    }

    pub(crate) fn table(&self) -> &mrtr_sealer_callbacks {
        &self.table
    }

    /// What a function of the host makes of bytes; `None` if it made nothing.
    fn change(&self, function: Option<Change>, bytes: &[u8]) -> Option<Vec<u8>> {
        let function = function?;
        let slice = mrtr_slice {
            ptr: bytes.as_ptr(),
            len: bytes.len(),
        };
        let mut out = mrtr_buf::NONE;
        // SAFETY: the host gave this function for such calls; bytes and buffer live until it returns.
        unsafe { function(self.table.user_data, slice, &mut out) };
        // SAFETY: the buffer is still empty, or the host filled it by `mrtr_buf_copy`, and it is given back nowhere else.
        unsafe { out.into_vec() }
    }
}

impl Guard for Hooks {
    fn claim(&self, token_id: &[u8; 16], until_ms: u64, now_ms: u64) -> Result<bool, Error> {
        let mut claimed = 0;
        if let Some(claim) = self.table.claim {
            // SAFETY: the host gave this function for such calls; both pointers are good until it returns.
            unsafe {
                claim(
                    self.table.user_data,
                    token_id.as_ptr(),
                    until_ms,
                    now_ms,
                    &mut claimed,
                );
            }
        }
        match claimed {
            MRTR_CLAIM_FIRST => Ok(true),
            MRTR_CLAIM_USED => Ok(false),
            _ => Err(Error::new(
                Code::GuardFailed,
                "the single-use guard of the host did not answer",
            )),
        }
    }
}

impl Crypto for Hooks {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, Error> {
        self.change(self.table.seal, plain)
            .ok_or_else(|| Error::new(Code::CryptoFailed, "the crypto of the host sealed nothing"))
    }

    fn unseal(&self, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        self.change(self.table.unseal, sealed)
            .ok_or_else(|| Error::new(Code::Tampered, "the crypto of the host opened nothing"))
    }
}

impl Observer for Hooks {
    fn refused(&self, reason: Code) {
        if let Some(refused) = self.table.refused {
            // SAFETY: the host gave this function for such calls.
            unsafe { refused(self.table.user_data, reason.number()) };
        }
    }
}

impl Drop for Hooks {
    fn drop(&mut self) {
        if let (Some(destroy), true) = (self.table.destroy, self.kept.load(SeqCst)) {
            // SAFETY: the host gave this function for the end of `user_data`, and nobody uses it any more.
            unsafe { destroy(self.table.user_data) };
        }
    }
}
