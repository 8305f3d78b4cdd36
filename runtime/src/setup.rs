//! Builds the runtime that the environment describes.
//!
//! In: settings. Out: options with every driver of this build. *Invariant:* the C interface and `sinter-info` get theirs
//! here, so that what the tool prints is what programs use.
#![forbid(unsafe_code)]

use crate::{
    adapt::CodeOptions,
    cache::{CacheLocation, DiskCacheOptions},
    libraries::{FamilyOptions, LibraryOptions},
    runtime::RuntimeOptions,
    system,
    translator::{LibrarySearch, TranslatorSource},
    tunables::{Environment, Tunables},
};
use sinter_core::names::readable;
use sinter_driver::Driver;
use sinter_driver_cuda::CudaOptions;
use sinter_driver_hip::HipOptions;
use sinter_driver_host::{HostDriver, HostOptions, Loader, ObjectLoader, PerfMap};
use sinter_driver_level_zero::LevelZeroOptions;
use sinter_driver_opencl::OpenClOptions;

/// Where the translator library is looked for.
pub fn library_search(tunables: &Tunables) -> LibrarySearch {
    let is_static_program = system::is_static_program();
    LibrarySearch { explicit: tunables.translator.clone(), own_object: system::own_object(), is_static_program }
}

/// Where the disk cache may be.
pub fn cache_location(tunables: &Tunables, environment: &Environment) -> CacheLocation {
    CacheLocation::choose(tunables.cache_dir.clone(), environment)
}

/// The drivers, in the order in which their devices are numbered: a program runs on a GPU where there is one. None looks for
/// anything before it is asked for its devices.
pub fn drivers(tunables: &Tunables, environment: &Environment) -> Vec<Box<dyn Driver>> {
    let cuda = CudaOptions {
        jit_level: tunables.jit_level,
        visible_devices: environment.visible_gpus.clone(),
        ..CudaOptions::default()
    };
    let hip = HipOptions {
        installations: environment.rocm.iter().cloned().collect(),
        visible_devices: environment.visible_amd_gpus.clone(),
        ..HipOptions::default()
    };
    let level_zero =
        LevelZeroOptions { affinity_mask: environment.level_zero_mask.clone(), ..LevelZeroOptions::default() };
    // The CPU is the host driver's, unless somebody wants to see it through OpenCL.
    let opencl = OpenClOptions {
        cpus: tunables.visibility.as_ref().is_some_and(|mask| mask.names("opencl")),
        vendors: environment.opencl_vendors.clone(),
        ..OpenClOptions::default()
    };
    let host = HostOptions { threads: tunables.threads, level: tunables.host_level, loader: loader(tunables) };
    vec![
        Box::new(sinter_driver_cuda::driver(cuda)),
        Box::new(sinter_driver_hip::driver(hip)),
        Box::new(sinter_driver_level_zero::driver(level_zero)),
        Box::new(sinter_driver_opencl::driver(opencl)),
        Box::new(HostDriver::with_options(host)),
    ]
}

/// What publishes code for the host CPU.
fn loader(tunables: &Tunables) -> Box<dyn Loader> {
    Box::new(match tunables.perf_map {
        true => ObjectLoader::with_perf_map(PerfMap::new(readable)),
        false => ObjectLoader::default(),
    })
}

/// How kernels are compiled.
pub fn code_options(tunables: &Tunables) -> CodeOptions {
    CodeOptions {
        opt_level: tunables.opt_level,
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

/// The options that the settings describe.
pub fn options(tunables: &Tunables, environment: &Environment) -> RuntimeOptions {
    RuntimeOptions {
        drivers: drivers(tunables, environment),
        translator: TranslatorSource::Library(library_search(tunables)),
        cache: DiskCacheOptions::new(cache_location(tunables, environment), tunables),
        visibility: tunables.visibility.clone(),
        dump: tunables.dump.clone(),
        code: code_options(tunables),
        libraries: library_options(tunables, environment),
        progress: tunables.progress,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libraries::{Choice, FamilyIndex};

    #[test]
    fn gpus_come_before_the_host() {
        let drivers = drivers(&Tunables::default(), &Environment::default());
        assert_eq!(
            drivers.iter().map(|driver| driver.name()).collect::<Vec<_>>(),
            ["cuda", "hip", "level-zero", "opencl", "host"]
        );
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
