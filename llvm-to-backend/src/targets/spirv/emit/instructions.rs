//! Emits instructions from the names of called functions.
//!
//! In: calls of `__sinter_spirv_op_GroupIAdd__i32(...)`, `__sinter_spirv_ocl_sin__f32(...)` and
//! `__sinter_spirv_builtin_LocalInvocationId(0)`, which device builtins consist of. Out: the
//! instruction of that name, with the operands that its grammar lists. *Invariant:* this file knows
//! no builtin by name: a new one needs a name and no code.

use super::{super::builtins::PREFIX, Emitter, assembly::id};
use crate::failure::{Failure, Outcome};
use rspirv::{
    dr::Operand,
    grammar::{
        ExtendedInstruction, INSTRUCTION_TABLE, Instruction, LogicalOperand, OPENCL_STD_100_INSTRUCTION_TABLE,
        OperandKind, OperandQuantifier,
    },
    spirv::{BuiltIn, Decoration, GroupOperation, Op, StorageClass, Word},
};
use sinter_llvm::{
    ir::{Type, Value},
    types::TypeView,
};

/// Extended instructions whose pointers address 32-bit integers; other pointers address the type of
/// the first argument.
const WITH_INTEGERS: [&str; 3] = ["frexp", "lgamma_r", "remquo"];

impl<'s> Emitter<'_, 's> {
    /// Emits a call of a function with such a name. False for other functions.
    pub(super) fn named(&mut self, call: Value<'s>, name: &str) -> Outcome<bool> {
        let Some((kind, name)) = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')) else {
            return Ok(false);
        };
        let name = name.split_once("__").map_or(name, |(name, _)| name);
        match kind {
            "op" if self.is_shader() => self.shader_instruction(call, name)?,
            "ocl" if self.is_shader() => self.shader_function_of_opencl(call, name, &call.arguments())?,
            "report" if self.is_shader() && name == "print" => self.print_report(call)?,
            "report" if self.is_shader() => self.trap_report(call)?,
            "builtin" if self.is_shader() => self.shader_built_in(call, name)?,
            "op" => self.core_instruction(call, name)?,
            "ocl" => self.extended_instruction(call, name, &call.arguments())?,
            "builtin" => self.built_in(call, name)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn core_instruction(&mut self, call: Value<'s>, name: &str) -> Outcome<()> {
        let grammar = core_grammar(name)?;
        let arguments = call.arguments();
        let op = grammar.opcode;
        let accessed = accessed_type(call, op, &arguments);
        if let Some(ty) = accessed {
            self.needs_atomics_on(ty);
            self.needs_float_atomics(op, ty);
        }
        let wanted = grammar.operands.iter();
        let wanted = wanted.filter(|o| !matches!(o.kind, OperandKind::IdResultType | OperandKind::IdResult));
        let operands = self.operands(call, &arguments, wanted, accessed)?;
        self.produce(call, op, operands)
    }

    fn operands<'g>(
        &mut self,
        call: Value<'s>,
        arguments: &[Value<'s>],
        grammar: impl Iterator<Item = &'g LogicalOperand>,
        accessed: Option<Type<'s>>,
    ) -> Outcome<Vec<Operand>> {
        let mut operands = Vec::new();
        for (argument, wanted) in arguments.iter().zip(repeated(grammar)) {
            operands.push(match wanted.kind {
                // The system scope, or the widest one that the device has.
                OperandKind::IdScope if argument.integer() == Some(0) => id(self.system_scope()),
                OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => {
                    id(self.operand(*argument, accessed)?)
                }
                OperandKind::GroupOperation => {
                    let number = argument.integer().and_then(|number| GroupOperation::from_u32(number as u32));
                    Operand::GroupOperation(number.ok_or_else(|| not_constant(call))?)
                }
                _ => Operand::LiteralBit32(argument.integer().ok_or_else(|| not_constant(call))? as u32),
            });
        }
        Ok(operands)
    }

    /// ID of an argument. A pointer argument gets the pointee type `accessed`, in the address space
    /// that it came from.
    fn operand(&mut self, argument: Value<'s>, accessed: Option<Type<'s>>) -> Outcome<Word> {
        match (argument.ty().view(), accessed) {
            (TypeView::Pointer(_), Some(ty)) => {
                let (pointee, origin) = (self.memory_type(ty)?, self.origin(argument));
                self.pointer_as(origin, pointee)
            }
            _ => self.id(argument),
        }
    }

    /// Emits an OpenCL instruction with these arguments, for a call.
    pub(super) fn extended_instruction(&mut self, call: Value<'s>, name: &str, arguments: &[Value<'s>]) -> Outcome<()> {
        let grammar = extended_grammar(name)?;
        let first = arguments.first().map(|argument| argument.ty());
        let first = first.filter(|ty| !matches!(ty.view(), TypeView::Pointer(_)));
        let accessed = if WITH_INTEGERS.contains(&name) { Some(self.cx.session.integer(32)) } else { first };
        let operands = self.operands(call, arguments, grammar.operands.iter(), accessed)?;
        self.extended(call, name, operands)
    }

    /// As [`Self::extended_instruction`], with operands instead of arguments.
    pub(super) fn extended(&mut self, call: Value<'s>, name: &str, operands: Vec<Operand>) -> Outcome<()> {
        let (set, number) = (self.out.extended_set("OpenCL.std"), Word::from(extended_grammar(name)?.opcode));
        let head = [id(set), Operand::LiteralExtInstInteger(number)];
        self.produce(call, Op::ExtInst, head.into_iter().chain(operands).collect())
    }

    fn built_in(&mut self, call: Value<'s>, name: &str) -> Outcome<()> {
        let known = name.parse::<BuiltIn>();
        let built_in = known.map_err(|()| Failure::internal(format!("SPIR-V has no built-in variable {name}")))?;
        let scalar = self.ty(call.ty())?;
        let component = call.arguments().first().copied();
        let ty = if component.is_some() { self.vector(scalar, 3) } else { scalar };
        let variable = self.built_in_variable(built_in, name, ty);
        let Some(component) = component else { return self.define(call, Op::Load, vec![id(variable)]) };
        let all = self.out.value(Op::Load, ty, vec![id(variable)]);
        // The component may be variable, because the optimiser may merge two calls that differ in
        // it.
        match component.integer() {
            Some(number) => {
                self.define(call, Op::CompositeExtract, vec![id(all), Operand::LiteralBit32(number as u32)])
            }
            None => {
                let component = self.id(component)?;
                self.define(call, Op::VectorExtractDynamic, vec![id(all), id(component)])
            }
        }
    }

    pub(super) fn built_in_variable(&mut self, built_in: BuiltIn, name: &str, ty: Word) -> Word {
        if let Some(known) = self.built_in.get(&built_in) {
            return *known;
        }
        let pointer = self.pointer_to(StorageClass::Input, ty);
        let class = vec![Operand::StorageClass(StorageClass::Input)];
        let variable = self.out.distinct_global(Op::Variable, Some(pointer), class);
        self.out.annotate(variable, Decoration::BuiltIn, vec![Operand::BuiltIn(built_in)]);
        if !self.is_shader() {
            self.out.annotate(variable, Decoration::Constant, vec![]);
        }
        self.out.name(variable, name);
        self.built_in.insert(built_in, variable);
        variable
    }
}

pub(super) fn core_grammar(name: &str) -> Outcome<&'static Instruction<'static>> {
    let known = INSTRUCTION_TABLE.iter().find(|instruction| instruction.opname == name);
    known.ok_or_else(|| Failure::internal(format!("SPIR-V has no instruction Op{name}")))
}

fn extended_grammar(name: &str) -> Outcome<&'static ExtendedInstruction<'static>> {
    let known = OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|instruction| instruction.opname == name);
    known.ok_or_else(|| Failure::internal(format!("OpenCL has no instruction {name}")))
}

/// Repeats the last operand of the grammar if it may occur any number of times.
fn repeated<'g>(grammar: impl Iterator<Item = &'g LogicalOperand>) -> impl Iterator<Item = &'g LogicalOperand> {
    grammar.flat_map(|operand| {
        let any = operand.quantifier == OperandQuantifier::ZeroOrMore;
        std::iter::repeat_n(operand, if any { usize::MAX } else { 1 })
    })
}

/// The type that an atomic operation accesses.
pub(super) fn accessed_type<'s>(call: Value<'s>, op: Op, arguments: &[Value<'s>]) -> Option<Type<'s>> {
    match op {
        Op::AtomicStore => arguments.last().map(|value| value.ty()),
        _ if format!("{op:?}").starts_with("Atomic") => Some(call.ty()),
        _ => None,
    }
}

pub(super) fn not_constant(call: Value<'_>) -> Failure {
    Failure::internal(format!("an argument of `{}` must be a constant", call.text()))
}
