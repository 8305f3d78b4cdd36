//! Emits LLVM's intrinsics that SPIR-V has an instruction for.
//!
//! In: a call of an intrinsic. Out: the instruction. *Invariant:* the tables here and the list of
//! `legal::accepted` name the same intrinsics.

use super::{Emitter, assembly::id};
use crate::failure::Outcome;
use rspirv::{
    dr::Operand,
    spirv::{Decoration, MemoryAccess, Op},
};
use sinter_core::SpirvFeature;
use sinter_llvm::{ir::Value, types::TypeView};

/// Intrinsics with an OpenCL instruction: both names, and the number of operands that it takes.
const EXTENDED: [(&str, &str, usize); 24] = [
    ("abs", "s_abs", 1),
    ("ceil", "ceil", 1),
    ("copysign", "copysign", 2),
    ("ctlz", "clz", 1),
    ("cttz", "ctz", 1),
    ("fabs", "fabs", 1),
    ("floor", "floor", 1),
    ("fma", "fma", 3),
    // Both are either two operations or one, at the compiler's choice.
    ("fmuladd", "mad", 3),
    ("maxnum", "fmax", 2),
    ("minnum", "fmin", 2),
    ("rint", "rint", 1),
    ("round", "round", 1),
    ("roundeven", "rint", 1),
    ("sadd.sat", "s_add_sat", 2),
    ("smax", "s_max", 2),
    ("smin", "s_min", 2),
    ("sqrt", "sqrt", 1),
    ("ssub.sat", "s_sub_sat", 2),
    ("trunc", "trunc", 1),
    ("uadd.sat", "u_add_sat", 2),
    ("umax", "u_max", 2),
    ("umin", "u_min", 2),
    ("usub.sat", "u_sub_sat", 2),
];
/// Intrinsics without an equivalent in SPIR-V and without effect.
const SILENT: [&str; 8] = [
    "dbg",
    "donothing",
    "experimental.noalias.scope.decl",
    "invariant.end",
    "lifetime.end",
    "lifetime.start",
    "sideeffect",
    "var.annotation",
];

/// True if `name`, without `llvm.`, is this intrinsic for some type.
fn is(name: &str, intrinsic: &str) -> bool {
    name.strip_prefix(intrinsic).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl<'s> Emitter<'_, 's> {
    /// Emits a call of an intrinsic. False for others.
    pub(super) fn intrinsic(&mut self, call: Value<'s>, name: &str) -> Outcome<bool> {
        let Some(name) = name.strip_prefix("llvm.") else { return Ok(false) };
        if SILENT.iter().any(|silent| is(name, silent)) {
            return Ok(true);
        }
        let arguments = call.arguments();
        if self.is_shader() {
            return self.shader_intrinsic(call, name, &arguments);
        }
        if let Some((_, extended, count)) = EXTENDED.iter().find(|(intrinsic, ..)| is(name, intrinsic)) {
            let extended =
                if *extended == "sqrt" && self.may_approximate_root(call) { "native_sqrt" } else { extended };
            self.extended_instruction(call, extended, &arguments[..*count])?;
            return Ok(true);
        }
        self.other_intrinsic(call, name, &arguments)
    }

    fn other_intrinsic(&mut self, call: Value<'s>, name: &str, arguments: &[Value<'s>]) -> Outcome<bool> {
        match () {
            () if is(name, "ctpop") => self.define_of(call, Op::BitCount, &arguments[..1])?,
            () if is(name, "bitreverse") => self.define_of(call, Op::BitReverse, &arguments[..1])?,
            () if is(name, "fptosi.sat") => self.saturate(call, Op::ConvertFToS, arguments)?,
            () if is(name, "fptoui.sat") => self.saturate(call, Op::ConvertFToU, arguments)?,
            () if is(name, "fshl") && arguments[0] == arguments[1] => self.rotate(call, arguments, false)?,
            () if is(name, "fshr") && arguments[0] == arguments[1] => self.rotate(call, arguments, true)?,
            () if is(name, "memcpy") => self.copy_memory(call, arguments)?,
            () if is(name, "assume") => {
                if self.target.has(SpirvFeature::ExpectAssume) {
                    let fact = self.id(arguments[0])?;
                    self.out.act(Op::AssumeTrueKHR, vec![id(fact)]);
                }
            }
            () if is(name, "expect") => match self.target.has(SpirvFeature::ExpectAssume) {
                true => self.define_of(call, Op::ExpectKHR, &arguments[..2])?,
                false => {
                    let value = self.id(arguments[0])?;
                    self.alias(call, value)?;
                }
            },
            () => return Ok(false),
        }
        Ok(true)
    }

    fn may_approximate_root(&self, call: Value<'s>) -> bool {
        self.cx.config().approximations.square_root && call.ty().scalar().view() == TypeView::Float(32)
    }

    fn saturate(&mut self, call: Value<'s>, op: Op, arguments: &[Value<'s>]) -> Outcome<()> {
        self.define_of(call, op, &arguments[..1])?;
        let result = self.result(call)?;
        self.out.annotate(result, Decoration::SaturatedConversion, vec![]);
        Ok(())
    }

    /// OpenCL has only rotations to the left; one to the right negates the distance.
    fn rotate(&mut self, call: Value<'s>, arguments: &[Value<'s>], right: bool) -> Outcome<()> {
        let (value, mut by) = (self.id(arguments[0])?, self.id(arguments[2])?);
        if right {
            let ty = self.ty(call.ty())?;
            let none = self.null(ty);
            by = self.out.value(Op::ISub, ty, vec![id(none), id(by)]);
        }
        self.extended(call, "rotate", vec![id(value), id(by)])
    }

    fn copy_memory(&mut self, call: Value<'s>, arguments: &[Value<'s>]) -> Outcome<()> {
        let [to, from, size, ..] = arguments else { return Ok(()) };
        if size.integer() == Some(0) {
            return Ok(());
        }
        let byte = self.integer(8);
        let (target, source) = (self.pointer_as(*to, byte)?, self.pointer_as(*from, byte)?);
        let size = self.id(*size)?;
        let alignment = call.argument_alignment(0).unwrap_or(1).min(call.argument_alignment(1).unwrap_or(1)) as u32;
        let volatile = arguments.get(3).and_then(|volatile| volatile.integer()) == Some(1);
        let access = MemoryAccess::ALIGNED | if volatile { MemoryAccess::VOLATILE } else { MemoryAccess::NONE };
        let operands = [target, source, size].into_iter().map(id);
        let access = [Operand::MemoryAccess(access), Operand::LiteralBit32(alignment)];
        self.out.act(Op::CopyMemorySized, operands.chain(access).collect());
        Ok(())
    }
}
