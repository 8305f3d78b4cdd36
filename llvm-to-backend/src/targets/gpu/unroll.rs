//! Chooses how far loops are unrolled.
//!
//! In: simplified code. Out: the same with hints at innermost loops of one block. *Invariant:* only the shape of the code
//! changes; what the source asks for comes first.
//!
//! LLVM's limits are those of a CPU of moderate size. A GPU has no branch prediction and loads several elements at once
//! only where it sees them side by side, so the limits here follow what nvcc 13.0 does to such loops: 32 steps of a matrix
//! product are straight code, longer loops go four rounds at a time. They hold for SPIR-V as well, which is optimised with the cost model of the same
//! GPUs: on Intel's OpenCL for CPUs a matrix product with 32 steps takes 3.0 ms with these limits and 11.6 ms without.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::{
    Unroll,
    blocks::Block,
    ir::{Opcode, Value},
};

/// Most instructions of a loop that is unrolled completely, all rounds together.
const FULL: u64 = 512;
/// Most instructions of one round of a loop that is unrolled in part.
const ROUND: u64 = 64;
/// Rounds at a time.
const ROUNDS: u32 = 4;
/// Up to so many instructions LLVM unrolls as often as [`ROUNDS`] says or more (`NVPTXTTIImpl::getUnrollingPreferences`: a quarter
/// of the threshold of 300).
const SMALL: u64 = 75 / ROUNDS as u64;

pub(crate) fn hint<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for block in m.defined().into_iter().flat_map(Value::blocks).filter(|block| block.successors().contains(block)) {
        if let (Some(how), Some(end)) = (choose(block), block.terminator()) {
            end.unroll(cx.session, how);
        }
    }
}

fn choose(block: Block<'_>) -> Option<Unroll> {
    let size = block.instructions().into_iter().filter(|i| costs(*i)).count() as u64;
    match rounds(block) {
        Some(rounds) if rounds.saturating_mul(size) <= FULL => Some(Unroll::Full),
        _ if (SMALL + 1..=ROUND).contains(&size) => Some(Unroll::By(ROUNDS)),
        _ => None,
    }
}

/// Whether an instruction of the loop becomes one of the machine in each round.
fn costs(instruction: Value<'_>) -> bool {
    let folded = [Opcode::LLVMPHI, Opcode::LLVMGetElementPtr, Opcode::LLVMZExt, Opcode::LLVMSExt, Opcode::LLVMTrunc];
    let is_mark = || instruction.callee().is_some_and(|f| f.name().starts_with("llvm.dbg."));
    !folded.contains(&instruction.opcode()) && !is_mark()
}

/// How often a loop runs that counts between literals.
fn rounds(block: Block<'_>) -> Option<u64> {
    let condition = block.terminator()?.operands().first().copied()?;
    let [next, end] = pair(condition, Opcode::LLVMICmp)?;
    let [counter, step] = pair(next, Opcode::LLVMAdd)?;
    if !counter.is_instruction() || counter.opcode() != Opcode::LLVMPHI {
        return None;
    }
    let start = counter.incoming().into_iter().find(|(from, _)| *from != block)?.1.signed()?;
    end.signed()?.checked_sub(start)?.checked_div(step.signed()?)?.try_into().ok()
}

/// The operands of an instruction with this opcode.
fn pair<'s>(value: Value<'s>, opcode: Opcode) -> Option<[Value<'s>; 2]> {
    let is = value.is_instruction() && value.opcode() == opcode;
    is.then(|| value.operands().try_into().ok()).flatten()
}
