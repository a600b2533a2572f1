//! The kinds of handles and their tables.

use super::{
    client::mrtr_client,
    error::mrtr_error,
    exchange::mrtr_exchange,
    flow::mrtr_flow,
    form::mrtr_form,
    handle::{Lanes, Pin, Table},
    legacy::mrtr_legacy,
    queue::mrtr_queue,
    runtime::mrtr_runtime,
    sealer::mrtr_sealer,
    server::mrtr_server,
};
use crate::protocol::Error;

/// A one-field struct of the header that stands for an object.
pub trait Handle: Copy {
    /// What it stands for.
    type Object: Send + Sync + 'static;
    /// Whether many threads use one at once.
    type Lanes: Lanes + 'static;

    /// The word.
    fn id(self) -> u64;
    /// The struct around a word.
    fn from_id(id: u64) -> Self;
    /// All objects of this kind in this copy of the library.
    fn table() -> &'static Table<Self::Object, Self::Lanes>;

    /// Makes a handle for an object.
    fn insert(object: Self::Object) -> Result<Self, Error> {
        Self::table().insert(object).map(Self::from_id)
    }
}

/// A call that is inside the object of a handle.
pub type PinOf<H> = Pin<<H as Handle>::Object, <H as Handle>::Lanes>;

/// Declares that a struct of the header is a handle.
macro_rules! handle {
    ($name:ident, $kind:ident, $object:ty, $lanes:ident) => {
        impl $crate::ffi::abi::sized::Plain for $name {
            const NONE: Self = $name { id: 0 };
        }

        impl $crate::ffi::abi::object::Handle for $name {
            type Object = $object;
            type Lanes = $crate::ffi::abi::handle::$lanes;

            fn id(self) -> u64 {
                self.id
            }
            fn from_id(id: u64) -> Self {
                $name { id }
            }
            fn table() -> &'static $crate::ffi::abi::handle::Table<Self::Object, Self::Lanes> {
                type This =
                    $crate::ffi::abi::handle::Table<$object, $crate::ffi::abi::handle::$lanes>;
                static TABLE: This = This::new($crate::ffi::abi::handle::Kind::$kind);
                &TABLE
            }
        }
    };
}
pub(crate) use handle;

/// Objects of all kinds alive in this copy of the library.
pub fn live() -> u64 {
    let servers =
        mrtr_sealer::table().live() + mrtr_server::table().live() + mrtr_exchange::table().live();
    let clients = mrtr_client::table().live() + mrtr_flow::table().live();
    let runtimes = mrtr_runtime::table().live() + mrtr_queue::table().live();
    let helpers = mrtr_form::table().live() + mrtr_legacy::table().live();
    mrtr_error::table().live() + servers + clients + runtimes + helpers
}
