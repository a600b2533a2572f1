//! `mrtr_form`: a form written field by field, for hosts without a JSON library (B4).

use super::{
    buf::mrtr_buf,
    error::{mrtr_error, mrtr_status},
    guard::{guard, guard_value},
    object::{Handle, handle},
    sized::sized,
    slice::mrtr_slice,
};
use crate::{
    ffi::{self, exclusive::Exclusive},
    protocol::FormBuilder,
};
use std::ptr;

/// A text.
pub const MRTR_FIELD_TEXT: u32 = 1;
/// A number.
pub const MRTR_FIELD_NUMBER: u32 = 2;
/// A whole number.
pub const MRTR_FIELD_INTEGER: u32 = 3;
/// `true` or `false`.
pub const MRTR_FIELD_BOOLEAN: u32 = 4;
/// One of `choices`.
pub const MRTR_FIELD_SELECT: u32 = 5;
/// Several of `choices`.
pub const MRTR_FIELD_MULTI_SELECT: u32 = 6;

/// Handle of a form that is being written. `{0}` is none.
///
/// Any thread may use it; calls take turns.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct mrtr_form {
    /// The library's own word; 0 = none.
    pub id: u64,
}

handle!(mrtr_form, Form, Exclusive<FormBuilder>, Single);

/// A value to choose. Frozen: this struct never grows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_choice {
    /// What the answer holds.
    pub value: mrtr_slice,
    /// What the user sees; `ptr` NULL = the value.
    pub title: mrtr_slice,
}

/// A field of a form: set `name` and `kind`, and of the rest what goes with the kind.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct mrtr_field {
    /// Size of this struct as the caller knows it.
    pub struct_size: u32,
    /// `MRTR_ABI`.
    pub abi: u32,
    /// Name of the field in the answer.
    pub name: mrtr_slice,
    /// `MRTR_FIELD_*`.
    pub kind: u32,
    /// 1 = an answer must have it. Default 0.
    pub required: u32,
    /// What the user sees in place of the name; `ptr` NULL = none.
    pub title: mrtr_slice,
    /// What the user sees beside it; `ptr` NULL = none.
    pub description: mrtr_slice,
    /// Of a text: `email`, `uri`, `date` or `date-time`; `ptr` NULL = any.
    pub format: mrtr_slice,
    /// Least length of a text in code points, or least number of selections. Default 0.
    pub min_count: u64,
    /// Greatest one. Default `MRTR_NO_LIMIT`.
    pub max_count: u64,
    /// Least number, as text such as `0.5`; `ptr` NULL = none.
    pub minimum: mrtr_slice,
    /// Greatest number; `ptr` NULL = none.
    pub maximum: mrtr_slice,
    /// Values to choose.
    pub choices: *const mrtr_choice,
    /// Number of values.
    pub choice_count: usize,
    /// What stands in for an absent value: one text, number, `true` or `false`; any number of texts for a multi-select. NULL = none.
    pub defaults: *const mrtr_slice,
    /// Number of default values.
    pub default_count: usize,
}

sized!(mrtr_field, default_count: usize, abi = true, ffi::form::defaults());

/// Writes the defaults: nothing set, no bounds. Never writes beyond `size` bytes.
///
/// Threads: any, one at a time for the same struct.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_field_init(field: *mut mrtr_field, size: u32, abi: u32) {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard_value((), |c| c.init(field, size, abi)) }
}

/// Begins a form. Without any field it asks only to confirm.
///
/// Ownership: free it with `mrtr_form_free`.
/// Threads: any.
/// Errors: `MRTR_NULL_ARGUMENT`, `MRTR_TOO_MANY`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_form_new(out: *mut mrtr_form, err: *mut mrtr_error) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let out = c.out(out).needed("out")?;
            out.set(mrtr_form::insert(Exclusive::new(FormBuilder::default()))?);
            Ok(())
        })
    }
}

/// Adds a field; fields are shown in the order in which they were added. A field that is refused leaves the form as it was.
///
/// Ownership: copied.
/// Threads: any; calls take turns.
/// Errors: `MRTR_BAD_SCHEMA` with the JSON pointer to the spot (`/requestedSchema/properties/age/minimum`), `MRTR_BAD_ARGUMENT`,
/// `MRTR_NOT_UTF8`, `MRTR_BAD_STRUCT_SIZE`, `MRTR_ABI_MISMATCH`, `MRTR_POISONED`. Fields that ask for secrets are refused when the
/// form is asked.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_form_add(
    form: mrtr_form,
    field: *const mrtr_field,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let form = c.get(form)?;
            let field = c.sized(field, "field")?;
            ffi::form::add(c, &mut form.enter(), &field)
        })
    }
}

/// The form as the JSON text that `mrtr_exchange_ask_form` takes. More fields may be added afterwards.
///
/// Ownership: `schema` is the caller's, to be freed with `mrtr_buf_free`.
/// Threads: any; calls take turns.
/// Errors: `MRTR_POISONED`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_form_schema(
    form: mrtr_form,
    schema: *mut mrtr_buf,
    err: *mut mrtr_error,
) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe {
        guard(err, |c| {
            let schema = c.out(schema);
            let form = c.get(form)?;
            let schema = schema.needed("schema")?;
            let text = form.enter().schema();
            schema.set(mrtr_buf::from_vec(text.into_bytes()));
            Ok(())
        })
    }
}

/// Gives a form back. `{0}` is fine.
///
/// Threads: any; a call under way ends undisturbed.
/// Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
/// Since: 0.1
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mrtr_form_free(form: mrtr_form) -> mrtr_status {
    // SAFETY: the caller keeps the contract of the header, which is that of `guard`.
    unsafe { guard(ptr::null_mut(), |c| c.free(form)) }
}
