//! Compiles the samples with Intel's compiler for GPUs.
//!
//! `ocloc` of the compute runtime, which `SINTER_OCLOC` or `PATH` names, compiles every kernel for
//! two GPUs; without it the test is reported as skipped. It accepts less than SPIR-V allows: no
//! arrays as arguments, no variables without an initialiser. *Invariant:* no test here runs a
//! kernel.

use sinter_core::{Observer, Target, Translator};
use sinter_tests::samples::{compiled, requests, samples};
use sinter_translate::LinkedTranslator;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Generations 9 and 12.7, the second of which has no double precision.
const DEVICES: [(&str, &str); 2] = [("skl", "level-zero:1.3"), ("dg2-g10", "level-zero:1.3:-fp64")];

fn compiler() -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut found = env::split_paths(&folders).map(|folder| folder.join("ocloc"));
    env::var_os("SINTER_OCLOC").map(PathBuf::from).or_else(|| found.find(|path| path.is_file()))
}

/// Error of the compiler for a module.
fn refusal(compiler: &Path, folder: &Path, module: &[u8], device: &str) -> Option<String> {
    let file = folder.join("kernel.spv");
    fs::write(&file, module).expect("a writable folder");
    let mut command = Command::new(compiler);
    command.args(["compile", "-spirv_input", "-q", "-device", device, "-output", "kernel", "-out_dir"]).arg(folder);
    let output = command.arg("-file").arg(&file).output().expect("the compiler runs");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    (!output.status.success()).then_some(text)
}

#[test]
fn samples_compile_for_gpus_of_intel() {
    let Some(compiler) = compiler() else {
        println!("skipped: compiling for Intel's GPUs, because neither SINTER_OCLOC nor PATH names an ocloc");
        return;
    };
    let folder = tempfile::tempdir().expect("folder");
    let (mut kernels, mut wrong) = (0, Vec::new());
    for sample in samples() {
        let section = compiled(&sample);
        for (device, target) in DEVICES {
            let target = Target::Spirv(target.parse().expect("a target"));
            for request in requests(&section, &target) {
                // Some need double precision, which one of the devices lacks.
                let Ok(code) = LinkedTranslator.translate(&request, &Observer::default()) else { continue };
                kernels += 1;
                let refusal = refusal(&compiler, folder.path(), &code.bytes, device);
                wrong.extend(refusal.map(|text| format!("{} on {device}: {text}", request.config.entry)));
            }
        }
    }
    assert!(kernels > samples().len(), "only {kernels} kernels");
    assert!(wrong.is_empty(), "{} kernels are refused:\n{}", wrong.len(), wrong.join("\n"));
}
