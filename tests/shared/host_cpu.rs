//! The CPU that tests translate for.
//!
//! In: `SINTER_HOST_CPU`, as programs have it. Out: a target whose code runs here. Besides the
//! values that programs know, `other` means a CPU of another vendor with the features of the one at
//! hand: the same instructions, another cost model.

use sinter_core::{HostTarget, Target};
use sinter_driver::Driver;
use sinter_driver_host::{CpuLevel, HostDriver, HostOptions};
use std::env;

const VARIABLE: &str = "SINTER_HOST_CPU";
/// With gathers and masks, with AVX2, and with neither.
const SEVERAL: [&str; 3] = ["native", "x86-64-v3", "x86-64-v2"];
const OTHERS: [&str; 2] = ["sapphirerapids", "znver4"];

/// The target of this test run.
pub(crate) fn host_target() -> HostTarget {
    target_of(&env::var(VARIABLE).unwrap_or_default())
}

/// The targets of tests that compare several: the one that the run asks for, or else the CPU at
/// hand with all its features, and with fewer.
pub(crate) fn host_targets() -> Vec<HostTarget> {
    match env::var(VARIABLE) {
        Ok(wanted) => vec![target_of(&wanted)],
        Err(_) => SEVERAL.map(target_of).to_vec(),
    }
}

fn target_of(wanted: &str) -> HostTarget {
    let level = CpuLevel::ALL.into_iter().find(|level| level.name() == wanted);
    assert!(level.is_some() || ["", "native", "other"].contains(&wanted), "{VARIABLE}={wanted}");
    let driver = HostDriver::with_options(HostOptions { level, threads: Some(1), ..HostOptions::default() });
    let device = driver.devices().expect("devices").remove(0);
    let Target::Host(target) = device.target().clone() else { panic!("the host driver has {}", device.target()) };
    if wanted != "other" {
        return target;
    }
    let is_this_vendor = |name: &&str| name.starts_with("znver") == (device.info().vendor == "AMD");
    let cpu = OTHERS.into_iter().find(|name| !is_this_vendor(name)).expect("two vendors");
    HostTarget { cpu: cpu.to_owned(), ..target }
}
