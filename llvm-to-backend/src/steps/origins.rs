//! Says what the pointers of a kernel are made of.
//!
//! In: a value in a kernel in SSA form, or in a function that it still calls. Out: the values that
//! it may be an address in the object of. *Invariant:* what is not understood has no answer.

use sinter_llvm::ir::{Opcode, Value, ValueKind};

/// The type of a pointer to local memory.
const LOCAL_POINTER: &str = "ptr addrspace(3)";

/// A pointer that addresses are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Start<'s> {
    /// A pointer parameter of the kernel.
    Parameter(u32),
    /// A pointer that the instruction loads.
    Loaded(Value<'s>),
}

/// One step from an address to what it is made of.
pub(super) enum Origin<'s> {
    /// Private or local memory, variables of the module, or no memory at all.
    Own,
    Start(Start<'s>),
    /// Each of these values.
    Made(Vec<Value<'s>>),
}

/// The code that addresses are followed in.
pub(super) struct Way<'a, 's> {
    pub(super) kernel: Value<'s>,
    pub(super) defined: &'a [Value<'s>],
}

impl<'s> Way<'_, 's> {
    /// One step from a pointer to what it is made of; `None` if that is not known.
    pub(super) fn origin(&self, value: Value<'s>) -> Option<Origin<'s>> {
        if value.is_undefined() || is_own(value) {
            return Some(Origin::Own);
        }
        if let Some((function, index)) = self.parameter(value) {
            return if function == self.kernel {
                // A `byval` parameter is private memory.
                let is_private = function.by_value_type(index).is_some();
                Some(if is_private { Origin::Own } else { Origin::Start(Start::Parameter(index)) })
            } else {
                passed(function, index as usize).map(Origin::Made)
            };
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
            Opcode::LLVMAlloca => Some(Origin::Own),
            Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMBitCast | Opcode::LLVMFreeze => {
                Some(Origin::Made(operands[..1].to_vec()))
            }
            Opcode::LLVMSelect => Some(Origin::Made(operands[1..].to_vec())),
            Opcode::LLVMPHI => Some(Origin::Made(value.incoming().into_iter().map(|(_, value)| value).collect())),
            Opcode::LLVMLoad => Some(Origin::Start(Start::Loaded(value))),
            _ => None,
        }
    }

    /// The function that a value is a parameter of, with its number.
    fn parameter(&self, value: Value<'s>) -> Option<(Value<'s>, u32)> {
        let place = |function: &Value<'s>| {
            let index = function.parameters().iter().position(|p| *p == value)?;
            Some((*function, index as u32))
        };
        self.defined.iter().find_map(place)
    }

    /// The number of a parameter of the kernel.
    pub(super) fn of_kernel(&self, value: Value<'s>) -> Option<u32> {
        self.parameter(value).filter(|(function, _)| *function == self.kernel).map(|(_, index)| index)
    }
}

/// True for the null pointer, for variables of the module and for all pointers to local memory.
fn is_own(value: Value<'_>) -> bool {
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
