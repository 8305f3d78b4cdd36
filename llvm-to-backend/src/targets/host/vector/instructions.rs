//! Emits the instructions of a row that access no memory.
//!
//! In: an instruction of the kernel. Out: its form in the row. *Invariant:* flags that make a
//! result poison are kept only where every lane that runs the original computes the same operands;
//! a division never traps for a lane that does not run it.

use super::{
    emit::{Broken, Emitter},
    form::{Form, lanes_of, members},
    properties::is_dropped,
    values::extend,
    words::{Step, steps},
};
use crate::cfg::operation::Shape;
use crate::targets::host::builtins::{
    BARRIER, LOCAL_ID_X, LOCAL_ID_Y, is_index_query, is_sub_group_primitive, is_uniform_query,
};
use sinter_llvm::{
    insert::Inserter,
    ir::{Opcode, Shape as Kind, Type, Value},
    operation::is_binary,
};

impl<'s> Emitter<'s, '_> {
    /// Emits one instruction; `None` if it has no result in the row.
    pub(super) fn instruction(&mut self, value: Value<'s>) -> Result<Option<Form<'s>>, Broken> {
        match value.opcode() {
            Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMRet | Opcode::LLVMUnreachable => Ok(None),
            Opcode::LLVMAlloca => Ok(None),
            Opcode::LLVMLoad => self.load(value).map(Some),
            Opcode::LLVMStore => self.store(value).map(|()| None),
            // The row is the thread, and its accesses have the order of the lanes' already.
            Opcode::LLVMFence if value.is_of_one_thread() => Ok(None),
            Opcode::LLVMFence => {
                self.build(|insert| insert.copy_of(value));
                Ok(None)
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => self.each_lane(value),
            Opcode::LLVMCall => self.call(value),
            _ => self.computation(value).map(Some),
        }
    }

    fn call(&mut self, call: Value<'s>) -> Result<Option<Form<'s>>, Broken> {
        let name = call.callee().map(Value::name).unwrap_or_default();
        if is_dropped(&name) {
            return Ok(None);
        }
        if name == BARRIER {
            self.build(|insert| insert.copy_of(call));
            return Ok(None);
        }
        if name.starts_with("llvm.memcpy.") {
            return self.copy_objects(call).map(|()| None);
        }
        if is_sub_group_primitive(&name) {
            return self.exchange(call, &name).map(Some);
        }
        if is_index_query(&name) || is_uniform_query(&name) {
            let made = self.build(|insert| insert.copy_of(call));
            return Ok(Some(match &*name {
                LOCAL_ID_X => Form::Linear { base: made, step: 1, signed: true },
                LOCAL_ID_Y if self.lines > 1 => self.numbered(made),
                _ => Form::Scalar(made),
            }));
        }
        if let Some(function) = self.function_called(call) {
            return self.call_function(call, function);
        }
        if call.is_function_of_operands() { self.computation(call).map(Some) } else { self.each_lane(call) }
    }

    pub(super) fn shape(&self, value: Value<'s>) -> Shape {
        self.numbers.get(&value).map_or(Shape::Same, |id| self.plan.shapes[id.index()])
    }

    /// Emits an instruction whose result depends on its operands only.
    fn computation(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let same = value.operands().into_iter().all(|operand| self.is_same(operand));
        match self.shape(value) {
            Shape::Same if same => self.once(value).map(Form::Scalar),
            Shape::Same if self.drops_lanes(value) => self.once_of_bases(value).map(Form::Scalar),
            Shape::Same => self.first_of(value).map(Form::Scalar),
            Shape::Linear { step, signed } => {
                let base = self.new_base(value, signed)?;
                Ok(Form::Linear { base, step, signed })
            }
            Shape::SameInLine if value.operands().into_iter().all(|operand| self.is_same_in_line(operand)) => {
                self.each_line(|emitter| emitter.once(value).map(Form::Scalar))
            }
            Shape::SameInLine if self.drops_lanes(value) => {
                self.each_line(|emitter| emitter.once_of_bases(value).map(Form::Scalar))
            }
            Shape::SameInLine => self.first_of_lines(value),
            Shape::LinearInLine { step, signed } => {
                self.each_line(|emitter| Ok(Form::Linear { base: emitter.new_base(value, signed)?, step, signed }))
            }
            Shape::Any if same && members(value.ty()).is_none() => {
                let once = self.once(value)?;
                Ok(Form::Wide(self.build(|insert| insert.splat(once, self.lanes))))
            }
            Shape::Any => self.vector(value),
        }
    }

    /// The instruction once for all lanes.
    fn once(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        let operands = value.operands().into_iter().map(|o| self.scalar(o)).collect::<Result<Vec<_>, _>>()?;
        let mut replaced = operands.clone();
        if let Some(any) = divides(value).then(|| self.some_lane()).flatten() {
            let ty = value.ty();
            self.build(|insert| make_safe(insert, any, &mut replaced, ty));
        }
        Ok(self.build(|insert| copy_with(insert, value, &replaced)))
    }

    /// True for an operation of which the plan says that the differences between lanes do not reach
    /// its result.
    fn drops_lanes(&self, value: Value<'s>) -> bool {
        let is_linear = |operand: Value<'s>| self.shape(operand).signed().is_some();
        matches!(value.opcode(), Opcode::LLVMLShr | Opcode::LLVMUDiv | Opcode::LLVMAnd)
            && value.operands().into_iter().any(is_linear)
    }

    /// The instruction once, for the bases of its operands. Its promises are about those of lanes.
    fn once_of_bases(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        let operands = value.operands();
        let (a, b) = (self.base(operands[0], true)?, self.base(operands[1], true)?);
        Ok(self.build(|insert| {
            let [a, b] = [a, b].map(|base| insert.cast(Opcode::LLVMTrunc, base, value.ty()));
            insert.binary(value.opcode(), a, b)
        }))
    }

    /// The value of the first lane that runs it.
    fn first_of(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        let Form::Wide(wide) = self.vector(value)? else { return Err(Broken("a structure differs between lanes")) };
        let first = self.first_lane(self.mask);
        Ok(self.build(|insert| insert.element(wide, first)))
    }

    /// The values of the first lane of each line that runs it.
    fn first_of_lines(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let Form::Wide(wide) = self.vector(value)? else { return Err(Broken("a structure differs between lanes")) };
        let masks = self.masks();
        let first = |(line, mask): (usize, Option<Value<'s>>)| {
            let part = self.part(wide, line);
            let lane = mask.map_or(self.cx.session.integer(64).zero(), |mask| self.first_lane(mask));
            Form::Scalar(self.build(|insert| insert.element(part, lane)))
        };
        Ok(Form::Lines(masks.into_iter().enumerate().map(|(line, mask)| first((line, mask))).collect()))
    }

    /// The numbers of the lines, from this one on.
    fn numbered(&self, first: Value<'s>) -> Form<'s> {
        let number = |line: u32| {
            let line = self.number(first.ty(), line.into());
            Form::Scalar(self.build(|insert| insert.binary(Opcode::LLVMAdd, first, line)))
        };
        Form::Lines((0..self.lines).map(number).collect())
    }

    /// The number of the lowest lane in a mask; any valid number if there is none.
    pub(super) fn first_lane(&self, mask: Value<'s>) -> Value<'s> {
        let bits = self.bits(mask);
        let top = bits.ty().constant(1 << (lanes_of(mask.ty()) - 1)).unwrap_or(bits);
        self.build(|insert| {
            let some = insert.either(bits, top);
            let no = self.cx.session.integer(1).zero();
            let count = insert.intrinsic(self.module, "llvm.cttz", &[bits.ty()], &[some, no]);
            insert.resize(count, self.cx.session.integer(64))
        })
    }

    /// The base of a linear result.
    fn new_base(&mut self, value: Value<'s>, signed: bool) -> Result<Value<'s>, Broken> {
        let base = self.base_of_operands(value, signed)?;
        if !self.is_cut(value) || matches!(value.opcode(), Opcode::LLVMAnd | Opcode::LLVMXor | Opcode::LLVMURem) {
            return Ok(base);
        }
        let (narrow, signed) = match value.opcode() {
            Opcode::LLVMSExt | Opcode::LLVMZExt => (value.operands()[0].ty(), value.opcode() == Opcode::LLVMSExt),
            _ => (value.ty(), signed),
        };
        Ok(self.build(|insert| {
            let cut = insert.cast(Opcode::LLVMTrunc, base, narrow);
            extend(insert, cut, base.ty(), signed)
        }))
    }

    fn is_cut(&self, value: Value<'s>) -> bool {
        self.numbers.get(&value).is_some_and(|id| self.plan.cut[id.index()])
    }

    /// The base of a linear result before it is cut to a number of bits.
    fn base_of_operands(&mut self, value: Value<'s>, signed: bool) -> Result<Value<'s>, Broken> {
        let operands = value.operands();
        let opcode = match value.opcode() {
            Opcode::LLVMOr => Opcode::LLVMAdd,
            opcode => opcode,
        };
        match opcode {
            Opcode::LLVMAnd | Opcode::LLVMXor if self.is_cut(value) => {
                let (a, b) = (self.base(operands[0], signed)?, self.base(operands[1], signed)?);
                Ok(self.build(|insert| insert.binary(opcode, a, b)))
            }
            // Otherwise the mask has all bits that the other operand may have.
            Opcode::LLVMXor => {
                let (a, b) = (self.base(operands[0], signed)?, self.base(operands[1], signed)?);
                let (of, mask) = if self.is_same(operands[0]) { (b, a) } else { (a, b) };
                Ok(self.build(|insert| insert.binary(Opcode::LLVMSub, mask, of)))
            }
            Opcode::LLVMURem => {
                let (base, by) = (self.base(operands[0], signed)?, operands[1]);
                Ok(self.build(|insert| {
                    let cut = insert.cast(Opcode::LLVMTrunc, base, value.ty());
                    extend(insert, insert.binary(Opcode::LLVMURem, cut, by), base.ty(), false)
                }))
            }
            // Otherwise it is linear only where the mask covers the range of the operand.
            Opcode::LLVMAnd => {
                let masked = operands.iter().find(|operand| !self.is_same(**operand));
                self.base(*masked.ok_or(Broken("a mask of a uniform value is linear"))?, signed)
            }
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl => {
                let (a, b) = (self.base(operands[0], signed)?, self.base(operands[1], signed)?);
                Ok(self.build(|insert| insert.binary(opcode, a, b)))
            }
            Opcode::LLVMSExt | Opcode::LLVMZExt | Opcode::LLVMTrunc => self.base(operands[0], signed),
            // A base is poison only if every lane's value is, and each may then be any number.
            Opcode::LLVMFreeze => {
                let base = self.base(operands[0], signed)?;
                Ok(self.build(|insert| insert.freeze(base)))
            }
            Opcode::LLVMAddrSpaceCast => {
                let base = self.base(operands[0], signed)?;
                Ok(self.build(|insert| insert.address_space_cast(base, value.ty())))
            }
            Opcode::LLVMSelect => {
                let condition = self.scalar(operands[0])?;
                let (yes, no) = (self.base(operands[1], signed)?, self.base(operands[2], signed)?);
                Ok(self.build(|insert| insert.select(condition, yes, no)))
            }
            Opcode::LLVMGetElementPtr => self.address_base(value),
            _ => Err(Broken("an operation has no linear form")),
        }
    }

    fn address_base(&mut self, value: Value<'s>) -> Result<Value<'s>, Broken> {
        let operands = value.operands();
        let base = self.base(operands[0], true)?;
        self.address_of(value, base, |emitter, index| match index.is_constant_value() {
            true => Ok(index),
            false => emitter.base(index, true),
        })
    }

    /// The address that `value` makes of this base and what `index` makes of its indices.
    fn address_of(
        &mut self,
        value: Value<'s>,
        base: Value<'s>,
        index: impl Fn(&mut Self, Value<'s>) -> Result<Value<'s>, Broken>,
    ) -> Result<Value<'s>, Broken> {
        if !self.words.contains_key(&value) {
            let indices = value.operands()[1..].iter().map(|one| index(self, *one)).collect::<Result<Vec<_>, _>>()?;
            return Ok(self.build(|insert| insert.addresses(value.stepped_type(), base, &indices)));
        }
        // All lanes' words lie between one and the next.
        let copies = u64::from(self.lanes);
        steps(self.cx, value).unwrap_or_default().into_iter().try_fold(base, |address, step| {
            let (size, by) = match step {
                Step::Elements(number, size) => (size, index(self, number)?),
                Step::Bytes(bytes) => (bytes, self.cx.session.literal(1)),
            };
            let ty = self.cx.session.bytes(size * copies);
            Ok(self.build(|insert| insert.addresses(ty, address, &[by])))
        })
    }

    /// The instruction for all lanes at a time.
    fn vector(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let wide = value.ty();
        match value.opcode() {
            Opcode::LLVMExtractValue => return self.extract_member(value),
            Opcode::LLVMInsertValue => return self.insert_member(value),
            Opcode::LLVMGetElementPtr => return self.addresses(value),
            Opcode::LLVMCall => return self.wide_call(value),
            Opcode::LLVMSelect => return self.wide_select(value),
            _ if members(wide).is_some() => return Err(Broken("an operation on structures")),
            _ => {}
        }
        let mut operands = value.operands().into_iter().map(|o| self.wide(o)).collect::<Result<Vec<_>, _>>()?;
        if divides(value) && !divides_safely(value) {
            let (mask, ty) = (self.mask, wide.vector(self.lanes));
            self.build(|insert| make_safe(insert, mask, &mut operands, ty));
        }
        let made = self.build(|insert| widened(insert, value, &operands, wide.vector(self.lanes)))?;
        self.copy_flags(made, value);
        Ok(Form::Wide(made))
    }

    /// Copies flags to the vector form of an instruction. Where all lanes have one result that is
    /// taken from one of them, it may be poison only if that of each lane is.
    fn copy_flags(&self, made: Value<'s>, of: Value<'s>) {
        if self.shape(of) != Shape::Same {
            made.copy_flags(of);
        }
    }

    fn wide_select(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let operands = value.operands();
        let condition = if self.is_same(operands[0]) { self.scalar(operands[0])? } else { self.wide(operands[0])? };
        if members(value.ty()).is_some() {
            return Err(Broken("a choice of structures"));
        }
        let (yes, no) = (self.wide(operands[1])?, self.wide(operands[2])?);
        let made = self.build(|insert| insert.select(condition, yes, no));
        self.copy_flags(made, value);
        Ok(Form::Wide(made))
    }

    /// Addresses that differ. Operands that are the same for all lanes stay scalars: gathers have
    /// such a form.
    fn addresses(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let operand = |emitter: &mut Self, operand: Value<'s>| match emitter.is_same(operand) {
            true => emitter.scalar(operand),
            false => emitter.wide(operand),
        };
        let base = operand(self, value.operands()[0])?;
        self.address_of(value, base, operand).map(Form::Wide)
    }

    fn wide_call(&mut self, call: Value<'s>) -> Result<Form<'s>, Broken> {
        let Some(function) = call.wide_intrinsic(self.lanes) else {
            return self.each_lane(call)?.ok_or(Broken("a function returns nothing"));
        };
        let mut arguments = Vec::new();
        for (index, argument) in (0u32..).zip(call.arguments()) {
            if call.keeps_scalar(index) && !self.is_same(argument) {
                return self.each_lane(call)?.ok_or(Broken("a function returns nothing"));
            }
            arguments.push(if call.keeps_scalar(index) { self.scalar(argument)? } else { self.wide(argument)? });
        }
        let made = self.build(|insert| insert.call(function, &arguments));
        self.copy_flags(made, call);
        Ok(Form::Wide(made))
    }

    fn extract_member(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let (whole, indices) = (value.operands()[0], value.member_indices());
        let &[index] = &*indices else { return Err(Broken("a nested structure")) };
        match self.form(whole)? {
            Form::Members(members) => Ok(Form::Wide(members[index as usize])),
            _ => Err(Broken("a structure is no structure")),
        }
    }

    fn insert_member(&mut self, value: Value<'s>) -> Result<Form<'s>, Broken> {
        let (operands, indices) = (value.operands(), value.member_indices());
        let &[index] = &*indices else { return Err(Broken("a nested structure")) };
        let mut all = self.wide_members(operands[0])?;
        all[index as usize] = self.wide(operands[1])?;
        Ok(Form::Members(all))
    }

    /// The members of a structure as vectors.
    pub(super) fn wide_members(&mut self, value: Value<'s>) -> Result<Vec<Value<'s>>, Broken> {
        match self.form(value)? {
            Form::Members(members) => Ok(members),
            Form::Scalar(whole) => {
                let count = members(whole.ty()).map_or(0, |members| members.len() as u32);
                let member = |index| self.build(|insert| insert.splat(insert.member(whole, index), self.lanes));
                Ok((0..count).map(member).collect())
            }
            Form::Lines(lines) => {
                let count = members(value.ty()).map_or(0, |members| members.len() as u32);
                let part = |line: &Form<'s>, index| {
                    let whole = line.parts()[0];
                    self.build(|insert| insert.splat(insert.member(whole, index), self.length()))
                };
                let member = |index| self.joined(lines.iter().map(|line| part(line, index)).collect());
                Ok((0..count).map(member).collect())
            }
            _ => Err(Broken("a structure is no structure")),
        }
    }
}

/// A copy of an instruction with other operands of the same types.
pub(super) fn copy_with<'s>(insert: &Inserter<'s>, value: Value<'s>, operands: &[Value<'s>]) -> Value<'s> {
    let copy = insert.copy_of(value);
    for (index, operand) in operands.iter().enumerate() {
        copy.set_operand(index, *operand);
    }
    copy
}

fn widened<'s>(insert: &Inserter<'s>, value: Value<'s>, o: &[Value<'s>], ty: Type<'s>) -> Result<Value<'s>, Broken> {
    Ok(match (value.opcode(), o) {
        (Opcode::LLVMFNeg, [a]) => insert.negate(*a),
        (Opcode::LLVMFreeze, [a]) => insert.freeze(*a),
        (Opcode::LLVMICmp, [a, b]) => insert.compare(value.integer_predicate(), *a, *b),
        (Opcode::LLVMFCmp, [a, b]) => insert.compare_floats(value.float_predicate(), *a, *b),
        (opcode, [a]) => insert.cast(opcode, *a, ty),
        (opcode, [a, b]) if is_binary(opcode) => insert.binary(opcode, *a, *b),
        _ => return Err(Broken("an instruction has no vector form")),
    })
}

fn divides(value: Value<'_>) -> bool {
    matches!(value.opcode(), Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem)
}

/// True for a divisor that never traps and that LLVM multiplies with instead.
fn divides_safely(value: Value<'_>) -> bool {
    value.operands()[1].signed().is_some_and(|divisor| ![0, -1].contains(&divisor))
}

/// Divides 0 by 1 where `runs` is false.
fn make_safe<'s>(insert: &Inserter<'s>, runs: Value<'s>, operands: &mut [Value<'s>], ty: Type<'s>) {
    let one = match ty.scalar().constant(1) {
        Some(one) if ty.shape() == Kind::Other => insert.splat(one, lanes_of(ty)),
        Some(one) => one,
        None => return,
    };
    operands[0] = insert.select(runs, operands[0], ty.zero());
    operands[1] = insert.select(runs, operands[1], one);
}
