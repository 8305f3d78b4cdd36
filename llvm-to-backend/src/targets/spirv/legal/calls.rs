//! Legalises parameters and results of types that SPIR-V lacks.
//!
//! In: functions that the kernel calls, and their calls. Out: functions that take the parts of each
//! parameter and return the parts of the result in a structure. *Invariant:* the kernel's own
//! parameters are fixed by the driver; an illegal one is an error.

use super::{
    accepted,
    expansion::{Expansion, is_data},
    legaliser::Legaliser,
    shapes::{Leaf, Limbs, leaves},
};
use crate::failure::Outcome;
use sinter_core::SpirvTarget;
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Type, Value},
    types::TypeView,
};
use std::collections::HashMap;

fn is_odd(target: &SpirvTarget, ty: Type<'_>) -> bool {
    !accepted::is_value(target, ty) && is_data(ty)
}

/// Types of the parts of a type; the type itself if it is accepted.
fn parts<'s, S>(l: &Legaliser<'_, 's, '_, S>, ty: Type<'s>) -> Vec<Type<'s>> {
    if !is_odd(l.target, ty) {
        return vec![ty];
    }
    leaves(l.target, ty).into_iter().flat_map(|leaf: Leaf<'s>| leaf.held(l.cx.session)).collect()
}

/// The result type of a function that returns parts.
fn result<'s, S>(l: &Legaliser<'_, 's, '_, S>, ty: Type<'s>) -> Type<'s> {
    match parts(l, ty)[..] {
        [only] => only,
        ref several => l.cx.session.structure(several),
    }
}

/// Declares functions with new signatures. Their bodies and calls are replaced when they are
/// expanded.
pub(super) fn signatures<'s, S>(l: &Legaliser<'_, 's, '_, S>) -> Outcome<HashMap<Value<'s>, Value<'s>>> {
    let mut successors = HashMap::new();
    for function in l.m.defined() {
        let odd = function.parameters().into_iter().any(|p| is_odd(l.target, p.ty()))
            || is_odd(l.target, function.return_type());
        if odd && function == l.m.kernel {
            let what = "a kernel parameter of a type that OpenCL C does not have";
            let location = function.instructions().into_iter().find_map(Value::location);
            return Err(l.cx.unsupported(what, location, "pass it in a structure or in memory").into());
        }
        // A function whose address is taken keeps its signature, and the check reports its types.
        let is_called = |user: &Value<'s>| user.callee() == Some(function) && !user.arguments().contains(&function);
        if odd && !function.is_variadic() && function.users().iter().all(is_called) {
            let types: Vec<_> = function.parameters().into_iter().flat_map(|p| parts(l, p.ty())).collect();
            let new = function.with_signature(&l.m.module, &types, result(l, function.return_type()));
            successors.insert(function, new);
        }
    }
    Ok(successors)
}

/// Replaces the uses of a function's original parameters.
pub(super) fn bind<'s, S>(e: &mut Expansion<'_, 's, '_, S>, old: Value<'s>, new: Value<'s>) {
    let mut given = new.parameters().into_iter();
    let mut at = 0;
    for (index, parameter) in (0u32..).zip(old.parameters()) {
        if !is_odd(e.l.target, parameter.ty()) {
            old.copy_parameter(index, new, at);
            given.next().into_iter().for_each(|value| parameter.replace_uses(value));
            at += 1;
            continue;
        }
        let mut take = |leaf: Leaf<'s>| -> Limbs<'s> {
            let count = leaf.held(e.l.cx.session).len();
            at += count as u32;
            given.by_ref().take(count).collect()
        };
        let parts = leaves(e.l.target, parameter.ty()).into_iter().map(&mut take).collect();
        e.represent(parameter, parts);
    }
}

impl<'s, S> Expansion<'_, 's, '_, S> {
    pub(super) fn call_or_return(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        if instruction.opcode() == Opcode::LLVMRet {
            return self.give_back(b, instruction);
        }
        let callee = instruction.callee().and_then(|callee| self.successors.get(&callee).copied());
        let Some(callee) = callee else { return Err(self.refuse(instruction)) };
        let mut arguments = Vec::new();
        for argument in instruction.arguments() {
            match is_odd(self.l.target, argument.ty()) {
                true => arguments.extend(self.parts_of(b, argument)?.into_iter().flatten()),
                false => arguments.push(argument),
            }
        }
        let call = b.call(callee, &arguments);
        call.take_convention_of(callee);
        let ty = instruction.ty();
        if ty.view() == TypeView::Void {
            self.done(instruction);
            return Ok(());
        }
        if !is_odd(self.l.target, ty) {
            instruction.replace_uses(call);
            self.done(instruction);
            return Ok(());
        }
        let session = self.l.cx.session;
        let held: Vec<usize> = leaves(self.l.target, ty).into_iter().map(|leaf| leaf.held(session).len()).collect();
        let single = held.iter().sum::<usize>() == 1;
        let mut index = 0;
        let mut next = || {
            index += 1;
            if single { call } else { b.member(call, index - 1) }
        };
        let parts = held.into_iter().map(|count| (0..count).map(|_| next()).collect()).collect();
        self.give(b, instruction, parts)
    }

    fn give_back(&mut self, b: &Inserter<'s>, instruction: Value<'s>) -> Outcome<()> {
        let value = instruction.operands()[0];
        let ty = result(self.l, value.ty());
        let parts: Vec<Value<'s>> = self.parts_of(b, value)?.into_iter().flatten().collect();
        let whole = match parts[..] {
            [only] => only,
            _ => (0u32..).zip(&parts).fold(ty.undefined(), |whole, (index, part)| b.with_member(whole, *part, index)),
        };
        b.give(whole);
        self.done(instruction);
        Ok(())
    }
}
