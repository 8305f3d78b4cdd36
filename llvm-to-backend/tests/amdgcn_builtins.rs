//! Code objects for every device builtin of the AMD library, for five GPU generations and both wave
//! sizes.
//!
//! *Invariant:* each call gives a code object without undefined symbols for all constants.

#[path = "support/builtin_call.rs"]
mod builtin_call;
#[path = "support/code_object.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod code_object;
#[path = "support/ir_type.rs"]
mod ir_type;

use builtin_call::{Choice, Kernel};
use ir_type::ir_type;
use sinter_core::{Image, KernelConfig, Observer, OptLevel, Target, TranslateRequest, Translator};
use sinter_kernels::table::{BUILTINS, Builtin, Provider};
use sinter_translate::{LinkedTranslator, assemble};

const GPUS: [&str; 6] = ["gfx90a", "gfx1100", "gfx1201", "gfx942", "gfx1030", "gfx1100:wavefrontsize64+"];
/// Those of them that are tried where tests take turns.
const GPUS_IN_TURNS: usize = 2;

/// GPUs whose DPP exchanges can be folded into instructions with scalar operands, and the last GPU
/// before them.
const SCALAR_OPERANDS: [&str; 5] = ["gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1201"];
/// The operations of collectives; a type may lack some.
const OPERATIONS: std::ops::Range<u32> = 0..9;

/// A kernel that calls a collective with a uniform value.
fn uniform(builtin: &Builtin, operation: u32) -> String {
    let types: Vec<_> = builtin.parameters.iter().map(|ty| ir_type(ty)).collect();
    let named = |(number, ty): (usize, &&str)| match builtin.parameters[number] {
        "operation" => format!("{ty} {operation}"),
        _ => format!("{ty} %v{number}"),
    };
    let arguments: Vec<_> = types.iter().enumerate().map(named).collect();
    let parameters: Vec<_> = types.iter().enumerate().map(|(number, ty)| format!("{ty} %v{number}")).collect();
    let (ty, name) = (ir_type(builtin.result), builtin.name);
    format!(
        "declare {ty} @{name}({}) convergent\ndefine void @k(ptr %o, {}) {{\n  %r = call {ty} @{name}({})\n  \
         store {ty} %r, ptr %o\n  ret void\n}}\n",
        types.join(", "),
        parameters.join(", "),
        arguments.join(", ")
    )
}

/// A kernel that calls the builtin.
fn kernel(builtin: &Builtin, choice: Choice) -> String {
    let mut kernel = Kernel::default();
    kernel.call(builtin, choice);
    kernel.text()
}

/// The defect in the translation of a kernel, if there is one.
fn fault(text: &str, gpu: &str, opt_level: OptLevel) -> Option<String> {
    let request = TranslateRequest {
        image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Amdgcn(gpu.parse().expect("a target")),
        config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
    };
    match LinkedTranslator.translate(&request, &Observer::default()) {
        Ok(code) => {
            code_object::kernel(&code.bytes, "k");
            None
        }
        Err(error) => Some(format!("{error}\n{text}")),
    }
}

fn ours() -> impl Iterator<Item = &'static Builtin> {
    BUILTINS.iter().filter(|builtin| builtin.provider("amdgcn") == Some(Provider::Library))
}

fn no_faults(gpu: &str, opt_level: OptLevel) {
    let builtins: Vec<_> = ours().collect();
    assert!(builtins.len() > 300, "only {} builtins", builtins.len());
    let texts =
        builtins.iter().flat_map(|builtin| [Choice::Least, Choice::Greatest].map(|choice| kernel(builtin, choice)));
    let mut texts: Vec<String> = texts.collect();
    texts.dedup();
    translated(&texts, gpu, opt_level);
}

fn translated(texts: &[String], gpu: &str, opt_level: OptLevel) {
    let faults: Vec<_> = texts.iter().filter_map(|text| fault(text, gpu, opt_level)).collect();
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), texts.len(), faults.join("\n"));
}

#[test]
fn every_builtin_on_every_generation() {
    let count = if std::env::var_os("TESTS_TAKE_TURNS").is_some() { GPUS_IN_TURNS } else { GPUS.len() };
    GPUS.into_iter().take(count).for_each(|gpu| no_faults(gpu, OptLevel::O3));
}

#[test]
fn every_builtin_unoptimised() {
    no_faults("gfx90a", OptLevel::O0);
}

#[test]
fn collectives_of_uniform_values() {
    let collective =
        |builtin: &&Builtin| builtin.name.contains("_sub_group_") && builtin.parameters.contains(&"operation");
    let texts = ours().filter(collective).flat_map(|builtin| OPERATIONS.map(|operation| uniform(builtin, operation)));
    let texts: Vec<String> = texts.collect();
    assert!(texts.len() > 200, "only {}", texts.len());
    SCALAR_OPERANDS.into_iter().for_each(|gpu| translated(&texts, gpu, OptLevel::O3));
}
