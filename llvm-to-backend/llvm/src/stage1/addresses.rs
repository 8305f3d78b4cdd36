//! Follows the address of a global variable or function.
//!
//! In: a constant variable or a function. Out: the first instruction whose result depends on where
//! it lies. *Invariant:* unknown uses count as such. Loads through the address, direct calls,
//! comparisons with null, and comparisons and distances between places in the same variable do not
//! depend on it; parameters of defined functions are followed.

use super::{as_function, as_variable, operands, users};
use inkwell::values::{AsValueRef, GlobalValue, InstructionValue};
use llvm_sys::{LLVMOpcode, LLVMTypeKind, core::*, prelude::*};
use std::collections::HashSet;

/// Intrinsics that say something about memory, or only read it.
const MARKS: [&str; 6] = [
    "llvm.var.annotation",
    "llvm.lifetime",
    "llvm.invariant.start",
    "llvm.assume",
    "llvm.prefetch",
    "llvm.masked.load",
];
/// Intrinsics that return their argument.
const PASSED_ON: [&str; 3] = ["llvm.ptr.annotation", "llvm.launder.invariant", "llvm.strip.invariant"];
/// Intrinsics that copy memory.
const COPIES: [&str; 2] = ["llvm.memcpy", "llvm.memmove"];

/// Followed values and those still to follow.
struct Walk<'a> {
    seen: HashSet<LLVMValueRef>,
    pending: Vec<LLVMValueRef>,
    /// Comparisons and differences: harmless if both operands are places in the variable.
    pairs: Vec<LLVMValueRef>,
    is_harmless: &'a dyn Fn(&str) -> bool,
}

/// The instruction that exposes the address, or a pointer that is loaded through it. `is_harmless`
/// names functions that only read through their arguments.
pub fn exposing<'ctx>(global: GlobalValue<'_>, is_harmless: &dyn Fn(&str) -> bool) -> Option<InstructionValue<'ctx>> {
    let start = global.as_value_ref();
    let mut walk = Walk { seen: HashSet::from([start]), pending: vec![start], pairs: Vec::new(), is_harmless };
    while let Some(value) = walk.pending.pop() {
        if let Some(user) = users(value).into_iter().find(|user| walk.is_exposed_by(value, *user)) {
            // SAFETY: `is_exposed_by` is true for instructions only.
            return Some(unsafe { InstructionValue::new(user) });
        }
    }
    let pair = walk.pairs.iter().find(|pair| !operands(**pair).all(|one| walk.is_place(one)))?;
    // SAFETY: only instructions become a pair.
    Some(unsafe { InstructionValue::new(*pair) })
}

fn opcode(instruction: LLVMValueRef) -> LLVMOpcode {
    // SAFETY: a live instruction.
    unsafe { LLVMGetInstructionOpcode(instruction) }
}

fn is_instruction(value: LLVMValueRef) -> bool {
    // SAFETY: a live value; null unless it is an instruction.
    !unsafe { LLVMIsAInstruction(value) }.is_null()
}

fn is_null(value: LLVMValueRef) -> bool {
    // SAFETY: a live value.
    unsafe { LLVMIsConstant(value) != 0 && LLVMIsNull(value) != 0 }
}

fn kind_of(value: LLVMValueRef) -> LLVMTypeKind {
    // SAFETY: a live value has a type.
    unsafe { LLVMGetTypeKind(LLVMTypeOf(value)) }
}

fn is_difference(user: LLVMValueRef) -> bool {
    is_instruction(user) && opcode(user) == LLVMOpcode::LLVMSub
}

impl Walk<'_> {
    fn judge_later(&mut self, pair: LLVMValueRef) -> bool {
        self.pairs.push(pair);
        false
    }

    /// True for a pointer to the variable, and for one as an integer.
    fn is_place(&self, value: LLVMValueRef) -> bool {
        // SAFETY: a live value; null unless it is an expression.
        let is_expression = !unsafe { LLVMIsAConstantExpr(value) }.is_null();
        // SAFETY: a live expression.
        let of_constant = is_expression && unsafe { LLVMGetConstOpcode(value) } == LLVMOpcode::LLVMPtrToInt;
        let is_integer = of_constant || (is_instruction(value) && opcode(value) == LLVMOpcode::LLVMPtrToInt);
        self.seen.contains(&value) || (is_integer && operands(value).all(|of| self.seen.contains(&of)))
    }

    fn follow(&mut self, value: LLVMValueRef) -> bool {
        if self.seen.insert(value) {
            self.pending.push(value);
        }
        false
    }

    /// True if `user` is an instruction that exposes `value`; other users are followed.
    fn is_exposed_by(&mut self, value: LLVMValueRef, user: LLVMValueRef) -> bool {
        if !is_instruction(user) {
            self.follow_constant(user);
            return false;
        }
        use LLVMOpcode::*;
        match opcode(user) {
            LLVMGetElementPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMPHI | LLVMSelect | LLVMFreeze => {
                self.follow(user)
            }
            // A loaded pointer may lead to another constant.
            LLVMLoad if kind_of(user) == LLVMTypeKind::LLVMPointerTypeKind => self.follow(user),
            LLVMLoad => false,
            LLVMStore => operands(user).next() == Some(value),
            LLVMICmp if operands(user).any(is_null) => false,
            LLVMICmp => self.judge_later(user),
            LLVMPtrToInt if users(user).into_iter().all(is_difference) => {
                users(user).into_iter().fold(false, |_, difference| self.judge_later(difference))
            }
            LLVMCall | LLVMInvoke => self.is_exposed_by_call(value, user),
            _ => true,
        }
    }

    /// Follows a constant expression, and the variable that has the address in its initialiser.
    fn follow_constant(&mut self, user: LLVMValueRef) {
        let is_marking = as_variable(user).is_some_and(|one| one.get_name().to_bytes().starts_with(b"llvm."));
        if !is_marking && as_function(user).is_none() {
            self.follow(user);
        }
    }

    fn is_exposed_by_call(&mut self, value: LLVMValueRef, call: LLVMValueRef) -> bool {
        // SAFETY: a live call site.
        let count = unsafe { LLVMGetNumArgOperands(call) } as usize;
        let places: Vec<_> = operands(call).take(count).enumerate().filter(|(_, one)| *one == value).collect();
        // SAFETY: as above.
        let Some(callee) = as_function(unsafe { LLVMGetCalledValue(call) }) else {
            return !places.is_empty();
        };
        let name = callee.get_name().to_string_lossy();
        let is_one = |names: &[&str]| names.iter().any(|prefix| name.starts_with(prefix));
        if places.is_empty() || is_one(&MARKS) || (self.is_harmless)(&name) {
            return false;
        }
        if is_one(&PASSED_ON) {
            return self.follow(call);
        }
        if is_one(&COPIES) {
            // Pointers inside a constant table leave with it.
            return self.holds_addresses(value);
        }
        for (place, _) in places {
            match callee.get_nth_param(place as u32).filter(|_| callee.count_basic_blocks() > 0) {
                Some(parameter) => self.follow(parameter.as_value_ref()),
                None => return true,
            };
        }
        false
    }

    /// True unless `value` is a variable whose initialiser has no address.
    fn holds_addresses(&self, value: LLVMValueRef) -> bool {
        let Some(variable) = as_variable(value) else { return true };
        // SAFETY: a live variable; null without an initialiser.
        let initialiser = unsafe { LLVMGetInitializer(variable.as_value_ref()) };
        initialiser.is_null() || refers_to_globals(initialiser)
    }
}

fn refers_to_globals(constant: LLVMValueRef) -> bool {
    // SAFETY: a live value; null unless it is a global value.
    let is_global = !unsafe { LLVMIsAGlobalValue(constant) }.is_null();
    is_global || operands(constant).any(refers_to_globals)
}
