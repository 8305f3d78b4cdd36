//! PTX of every atomic builtin with every order, scope and address space.
//!
//! *Invariant:* NVIDIA's assembler accepts the code of each, for the oldest supported GPU and for a
//! new one. The assembler is `SINTER_PTXAS` or the `ptxas` in `PATH`; without one that part is
//! reported as skipped. Operations whose result is unused are `red` where PTX has that.

#[path = "support/assembler.rs"]
mod assembler;
#[path = "support/ir_type.rs"]
mod ir_type;

use assembler::{assembled, assembler};
use ir_type::ir_type;
use sinter_core::{Image, KernelConfig, Observer, PtxTarget, Target, TranslateRequest, Translator};
use sinter_kernels::table::{BUILTINS, Builtin, Provider};
use sinter_translate::{LinkedTranslator, assemble};
use std::fmt::Write;

const ORDERS: std::ops::Range<u32> = 0..5;
/// Work-group, device and system scope.
const SCOPES: std::ops::Range<u32> = 2..5;
/// Global, local and generic memory.
const SPACES: [u32; 3] = [0, 1, 4];

/// The relaxed and the release order, which `red` has.
const REDUCTION_ORDERS: [u32; 2] = [0, 2];

/// All combinations of constants, numbered.
fn combinations() -> impl Iterator<Item = (usize, (u32, u32, u32))> {
    ORDERS.flat_map(|order| SCOPES.flat_map(move |scope| SPACES.map(|space| (order, scope, space)))).enumerate()
}

/// A kernel that calls a builtin with every combination of constants, and uses every second result.
fn kernel(builtin: &Builtin) -> String {
    let types: Vec<_> = builtin.parameters.iter().map(|ty| ir_type(ty)).collect();
    let (result, name) = (ir_type(builtin.result), builtin.name);
    let mut text =
        format!("@l = internal addrspace(3) global i64 undef\ndeclare {result} @{name}({})\n", types.join(", "));
    let parameters: Vec<_> = types.iter().enumerate().map(|(i, ty)| format!("{ty} %v{i}")).collect();
    let _ = writeln!(text, "define void @k(ptr %p, {}) {{", parameters.join(", "));
    text += "  %l = addrspacecast ptr addrspace(3) @l to ptr\n";
    for (number, (order, scope, space)) in combinations() {
        let pointer = if space == 1 { "%l" } else { "%p" };
        let argument = |(i, ty): (usize, &&str)| match builtin.parameters[i] {
            "order" => format!("i32 {order}"),
            "scope" => format!("i32 {scope}"),
            "space" => format!("i32 {space}"),
            _ if *ty == "ptr" => format!("ptr {pointer}"),
            _ => format!("{ty} %v{i}"),
        };
        let arguments: Vec<_> = types.iter().enumerate().map(argument).collect();
        let call = format!("call {result} @{name}({})", arguments.join(", "));
        let _ = match (result, number % 2) {
            ("void", _) | (_, 0) => writeln!(text, "  {call}"),
            _ => writeln!(text, "  %r{number} = {call}\n  store {result} %r{number}, ptr %p"),
        };
    }
    text + "  ret void\n}\n"
}

/// Number of `red` instructions in the code of [`kernel`].
fn reductions(builtin: &Builtin) -> usize {
    let Some((_, operation)) = builtin.name.split_once("_fetch_") else { return 0 };
    let has_reduction = match operation.rsplit_once('_') {
        Some((operation, "f32" | "f64")) => ["add", "sub"].contains(&operation),
        Some((_, suffix)) => suffix.ends_with("32") || suffix.ends_with("64"),
        None => false,
    };
    let is_reduction =
        |(number, (order, ..)): &(usize, (u32, u32, u32))| number % 2 == 0 && REDUCTION_ORDERS.contains(order);
    if has_reduction { combinations().filter(is_reduction).count() } else { 0 }
}

fn no_faults(sm: u32, isa: u32, choose: impl Fn(&Builtin) -> bool) {
    let assembler = assembler();
    if assembler.is_none() {
        println!("skipped: assembling PTX, because neither SINTER_PTXAS nor PATH names a ptxas");
    }
    let ours = BUILTINS.iter().filter(|b| b.family.group == "atomic" && b.provider("ptx") == Some(Provider::Library));
    let mut count = 0;
    for builtin in ours.filter(|builtin| choose(builtin)) {
        let text = kernel(builtin);
        let request = TranslateRequest {
            image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
            imports: vec![],
            libraries: vec![],
            target: Target::Ptx(PtxTarget { sm, isa, line_tables: false }),
            config: KernelConfig::generic("k"),
        };
        let code = LinkedTranslator.translate(&request, &Observer::default());
        let code = code.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let found = String::from_utf8_lossy(&code.bytes).matches("red.re").count();
        assert_eq!(found, reductions(builtin), "`red` in the code of {}", builtin.name);
        if let Some(assembler) = &assembler {
            assembled(&code, sm, assembler).unwrap_or_else(|message| panic!("{}: {message}", builtin.name));
        }
        count += 1;
    }
    assert!(count >= 10, "only {count} builtins");
}

#[test]
fn every_mode_of_every_atomic() {
    no_faults(90, 85, |_| true);
}

#[test]
fn every_mode_of_words_on_old_gpus() {
    no_faults(70, 63, |builtin| builtin.name.ends_with("32"));
}
