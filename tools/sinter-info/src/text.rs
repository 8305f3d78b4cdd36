//! Formats facts as text.
//!
//! *Invariant:* each fact has its own line, so that the output can be searched.

use crate::facts::{Cache, Device, Driver, Facts, Library, SettingFact, Translator};
use sinter::Support;
use std::fmt::Write;

/// A size in the largest unit with a value of at least 1.
pub(crate) fn size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = units.iter().find(|(_, shift)| bytes >> shift > 0);
    unit.map_or_else(
        || format!("{bytes} B"),
        |(name, shift)| format!("{:.1} {name}", bytes as f64 / f64::from(1u32 << shift)),
    )
}

fn device(device: &Device) -> String {
    let Device { index, selector, name, vendor, driver, driver_version, target, compute_units, .. } = device;
    let memory = size(device.global_memory);
    let local = size(device.local_memory);
    let ptx = device.ptx.as_ref().map(|version| format!(" (PTX {version})")).unwrap_or_default();
    let clock = if device.clock_mhz == 0 { String::new() } else { format!(" at {} MHz", device.clock_mhz) };
    let sub_groups = device.sub_group_sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    format!(
        "device {index}: {name} ({vendor})\n  SINTER_VISIBILITY_MASK={selector} selects it\n  \
         driver {driver} {driver_version}, target {target}{ptx}\n  \
         {compute_units} compute units{clock}, {memory} memory\n  \
         {local} local memory, work-groups up to {}, sub-groups of {sub_groups}\n{}",
        device.max_work_group_size,
        features(device)
    )
}

/// A line for the features of kernels that are there in the same way.
fn features(device: &Device) -> String {
    let line = |(title, wanted): (&str, Support)| {
        let features = device.features.iter().filter(|(_, support)| **support == wanted);
        let names: Vec<&str> = features.map(|(name, _)| *name).collect();
        if names.is_empty() { String::new() } else { format!("  {title}: {}\n", names.join(", ")) }
    };
    let kinds =
        [("native", Support::Native), ("computed", Support::Computed), ("missing in kernels", Support::Missing)];
    kinds.into_iter().map(line).collect()
}

fn driver(driver: &Driver) -> String {
    let reason = driver.absence.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("driver {}: {} devices{reason}\n", driver.name, driver.devices)
}

fn translator(translator: &Translator) -> String {
    let Translator { path, fingerprint, problem } = translator;
    let path = path.as_ref().map_or("not found".to_owned(), |path| path.display().to_string());
    let mut text = format!("translator: {path}\n");
    for line in fingerprint.iter().chain(problem) {
        text += &format!("  {line}\n");
    }
    text
}

fn library(library: &Library) -> String {
    let Library { title, paths, problem } = library;
    let paths = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
    let paths = if paths.is_empty() { "the translator's own" } else { &paths };
    let problem = problem.iter().map(|problem| format!("  {problem}\n")).collect::<String>();
    format!("{title}: {paths}\n{problem}")
}

fn cache(cache: &Cache) -> String {
    let folder = cache.folder.as_ref().map_or("in memory only".to_owned(), |path| path.display().to_string());
    let mut text = format!("cache: {folder} (from {})\n", cache.chosen_by);
    for problem in &cache.problems {
        text += &format!("  {problem}\n");
    }
    text
}

/// Devices and paths.
pub(crate) fn overview(facts: &Facts) -> String {
    let mut text = format!("sinter {}\n", facts.version);
    text.extend(facts.devices.iter().map(device));
    if facts.devices.is_empty() {
        text += "no visible devices\n";
    }
    text.extend(facts.drivers.iter().map(driver));
    text += &translator(&facts.translator);
    text.extend(facts.libraries.iter().map(library));
    text + &cache(&facts.cache)
}

/// Every setting with its origin.
pub(crate) fn settings(settings: &[SettingFact]) -> String {
    let mut text = String::new();
    for SettingFact { name, value, origin, kind, doc, .. } in settings {
        let value = if value.is_empty() { "(unset)" } else { value };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} = {value}  [{origin}]\n  {kind}\n  {doc}");
    }
    text
}
