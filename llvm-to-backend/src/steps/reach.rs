//! Finds out through what a kernel reaches memory.
//!
//! In: a kernel in SSA form with the functions that it still calls. Out: true if it may access
//! memory through anything but its own pointer parameters, its private and local memory, and
//! variables of the module: through a pointer that lies in memory, or through an integer.
//! *Invariant:* what is not understood counts as such an access. The runtime relies on a `false`:
//! it then looks at the pointers of a launch, and nowhere else, to see if a device can reach all
//! memory.

use sinter_llvm::ir::{Opcode, Value, ValueKind};
use std::collections::HashSet;

/// Limit for the values visited between an access and what it starts from.
const WAY: usize = 4096;

/// The type of a pointer to local memory.
const LOCAL_POINTER: &str = "ptr addrspace(3)";

/// Intrinsics that access nothing.
const HARMLESS: [&str; 3] = ["llvm.lifetime.", "llvm.dbg.", "llvm.assume"];

/// True if the kernel, or a function in `defined`, may follow such a pointer.
pub(super) fn follows_pointers<'s>(kernel: Value<'s>, defined: &[Value<'s>]) -> bool {
    let mut way = Way { kernel, defined, seen: HashSet::new() };
    let instructions = defined.iter().flat_map(|function| function.instructions());
    instructions.flat_map(addresses).any(|address| match address {
        Some(address) => !way.is_known(address),
        None => true,
    })
}

/// The addresses that an instruction accesses; `None` for one that cannot be followed.
fn addresses(instruction: Value<'_>) -> Vec<Option<Value<'_>>> {
    let operands = instruction.operands();
    match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => vec![operands.first().copied()],
        Opcode::LLVMStore => vec![operands.get(1).copied()],
        _ if instruction.is_call() => of_call(instruction),
        Opcode::LLVMVAArg => vec![None],
        _ => Vec::new(),
    }
}

/// A function with a body is looked into; its parameters lead back to its calls. Other functions
/// access what their arguments point to.
fn of_call(call: Value<'_>) -> Vec<Option<Value<'_>>> {
    let Some(callee) = call.callee() else { return vec![None] };
    let name = callee.name();
    if !callee.is_declaration() || HARMLESS.iter().any(|harmless| name.starts_with(harmless)) {
        return Vec::new();
    }
    let pointers = call.arguments().into_iter().filter(|argument| argument.ty().text().contains("ptr"));
    pointers.map(Some).collect()
}

struct Way<'a, 's> {
    kernel: Value<'s>,
    defined: &'a [Value<'s>],
    /// Values that are known, or that an answer is being found for.
    seen: HashSet<Value<'s>>,
}

impl<'s> Way<'_, 's> {
    /// True if an address starts from memory that the kernel may access.
    fn is_known(&mut self, address: Value<'s>) -> bool {
        let mut open = vec![address];
        while let Some(value) = open.pop() {
            if !self.seen.insert(value) {
                continue;
            }
            let Some(next) = self.origins(value) else { return false };
            open.extend(next);
            if open.len() > WAY {
                return false;
            }
        }
        true
    }

    /// The values that a pointer is made of; none for the start of memory that may be accessed.
    fn origins(&self, value: Value<'s>) -> Option<Vec<Value<'s>>> {
        if value.is_undefined() || is_start(value) {
            return Some(Vec::new());
        }
        if let Some((function, index)) = self.parameter(value) {
            return if function == self.kernel { Some(Vec::new()) } else { passed(function, index) };
        }
        let opcode = if value.is_instruction() {
            value.opcode()
        } else if value.kind() == ValueKind::LLVMConstantExprValueKind {
            value.constant_opcode()
        } else {
            return None;
        };
        let operands = value.operands();
        match opcode {
            Opcode::LLVMAlloca => Some(Vec::new()),
            Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast | Opcode::LLVMFreeze => {
                Some(operands[..1].to_vec())
            }
            Opcode::LLVMSelect => Some(operands[1..].to_vec()),
            Opcode::LLVMPHI => Some(value.incoming().into_iter().map(|(_, value)| value).collect()),
            _ => None,
        }
    }

    fn parameter(&self, value: Value<'s>) -> Option<(Value<'s>, usize)> {
        let place = |function: &Value<'s>| Some((*function, function.parameters().iter().position(|p| *p == value)?));
        self.defined.iter().find_map(place)
    }
}

/// True for the null pointer, for variables of the module and for all pointers to local memory.
fn is_start(value: Value<'_>) -> bool {
    let is_variable = value.kind() == ValueKind::LLVMGlobalVariableValueKind;
    let is_local = value.ty().text() == LOCAL_POINTER;
    is_variable || is_local || (value.is_constant_value() && !value.is_global() && value.is_null())
}

/// The values that calls pass for a parameter; `None` if a function is not only called.
fn passed<'s>(function: Value<'s>, index: usize) -> Option<Vec<Value<'s>>> {
    let of = |user: Value<'s>| {
        let is_call = user.is_instruction() && user.is_call() && user.callee() == Some(function);
        let arguments = if is_call { user.arguments() } else { Vec::new() };
        let as_argument = arguments.contains(&function);
        arguments.get(index).copied().filter(|_| !as_argument)
    };
    function.users().into_iter().map(of).collect()
}
