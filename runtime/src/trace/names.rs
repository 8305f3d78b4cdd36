//! Readable names of kernels, each made once.
#![forbid(unsafe_code)]

use crate::forks::ForkSafe;
use dashmap::DashMap;
use sinter_core::names::readable;
use std::sync::{Arc, LazyLock};

/// By symbol.
static NAMES: LazyLock<ForkSafe<DashMap<String, Arc<str>>>> = LazyLock::new(ForkSafe::default);

/// The readable name of a symbol.
pub(super) fn of(symbol: &str) -> Arc<str> {
    let known = NAMES.with(|names| names.get(symbol).map(|name| Arc::clone(&name)));
    known.unwrap_or_else(|| {
        let name: Arc<str> = readable(symbol).into();
        NAMES.with(|names| names.insert(symbol.to_owned(), Arc::clone(&name)));
        name
    })
}
