//! Replaces loops around a compare-exchange by the atomic operation that they spell.
//!
//! In: simplified code. Out: the same, with one `atomicrmw` for a loop of one block that computes a
//! new value from the old one until nobody else has changed that. Programs write such loops where
//! their language had no atomic addition of doubles or halves, and the headers of HIP and CUDA for
//! `atomicInc` and `atomicDec`. *Invariant:* an operation is replaced only if the atomic one
//! computes the same bits, so sums of `float` are not: they flush subnormal numbers. Other
//! work-items see what they would see if the exchange succeeded at once. Loops of system scope
//! stay, because the host may take part, and PCI Express has fewer atomic operations than a GPU.

use super::atomics;
use crate::{
    context::Context, device_module::DeviceModule, failure::Outcome, passes::template::link_text,
    targets::gpu::atomics::ordering_name,
};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Shape, Value},
    operation::{FastMathFlags, IntegerPredicate, Ordering},
};
use std::collections::BTreeMap;

pub(super) fn replace<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let exchanges: Vec<_> = instructions.filter(|i| i.opcode() == Opcode::LLVMAtomicCmpXchg).collect();
    let mut functions = BTreeMap::new();
    // One after the other: a loop may take its value from another one.
    for one in exchanges.into_iter().filter_map(Loop::new) {
        let (body, next) = (one.body(), format!("sinter.exchange.{}", functions.len()));
        let name = functions.entry(body.clone()).or_insert_with(|| next.clone());
        if *name == next {
            m.module.declare(name, one.old.ty(), &[one.pointer.ty(), one.operation.value.ty()]);
            link_text(cx, m, &body.replace("{name}", name))?.into_iter().for_each(Value::make_internal);
        }
        if let Some(function) = m.module.function(name) {
            one.replace(function);
        }
    }
    Ok(())
}

/// Maximum instructions that the value of an operation is computed with.
const MOST_STEPS: usize = 16;

/// An operation of an `atomicrmw` and the value that it takes beside the one in memory.
struct Operation<'s> {
    name: &'static str,
    value: Value<'s>,
}

/// A loop that ends when its exchange has succeeded.
struct Loop<'s> {
    /// The value that memory is taken to have, as a number or as bits.
    phi: Value<'s>,
    /// Its bits.
    old: Value<'s>,
    exchange: Value<'s>,
    pointer: Value<'s>,
    operation: Operation<'s>,
    /// Instructions of the loop that the operation's value needs in each round.
    steps: Vec<Value<'s>>,
    ordering: &'static str,
}

impl<'s> Loop<'s> {
    fn new(exchange: Value<'s>) -> Option<Self> {
        let block = exchange.block();
        let instructions = block.instructions();
        let [pointer, old, new] = exchange.operands().try_into().ok()?;
        let (operation, mut steps) = (operation(old, new)?, Vec::new());
        let is_same_each_round = [pointer, operation.value].map(|value| add_steps(block, value, 0, &mut steps));
        let phi = bits_of(old).unwrap_or(old);
        let is_simple = |i: &Value<'s>| {
            let is_end = Some(*i) == block.terminator();
            is_end || *i == exchange || *i == phi || is_of_rounds(*i, block) || i.is_function_of_operands()
        };
        let one = Loop { phi, old, exchange, pointer, operation, steps, ordering: ordering(exchange)? };
        let holds = block.successors().contains(&block)
            && instructions.iter().all(is_simple)
            && !exchange.is_volatile()
            && !atomics::is_of_system(exchange)
            && exchange.users().into_iter().all(|user| one.part(user).is_some())
            && is_same_each_round == [true; 2]
            && one.ends_with_success(block)
            && atomics::has(one.operation.name, &one.operation.value.ty().text());
        holds.then_some(one)
    }

    /// True if a further round begins with what the exchange found, and there is one only if that
    /// failed.
    fn ends_with_success(&self, block: Block<'s>) -> bool {
        let is_phi = self.phi.is_instruction() && self.phi.opcode() == Opcode::LLVMPHI && self.phi.block() == block;
        let Some(end) = block.terminator().filter(|_| is_phi) else { return false };
        let mut again = self.phi.incoming().into_iter().filter(|(from, _)| *from == block);
        let ends_if = end.branch_condition().and_then(|condition| self.means_success(condition));
        let ends = ends_if.map(|ends_if| block.successors()[usize::from(!ends_if)]);
        ends.is_some_and(|next| next != block) && again.all(|(_, value)| self.is_found(value))
    }

    /// True for what the exchange found, where that failed.
    fn is_found(&self, value: Value<'s>) -> bool {
        let if_failed = || {
            let is_choice = value.is_instruction() && value.opcode() == Opcode::LLVMSelect;
            is_choice.then(|| value.operands()).filter(|choice| self.part(choice[0]) == Some(1)).map(|choice| choice[2])
        };
        self.part(value) == Some(0) || bits_of(value).or_else(if_failed).is_some_and(|inner| self.is_found(inner))
    }

    /// The value of this condition if the exchange has succeeded; `None` if it says something else.
    fn means_success(&self, condition: Value<'s>) -> Option<bool> {
        if self.part(condition) == Some(1) {
            return Some(true);
        }
        let is_comparison = condition.is_instruction() && condition.opcode() == Opcode::LLVMICmp;
        let beside = other(is_comparison.then(|| condition.operands())?, |value| value == self.old)?;
        match condition.integer_predicate() {
            IntegerPredicate::LLVMIntEQ if self.part(beside) == Some(0) => Some(true),
            IntegerPredicate::LLVMIntNE if self.part(beside) == Some(0) => Some(false),
            _ => None,
        }
    }

    /// The part of the exchange's result that a value is: 0 is what it found, 1 says if it
    /// succeeded.
    fn part(&self, value: Value<'s>) -> Option<u32> {
        let is_part = value.is_instruction() && value.opcode() == Opcode::LLVMExtractValue;
        (is_part && value.operands() == [self.exchange]).then(|| value.member_indices()[0])
    }

    /// Definition of the function that takes the loop's place, with `{name}` for its name.
    fn body(&self) -> String {
        let (pointer, value) = (self.pointer.ty().text(), self.operation.value.ty().text());
        let (operation, result, scope) = (self.operation.name, self.old.ty().text(), self.exchange.sync_scope());
        format!(
            "define {result} @{{name}}({pointer} %p, {value} %v) alwaysinline nounwind {{\n  \
             %a = atomicrmw {operation} {pointer} %p, {value} %v syncscope(\"{scope}\") {}\n  \
             %b = bitcast {value} %a to {result}\n  ret {result} %b\n}}\n",
            self.ordering
        )
    }

    fn replace(&self, function: Value<'s>) {
        let block = self.exchange.block();
        let is_code = |i: &Value<'s>| i.opcode() != Opcode::LLVMPHI && !self.steps.contains(i);
        let Some(code) = block.instructions().into_iter().find(is_code) else { return };
        self.steps.iter().for_each(|step| step.move_before(code));
        let found = code.insert_before(|insert| insert.call(function, &[self.pointer, self.operation.value]));
        let mut starts: Vec<_> = self.phi.incoming().into_iter().filter(|(from, _)| *from != block).collect();
        starts.dedup_by_key(|(_, start)| *start);
        let ty = self.phi.ty();
        let as_phi = || code.insert_before(|insert| insert.cast(Opcode::LLVMBitCast, found, ty));
        self.phi.replace_uses(if ty == found.ty() { found } else { as_phi() });
        for part in self.exchange.users() {
            let succeeded = || part.ty().constant(1).unwrap_or(found);
            part.replace_uses(if self.part(part) == Some(0) { found } else { succeeded() });
            part.erase();
        }
        let new = self.exchange.operands().get(2).copied();
        if let Some(sum) = new.and_then(bits_of) {
            sum.forbid_contraction();
        }
        self.exchange.erase();
        self.phi.erase();
        // Two different starts may be bits of one load, which is left then.
        if let [(_, start)] = starts[..] {
            erase_unused(start);
        }
    }
}

/// Erases what a loop began with, if nothing else needs it: LLVM does not delete atomic loads.
fn erase_unused(start: Value<'_>) {
    let is_relaxed = || {
        let is_load = start.is_instruction() && start.opcode() == Opcode::LLVMLoad;
        is_load && !start.is_volatile() && start.ordering() as u32 <= Ordering::LLVMAtomicOrderingMonotonic as u32
    };
    let bits = bits_of(start);
    if !start.is_used() && (bits.is_some() || is_relaxed()) {
        start.erase();
        bits.into_iter().for_each(erase_unused);
    }
}

/// The value whose bits this one has as another type.
fn bits_of(value: Value<'_>) -> Option<Value<'_>> {
    let is_cast = value.is_instruction() && value.opcode() == Opcode::LLVMBitCast;
    is_cast.then(|| value.operands()[0])
}

/// True for a value that a round takes from the one before and that is undefined in the first one.
/// Any other would tell how many rounds there were, and a first round may have guessed what memory
/// holds.
fn is_of_rounds<'s>(value: Value<'s>, block: Block<'s>) -> bool {
    let is_undefined = |(from, start): (Block<'s>, Value<'s>)| from == block || start.is_undefined();
    value.opcode() == Opcode::LLVMPHI && value.incoming().into_iter().all(is_undefined)
}

/// Adds the instructions of `block` that a value needs, each behind its operands. False if the
/// value is not the same in each round, or needs too many.
fn add_steps<'s>(block: Block<'s>, value: Value<'s>, depth: usize, steps: &mut Vec<Value<'s>>) -> bool {
    let is_step = value.is_instruction() && value.block() == block && !steps.contains(&value);
    if !is_step {
        return true;
    }
    let is_known = depth < MOST_STEPS
        && value.is_function_of_operands()
        && value.operands().into_iter().all(|operand| add_steps(block, operand, depth + 1, steps));
    steps.push(value);
    is_known && steps.len() <= MOST_STEPS
}

/// The ordering of an atomic operation that orders at least as much as a failed exchange.
fn ordering(exchange: Value<'_>) -> Option<&'static str> {
    use Ordering::*;
    let (success, failure) = exchange.exchange_orderings();
    let acquires =
        [LLVMAtomicOrderingAcquire, LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent];
    let is_covered = match failure {
        LLVMAtomicOrderingMonotonic => true,
        LLVMAtomicOrderingAcquire => acquires.contains(&success),
        failure => failure == success,
    };
    is_covered.then(|| ordering_name(success))
}

/// The operation that makes `new` of `old`.
fn operation<'s>(old: Value<'s>, new: Value<'s>) -> Option<Operation<'s>> {
    let found = |name, value| Some(Operation { name, value });
    let opcode = new.is_instruction().then(|| new.opcode())?;
    let operands = new.operands();
    match opcode {
        Opcode::LLVMBitCast => {
            let sum = operands[0];
            let is_old = |value: Value<'s>| bits_of(value) == Some(old) || bits_of(old) == Some(value);
            let is_sum = sum.is_instruction() && sum.opcode() == Opcode::LLVMFAdd && is_kept(new, sum);
            found("fadd", other(is_sum.then(|| sum.operands())?, is_old)?)
        }
        Opcode::LLVMSub if operands[0] == old => found("sub", operands[1]),
        Opcode::LLVMAdd | Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
            let names = [(Opcode::LLVMAdd, "add"), (Opcode::LLVMAnd, "and"), (Opcode::LLVMOr, "or")];
            let name = names.iter().find(|(one, _)| *one == opcode).map_or("xor", |(_, name)| name);
            found(name, other(operands, |value| value == old)?)
        }
        Opcode::LLVMSelect => increment(old, [operands[0], operands[1], operands[2]]),
        Opcode::LLVMCall => smaller_or_larger(old, new),
        _ => None,
    }
}

/// True if a sum has the same bits when it is computed once more: it is not, or it may not be
/// reassociated. [`Loop::replace`] keeps it from being fused.
fn is_kept(new: Value<'_>, sum: Value<'_>) -> bool {
    let FastMathFlags { reassociate, approximate, reciprocal, .. } = sum.fast_math_flags();
    sum.users().len() == 1 && new.users().len() == 1 || !(reassociate || approximate || reciprocal)
}

/// Of two operands the one beside the old value.
fn other<'s>(operands: Vec<Value<'s>>, is_old: impl Fn(Value<'s>) -> bool) -> Option<Value<'s>> {
    let [a, b] = operands.try_into().ok()?;
    if is_old(a) { Some(b) } else { is_old(b).then_some(a) }
}

/// A minimum or maximum; and a counter that counts down from a limit: the minimum of that and one
/// less, which wraps below zero.
fn smaller_or_larger<'s>(old: Value<'s>, new: Value<'s>) -> Option<Operation<'s>> {
    let names = [("llvm.umin.", "umin"), ("llvm.umax.", "umax"), ("llvm.smin.", "min"), ("llvm.smax.", "max")];
    let callee = new.callee()?.name();
    let name = names.iter().find(|(prefix, _)| callee.starts_with(prefix))?.1;
    let operands: Vec<_> = new.operands().into_iter().take(2).collect();
    if let Some(value) = other(operands.clone(), |value| value == old) {
        return Some(Operation { name, value });
    }
    let limit = other(operands, |value| added(old, value) == Some(-1)).filter(|_| name == "umin")?;
    Some(Operation { name: "udec_wrap", value: limit })
}

/// A counter that counts up to a limit and begins again.
fn increment<'s>(old: Value<'s>, [condition, yes, no]: [Value<'s>; 3]) -> Option<Operation<'s>> {
    use IntegerPredicate::*;
    let is_comparison = condition.is_instruction() && condition.opcode() == Opcode::LLVMICmp;
    let [compared, limit] = is_comparison.then(|| condition.operands())?.try_into().ok()?;
    let wraps_if = if is_zero(yes) && added(old, no) == Some(1) {
        true
    } else if is_zero(no) && added(old, yes) == Some(1) {
        false
    } else {
        return None;
    };
    let above = || {
        limit.literal_bits().filter(|last| *last < u64::from(u32::MAX)).and_then(|last| limit.ty().constant(last + 1))
    };
    let value = match (condition.integer_predicate(), wraps_if) {
        (LLVMIntUGE, true) | (LLVMIntULT, false) => Some(limit),
        (LLVMIntUGT, true) | (LLVMIntULE, false) => above(),
        _ => None,
    };
    value
        .filter(|_| compared == old && old.ty().shape() == Shape::Integer(32))
        .map(|value| Operation { name: "uinc_wrap", value })
}

fn is_zero(value: Value<'_>) -> bool {
    value.literal_bits() == Some(0)
}

/// The literal that a sum adds to the old value.
fn added<'s>(old: Value<'s>, sum: Value<'s>) -> Option<i64> {
    let is_sum = sum.is_instruction() && sum.opcode() == Opcode::LLVMAdd;
    other(is_sum.then(|| sum.operands())?, |value| value == old)?.signed()
}
