//! Selects the devices on which programs run.
//!
//! By default all that a program finds. `SINTER_TEST_DEVICES=opencl` sets the visibility mask
//! instead, and `SINTER_TEST_LIBRARY_PATH` sets the library path. `SINTER_HOST_CPU`,
//! `SINTER_OPT_LEVEL` and `SINTER_JIT_SPECIALIZE` are passed on, and so is `SINTER_JIT_MODE`;
//! without it programs run full code from the first launch.
//! With `VULKAN_TEST_VALIDATION` Vulkan's validation layer watches, whose messages are failures.
//! *Invariant:* a program gets no other Sinter setting, and not the library path of cargo, which
//! would select the runtime of the build folder.

use std::{env, process::Command};

/// The code that first launches on the host run.
const JIT_MODE: &str = "SINTER_JIT_MODE";
/// Further settings of code: the host's CPU, the optimisation, and variants for values that
/// launches repeat.
const CODE: [&str; 3] = ["SINTER_HOST_CPU", "SINTER_OPT_LEVEL", "SINTER_JIT_SPECIALIZE"];

/// Sets only these settings for a command.
pub fn settle(command: &mut Command) {
    let settings = env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("SINTER_"));
    for name in settings.filter(|name| CODE.iter().all(|code| name != code)) {
        command.env_remove(name);
    }
    command.env(JIT_MODE, env::var_os(JIT_MODE).unwrap_or_else(|| "sync".into()));
    command.env_remove("LD_LIBRARY_PATH");
    if let Some(devices) = env::var_os("SINTER_TEST_DEVICES") {
        command.env("SINTER_VISIBILITY_MASK", devices);
    }
    if let Some(path) = env::var_os("SINTER_TEST_LIBRARY_PATH") {
        command.env("LD_LIBRARY_PATH", path);
    }
    if env::var_os("VULKAN_TEST_VALIDATION").is_some() {
        command.env("SINTER_VULKAN_VALIDATION", "on");
    }
}

/// True if Vulkan's validation layer said something about a program with this output, or is
/// missing.
pub fn is_invalid(output: &str) -> bool {
    output.contains("Vulkan's validation")
}

/// True if the run repeats tests that ran on all devices that a program finds: on certain devices,
/// or with other code.
pub fn is_repeated() -> bool {
    ["SINTER_TEST_DEVICES", JIT_MODE].iter().chain(&CODE).any(|name| env::var_os(name).is_some())
}

/// True if programs take turns: each runs on some of the devices and CPUs that repeat the tests.
pub fn takes_turns() -> bool {
    env::var_os("TESTS_TAKE_TURNS").is_some()
}

/// Settings of the host's code for half of the programs, if programs take turns: for the CPU of
/// `TEST_CPU_IN_TURN`, and with quick code first. `None` in runs that repeat others.
pub fn code_in_turn() -> Option<[(&'static str, String); 2]> {
    let cpu = env::var("TEST_CPU_IN_TURN").ok().filter(|_| takes_turns() && !is_repeated())?;
    Some([("SINTER_HOST_CPU", cpu), (JIT_MODE, "fallback".to_owned())])
}

/// The turn of the programs that this run repeats, 0 or 1: devices of OpenCL have those of 0.
/// `None` if it tries all.
pub fn turn() -> Option<usize> {
    let devices = env::var("SINTER_TEST_DEVICES").unwrap_or_default();
    (takes_turns() && is_repeated()).then(|| usize::from(!devices.starts_with("opencl")))
}

/// True if a run on other devices follows.
pub fn others_follow() -> bool {
    env::var_os("OTHER_TEST_RUNS_FOLLOW").is_some()
}

/// True if the devices take SPIR-V.
pub fn takes_spirv() -> bool {
    let devices = env::var("SINTER_TEST_DEVICES").unwrap_or_default();
    ["opencl", "level-zero", "vulkan"].iter().any(|driver| devices.starts_with(driver))
}
