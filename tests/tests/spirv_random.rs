//! Translates random kernels to SPIR-V.
//!
//! Kernels with all types and instructions, optimised and not, become modules that `spirv-val` of
//! SPIRV-Tools accepts, where it is installed. *Invariant:* a program depends only on its number;
//! `SINTER_SPIRV_PROGRAMS=FIRST..LAST` selects others than the default ones.

use sinter_core::{Image, KernelConfig, Observer, OptLevel, SpirvTarget, Target, TranslateRequest, Translator};
use sinter_tests::spirv::{Validator, program::program};
use sinter_translate::{LinkedTranslator, assemble};
use std::{env, ops::Range};

/// Programs of a default run.
const USUAL: Range<u64> = 0..200;
/// Devices: one with all features, and one that lacks the optional ones.
const DEVICES: [&str; 2] = ["opencl", "opencl:1.1:-all:+generic:+fp64:+fp16:+int64-atomics:+global-variables"];

fn numbers() -> Range<u64> {
    let Ok(text) = env::var("SINTER_SPIRV_PROGRAMS") else { return USUAL };
    let (first, last) = text.split_once("..").expect("FIRST..LAST");
    first.parse().expect("a number")..last.parse().expect("a number")
}

/// Error of a program, for a device and level.
fn fault(image: &Image, device: &str, opt_level: OptLevel, validator: &Validator) -> Result<(), String> {
    let target: SpirvTarget = device.parse().expect("a device");
    let request = TranslateRequest {
        image: image.clone(),
        imports: vec![],
        libraries: vec![],
        target: Target::Spirv(target.clone()),
        config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
    };
    let code = LinkedTranslator.translate(&request, &Observer::default()).map_err(|error| error.to_string())?;
    validator.check(&code.bytes, &target)
}

#[test]
fn random_programs_are_valid() {
    let validator = Validator::find();
    let mut wrong = Vec::new();
    for number in numbers() {
        let text = program(number);
        let bitcode = assemble(text.as_bytes()).unwrap_or_else(|error| panic!("program {number}: {error}\n{text}"));
        let image = Image { hash: None, bytes: bitcode.into() };
        for device in DEVICES {
            for opt_level in [OptLevel::O3, OptLevel::O0] {
                let fault = fault(&image, device, opt_level, &validator).err();
                wrong.extend(fault.map(|fault| format!("program {number} for {device} at {opt_level:?}: {fault}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}
