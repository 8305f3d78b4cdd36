//! Emits calls.
//!
//! In: a call. Out: a call of a function of the module, or the instruction for an intrinsic or a
//! name of [`super::instructions`]. *Invariant:* the module calls no external function.

use super::{Emitter, assembly::id};
use crate::failure::{Failure, Outcome};
use rspirv::spirv::Op;
use sinter_llvm::{
    ir::{Value, ValueKind},
    types::TypeView,
};

impl<'s> Emitter<'_, 's> {
    pub(super) fn call(&mut self, call: Value<'s>) -> Outcome<()> {
        let callee = call.callee().filter(|callee| callee.kind() == ValueKind::LLVMFunctionValueKind);
        let Some(callee) = callee else {
            let hint = "devices that take SPIR-V have no function pointers; call the function itself";
            return self.unsupported(call, "a call through a pointer", hint);
        };
        if let Some(function) = self.functions.get(&callee).copied() {
            let arguments =
                call.arguments().into_iter().map(|argument| self.id(argument)).collect::<Outcome<Vec<_>>>()?;
            let operands: Vec<_> = [function].into_iter().chain(arguments).map(id).collect();
            return self.produce(call, Op::FunctionCall, operands);
        }
        let name = callee.name();
        if self.named(call, &name)? || self.intrinsic(call, &name)? {
            return Ok(());
        }
        Err(Failure::internal(format!("a call of `{name}` was not refused")))
    }

    /// Emits an instruction for a call, which may have no result.
    pub(super) fn produce(&mut self, call: Value<'s>, op: Op, operands: Vec<rspirv::dr::Operand>) -> Outcome<()> {
        if call.ty().view() != TypeView::Void {
            return self.define(call, op, operands);
        }
        // `OpFunctionCall` has a result ID even for type void.
        if op == Op::FunctionCall {
            let nothing = self.void();
            self.out.value(op, nothing, operands);
        } else {
            self.out.act(op, operands);
        }
        Ok(())
    }
}
