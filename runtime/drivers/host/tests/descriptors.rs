//! A process without descriptors: the error names the system, not the code.
//!
//! In: a limit of no more descriptors. Out: [`DriverError::System`]. *Invariant:* the test is alone in its process,
//! whose limit it changes.

mod common;

use sinter_driver::DriverError;
use std::error::Error;

fn limit_descriptors(most: libc::rlim_t) {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is writable.
    assert_eq!(unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) }, 0);
    limit.rlim_cur = most.min(limit.rlim_max);
    // SAFETY: `limit` is readable.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
}

#[test]
fn without_descriptors_the_system_is_to_blame() {
    let device = common::device(1);
    let code = common::compile("add_one", common::ADD_ONE, 8);
    drop(device.load(&code).expect("load"));
    limit_descriptors(0);
    let result = device.load(&code).map(drop);
    limit_descriptors(1024);
    let Err(error @ DriverError::System { .. }) = result else { panic!("{result:?}") };
    assert!(error.to_string().contains("add_one") && error.source().is_some(), "{error}");
    device.load(&code).expect("load again");
}
