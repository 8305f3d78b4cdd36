//! The samples and the barrier corpus as SPIR-V.
//!
//! Every kernel is translated for a device with everything and for one that has little, optimised and not, and `spirv-val` of SPIRV-Tools checks the
//! modules where it is installed. *Invariant:* nothing here runs a kernel.

mod sample_support;

use sample_support::{compiled, requests, samples, sources};
use sinter_core::{KernelConfig, Observer, OptLevel, SpirvTarget, Target, TranslateRequest, Translator};
use sinter_llvm::demangle;
use sinter_translate::LinkedTranslator;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// Devices: one with everything, and ones that lack what can be done without.
const DEVICES: [&str; 3] =
    ["opencl", "level-zero:1.3", "opencl:1.2:-all:+generic:+fp64:+int64-atomics:+global-variables"];

fn validator_is_there() -> bool {
    let asked = Command::new("spirv-val").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// What the validator says against a module.
fn validate(folder: &Path, module: &[u8]) -> Result<(), String> {
    let file = folder.join("kernel.spv");
    fs::write(&file, module).expect("a writable folder");
    let output = Command::new("spirv-val").arg(&file).output().expect("spirv-val runs");
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
    }
}

/// What is wrong with a kernel, for each device and level.
fn faults(request: &TranslateRequest, folder: &Path, validates: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for device in DEVICES {
        for opt_level in [OptLevel::O3, OptLevel::O0] {
            let target = Target::Spirv(device.parse::<SpirvTarget>().expect("a device"));
            let config = KernelConfig { opt_level, ..request.config.clone() };
            let request = TranslateRequest { target, config, ..request.clone() };
            let name = demangle(&request.config.entry);
            let result = match LinkedTranslator.translate(&request, &Observer::default()) {
                Ok(code) if validates => validate(folder, &code.bytes),
                Ok(_) => Ok(()),
                Err(error) => Err(error.to_string()),
            };
            faults.extend(result.err().map(|fault| format!("{name} for {device} at {opt_level:?}: {fault}")));
        }
    }
    faults
}

fn judge(files: &[std::path::PathBuf]) {
    let (folder, validates) = (tempfile::tempdir().expect("folder"), validator_is_there());
    if !validates {
        eprintln!("skipped: no spirv-val is installed, so the modules are not validated");
    }
    let target = Target::Spirv(DEVICES[0].parse().expect("a device"));
    let mut kernels = 0;
    let mut wrong = Vec::new();
    for source in files {
        for request in requests(&compiled(source), &target) {
            kernels += 1;
            wrong.extend(faults(&request, folder.path(), validates));
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
