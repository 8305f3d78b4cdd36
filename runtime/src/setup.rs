//! Builds the runtime that the environment describes.
//!
//! In: settings. Out: options with every driver of this build. *Invariant:* the C interface and `sinter-info` get theirs
//! here, so that what the tool prints is what programs use.
#![forbid(unsafe_code)]

use crate::{
    cache::{CacheLocation, DiskCacheOptions},
    runtime::RuntimeOptions,
    system,
    translator::{LibrarySearch, TranslatorSource},
    tunables::{Environment, Tunables},
};
use sinter_driver_host::HostDriver;

/// Where the translator library is looked for.
pub fn library_search(tunables: &Tunables) -> LibrarySearch {
    LibrarySearch { explicit: tunables.translator.clone(), own_object: system::own_object() }
}

/// Where the disk cache may be.
pub fn cache_location(tunables: &Tunables, environment: &Environment) -> CacheLocation {
    CacheLocation::choose(tunables.cache_dir.clone(), environment)
}

/// The options that the settings describe.
pub fn options(tunables: &Tunables, environment: &Environment) -> RuntimeOptions {
    RuntimeOptions {
        drivers: vec![Box::new(HostDriver::new(tunables.threads))],
        translator: TranslatorSource::Library(library_search(tunables)),
        cache: DiskCacheOptions::new(cache_location(tunables, environment), tunables),
        visibility: tunables.visibility.clone(),
        dump: tunables.dump.clone(),
        opt_level: tunables.opt_level,
        progress: tunables.progress,
    }
}
