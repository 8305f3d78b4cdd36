//! Loads code in a process that is short of a resource.
//!
//! In: limits of descriptors and of the address space. Out: code that still loads, or
//! [`DriverError::System`], which says nothing about the code. *Invariant:* the test is alone in
//! its process, whose limits it changes.

mod common;

use sinter_driver::{Device, DriverError, Kernel};
use std::{error::Error, fs, sync::Arc};

/// Sets a limit and returns the previous one.
fn limit(what: libc::__rlimit_resource_t, most: libc::rlim_t) -> libc::rlim_t {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is writable.
    assert_eq!(unsafe { libc::getrlimit(what, &raw mut limit) }, 0);
    let before = limit.rlim_cur;
    limit.rlim_cur = most.min(limit.rlim_max);
    // SAFETY: `limit` is readable.
    assert_eq!(unsafe { libc::setrlimit(what, &raw const limit) }, 0);
    before
}

/// Address space of the process in bytes.
fn address_space() -> u64 {
    let pages = fs::read_to_string("/proc/self/statm").expect("statm");
    pages.split(' ').next().and_then(|pages| pages.parse::<u64>().ok()).expect("pages") * 4096
}

/// Loads until memory is exhausted.
fn exhaust(device: &Arc<dyn Device>, code: &sinter_core::CodeObject) -> (Vec<Arc<dyn Kernel>>, DriverError) {
    let mut kernels = Vec::new();
    loop {
        match device.load(code) {
            Ok(kernel) => kernels.push(kernel),
            Err(error) => return (kernels, error),
        }
    }
}

#[test]
fn a_shortage_is_not_the_codes_fault() {
    let device = common::device(1);
    let code = common::compile("add_one", common::ADD_ONE, 8);
    let before = limit(libc::RLIMIT_NOFILE, 0);
    let kernel = device.load(&code);
    limit(libc::RLIMIT_NOFILE, before);
    drop(kernel.expect("loading needs no descriptor"));

    let before = limit(libc::RLIMIT_AS, address_space() + (1 << 20));
    let (kernels, error) = exhaust(&device, &code);
    limit(libc::RLIMIT_AS, before);
    assert!(matches!(error, DriverError::System { .. }), "{error:?}");
    assert!(error.to_string().contains("add_one") && error.source().is_some(), "{error}");
    assert!(!kernels.is_empty());
    device.load(&code).expect("load again");
}
