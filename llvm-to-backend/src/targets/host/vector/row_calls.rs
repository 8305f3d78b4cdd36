//! Emits calls of functions, and the row versions that they call.
//!
//! In: a call of a function with a body. Out: one call of the function where all lanes would do the
//! same, one of its row version, or one for each lane. *Invariant:* a version is called only where
//! a lane runs, so that it may take for granted that one does; where the stack is deep, lanes call
//! the original one after another, which needs no more stack than they would alone.

use super::{
    emit::{Broken, Emitter},
    form::{Form, members},
    instructions::copy_with,
    properties::called,
    signature::argument_types,
    versions::{Key, Version},
};
use sinter_llvm::{
    ir::{Opcode, Type, Value},
    operation::IntegerPredicate,
    types::TypeView,
};

/// Bytes of stack below the kernel's frame up to which recursion goes on in rows. Worker threads
/// have 2 MiB, of which frames of a kernel and of its functions have at most 1.5 MiB.
const ROOM: u64 = 256 << 10;

impl<'s> Emitter<'s, '_> {
    /// Emits a call of a function with a body; `None` if it returns nothing.
    pub(super) fn call_function(&mut self, call: Value<'s>, function: Value<'s>) -> Result<Option<Form<'s>>, Broken> {
        let arguments = call.arguments();
        let callee = self.versions.callees.get(function).cloned().ok_or(Broken("a function is unknown"))?;
        if callee.is_plain && arguments.iter().all(|argument| self.is_same(*argument)) {
            return self.call_once(call, function);
        }
        let shapes = arguments.iter().map(|argument| self.shape(*argument)).collect();
        // Only the first of recursive calls would have all lanes.
        let key = Key { shapes, full: !callee.is_recursive && self.mask == self.all_lanes() };
        let Some(version) = self.versions.version(self.cx, self.module, function, key) else {
            return self.each_lane(call);
        };
        let types = self.result_types(function);
        let made = match self.floor.filter(|_| callee.is_recursive) {
            None => self.call_version(call, &version, self.floor)?,
            Some(floor) => self.call_version_or_lanes(call, &version, floor, &types)?,
        };
        Ok(self.result_form(function, made))
    }

    /// One call for all lanes.
    fn call_once(&mut self, call: Value<'s>, function: Value<'s>) -> Result<Option<Form<'s>>, Broken> {
        let mut operands = Vec::new();
        for argument in call.arguments() {
            operands.push(self.scalar(argument)?);
        }
        let made = self.build(|insert| copy_with(insert, call, &operands));
        Ok((function.return_type().view() != TypeView::Void).then_some(Form::Scalar(made)))
    }

    /// The vectors that a call of the version returns.
    fn call_version(
        &mut self,
        call: Value<'s>,
        version: &Version<'s>,
        floor: Option<Value<'s>>,
    ) -> Result<Vec<Value<'s>>, Broken> {
        let mut passed = Vec::new();
        if !version.key.full {
            passed.push(self.bits(self.mask));
        }
        if version.takes_floor {
            passed.push(floor.unwrap_or_else(|| self.lowest_frame()));
        }
        for (argument, shape) in call.arguments().into_iter().zip(&version.key.shapes) {
            passed.extend(self.pass(argument, *shape)?);
        }
        let made = self.build(|insert| {
            insert.speak_for(call);
            insert.call(version.function, &passed)
        });
        let ty = version.of.return_type();
        let parts = match ty.view() {
            TypeView::Void => vec![],
            TypeView::Structure(members, _) => {
                (0..members.len() as u32).map(|index| self.build(|insert| insert.member(made, index))).collect()
            }
            _ => vec![made],
        };
        Ok(match ty.view() {
            TypeView::Void => vec![],
            _ => self.build(|insert| self.received_wide(insert, ty, &parts)).parts(),
        })
    }

    /// The same, or, where the stack is deep, what the lanes return one after another.
    fn call_version_or_lanes(
        &mut self,
        call: Value<'s>,
        version: &Version<'s>,
        floor: Value<'s>,
        types: &[Type<'s>],
    ) -> Result<Vec<Value<'s>>, Broken> {
        // Their vectors are made before the ways part.
        for argument in call.arguments() {
            if members(argument.ty()).is_some() {
                self.form(argument).map(|_| ())?
            } else {
                self.wide(argument).map(|_| ())?
            }
        }
        let here = self.frame();
        let has_room = self.build(|insert| insert.compare(IntegerPredicate::LLVMIntUGT, here, floor));
        let by_row = |emitter: &mut Self| emitter.call_version(call, version, Some(floor));
        let by_lane = |emitter: &mut Self| Ok(emitter.each_lane(call)?.map_or_else(Vec::new, |form| form.parts()));
        self.either(has_room, types, by_row, by_lane)
    }

    /// The address of the frame, as an integer.
    fn frame(&self) -> Value<'s> {
        let (pointer, index) = (self.cx.session.pointer(), self.cx.session.integer(32).zero());
        self.build(|insert| {
            let frame = insert.intrinsic(self.module, "llvm.frameaddress", &[pointer], &[index]);
            insert.cast(Opcode::LLVMPtrToInt, frame, self.cx.session.integer(64))
        })
    }

    /// The address of the lowest frame of a row version that may call more of them.
    fn lowest_frame(&self) -> Value<'s> {
        let (frame, room) = (self.frame(), self.cx.session.literal(ROOM));
        self.build(|insert| insert.binary(Opcode::LLVMSub, frame, room))
    }

    /// The types of the vectors that are the result of a function in a row.
    fn result_types(&self, function: Value<'s>) -> Vec<Type<'s>> {
        let ty = function.return_type();
        match ty.view() {
            TypeView::Void => vec![],
            TypeView::Structure(members, _) => members.into_iter().map(|ty| ty.vector(self.lanes)).collect(),
            _ => vec![ty.vector(self.lanes)],
        }
    }

    fn result_form(&self, function: Value<'s>, parts: Vec<Value<'s>>) -> Option<Form<'s>> {
        match (function.return_type().view(), parts.first()) {
            (TypeView::Void, _) => None,
            (TypeView::Structure(..), _) => Some(Form::Members(parts)),
            (_, first) => first.map(|vector| Form::Wide(*vector)),
        }
    }

    /// Takes the parameters of a version: the mask, and a form for each parameter of the original.
    pub(super) fn receive(&mut self, version: &Version<'s>) -> Result<(), Broken> {
        let mut passed = version.function.parameters().into_iter();
        let mut next = || passed.next().ok_or(Broken("a version lacks a parameter"));
        self.entry_mask = match version.key.full {
            true => self.all_lanes(),
            false => {
                let (bits, ty) = (next()?, self.no_lanes().ty());
                self.entry.append(|insert| insert.cast(Opcode::LLVMBitCast, bits, ty))
            }
        };
        if version.takes_floor {
            self.floor = Some(next()?);
        }
        for (parameter, shape) in version.of.parameters().into_iter().zip(&version.key.shapes) {
            let count = argument_types(self.cx, parameter.ty(), *shape, self.lanes).len();
            let parts = (0..count).map(|_| next()).collect::<Result<Vec<_>, _>>()?;
            let form = self.entry.append(|insert| self.received(insert, parameter.ty(), *shape, &parts));
            self.parameters.insert(parameter, form);
        }
        Ok(())
    }

    /// Returns from the kernel or from a version.
    pub(super) fn give_back(&mut self, terminator: Value<'s>) -> Result<(), Broken> {
        let Some(result) = terminator.operands().first().copied() else {
            self.build(sinter_llvm::insert::Inserter::leave);
            return Ok(());
        };
        let parts = self.pass_wide(result)?;
        let ty = self.function.return_type();
        self.build(|insert| match ty.view() {
            TypeView::Structure(..) => {
                let whole = (0u32..)
                    .zip(&parts)
                    .fold(ty.poison(), |whole, (index, part)| insert.with_member(whole, *part, index));
                insert.give(whole);
            }
            _ => parts.iter().for_each(|part| insert.give(*part)),
        });
        Ok(())
    }

    /// True for a call of a function that has, or may have, a row version.
    pub(super) fn function_called(&self, call: Value<'s>) -> Option<Value<'s>> {
        called(call).filter(|function| self.versions.callees.get(*function).is_some())
    }
}
