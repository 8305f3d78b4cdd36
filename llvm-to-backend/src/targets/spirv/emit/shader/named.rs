//! Emits calls of names that stand for instructions, built-in variables and reports.
//!
//! In: the names that device builtins consist of, which are those of kernels. Out: the instruction
//! of shaders that does the same. *Invariant:* a kernel's instruction without such a counterpart is
//! an error, by its capability.

use super::{
    super::{
        Emitter,
        assembly::id,
        instructions::{accessed_type, core_grammar, not_constant},
    },
    atomics::{Access, access_of, scope, semantics},
    memory::Place,
    state::Home,
};
use crate::failure::{Failure, Outcome};
use rspirv::{
    dr::Operand,
    grammar::OperandKind,
    spirv::{BuiltIn, GroupOperation, Op, Scope, Word},
};
use sinter_core::SpirvFeature;
use sinter_llvm::ir::{Type, Value};

/// Instructions of kernels for groups, and those of shaders for sub-groups.
const GROUP: [(Op, Op); 11] = [
    (Op::GroupAll, Op::GroupNonUniformAll),
    (Op::GroupAny, Op::GroupNonUniformAny),
    (Op::GroupIAdd, Op::GroupNonUniformIAdd),
    (Op::GroupFAdd, Op::GroupNonUniformFAdd),
    (Op::GroupFMin, Op::GroupNonUniformFMin),
    (Op::GroupUMin, Op::GroupNonUniformUMin),
    (Op::GroupSMin, Op::GroupNonUniformSMin),
    (Op::GroupFMax, Op::GroupNonUniformFMax),
    (Op::GroupUMax, Op::GroupNonUniformUMax),
    (Op::GroupSMax, Op::GroupNonUniformSMax),
    (Op::GroupBroadcast, Op::GroupNonUniformBroadcast),
];

impl<'s> Emitter<'_, 's> {
    pub(in super::super) fn shader_instruction(&mut self, call: Value<'s>, name: &str) -> Outcome<()> {
        let (grammar, arguments) = (core_grammar(name)?, call.arguments());
        let mut op = grammar.opcode;
        if let Some((_, other)) = GROUP.iter().find(|(kernel, _)| *kernel == op) {
            if arguments.first().and_then(|scope| scope.integer()) != Some(Scope::Subgroup as u64) {
                return self.unsupported(
                    call,
                    format!("the instruction Op{name}"),
                    "shaders have it for sub-groups only",
                );
            }
            op = *other;
        }
        if op == Op::GroupNonUniformBroadcast && self.target.has(SpirvFeature::SubGroupShuffle) {
            op = Op::GroupNonUniformShuffle;
        }
        if let Some(ty) = accessed_type(call, op, &arguments) {
            return self.named_atomic(call, op, &arguments, ty);
        }
        let mut operands = Vec::new();
        let wanted = grammar.operands.iter();
        let wanted = wanted.filter(|o| !matches!(o.kind, OperandKind::IdResultType | OperandKind::IdResult));
        for (argument, wanted) in arguments.iter().zip(wanted) {
            let number = || argument.integer().ok_or_else(|| not_constant(call));
            operands.push(match wanted.kind {
                OperandKind::IdScope => {
                    let scope = scope(number()? as u32);
                    id(self.integer_constant(32, scope.into()))
                }
                OperandKind::IdMemorySemantics => {
                    // Those of a barrier, at which all items of a group are.
                    let order = match op {
                        Op::MemoryBarrier => self.semantics_of(number()? as u32, Access::Both),
                        _ => semantics(number()? as u32, Access::Both),
                    };
                    id(self.integer_constant(32, order.into()))
                }
                OperandKind::GroupOperation => {
                    let operation = GroupOperation::from_u32(number()? as u32);
                    Operand::GroupOperation(operation.ok_or_else(|| not_constant(call))?)
                }
                OperandKind::IdRef => id(self.id(*argument)?),
                _ => Operand::LiteralBit32(number()? as u32),
            });
        }
        if let (Op::MemoryBarrier, [Operand::IdRef(scope), Operand::IdRef(order)]) = (op, operands.as_slice()) {
            return self.fence(*scope, *order);
        }
        self.produce(call, op, operands)
    }

    /// Emits an atomic instruction: pointer, scope and semantics are its first arguments.
    fn named_atomic(&mut self, call: Value<'s>, op: Op, arguments: &[Value<'s>], ty: Type<'s>) -> Outcome<()> {
        let number = |index: usize| arguments.get(index).and_then(|a: &Value<'s>| a.integer()).map(|n| n as u32);
        let number = |index: usize| number(index).ok_or_else(|| not_constant(call));
        let (scope, order) = (scope(number(1)?), number(2)?);
        self.lead(order)?;
        let scope = self.integer_constant(32, scope.into());
        let order = self.semantics_of(order, access_of(op));
        let mut orders = vec![scope, self.integer_constant(32, order.into())];
        if op == Op::AtomicCompareExchange {
            // That of a failure, which only reads.
            let failure = self.semantics_of(number(3)?, Access::Read);
            orders.push(self.integer_constant(32, failure.into()));
        }
        let values = arguments.iter().skip(1 + orders.len());
        let values = values.map(|value| self.id(*value)).collect::<Outcome<Vec<_>>>()?;
        let result = if op == Op::AtomicStore { None } else { Some(self.result(call)?) };
        let place = (self.origin(arguments[0]), ty);
        self.shader_atomic(call, place, op, &orders, &values, result)
    }

    pub(in super::super) fn shader_built_in(&mut self, call: Value<'s>, name: &str) -> Outcome<()> {
        let axis = call.arguments().first().copied();
        let axis = axis.map(|axis| axis.integer().filter(|axis| *axis < 3));
        if axis == Some(None) {
            // The optimiser merged two calls that differ in the axis.
            return self.chosen_axis(call, name);
        }
        let value = self.built_in_word(name, axis.flatten().unwrap_or_default() as u32)?;
        let ty = self.ty(call.ty())?;
        let value = self.resized(value, 32, ty);
        self.alias(call, value)
    }

    fn chosen_axis(&mut self, call: Value<'s>, name: &str) -> Outcome<()> {
        let axis_value = call.arguments()[0];
        let (axis, word, truth) = (self.id(axis_value)?, self.integer(32), self.boolean());
        let mut value = self.built_in_word(name, 0)?;
        for number in [1, 2] {
            let other = self.built_in_word(name, number)?;
            let literal = self.integer_constant(32, number.into());
            let is_it = self.out.value(Op::IEqual, truth, vec![id(axis), id(literal)]);
            value = self.out.value(Op::Select, word, vec![id(is_it), id(other), id(value)]);
        }
        let ty = self.ty(call.ty())?;
        let value = self.resized(value, 32, ty);
        self.alias(call, value)
    }

    /// A built-in number of 32 bits.
    fn built_in_word(&mut self, name: &str, axis: u32) -> Outcome<Word> {
        let word = self.integer(32);
        match name {
            "WorkgroupSize" => Ok(self.group_sizes()[axis as usize]),
            "NumWorkgroups" => self.hidden(|layout| layout.groups + 4 * axis),
            "WorkgroupId" => {
                let (own, first) = (
                    self.component(BuiltIn::WorkgroupId, name, axis),
                    self.hidden(|layout| layout.first_group + 4 * axis)?,
                );
                Ok(self.out.value(Op::IAdd, word, vec![id(own), id(first)]))
            }
            "LocalInvocationId" if self.shader.is_linear => {
                let [x, y, _] = self.group_sizes();
                let line = self.component(BuiltIn::LocalInvocationId, name, 0);
                let row = |emitter: &mut Self| emitter.out.value(Op::UDiv, word, vec![id(line), id(x)]);
                Ok(match axis {
                    0 => self.out.value(Op::UMod, word, vec![id(line), id(x)]),
                    1 => {
                        let row = row(self);
                        self.out.value(Op::UMod, word, vec![id(row), id(y)])
                    }
                    _ => {
                        let row = row(self);
                        self.out.value(Op::UDiv, word, vec![id(row), id(y)])
                    }
                })
            }
            "LocalInvocationId" => Ok(self.component(BuiltIn::LocalInvocationId, name, axis)),
            "SubgroupMaxSize" => Ok(self.scalar(BuiltIn::SubgroupSize, "SubgroupSize")),
            "SubgroupSize" => Ok(self.items_of_sub_group()),
            "SubgroupId" => Ok(self.scalar(BuiltIn::SubgroupId, name)),
            "NumSubgroups" => Ok(self.sub_groups()),
            "SubgroupLocalInvocationId" => Ok(self.scalar(BuiltIn::SubgroupLocalInvocationId, name)),
            _ => Err(Failure::internal(format!("shaders have no built-in variable {name}"))),
        }
    }

    /// The number of items in the work-group.
    pub(super) fn items_of_group(&mut self) -> Word {
        let word = self.integer(32);
        let [x, y, z] = self.group_sizes();
        let plane = self.out.value(Op::IMul, word, vec![id(x), id(y)]);
        self.out.value(Op::IMul, word, vec![id(plane), id(z)])
    }

    /// The number of items in the sub-group, which is smaller in the last one of a group: Vulkan
    /// has the number of its lanes.
    fn items_of_sub_group(&mut self) -> Word {
        let (word, truth) = (self.integer(32), self.boolean());
        let items = self.items_of_group();
        let lanes = self.scalar(BuiltIn::SubgroupSize, "SubgroupSize");
        let number = self.scalar(BuiltIn::SubgroupId, "SubgroupId");
        let before = self.out.value(Op::IMul, word, vec![id(lanes), id(number)]);
        let left = self.out.value(Op::ISub, word, vec![id(items), id(before)]);
        let is_full = self.out.value(Op::UGreaterThan, truth, vec![id(left), id(lanes)]);
        self.out.value(Op::Select, word, vec![id(is_full), id(lanes), id(left)])
    }

    /// The number of sub-groups, of which lavapipe does not count one that is not full.
    fn sub_groups(&mut self) -> Word {
        let word = self.integer(32);
        let (items, one) = (self.items_of_group(), self.integer_constant(32, 1));
        let lanes = self.scalar(BuiltIn::SubgroupSize, "SubgroupSize");
        let last = self.out.value(Op::ISub, word, vec![id(items), id(one)]);
        let before = self.out.value(Op::UDiv, word, vec![id(last), id(lanes)]);
        self.out.value(Op::IAdd, word, vec![id(before), id(one)])
    }

    pub(super) fn component(&mut self, built_in: BuiltIn, name: &str, axis: u32) -> Word {
        let word = self.integer(32);
        let all = self.vector(word, 3);
        let variable = self.built_in_variable(built_in, name, all);
        let loaded = self.out.value(Op::Load, all, vec![id(variable)]);
        self.out.value(Op::CompositeExtract, word, vec![id(loaded), Operand::LiteralBit32(axis)])
    }

    pub(super) fn scalar(&mut self, built_in: BuiltIn, name: &str) -> Word {
        let word = self.integer(32);
        let variable = self.built_in_variable(built_in, name, word);
        self.out.value(Op::Load, word, vec![id(variable)])
    }

    /// Emits the report of a trap: its number goes to the status buffer, unless one is there.
    pub(in super::super) fn trap_report(&mut self, call: Value<'s>) -> Outcome<()> {
        if self.body.kernel != Some(call.function()) {
            // Its return would not end the work-item.
            let hint = "mark the function for inlining";
            return self.unsupported(call, "a trap in a function that is not inlined", hint);
        }
        let text = call.arguments().first().and_then(|text| text.initializer()).and_then(Value::characters);
        let message = text.ok_or_else(|| Failure::internal("a report without a text"))?;
        self.report(message.trim_end_matches(['\0', '\n']))?;
        if self.body.values.contains_key(&call) {
            let ty = self.ty(call.ty())?;
            let zero = self.null(ty);
            self.alias(call, zero)?;
        }
        Ok(())
    }

    /// Writes the number of a message to the status buffer, unless one is there.
    pub(super) fn report(&mut self, message: &str) -> Outcome<()> {
        let known = self.shader.traps.iter().position(|known| known == message);
        let number = known.unwrap_or(self.shader.traps.len()) as u64 + 1;
        if known.is_none() {
            self.shader.traps.push(message.to_owned());
        }
        let address = self.status()?;
        let place = Place { address, offset: 0, alignment: 16, volatile: true, home: Home::Global };
        let (old, word, truth) = (self.read_integer(32, place)?, self.integer(32), self.boolean());
        let (number, none) = (self.integer_constant(32, number), self.integer_constant(32, 0));
        let is_first = self.out.value(Op::IEqual, truth, vec![id(old), id(none)]);
        let new = self.out.value(Op::Select, word, vec![id(is_first), id(number), id(old)]);
        self.write_integer(32, new, place)
    }
}
