//! Functions of a host as the sealer's guard, crypto and observer, and as the server's observer.

use super::{
    buf::mrtr_buf,
    sealer_callbacks::{MRTR_CLAIM_FIRST, MRTR_CLAIM_USED, mrtr_sealer_callbacks},
    server_callbacks::{mrtr_issued, mrtr_server_callbacks},
    sized::Plain,
    slice::mrtr_slice,
};
use crate::{
    protocol::{Code, Error},
    server::{self, Issued},
    state::{Crypto, Guard, Observer},
};
use core::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// A struct of functions of a host.
///
/// # Safety
/// The host promises that they may be called, with their `user_data`, by whichever thread uses or frees the object
/// that they were given to, several at once.
pub unsafe trait Table {
    /// Its `user_data`, and what is called when nobody uses that any more.
    fn end(&self) -> (*mut c_void, Option<unsafe extern "C" fn(*mut c_void)>);
}

// SAFETY: the header says so of these functions.
unsafe impl Table for mrtr_sealer_callbacks {
    fn end(&self) -> (*mut c_void, Option<unsafe extern "C" fn(*mut c_void)>) {
        (self.user_data, self.destroy)
    }
}

// SAFETY: the header says so of these functions.
unsafe impl Table for mrtr_server_callbacks {
    fn end(&self) -> (*mut c_void, Option<unsafe extern "C" fn(*mut c_void)>) {
        (self.user_data, self.destroy)
    }
}

/// A host's functions; `destroy` is called when the last owner lets go of them, once they are `kept`.
pub struct Hooks<T: Table> {
    table: T,
    kept: AtomicBool,
}

/// Those of a sealer.
pub type SealerHooks = Hooks<mrtr_sealer_callbacks>;
/// Those of a server.
pub type ServerHooks = Hooks<mrtr_server_callbacks>;

// SAFETY: by the contract of `Table`.
unsafe impl<T: Table> Send for Hooks<T> {}
// SAFETY: by the contract of `Table`.
unsafe impl<T: Table> Sync for Hooks<T> {}

type Change = unsafe extern "C" fn(*mut c_void, mrtr_slice, *mut mrtr_buf);

impl<T: Table> Hooks<T> {
    pub(crate) fn new(table: T) -> Hooks<T> {
        Hooks {
            table,
            kept: AtomicBool::new(false),
        }
    }

    /// From now on `user_data` is the library's.
    pub(crate) fn keep(&self) {
        self.kept.store(true, SeqCst);
    }

    pub(crate) fn table(&self) -> &T {
        &self.table
    }
}

impl SealerHooks {
    /// What a function of the host makes of bytes; `None` if it made nothing.
    fn change(&self, function: Option<Change>, bytes: &[u8]) -> Option<Vec<u8>> {
        let function = function?;
        let slice = mrtr_slice::of(bytes);
        let mut out = mrtr_buf::NONE;
        // SAFETY: the host gave this function for such calls; bytes and buffer live until it returns.
        unsafe { function(self.table.user_data, slice, &mut out) };
        // SAFETY: the buffer is still empty, or the host filled it by `mrtr_buf_copy`, and it is given back nowhere else.
        unsafe { out.into_vec() }
    }
}

impl Guard for SealerHooks {
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

impl Crypto for SealerHooks {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, Error> {
        self.change(self.table.seal, plain)
            .ok_or_else(|| Error::new(Code::CryptoFailed, "the crypto of the host sealed nothing"))
    }

    fn unseal(&self, sealed: &[u8]) -> Result<Vec<u8>, Error> {
        self.change(self.table.unseal, sealed)
            .ok_or_else(|| Error::new(Code::Tampered, "the crypto of the host opened nothing"))
    }
}

impl Observer for SealerHooks {
    fn refused(&self, reason: Code) {
        if let Some(refused) = self.table.refused {
            // SAFETY: the host gave this function for such calls.
            unsafe { refused(self.table.user_data, reason.number()) };
        }
    }
}

impl server::Observer for ServerHooks {
    fn issued(&self, issued: &Issued) {
        let Some(function) = self.table.issued else {
            return;
        };
        let keys: Vec<mrtr_slice> = issued
            .keys
            .iter()
            .map(|key| mrtr_slice::of(key.as_bytes()))
            .collect();
        let shown = mrtr_issued {
            struct_size: size_of::<mrtr_issued>() as u32,
            round: issued.round,
            flow_id: issued.flow_id,
            expires_ms: issued.expires_ms,
            method: mrtr_slice::of(issued.method.as_bytes()),
            keys: keys.as_ptr(),
            key_count: keys.len(),
        };
        // SAFETY: the host gave this function for such calls; the struct and what it points to live until it returns.
        unsafe { function(self.table.user_data, &shown) };
    }
}

impl<T: Table> Drop for Hooks<T> {
    fn drop(&mut self) {
        if let ((user_data, Some(destroy)), true) = (self.table.end(), self.kept.load(SeqCst)) {
            // SAFETY: the host gave this function for the end of `user_data`, and nobody uses it any more.
            unsafe { destroy(user_data) };
        }
    }
}
