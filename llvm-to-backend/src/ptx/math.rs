//! Turns mathematics that PTX has no instruction for into calls of device functions.
//!
//! In: LLVM's math intrinsics and remainders, on any type. Out: calls of internal functions, made of libdevice's names
//! (`__nv_*`) or of PTX's approximate instructions where the operation allows it (`afn`). *Invariant:* LLVM's PTX back end ends
//! the process on an intrinsic that it cannot select, so nothing in [`OPERATIONS`] reaches it.

use super::template::{Kind, Text, link_text};
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
};
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashMap;

/// An operation on scalars.
pub(super) struct Operation {
    /// What follows `llvm.` in the intrinsic's name.
    pub(super) name: &'static str,
    /// Its computation, as [`Text::add_elementwise`] takes it.
    exact: &'static str,
    /// The same in approximate instructions, for `float`; empty where there is none. `{z}` is `.ftz` where subnormals are
    /// flushed. These are the sequences that the CUDA C++ Programming Guide gives for `-use_fast_math`.
    fast: &'static str,
}

macro_rules! library {
    ($name:literal, $fast:expr) => {
        Operation { name: $name, exact: concat!("  {r} = call {t} @__nv_", $name, "{f}({t} {a})"), fast: $fast }
    };
}

/// A result that does not fit is unspecified, not undefined.
const NEAREST: &str =
    "  {r}.w = call {t} @llvm.rint.{s}({t} {a})\n  {r}.i = fptosi {t} {r}.w to {n}\n  {r} = freeze {n} {r}.i";
const AWAY: &str =
    "  {r}.w = call {t} @llvm.round.{s}({t} {a})\n  {r}.i = fptosi {t} {r}.w to {n}\n  {r} = freeze {n} {r}.i";

/// What NVPTX of LLVM 19 cannot select. `{n}` is the type of a result that is an integer.
pub(super) const OPERATIONS: [Operation; 25] = [
    library!("acos", ""),
    library!("asin", ""),
    library!("atan", ""),
    library!("cos", "  {r} = call float @llvm.nvvm.cos.approx{z}.f(float {a})"),
    library!("cosh", ""),
    library!(
        "exp",
        "  {r}.s = fmul float {a}, 0x3FF7154760000000\n  {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {r}.s)"
    ),
    library!(
        "exp10",
        "  {r}.s = fmul float {a}, 0x400A934F00000000\n  {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {r}.s)"
    ),
    library!("exp2", "  {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {a})"),
    library!(
        "log",
        "  {r}.l = call float @llvm.nvvm.lg2.approx{z}.f(float {a})\n  {r} = fmul float {r}.l, 0x3FE62E4300000000"
    ),
    library!(
        "log10",
        "  {r}.l = call float @llvm.nvvm.lg2.approx{z}.f(float {a})\n  {r} = fmul float {r}.l, 0x3FD3441360000000"
    ),
    library!("log2", "  {r} = call float @llvm.nvvm.lg2.approx{z}.f(float {a})"),
    library!("sin", "  {r} = call float @llvm.nvvm.sin.approx{z}.f(float {a})"),
    library!("sinh", ""),
    library!(
        "tan",
        "  {r}.s = call float @llvm.nvvm.sin.approx{z}.f(float {a})\n  \
         {r}.c = call float @llvm.nvvm.cos.approx{z}.f(float {a})\n  \
         {r} = call float @llvm.nvvm.div.approx{z}.f(float {r}.s, float {r}.c)"
    ),
    library!("tanh", ""),
    Operation {
        name: "pow",
        exact: "  {r} = call {t} @__nv_pow{f}({t} {a}, {t} {b})",
        fast: "  {r}.l = call float @llvm.nvvm.lg2.approx{z}.f(float {a})\n  {r}.p = fmul float {r}.l, {b}\n  \
               {r} = call float @llvm.nvvm.ex2.approx{z}.f(float {r}.p)",
    },
    Operation { name: "powi", exact: "  {r} = call {t} @sinter.powi.{s}.{e}({t} {a}, {e} {b})", fast: "" },
    Operation { name: "frem", exact: "  {r} = call {t} @__nv_fmod{f}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "canonicalize", exact: "  {r} = fmul {t} {a}, 1.0", fast: "" },
    // Natively from sm_80 on for `bfloat`, whose values are all `float`s.
    Operation { name: "minimum", exact: "  {r} = call {t} @llvm.minimum.{s}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "maximum", exact: "  {r} = call {t} @llvm.maximum.{s}({t} {a}, {t} {b})", fast: "" },
    Operation { name: "lrint", exact: NEAREST, fast: "" },
    Operation { name: "llrint", exact: NEAREST, fast: "" },
    Operation { name: "lround", exact: AWAY, fast: "" },
    Operation { name: "llround", exact: AWAY, fast: "" },
];

/// Repeated multiplication, as in LLVM's compiler-rt. `{e}` is the type of the exponent.
const POWI: &str = "\
define internal {t} @sinter.powi.{s}.{e}({t} %x, {e} %n) nounwind {
entry:
  %size = call {e} @llvm.abs.{e}({e} %n, i1 false)
  br label %loop
loop:
  %power = phi {t} [ %x, %entry ], [ %square, %loop ]
  %product = phi {t} [ 1.0, %entry ], [ %chosen, %loop ]
  %left = phi {e} [ %size, %entry ], [ %half, %loop ]
  %bit = trunc {e} %left to i1
  %more = fmul {t} %product, %power
  %chosen = select i1 %bit, {t} %more, {t} %product
  %square = fmul {t} %power, %power
  %half = lshr {e} %left, 1
  %done = icmp eq {e} %half, 0
  br i1 %done, label %end, label %loop
end:
  %negative = icmp slt {e} %n, 0
  %inverse = fdiv {t} 1.0, %chosen
  %result = select i1 %negative, {t} %inverse, {t} %chosen
  ret {t} %result
}
";

/// Replaces what is used of [`OPERATIONS`]. False where nothing is.
pub(super) fn replace<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let (mut text, mut made) = (Text::default(), HashMap::new());
    let instructions = || m.defined().into_iter().flat_map(Value::instructions);
    let affected: Vec<_> = instructions().filter_map(|i| operation(i).map(|operation| (i, operation))).collect();
    for (instruction, operation) in &affected {
        let name = symbol(*instruction, operation);
        if !made.contains_key(&name) {
            define(cx, &mut text, &name, *instruction, operation);
            let types: Vec<_> = arguments(*instruction).into_iter().map(Value::ty).collect();
            made.insert(name.clone(), m.module.declare(&name, instruction.ty(), &types));
        }
    }
    if affected.is_empty() {
        return Ok(false);
    }
    link_text(cx, m, &text.finish())?.into_iter().for_each(Value::make_internal);
    for (instruction, operation) in affected {
        let name = symbol(instruction, operation);
        let function = m.module.function(&name).ok_or_else(|| Failure::internal(format!("{name} was not linked")))?;
        let result = instruction.insert_before(|insert| insert.call(function, &arguments(instruction)));
        instruction.replace_uses(result);
        instruction.erase();
    }
    Ok(true)
}

/// The operation that an instruction is, if it is one of ours.
fn operation(instruction: Value<'_>) -> Option<&'static Operation> {
    if instruction.opcode() == Opcode::LLVMFRem {
        return OPERATIONS.iter().find(|operation| operation.name == "frem");
    }
    if instruction.opcode() != Opcode::LLVMCall {
        return None;
    }
    let name = instruction.callee().filter(|callee| callee.is_intrinsic())?.name();
    let family = name.strip_prefix("llvm.")?.split('.').next()?;
    let found = OPERATIONS.iter().find(|operation| operation.name == family)?;
    let ty = instruction.arguments().first()?.ty().text();
    let kind = Kind::read(&ty)?;
    let selected = ["minimum", "maximum"].contains(&family) && kind.scalar != "bfloat";
    (!selected).then_some(found)
}

fn arguments(instruction: Value<'_>) -> Vec<Value<'_>> {
    if instruction.opcode() == Opcode::LLVMCall { instruction.arguments() } else { instruction.operands() }
}

/// The function for an instruction: one for each operation, type and freedom.
fn symbol(instruction: Value<'_>, operation: &Operation) -> String {
    let ty = arguments(instruction).first().map(|argument| argument.ty().text()).unwrap_or_default();
    let fast = if is_fast(instruction, operation) { ".fast" } else { "" };
    // Exponents have a type of their own.
    let exponent = arguments(instruction).get(1).map(|argument| argument.ty().text()).filter(|other| *other != ty);
    let exponent = exponent.map(|ty| format!(".{ty}")).unwrap_or_default();
    format!("sinter.{}.{}.{ty}{exponent}{fast}", operation.name, instruction.ty().text())
}

fn is_fast(instruction: Value<'_>, operation: &Operation) -> bool {
    let double = || instruction.ty().text().contains("double");
    !operation.fast.is_empty() && instruction.may_be_approximate() && !double()
}

fn define(cx: &Context<'_, '_>, text: &mut Text, name: &str, instruction: Value<'_>, operation: &Operation) {
    let types: Vec<String> = arguments(instruction).into_iter().map(|argument| argument.ty().text()).collect();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let Some(kind) = types.first().and_then(|ty| Kind::read(ty)) else { return };
    let flush = if cx.config().approximations.flush_denormals { ".ftz" } else { "" };
    let result = instruction.ty().text();
    let result = result.split_once(" x ").map_or(result.as_str(), |(_, element)| element.trim_end_matches('>'));
    let body = if is_fast(instruction, operation) { operation.fast } else { operation.exact };
    let exponent = types.get(1).copied().unwrap_or_default();
    let body = body.replace("{z}", flush).replace("{n}", result).replace("{e}", exponent);
    let result = if Kind::read(result).is_some() { "{t}" } else { result };
    text.add_elementwise(name, kind, &types, result, &body);
    if operation.name == "powi" {
        text.add_once(&POWI.replace("{e}", exponent), kind);
    }
}
