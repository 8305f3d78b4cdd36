//! Lowers math operations that a GPU has no instruction for to calls of device functions.
//!
//! In: LLVM's math intrinsics and remainders, on any type. Out: calls of internal functions, which
//! call the vendor library or, where the operation allows it (`afn`), use approximate instructions.
//! *Invariant:* LLVM's code generators abort the process on an intrinsic that they cannot select,
//! so an operation of [`Dialect::operations`] reaches them only if they select it.

use super::dialect::{Dialect, Operation};
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::{Kind, Text, link_text},
};
use sinter_llvm::ir::{Opcode, Value};
use std::collections::HashMap;

/// A result out of range is unspecified, but not undefined behaviour.
pub(crate) const NEAREST: &str =
    "  {r}.w = call {t} @llvm.rint.{s}({t} {a})\n  {r}.i = fptosi {t} {r}.w to {n}\n  {r} = freeze {n} {r}.i";
pub(crate) const AWAY: &str =
    "  {r}.w = call {t} @llvm.round.{s}({t} {a})\n  {r}.i = fptosi {t} {r}.w to {n}\n  {r} = freeze {n} {r}.i";

/// A power of `{a}` in approximate instructions. The three strings are IR: the first computes
/// `{r}.l`, the logarithm of `{r}.m`; the second `{r}.p`, the product of that and `{b}`; the third
/// `{r}.e`, two to the power of the product. The macro adds the sign: an exponent is odd if half of
/// it is not an integer, and a negative base, unless infinite, has powers with integer exponents
/// only.
macro_rules! power {
    ($logarithm:literal, $product:literal, $exponential:literal) => {
        concat!(
            "  {r}.m = call float @llvm.fabs.f32(float {a})\n",
            $logarithm,
            $product,
            $exponential,
            "  {r}.t = call float @llvm.trunc.f32(float {b})\n",
            "  {r}.w = fcmp oeq float {r}.t, {b}\n",
            "  {r}.h = fmul float {b}, 5.0e-1\n",
            "  {r}.f = call float @llvm.trunc.f32(float {r}.h)\n",
            "  {r}.u = fcmp one float {r}.f, {r}.h\n",
            "  {r}.odd = and i1 {r}.w, {r}.u\n",
            "  {r}.c = call float @llvm.copysign.f32(float {r}.e, float {a})\n",
            "  {r}.s = select i1 {r}.odd, float {r}.c, float {r}.e\n",
            // Negative normal and subnormal numbers.
            "  {r}.n = call i1 @llvm.is.fpclass.f32(float {a}, i32 24)\n",
            "  {r}.d = xor i1 {r}.w, true\n",
            "  {r}.x = and i1 {r}.n, {r}.d\n",
            "  {r} = select i1 {r}.x, float 0x7FF8000000000000, float {r}.s"
        )
    };
}
pub(crate) use power;

/// Operations that the optimiser simplifies before they are replaced: `pow(x, 2.0)` is a
/// multiplication.
const SIMPLIFIED: &str = "pow";
/// Replaces the dialect's operations, except those that the optimiser may still simplify.
pub(crate) fn replace_early<S>(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    replace_those(cx, dialect, m, |instruction, operation| {
        operation.name != SIMPLIFIED || !is_fast(instruction, operation)
    })
}

/// Replaces the dialect's operations. False if there are none.
pub(crate) fn replace<S>(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    replace_those(cx, dialect, m, |_, _| true)
}

fn replace_those<'s, S>(
    cx: &Context<'s, '_>,
    dialect: &Dialect,
    m: &DeviceModule<'s, S>,
    is_due: impl Fn(Value<'s>, &Operation) -> bool,
) -> Outcome<bool> {
    let (mut text, mut made) = (Text::new(dialect.naming), HashMap::new());
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let found = instructions.filter_map(|i| operation(dialect, i).map(|operation| (i, operation)));
    let affected: Vec<_> = found.filter(|(instruction, operation)| is_due(*instruction, operation)).collect();
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

/// The table entry of an instruction. `None` if the code generator selects it.
fn operation(dialect: &Dialect, instruction: Value<'_>) -> Option<&'static Operation> {
    let family = if instruction.opcode() == Opcode::LLVMFRem { "frem".to_owned() } else { family(instruction)? };
    let found = dialect.operations.iter().find(|operation| operation.name == family)?;
    let ty = arguments(instruction).first()?.ty().text();
    let kind = Kind::read(&ty)?;
    (!(dialect.is_selected)(instruction, found, kind)).then_some(found)
}

/// Name of the called intrinsic without `llvm.`, up to a dot.
fn family(instruction: Value<'_>) -> Option<String> {
    let name = instruction.callee().filter(|callee| callee.is_intrinsic())?.name();
    Some(name.strip_prefix("llvm.")?.split('.').next()?.to_owned())
}

fn arguments(instruction: Value<'_>) -> Vec<Value<'_>> {
    if instruction.opcode() == Opcode::LLVMCall { instruction.arguments() } else { instruction.operands() }
}

/// Name of the function for an instruction: one for each operation, type and accuracy.
fn symbol(instruction: Value<'_>, operation: &Operation) -> String {
    let ty = arguments(instruction).first().map(|argument| argument.ty().text()).unwrap_or_default();
    let fast = if is_fast(instruction, operation) { ".fast" } else { "" };
    format!("sinter.{}.{}.{ty}{fast}", operation.name, instruction.ty().text())
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
    let body = body.replace("{z}", flush).replace("{n}", result);
    let result = if Kind::read(result).is_some() { "{t}" } else { result };
    text.add_elementwise(name, kind, &types, result, &body);
}
