//! On which devices the programs run.
//!
//! Usually on those that a program finds. `SINTER_TEST_DEVICES=opencl` is the visibility mask for all of them instead, and
//! `SINTER_TEST_LIBRARY_PATH` says where its libraries are. *Invariant:* no other setting of ours reaches a program, nor the library path by which
//! cargo would give it the runtime of the build folder.

use std::{env, process::Command};

/// Gives a command no setting but these.
pub(crate) fn settle(command: &mut Command) {
    let settings = env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("SINTER_"));
    for name in settings {
        command.env_remove(name);
    }
    command.env_remove("LD_LIBRARY_PATH");
    if let Some(devices) = env::var_os("SINTER_TEST_DEVICES") {
        command.env("SINTER_VISIBILITY_MASK", devices);
    }
    if let Some(path) = env::var_os("SINTER_TEST_LIBRARY_PATH") {
        command.env("LD_LIBRARY_PATH", path);
    }
}

/// Whether the devices take SPIR-V.
pub(crate) fn takes_spirv() -> bool {
    let devices = env::var("SINTER_TEST_DEVICES").unwrap_or_default();
    ["opencl", "level-zero"].iter().any(|driver| devices.starts_with(driver))
}
