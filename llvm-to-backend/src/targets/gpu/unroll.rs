//! Sets unroll factors of loops.
//!
//! In: simplified code. Out: the same with unroll metadata on innermost loops of one block, and of
//! a few blocks that only the last one leaves. *Invariant:* only the shape of the code changes;
//! hints of the source take precedence.
//!
//! LLVM's limits are those of a CPU of moderate size. A GPU has no branch prediction and loads
//! several elements at once only where they are adjacent in straight code, so the limits follow
//! nvcc 13.0: a matrix product with 32 steps is unrolled completely, longer loops by four. They
//! also apply to SPIR-V, which is optimised with the cost model of the same GPUs: on Intel's OpenCL
//! for CPUs a matrix product with 32 steps takes 3.0 ms with these limits and 11.6 ms without.
//!
//! A loop with branches is unrolled only if it runs a literal number of times that the factor
//! divides, so that no loop for the rest is added.

use super::early_loads::predecessors;
use crate::{context::Context, device_module::DeviceModule};
use sinter_llvm::{
    Unroll,
    blocks::Block,
    ir::{Opcode, Value},
};
use std::collections::HashMap;

/// Maximum instructions of a completely unrolled loop, summed over its iterations.
const FULL: u64 = 512;
/// Maximum instructions of one iteration of a partially unrolled loop.
const ROUND: u64 = 64;
/// Factor of partial unrolling.
const ROUNDS: u32 = 4;
/// Up to this size LLVM itself unrolls by at least [`ROUNDS`]
/// (`NVPTXTTIImpl::getUnrollingPreferences`: a quarter of the threshold of 300).
const SMALL: u64 = 75 / ROUNDS as u64;

/// Maximum iterations of a loop for the rest of another one that is unrolled completely, and
/// maximum instructions, summed over them. Half as many again cost registers: a stencil of 25
/// points took 1.15 of the time on an H100.
const REST: i64 = 7;
const RESTS: u64 = 48;

/// Maximum blocks of a loop with branches.
const BLOCKS: usize = 8;

pub(crate) fn hint<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        let blocks = function.blocks();
        let predecessors = predecessors(&blocks);
        for latch in blocks {
            let body = body(latch, &predecessors);
            if let (Some(how), Some(end)) = (body.and_then(|body| choose(latch, &body)), latch.terminator()) {
                end.unroll(cx.session, how);
            }
        }
    }
}

/// Lets the loops be unrolled that LLVM adds for the rest of a loop that it unrolls.
pub(crate) fn allow_rests<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
    let blocks = m.defined().into_iter().flat_map(|function| function.blocks());
    let ends = blocks.filter(|block| is_rest(*block)).filter_map(|block| block.terminator());
    ends.for_each(|end| end.allow_unrolling(cx.session));
}

/// True for a loop of one block that counts from 0 to the remainder of a division by a power of 2.
fn is_rest(block: Block<'_>) -> bool {
    let most = || {
        let condition = block.terminator()?.operands().first().copied()?;
        let [next, end] = pair(condition, Opcode::LLVMICmp)?;
        let [counter, step] = pair(next, Opcode::LLVMAdd)?;
        let start = counter.incoming().into_iter().find(|(from, _)| *from != block)?.1;
        let [_, most] = pair(end, Opcode::LLVMAnd)?;
        (start.signed() == Some(0) && step.signed() == Some(1)).then(|| most.signed()).flatten()
    };
    let is_loop = block.successors().contains(&block);
    let most = if is_loop { most().filter(|most| (1..=REST).contains(most)) } else { None };
    most.is_some_and(|most| {
        block.instructions().into_iter().filter(|i| costs(*i)).count() as u64 * most as u64 <= RESTS
    })
}

/// Blocks of the innermost loop that ends in `latch`, which alone leaves it.
fn body<'s>(latch: Block<'s>, predecessors: &HashMap<Block<'s>, Vec<Block<'s>>>) -> Option<Vec<Block<'s>>> {
    let successors = latch.successors();
    if successors.contains(&latch) {
        return Some(vec![latch]);
    }
    let (header, body) =
        successors.into_iter().find_map(|header| Some((header, between(header, latch, predecessors)?)))?;
    let position = |block: &Block<'s>| body.iter().position(|other| other == block);
    // Each block but the last is followed by blocks nearer to the latch: no exit, no inner loop.
    let is_forward = |block: Block<'s>| {
        let next = block.successors();
        next.iter().all(|next| *next != header && position(next) < position(&block) && position(next).is_some())
    };
    body[1..].iter().all(|block| is_forward(*block)).then_some(body)
}

/// Blocks from `latch` back to `header`, in an order in which every block is after its successors
/// where such an order exists; `None` if there are too many.
fn between<'s>(
    header: Block<'s>,
    latch: Block<'s>,
    predecessors: &HashMap<Block<'s>, Vec<Block<'s>>>,
) -> Option<Vec<Block<'s>>> {
    let (mut body, mut left) = (vec![latch], vec![latch]);
    let mut steps = 0..BLOCKS * BLOCKS;
    while let Some(block) = left.pop() {
        // An inner loop has no such order.
        steps.next().filter(|_| body.len() <= BLOCKS)?;
        for before in predecessors.get(&block).into_iter().flatten().filter(|_| block != header) {
            // A block that is met again moves behind the one that it precedes.
            body.retain(|other| other != before);
            body.push(*before);
            left.push(*before);
        }
    }
    (body.last() == Some(&header)).then_some(body)
}

fn choose(latch: Block<'_>, body: &[Block<'_>]) -> Option<Unroll> {
    let instructions = body.iter().flat_map(|block| block.instructions());
    let size = instructions.filter(|i| costs(*i)).count() as u64;
    let (rounds, is_straight) = (rounds(latch), body.len() == 1);
    match rounds {
        Some(rounds) if is_straight && rounds.saturating_mul(size) <= FULL => Some(Unroll::Full),
        Some(rounds) if !is_straight && rounds % u64::from(ROUNDS) != 0 => None,
        None if !is_straight => None,
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
fn rounds(latch: Block<'_>) -> Option<u64> {
    let condition = latch.terminator()?.operands().first().copied()?;
    let [next, end] = pair(condition, Opcode::LLVMICmp)?;
    let [counter, step] = pair(next, Opcode::LLVMAdd)?;
    let start = counter.incoming().into_iter().find(|(from, _)| *from != latch)?.1.signed()?;
    end.signed()?.checked_sub(start)?.checked_div(step.signed()?)?.try_into().ok()
}

/// Operands of a binary instruction with this opcode; `None` for others.
fn pair<'s>(value: Value<'s>, opcode: Opcode) -> Option<[Value<'s>; 2]> {
    let is = value.is_instruction() && value.opcode() == opcode;
    is.then(|| value.operands().try_into().ok()).flatten()
}
