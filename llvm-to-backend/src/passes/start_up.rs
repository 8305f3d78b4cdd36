//! Refuses variables that are initialised when a program starts.
//!
//! In: an image with its list of constructors. Out: the same, or an error that names a variable
//! that a constructor modifies and the kernel reaches. *Invariant:* runs before the list is
//! removed: device code has no start-up, and the kernel would read the value before construction.

use crate::{context::Context, failure::Outcome};
use sinter_core::names::readable;
use sinter_llvm::{
    Module,
    ir::{Opcode, Value, ValueKind},
};
use std::collections::HashSet;

/// LLVM's list of constructors.
pub(crate) const CONSTRUCTORS: &str = "llvm.global_ctors";

pub(crate) fn no_start_up_values<'s>(cx: &Context<'_, '_>, module: &Module<'s>, kernel: Value<'s>) -> Outcome<()> {
    let Some(constructors) = module.global(CONSTRUCTORS).and_then(Value::initializer) else { return Ok(()) };
    let reached = reached(kernel);
    let is_set = |instruction: &Value<'s>| instruction.opcode() != Opcode::LLVMLoad;
    let functions = self::reached(constructors).into_iter().filter(|value| is_function(*value));
    let setting = functions.flat_map(Value::instructions).filter(is_set);
    let mut changed = setting.flat_map(Value::operands).flat_map(variables);
    let Some(variable) = changed.find(|variable| reached.contains(variable) && !variable.is_constant()) else {
        return Ok(());
    };
    let what = format!("the variable `{}`, which gets its value when the program starts,", readable(&variable.name()));
    let hint = "device code has no start-up; make it `constexpr`, or pass the value as a kernel argument";
    Err(cx.unsupported(what, None, hint).into())
}

fn is_function(value: Value<'_>) -> bool {
    value.kind() == ValueKind::LLVMFunctionValueKind
}

fn is_variable(value: Value<'_>) -> bool {
    value.kind() == ValueKind::LLVMGlobalVariableValueKind
}

/// The functions and variables that a value refers to, through code, constants and initial values.
fn reached(start: Value<'_>) -> HashSet<Value<'_>> {
    let (mut found, mut queue) = (HashSet::new(), vec![start]);
    while let Some(value) = queue.pop() {
        if !found.insert(value) {
            continue;
        }
        if is_function(value) {
            queue.extend(value.instructions().into_iter().flat_map(Value::operands).filter(|part| is_constant(*part)));
        } else if is_variable(value) {
            queue.extend(value.initializer());
        } else {
            queue.extend(value.operands());
        }
    }
    found
}

/// The variables that a constant refers to.
fn variables(value: Value<'_>) -> Vec<Value<'_>> {
    if is_variable(value) {
        return vec![value];
    }
    let is_made_of_others = is_constant(value) && !is_function(value);
    if is_made_of_others { value.operands().into_iter().flat_map(variables).collect() } else { Vec::new() }
}

/// True for constants that may refer to others.
fn is_constant(value: Value<'_>) -> bool {
    matches!(
        value.kind(),
        ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMConstantExprValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
    )
}
