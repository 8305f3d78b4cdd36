//! Refuses code that AMD GPUs cannot run.
//!
//! *Invariant:* LLVM's AMDGPU back end does not abort on code that passes, neither before the
//! optimiser nor after it.

use super::{builtins, local_memory, math::DIALECT};
use crate::{
    backend::first_use,
    context::Context,
    device_module::{Bound, DeviceModule},
    failure::Outcome,
    targets::gpu::{CONSTANT_SPACE, atomics, check as gpu},
};
use sinter_core::AmdgcnTarget;
use sinter_llvm::ir::{Opcode, Value};

/// Maximum private memory of a wave in bytes: a 13-bit count of blocks of 256 words (LLVM 19,
/// `getMaxWaveScratchSize`; newer processors have a little more).
const PRIVATE_MEMORY_OF_WAVE: u64 = ((1 << 13) - 1) * 256 * 4;
/// Functions that print, which AMD GPUs do not support.
const PRINTING: [&str; 5] = ["printf", "vprintf", "puts", "putchar", "__acpp_sscp_print"];

pub(super) fn check(cx: &Context<'_, '_>, target: &AmdgcnTarget, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    no_printing(cx, m)?;
    refuse_stores(cx, m, |address| is_constant(address.addressed_variable().unwrap_or(address)))?;
    gpu::check(cx, &DIALECT, m)?;
    let atomics = m.defined().into_iter().flat_map(Value::instructions).filter(|i| i.is_atomic());
    atomics.into_iter().try_for_each(|instruction| atomics::fits(cx, instruction, "an AMD GPU"))?;
    local_memory::fits(cx, m)?;
    gpu::private_memory_fits(cx, m, PRIVATE_MEMORY_OF_WAVE / u64::from(target.wave.size()))
}

/// Repeats the checks after the optimiser, which may create code that cannot be selected.
pub(super) fn check_again<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    gpu::check_again(cx, &DIALECT, m, builtins::is_provided)
}

/// Refuses stores to constant memory, through pointers and to variables. A store that the step
/// `builtins` already reported, before any simplification, is not repeated.
fn refuse_stores<'s, S>(
    cx: &Context<'_, '_>,
    m: &DeviceModule<'s, S>,
    is_refused: impl Fn(Value<'s>) -> bool,
) -> Outcome<()> {
    match m.defined().into_iter().flat_map(Value::instructions).find(|i| changed(*i).is_some_and(&is_refused)) {
        Some(store) => {
            let hint = "constant memory is read only: store to a buffer in global memory";
            Err(cx.unsupported("a store to constant memory".to_owned(), store.location(), hint).into())
        }
        None => Ok(()),
    }
}

/// The address that an instruction writes to.
fn changed(instruction: Value<'_>) -> Option<Value<'_>> {
    let address = match instruction.opcode() {
        Opcode::LLVMStore => 1,
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => 0,
        _ => return None,
    };
    instruction.operands().get(address).copied()
}

fn is_constant(address: Value<'_>) -> bool {
    address.address_space() == Some(CONSTANT_SPACE)
}

fn no_printing(cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
    let printing = |function: &Value<'_>| PRINTING.contains(&function.name().as_str());
    match m.undefined().into_iter().find(printing) {
        Some(function) => {
            let what = format!("`{}`", function.name());
            let hint = "an AMD GPU prints through a service of the runtime that loads the code, and there is none; write \
                        the values to memory and print them on the host";
            Err(cx.unsupported(what, first_use(function), hint).into())
        }
        None => Ok(()),
    }
}
