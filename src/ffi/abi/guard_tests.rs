//! Panics become errors and poison what they touched (F3).

use super::*;
use crate::{
    ffi::abi::{
        error::{mrtr_error_code, mrtr_error_free},
        object::Handle,
        sealer::{mrtr_sealer, mrtr_sealer_free},
    },
    state::{Sealer, SealerOptions},
};
use std::{panic, ptr, sync::Arc};

fn sealer() -> mrtr_sealer {
    let options = SealerOptions {
        ephemeral: true,
        ..SealerOptions::default()
    };
    mrtr_sealer::insert(Arc::new(Sealer::new(options).expect("a sealer"))).expect("room")
}

/// Runs `body` without the panic being printed.
fn quietly<T>(body: impl FnOnce() -> T) -> T {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = body();
    panic::set_hook(hook);
    result
}

#[test]
fn a_panic_is_an_error_and_poisons_what_it_touched() {
    let (touched, other) = (sealer(), sealer());
    let mut err = mrtr_error { id: 7 };
    // SAFETY: `err` is a place for an error.
    let status = quietly(|| unsafe {
        guard(&mut err, |c| {
            let _other = c.get(other).map(drop);
            let _touched = c.get(touched)?;
            panic!("what the caller gave: secret");
        })
    });
    assert_eq!(status, Code::Panic.number());
    // SAFETY: handles are plain words.
    unsafe {
        assert_eq!(mrtr_error_code(err), Code::Panic.number());
        let shown = guard(ptr::null_mut(), |c| {
            assert!(!c.get(err)?.message().contains("secret"));
            Ok(())
        });
        assert_eq!(shown, MRTR_OK);
        assert_eq!(mrtr_error_free(err), MRTR_OK);
        let later = guard(ptr::null_mut(), |c| c.get(touched).map(drop));
        assert_eq!(later, Code::Poisoned.number());
        assert_eq!(guard(ptr::null_mut(), |c| c.get(other).map(drop)), MRTR_OK);
        assert_eq!(mrtr_sealer_free(touched), MRTR_OK);
        assert_eq!(mrtr_sealer_free(touched), Code::StaleHandle.number());
        assert_eq!(mrtr_sealer_free(other), MRTR_OK);
    }
}

#[test]
fn a_panic_in_a_function_without_status_gives_its_value_for_failure() {
    // SAFETY: no pointer comes in.
    let value = quietly(|| unsafe { guard_value(5, |_| -> Result<i32, Error> { panic!() }) });
    assert_eq!(value, 5);
}

#[test]
fn an_object_used_while_somebody_else_unwinds_is_not_poisoned() {
    struct UsesInDrop(mrtr_sealer);
    impl Drop for UsesInDrop {
        fn drop(&mut self) {
            // SAFETY: no pointer comes in.
            let status = unsafe { guard(ptr::null_mut(), |c| c.get(self.0).map(drop)) };
            assert_eq!(status, MRTR_OK);
        }
    }
    let handle = sealer();
    let caught = quietly(|| {
        panic::catch_unwind(|| {
            let _uses = UsesInDrop(handle);
            panic!("of the host");
        })
    });
    assert!(caught.is_err());
    // SAFETY: no pointer comes in.
    unsafe {
        assert_eq!(guard(ptr::null_mut(), |c| c.get(handle).map(drop)), MRTR_OK);
        assert_eq!(mrtr_sealer_free(handle), MRTR_OK);
    }
}

#[test]
fn a_failure_without_a_place_for_the_error_is_told_by_the_status() {
    // SAFETY: a null error place is passed over.
    let status = unsafe { guard(ptr::null_mut(), |_| Err(bad("no"))) };
    assert_eq!(status, Code::BadArgument.number());
}
