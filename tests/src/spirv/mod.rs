//! Shared parts of the tests of SPIR-V.

pub mod program;

use sinter_core::{SpirvEnvironment, SpirvTarget};
use std::{
    fs,
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// The name that SPIRV-Tools' validator has for the environment of a device.
pub fn environment(target: &SpirvTarget) -> String {
    match target.environment {
        SpirvEnvironment::Vulkan => "vulkan1.3".to_owned(),
        _ => format!("spv1.{}", target.version % 10),
    }
}

/// The validator of SPIRV-Tools, if it is installed.
pub struct Validator {
    folder: Option<TempDir>,
}

impl Validator {
    pub fn find() -> Self {
        let asked = Command::new("spirv-val").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        let is_there = asked.is_ok_and(|status| status.success());
        if !is_there {
            println!("skipped: validating SPIR-V, because PATH names no spirv-val");
        }
        Validator { folder: is_there.then(|| tempfile::tempdir().expect("folder")) }
    }

    /// Validates a module for a device. Returns the validator's error.
    pub fn check(&self, module: &[u8], target: &SpirvTarget) -> Result<(), String> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let file = folder.path().join("kernel.spv");
        fs::write(&file, module).expect("a writable folder");
        let output = Command::new("spirv-val").args(["--target-env", &environment(target)]).arg(&file).output();
        let output = output.expect("spirv-val runs");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        if output.status.success() { Ok(()) } else { Err(text) }
    }
}
