//! Translates the samples and the barrier corpus to SPIR-V.
//!
//! Every kernel is translated for a device with all features and for one with few, optimised and
//! not, and `spirv-val` of SPIRV-Tools checks the modules where it is installed. *Invariant:* no
//! test here runs a kernel.

use sinter_core::{
    KernelConfig, Observer, OptLevel, SpirvTarget, Target, TranslateRequest, Translator, names::readable,
};
use sinter_tests::devices;
use sinter_tests::samples::{compiled, requests, samples, sources};
use sinter_tests::spirv::Validator;
use sinter_translate::LinkedTranslator;

/// Devices: one with all features, and two that lack the optional ones.
const DEVICES: [&str; 4] =
    ["opencl", "level-zero:1.3", "opencl:1.2:-all:+generic:+fp64:+int64-atomics:+global-variables", "vulkan"];

/// Errors of kernel `number`, for each device and level, or by turns for one level.
fn faults(number: usize, request: &TranslateRequest, validator: &Validator) -> Vec<String> {
    let mut faults = Vec::new();
    let (first, step) = if devices::takes_turns() { (number % 2, 2) } else { (0, 1) };
    for device in DEVICES {
        let name = readable(&request.config.entry);
        for opt_level in [OptLevel::O3, OptLevel::O0].into_iter().skip(first).step_by(step) {
            let target = device.parse::<SpirvTarget>().expect("a device");
            let device_target = target.clone();
            let target = Target::Spirv(target);
            let config = KernelConfig { opt_level, ..request.config.clone() };
            let request = TranslateRequest { target, config, ..request.clone() };
            let result = match LinkedTranslator.translate(&request, &Observer::default()) {
                Ok(code) => validator.check(&code.bytes, &device_target),
                Err(error) => Err(error.to_string()),
            };
            faults.extend(result.err().map(|fault| format!("{name} for {device} at {opt_level:?}: {fault}")));
        }
    }
    faults
}

fn judge(files: &[std::path::PathBuf]) {
    let validator = Validator::find();
    let target = Target::Spirv(DEVICES[0].parse().expect("a device"));
    let mut kernels = 0;
    let mut wrong = Vec::new();
    for source in files {
        for request in requests(&compiled(source), &target) {
            wrong.extend(faults(kernels, &request, &validator));
            kernels += 1;
        }
    }
    assert!(kernels >= files.len(), "there are too few kernels");
    assert!(wrong.is_empty(), "{} faults in {kernels} kernels:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn samples_are_valid() {
    judge(&samples());
}

#[test]
fn the_corpus_is_valid() {
    judge(&sources("tests/corpus"));
}
