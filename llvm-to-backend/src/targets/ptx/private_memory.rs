//! Analyses if a pointer addresses private memory, which PTX cannot access atomically.
//!
//! In: generic pointers. Out: yes, no, or unknown until run time. *Invariant:* for a pointer from
//! memory, an argument or a call the answer is *no* only if no private address escapes.

use crate::device_module::DeviceModule;
use sinter_llvm::ir::{Opcode, Value, ValueKind};
use std::collections::HashSet;

/// Address space of private memory.
const PRIVATE_SPACE: u32 = 5;
/// Intrinsic that tests if a generic address is in private memory.
pub(super) const QUESTION: &str = "llvm.nvvm.isspacep.local";
/// Functions that may access memory but do not capture its address. The first three are prefixes of
/// intrinsics.
const KEEPING_NOTHING: [&str; 8] =
    ["llvm.mem", "llvm.lifetime", "llvm.dbg", QUESTION, "llvm.assume", "llvm.nvvm.prefetch", "vprintf", "__assertfail"];
/// Intrinsics whose result points to the same object as their first argument.
const PASSED_ON: [&str; 3] = ["llvm.ptrmask", "llvm.launder.invariant.group", "llvm.strip.invariant.group"];

/// True, false or unknown: a pointer addresses private memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    Depends,
}

/// Result of the analysis of a module.
#[derive(Debug)]
pub(super) struct PrivateMemory<'s> {
    /// By-value parameters, which are private copies.
    copies: HashSet<Value<'s>>,
    /// True if a private address is captured.
    escapes: bool,
}

impl<'s> PrivateMemory<'s> {
    pub(super) fn of<S>(m: &DeviceModule<'s, S>) -> Self {
        let functions = m.defined();
        let copies: HashSet<_> = functions.iter().flat_map(|function| copies(*function)).collect();
        let reserved = functions.into_iter().flat_map(Value::instructions).filter(|i| i.opcode() == Opcode::LLVMAlloca);
        let mut seen = HashSet::new();
        let escapes = reserved.chain(copies.iter().copied()).any(|memory| escapes(memory, &mut seen));
        PrivateMemory { copies, escapes }
    }

    pub(super) fn holds(&self, pointer: Value<'s>) -> Answer {
        let mut roots = Vec::new();
        follow(pointer, &mut HashSet::new(), &mut roots);
        let answers: Vec<_> = roots.into_iter().map(|root| self.root(root)).collect();
        match answers.first() {
            Some(first) if answers.iter().all(|answer| answer == first) => *first,
            Some(_) => Answer::Depends,
            None => Answer::No,
        }
    }

    fn root(&self, root: Value<'s>) -> Answer {
        let reserved = root.is_instruction() && root.opcode() == Opcode::LLVMAlloca;
        if root.address_space() == Some(PRIVATE_SPACE) || reserved || self.copies.contains(&root) {
            return Answer::Yes;
        }
        let from_elsewhere = root.is_instruction() || root.kind() == ValueKind::LLVMArgumentValueKind;
        if root.address_space() == Some(0) && from_elsewhere && self.escapes { Answer::Depends } else { Answer::No }
    }
}

/// Folds calls of [`QUESTION`] with a known answer. False if the module has none.
pub(super) fn answer<S>(m: &DeviceModule<'_, S>) -> bool {
    let Some(question) = m.module.function(QUESTION).filter(|question| question.is_used()) else { return false };
    let memory = PrivateMemory::of(m);
    for call in question.users().into_iter().filter(|user| user.callee() == Some(question)) {
        let known = match call.arguments().first().map(|pointer| memory.holds(*pointer)) {
            Some(Answer::Yes) => 1,
            Some(Answer::No) => 0,
            _ => continue,
        };
        if let Some(literal) = call.ty().constant(known) {
            call.replace_uses(literal);
            call.erase();
        }
    }
    true
}

fn copies(function: Value<'_>) -> Vec<Value<'_>> {
    let numbered = (0u32..).zip(function.parameters());
    numbered.filter(|(index, _)| function.by_value_type(*index).is_some()).map(|(_, parameter)| parameter).collect()
}

/// Collects the objects that a pointer may be derived from.
fn follow<'s>(pointer: Value<'s>, seen: &mut HashSet<Value<'s>>, roots: &mut Vec<Value<'s>>) {
    if !seen.insert(pointer) {
        return;
    }
    match sources(pointer) {
        Some(sources) => sources.into_iter().for_each(|source| follow(source, seen, roots)),
        None => roots.push(pointer),
    }
}

/// The pointers that an instruction derives its result from; `None` for an underlying object.
fn sources(pointer: Value<'_>) -> Option<Vec<Value<'_>>> {
    if !pointer.is_instruction() || pointer.address_space() != Some(0) {
        return None;
    }
    let operands = pointer.operands();
    match pointer.opcode() {
        Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast | Opcode::LLVMFreeze => {
            Some(vec![*operands.first()?])
        }
        Opcode::LLVMSelect => Some(operands.get(1..3)?.to_vec()),
        Opcode::LLVMPHI => Some(operands),
        Opcode::LLVMCall if passes_on(pointer) => Some(vec![*operands.first()?]),
        _ => None,
    }
}

fn passes_on(call: Value<'_>) -> bool {
    call.callee().is_some_and(|callee| PASSED_ON.iter().any(|prefix| callee.name().starts_with(prefix)))
}

/// True if an address is captured: stored, passed to a function or converted to an integer.
fn escapes<'s>(address: Value<'s>, seen: &mut HashSet<Value<'s>>) -> bool {
    seen.insert(address) && address.users().into_iter().any(|user| escapes_by(address, user, seen))
}

fn escapes_by<'s>(address: Value<'s>, user: Value<'s>, seen: &mut HashSet<Value<'s>>) -> bool {
    if !user.is_instruction() {
        return true;
    }
    let is_value = |places: &[usize]| places.iter().any(|place| user.operands().get(*place) == Some(&address));
    match user.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMICmp => false,
        Opcode::LLVMStore => is_value(&[0]),
        Opcode::LLVMAtomicRMW => is_value(&[1]),
        Opcode::LLVMAtomicCmpXchg => is_value(&[1, 2]),
        Opcode::LLVMGetElementPtr
        | Opcode::LLVMAddrSpaceCast
        | Opcode::LLVMBitCast
        | Opcode::LLVMFreeze
        | Opcode::LLVMSelect
        | Opcode::LLVMPHI => escapes(user, seen),
        Opcode::LLVMCall if passes_on(user) => escapes(user, seen),
        Opcode::LLVMCall => !keeps_nothing(user),
        _ => true,
    }
}

fn keeps_nothing(call: Value<'_>) -> bool {
    call.callee().is_some_and(|callee| KEEPING_NOTHING.iter().any(|prefix| callee.name().starts_with(prefix)))
}
