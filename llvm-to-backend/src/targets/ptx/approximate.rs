//! Selects PTX's approximate division and square root.
//!
//! In: optimised code. Out: the same with `div.full`, `div.approx`, `sqrt.approx` and
//! `rsqrt.approx` where the request or the operation itself (`afn`) allows it, as
//! `nvcc -prec-div=false -prec-sqrt=false` and `-use_fast_math` do. *Invariant:* runs after the
//! optimiser, which simplifies divisions and square roots but not these intrinsics.

use super::math::NAMING;
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::{Kind, Text, link_text},
};
use sinter_llvm::ir::{Opcode, Value};

/// Implementation of an operation on `float`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Division over the full range with an error of 2 ulp.
    FullDivision,
    Division,
    SquareRoot,
    /// Division by a square root.
    ReciprocalRoot,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::FullDivision => "sinter.div.full",
            Way::Division => "sinter.div.approx",
            Way::SquareRoot => "sinter.sqrt.approx",
            Way::ReciprocalRoot => "sinter.rsqrt.approx",
        }
    }

    fn operands(self) -> usize {
        if self == Way::SquareRoot { 1 } else { 2 }
    }

    fn body(self) -> &'static str {
        match self {
            Way::FullDivision => {
                "  {r} = call float asm \"div.full{z}.f32 $0, $1, $2;\", \"=f,f,f\"(float {a}, float {b})"
            }
            Way::Division => "  {r} = call float @llvm.nvvm.div.approx{z}.f(float {a}, float {b})",
            Way::SquareRoot => "  {r} = call float @llvm.nvvm.sqrt.approx{z}.f(float {a})",
            Way::ReciprocalRoot => {
                "  {r}.i = call float @llvm.nvvm.rsqrt.approx{z}.f(float {b})\n  {r} = fmul float {a}, {r}.i"
            }
        }
    }
}

/// Replaces operations that may be approximate. False if there are none.
pub(super) fn replace<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<bool> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let mut affected: Vec<_> = instructions.filter_map(|i| choose(cx, i).map(|(way, _)| (i, way))).collect();
    // Square roots last: a division inspects its divisor.
    affected.sort_by_key(|(_, way)| *way == Way::SquareRoot);
    if affected.is_empty() {
        return Ok(false);
    }
    let mut text = Text::new(NAMING);
    for (instruction, way) in &affected {
        let name = symbol(*instruction, *way);
        if m.module.function(&name).is_none() {
            define(cx, &mut text, &name, *instruction, *way);
            let types = [instruction.ty(); 2];
            m.module.declare(&name, instruction.ty(), &types[..way.operands()]);
        }
    }
    link_text(cx, m, &text.finish())?.into_iter().for_each(Value::make_internal);
    for (instruction, way) in affected {
        let Some((_, operands)) = choose(cx, instruction) else { continue };
        let function = m.module.function(&symbol(instruction, way));
        let function = function.ok_or_else(|| Failure::internal("an approximation was not linked"))?;
        instruction.replace_uses(instruction.insert_before(|insert| insert.call(function, &operands)));
        instruction.erase();
    }
    Ok(true)
}

fn symbol(instruction: Value<'_>, way: Way) -> String {
    format!("{}.{}", way.name(), instruction.ty().text())
}

fn define(cx: &Context<'_, '_>, text: &mut Text, name: &str, instruction: Value<'_>, way: Way) {
    let ty = instruction.ty().text();
    let Some(kind) = Kind::read(&ty) else { return };
    let flush = if cx.config().approximations.flush_denormals { ".ftz" } else { "" };
    let parameters = [ty.as_str(); 2];
    text.add_elementwise(name, kind, &parameters[..way.operands()], "{t}", &way.body().replace("{z}", flush));
}

/// The approximate implementation of an instruction and its operands. `None` if it has to stay
/// exact.
fn choose<'s>(cx: &Context<'_, '_>, instruction: Value<'s>) -> Option<(Way, Vec<Value<'s>>)> {
    if Kind::read(&instruction.ty().text())?.scalar != "float" {
        return None;
    }
    let approximations = cx.config().approximations;
    if let Some(root) = radicand(instruction) {
        let allowed = instruction.may_be_approximate() || approximations.square_root;
        return allowed.then(|| (Way::SquareRoot, vec![root]));
    }
    if instruction.opcode() != Opcode::LLVMFDiv {
        return None;
    }
    let operands = instruction.operands();
    let root = operands.get(1).copied().filter(|divisor| divisor.may_be_approximate()).and_then(radicand);
    match root {
        _ if !instruction.may_be_approximate() => approximations.division.then_some((Way::FullDivision, operands)),
        Some(root) if instruction.may_use_reciprocal() => Some((Way::ReciprocalRoot, vec![operands[0], root])),
        _ => Some((Way::Division, operands)),
    }
}

/// The operand of a square root. `None` for other instructions.
fn radicand(instruction: Value<'_>) -> Option<Value<'_>> {
    let is_root = instruction.callee().is_some_and(|callee| callee.name().starts_with("llvm.sqrt."));
    if is_root { instruction.arguments().first().copied() } else { None }
}
