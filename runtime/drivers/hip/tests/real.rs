//! AMD's own library, if it is installed, on a machine with or without a GPU.
//!
//! In: `libamdhip64` by its names. Out: devices, or a reason. *Invariant:* if it is not installed,
//! the test reports that it was skipped.

use sinter_driver::Driver;
use sinter_driver_hip::HipOptions;
use std::{thread, time::Instant};

/// A driver over the library of this name.
fn driver(name: &str) -> impl Driver {
    sinter_driver_hip::driver(HipOptions { library: Some(name.into()), ..HipOptions::default() })
}

#[test]
fn the_installed_library_answers() {
    let names = ["libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"];
    // SAFETY: the library is AMD's, whose initialisation any program may run. It stays loaded.
    let load = |name: &&str| unsafe { libloading::Library::new(*name) }.map(std::mem::forget).is_ok();
    let installed = names.into_iter().find(load);
    let Some(name) = installed else { return eprintln!("skipped: libamdhip64 is not installed") };
    let begun = Instant::now();
    let first = driver(name);
    let devices = first.devices().expect("no error");
    println!("{name}: {} devices after {:?}", devices.len(), begun.elapsed());
    for device in &devices {
        assert!(device.target().to_string().starts_with("amdgpu:gfx"), "{}", device.target());
    }
    match first.absence() {
        Some(reason) => {
            assert!(
                devices.is_empty() && !reason.contains("cannot be loaded") && !reason.contains("too old"),
                "{reason}"
            );
            println!("{reason}");
        }
        None => assert!(!devices.is_empty()),
    }
    // A second driver, and concurrent ones, find the same devices.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(driver(name).devices().expect("no error").len(), devices.len()));
        }
    });
}
