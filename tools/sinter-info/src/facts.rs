//! Collects the facts to show.
//!
//! In: the environment. Out: plain values. *Invariant:* a missing value comes with the reason.

use serde::Serialize;
use sinter::{
    KernelFeature, Registry, Runtime, Support, Target,
    cache::directory,
    code::translator,
    devices::{DeviceEntry, Devices, DriverEntry},
    settings::{self, CacheMode, Environment, Setting, Tunables},
    setup,
    vendor::{Family, Found},
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// A device, as reported by its driver.
#[derive(Debug, Serialize)]
pub(crate) struct Device {
    pub(crate) index: u32,
    /// The entry for `SINTER_VISIBILITY_MASK` that selects only this device.
    pub(crate) selector: String,
    pub(crate) name: String,
    pub(crate) vendor: String,
    pub(crate) driver: &'static str,
    pub(crate) driver_version: String,
    pub(crate) target: String,
    /// PTX version that the device's driver gets. `None` for devices that do not take PTX.
    pub(crate) ptx: Option<String>,
    pub(crate) compute_units: u32,
    pub(crate) clock_mhz: u32,
    pub(crate) global_memory: u64,
    pub(crate) local_memory: u64,
    pub(crate) max_work_group_size: u64,
    pub(crate) sub_group_sizes: Vec<u64>,
    /// Optional features of kernels, by name.
    pub(crate) features: BTreeMap<&'static str, Support>,
}

/// A vendor library of device functions for GPUs.
#[derive(Debug, Serialize)]
pub(crate) struct Library {
    pub(crate) title: &'static str,
    /// Empty if the translator's own functions are used.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) problem: Option<String>,
}

/// A driver and its devices, or the reason for their absence.
#[derive(Debug, Serialize)]
pub(crate) struct Driver {
    pub(crate) name: &'static str,
    pub(crate) devices: usize,
    pub(crate) absence: Option<String>,
}

/// The translator library, if it loads.
#[derive(Debug, Serialize)]
pub(crate) struct Translator {
    pub(crate) path: Option<PathBuf>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) problem: Option<String>,
}

/// Folder, limits and state of the disk cache.
#[derive(Debug, Serialize)]
pub(crate) struct Cache {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) chosen_by: &'static str,
    pub(crate) problems: Vec<String>,
}

/// A setting with its value and origin.
#[derive(Debug, Serialize)]
pub(crate) struct SettingFact {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    pub(crate) origin: String,
    pub(crate) kind: &'static str,
    pub(crate) changes_code: bool,
    pub(crate) doc: &'static str,
}

/// All facts, for text and JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Facts {
    pub(crate) version: &'static str,
    pub(crate) devices: Vec<Device>,
    pub(crate) drivers: Vec<Driver>,
    pub(crate) translator: Translator,
    pub(crate) libraries: Vec<Library>,
    pub(crate) cache: Cache,
    pub(crate) settings: Vec<SettingFact>,
    pub(crate) warnings: Vec<String>,
}

fn libraries(tunables: &Tunables, environment: &Environment) -> Vec<Library> {
    let library = |(family, found): (&'static Family, Found)| Library {
        title: family.title,
        paths: found.libraries.into_iter().map(|library| library.path).collect(),
        problem: found.problem.map(|problem| problem.to_string()),
    };
    setup::library_options(tunables, environment).find().map(library).collect()
}

fn features(target: &Target) -> BTreeMap<&'static str, Support> {
    KernelFeature::all().map(|feature| (feature.name(), target.support(feature))).collect()
}

fn device(found: &Devices, entry: &DeviceEntry) -> Device {
    let info = entry.device.info();
    Device {
        index: entry.index,
        selector: found.selector(entry),
        name: info.name.clone(),
        vendor: info.vendor.clone(),
        driver: info.driver,
        driver_version: info.driver_version.clone(),
        target: entry.device.target().to_string(),
        ptx: entry.device.target().ptx_version(),
        compute_units: info.compute_units,
        clock_mhz: info.clock_mhz,
        global_memory: info.global_memory,
        local_memory: info.local_memory,
        max_work_group_size: info.max_work_group_size,
        sub_group_sizes: info.sub_group_sizes.clone(),
        features: features(entry.device.target()),
    }
}

fn driver(entry: &DriverEntry) -> Driver {
    Driver { name: entry.name, devices: entry.devices.len(), absence: entry.absence.clone() }
}

fn translator(tunables: &Tunables) -> Translator {
    let found = setup::library_search(tunables).find();
    let path = match found {
        Ok(path) => path,
        Err(error) => return Translator { path: None, fingerprint: None, problem: Some(error.to_string()) },
    };
    let (fingerprint, problem) = match translator::read_fingerprint(&path) {
        Ok(fingerprint) => (Some(fingerprint.to_string()), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Translator { path: Some(path), fingerprint, problem }
}

fn cache(tunables: &Tunables, environment: &Environment) -> Cache {
    let location = setup::cache_location(tunables, environment);
    if tunables.cache == CacheMode::Off {
        return Cache { folder: None, chosen_by: "SINTER_CACHE", problems: vec!["switched off".to_owned()] };
    }
    let (folder, problems) = directory::open(&location, tunables.cache);
    let folder = folder.map(|folder| folder.path().to_owned());
    let exposure = folder.as_deref().and_then(directory::exposure).map(|exposure| exposure.to_string());
    let problems = problems.iter().map(ToString::to_string).chain(exposure).collect();
    Cache { folder, chosen_by: location.reason, problems }
}

fn setting(setting: &Setting) -> SettingFact {
    SettingFact {
        name: setting.row.name,
        value: setting.value.clone(),
        origin: setting.origin.to_string(),
        kind: setting.row.kind,
        changes_code: setting.row.changes_code,
        doc: setting.row.doc,
    }
}

/// Queries the runtime for all facts.
pub(crate) fn gather() -> Facts {
    let environment = Environment::current();
    let loaded = settings::read(&environment);
    let runtime = Runtime::new(setup::options(&loaded.tunables, &environment), Arc::new(Registry::new()));
    let found = runtime.devices();
    Facts {
        version: env!("CARGO_PKG_VERSION"),
        devices: found.visible.iter().map(|entry| device(found, entry)).collect(),
        drivers: found.drivers.iter().map(driver).collect(),
        translator: translator(&loaded.tunables),
        libraries: libraries(&loaded.tunables, &environment),
        cache: cache(&loaded.tunables, &environment),
        settings: loaded.settings.iter().map(setting).collect(),
        warnings: loaded.warnings.iter().map(ToString::to_string).chain(found.warnings.iter().cloned()).collect(),
    }
}
