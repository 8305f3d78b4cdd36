//! Translates every line of the table of builtins for devices of Vulkan.
//!
//! In: for each line a kernel that calls all its functions: each type, with the least and the
//! greatest constants, atomics also on local memory. Out: modules that `spirv-val` accepts, where
//! it is installed; programs on lavapipe run the functions. *Invariant:* no line is left out but
//! those that the table refuses.

#[path = "../../llvm-to-backend/tests/support/builtin_call.rs"]
mod builtin_call;
#[path = "../../llvm-to-backend/tests/support/ir_type.rs"]
mod ir_type;

use builtin_call::{Choice, Kernel};
use sinter_core::{Image, KernelConfig, Observer, OptLevel, SpirvTarget, Target, TranslateRequest, Translator};
use sinter_kernels::table::{BUILTINS, Builtin, Provider};
use sinter_tests::spirv::Validator;
use sinter_translate::{LinkedTranslator, assemble};

/// The target of Mesa's lavapipe.
const LAVAPIPE: &str =
    "vulkan:1.5:cpu:-atomic-add-f64:-atomic-min-max-f64:-divergent-fences:-subnormals:-large-private-memory";
/// A device with few features, the lines that it cannot have, and the feature that each of them
/// needs.
const SMALL: &str = "vulkan:1.5:-all:+fp64:+int64-atomics:+local-int64-atomics:+sub-groups";
const MISSING: [(&str, &str); 6] = [
    ("{work,sub}_group_reduce_{T}", "sub-group-arithmetic"),
    ("{work,sub}_group_inclusive_scan_{T}", "sub-group-arithmetic"),
    ("{work,sub}_group_exclusive_scan_{T}", "sub-group-arithmetic"),
    ("{work,sub}_group_{any,all,none}", "sub-group-vote"),
    ("read_cycle_clock", "shader-clock"),
    ("read_steady_clock", "shader-clock"),
];

/// The functions of each line.
fn lines() -> Vec<Vec<&'static Builtin>> {
    let is_there = |builtin: &&Builtin| !matches!(builtin.provider("spirv"), None | Some(Provider::Refused(_)));
    let all: Vec<_> = BUILTINS.iter().filter(is_there).collect();
    all.chunk_by(|a, b| std::ptr::eq(a.family, b.family)).map(<[_]>::to_vec).collect()
}

fn kernel(line: &[&Builtin]) -> String {
    let mut kernel = Kernel::default();
    for builtin in line {
        let is_atomic = builtin.parameters.contains(&"space");
        [Choice::Least, Choice::Greatest].into_iter().for_each(|choice| kernel.call(builtin, choice));
        is_atomic.then(|| kernel.call(builtin, Choice::Local));
    }
    kernel.text()
}

/// The name of each line, with the error of its translation or of the validator if there is one.
fn translated(device: &str, opt_level: OptLevel) -> Vec<(&'static str, Result<(), String>)> {
    let device: SpirvTarget = device.parse().expect("a device");
    let validator = Validator::find();
    let translate = |line: Vec<&'static Builtin>| {
        let text = kernel(&line);
        let request = TranslateRequest {
            image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
            imports: vec![],
            libraries: vec![],
            target: Target::Spirv(device.clone()),
            config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
        };
        let code = LinkedTranslator.translate(&request, &Observer::default()).map_err(|error| error.to_string());
        (line[0].family.name, code.and_then(|code| validator.check(&code.bytes, &device)))
    };
    let all: Vec<_> = lines().into_iter().map(translate).collect();
    assert!(all.len() > 100, "only {} lines", all.len());
    all
}

fn all_are_valid(device: &str, opt_level: OptLevel) {
    let faults = translated(device, opt_level).into_iter().filter_map(|(name, result)| Some((name, result.err()?)));
    let faults: Vec<_> = faults.map(|(name, error)| format!("{name}: {error}")).collect();
    assert!(faults.is_empty(), "{} faults for {device} at {opt_level:?}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_line_is_valid() {
    all_are_valid("vulkan", OptLevel::O3);
}

#[test]
fn every_line_is_valid_unoptimised() {
    all_are_valid("vulkan", OptLevel::O0);
}

#[test]
fn every_line_is_valid_on_lavapipe() {
    all_are_valid(LAVAPIPE, OptLevel::O3);
}

#[test]
fn a_line_is_valid_or_its_error_names_the_feature() {
    for (name, result) in translated(SMALL, OptLevel::O3) {
        match (result, MISSING.iter().find(|(missing, _)| *missing == name)) {
            (Ok(()), None) => {}
            (Err(error), Some((_, feature))) => assert!(error.contains(&format!("lacks `{feature}`")), "{error}"),
            (result, _) => panic!("{name}: {result:?}"),
        }
    }
}
