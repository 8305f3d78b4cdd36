//! Sets unroll factors of loops.
//!
//! In: simplified code. Out: the same with unroll metadata on innermost loops of one block.
//! *Invariant:* only the shape of the code changes; hints of the source take precedence.
//!
//! LLVM's limits are those of a CPU of moderate size. A GPU has no branch prediction and loads
//! several elements at once only where they are adjacent in straight code, so the limits follow
//! nvcc 13.0: a matrix product with 32 steps is unrolled completely, longer loops by four. They
//! also apply to SPIR-V, which is optimised with the cost model of the same GPUs: on Intel's OpenCL
//! for CPUs a matrix product with 32 steps takes 3.0 ms with these limits and 11.6 ms without.

use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::{
    Unroll,
    blocks::Block,
    ir::{Opcode, Value},
};

/// Maximum instructions of a completely unrolled loop, summed over its iterations.
const FULL: u64 = 512;
/// Maximum instructions of one iteration of a partially unrolled loop.
const ROUND: u64 = 64;
/// Factor of partial unrolling.
const ROUNDS: u32 = 4;
/// Up to this size LLVM itself unrolls by at least [`ROUNDS`]
/// (`NVPTXTTIImpl::getUnrollingPreferences`: a quarter of the threshold of 300).
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

/// True if an instruction of the loop becomes a machine instruction in each iteration.
fn costs(instruction: Value<'_>) -> bool {
    let folded = [Opcode::LLVMPHI, Opcode::LLVMGetElementPtr, Opcode::LLVMZExt, Opcode::LLVMSExt, Opcode::LLVMTrunc];
    let is_mark = || instruction.callee().is_some_and(|f| f.name().starts_with("llvm.dbg."));
    !folded.contains(&instruction.opcode()) && !is_mark()
}

/// Trip count of a loop that counts between literals; `None` for others.
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

/// Operands of a binary instruction with this opcode; `None` for others.
fn pair<'s>(value: Value<'s>, opcode: Opcode) -> Option<[Value<'s>; 2]> {
    let is = value.is_instruction() && value.opcode() == opcode;
    is.then(|| value.operands().try_into().ok()).flatten()
}
