//! Builds the runtime that the environment describes.
//!
//! In: settings. Out: options with every driver of this build. *Invariant:* the C interface and
//! `sinter-info` get theirs here, so that what the tool prints is what programs use.
#![forbid(unsafe_code)]

use crate::{
    cache::{CacheLocation, DiskCacheOptions},
    code::{
        tiers::AheadOptions,
        translator::{LibrarySearch, TranslatorSource},
        variant::CodeOptions,
    },
    drivers::{DRIVERS, Registration, Settings},
    launch::TuningOptions,
    runtime::RuntimeOptions,
    settings::{Environment, Tunables},
    system,
    vendor::{FamilyOptions, LibraryOptions},
};
use sinter_driver::Driver;

/// Where the translator library is looked for.
pub fn library_search(tunables: &Tunables) -> LibrarySearch {
    let is_static_program = system::is_static_program();
    LibrarySearch { explicit: tunables.translator.clone(), own_object: system::own_object(), is_static_program }
}

/// Where the disk cache may be.
pub fn cache_location(tunables: &Tunables, environment: &Environment) -> CacheLocation {
    CacheLocation::choose(tunables.cache_dir.clone(), environment)
}

/// The drivers, in the order in which their devices are numbered: a program runs on a GPU where
/// there is one. None looks for anything before it is asked for its devices.
pub fn drivers(tunables: &Tunables, environment: &Environment) -> Vec<Box<dyn Driver>> {
    let is_named = |driver: &&Registration| tunables.visibility.as_ref().is_some_and(|mask| mask.names(driver.name));
    let settings = Settings {
        threads: tunables.threads,
        pinned_threads: tunables.pinned_threads,
        host_level: tunables.host_level,
        perf_map: tunables.perf_map,
        jit_level: tunables.jit_level,
        vulkan_validation: tunables.vulkan_validation,
        rocm: environment.rocm.iter().cloned().collect(),
        named: DRIVERS.iter().filter(is_named).map(|driver| driver.name).collect(),
        variables: environment.of_drivers.clone(),
    };
    DRIVERS.iter().map(|driver| (driver.make)(&settings)).collect()
}

/// How kernels are compiled.
pub fn code_options(tunables: &Tunables) -> CodeOptions {
    CodeOptions {
        opt_level: tunables.opt_level,
        rows: tunables.rows,
        default_sub_group_size: tunables.default_sub_group_size,
        float_mode: tunables.float_mode,
        approximations: tunables.approximations,
        line_tables: tunables.line_tables,
        separate_allocations: tunables.separate_allocations,
    }
}

/// Where the vendors' device functions are looked for.
pub fn library_options(tunables: &Tunables, environment: &Environment) -> LibraryOptions {
    let of = |index: usize| {
        let (choice, named) = (tunables.libraries[index].clone(), environment.libraries[index].clone());
        FamilyOptions { choice, named }
    };
    LibraryOptions { families: std::array::from_fn(of) }
}

/// CPUs from which on kernels are guessed: with fewer, a wrong guess takes a CPU from the program.
const CPUS_FOR_GUESSES: usize = 4;

/// Kernels to prepare: none where the program would wait for its only CPU.
fn kernels_ahead(tunables: &Tunables) -> AheadOptions {
    let cpus = system::cpus();
    AheadOptions { most: if cpus > 1 { tunables.jit_ahead } else { 0 }, guesses: cpus >= CPUS_FOR_GUESSES }
}

/// The options that the settings describe.
pub fn options(tunables: &Tunables, environment: &Environment) -> RuntimeOptions {
    RuntimeOptions {
        drivers: drivers(tunables, environment),
        translator: TranslatorSource::Library(library_search(tunables)),
        cache: DiskCacheOptions::new(cache_location(tunables, environment), tunables),
        visibility: tunables.visibility.clone(),
        dump: tunables.dump.clone(),
        code: code_options(tunables),
        jit_mode: tunables.jit_mode,
        ahead: kernels_ahead(tunables),
        specials: tunables.jit_specialize,
        tuning: TuningOptions { compares: tunables.autotune, file: tunables.wisdom.clone() },
        libraries: library_options(tunables, environment),
        progress: tunables.progress,
        shared_buffers: tunables.shared_buffers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        settings::{TABLE, visibility::MASK},
        vendor::{Choice, FamilyIndex},
    };

    #[test]
    fn gpus_come_before_the_host() {
        let drivers = drivers(&Tunables::default(), &Environment::default());
        let names: Vec<_> = drivers.iter().map(|driver| driver.name()).collect();
        assert_eq!(
            names,
            ["cuda", "hip", "level-zero", "opencl", "vulkan", "host"],
            "devices are numbered in this order"
        );
    }

    #[test]
    fn the_page_of_settings_names_every_driver() {
        let row = TABLE.iter().find(|row| row.name == MASK).expect("the mask's row");
        for driver in DRIVERS {
            assert!(row.doc.contains(driver.name), "{}", driver.name);
        }
    }

    #[test]
    fn libraries_are_those_of_the_settings_then_of_the_environment() {
        let (mut tunables, mut environment) = (Tunables::default(), Environment::default());
        tunables.libraries[FamilyIndex::Libdevice as usize] = Choice::Substitute;
        environment.libraries[FamilyIndex::Rocm as usize] = vec!["/opt/rocm-6/amdgcn/bitcode".into()];
        let [libdevice, rocm] = library_options(&tunables, &environment).families;
        assert_eq!((libdevice.choice, libdevice.named), (Choice::Substitute, Vec::new()));
        assert_eq!((rocm.choice, rocm.named.len()), (Choice::Search, 1));
    }
}
