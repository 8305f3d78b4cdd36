//! Emits mathematics: LLVM's intrinsics and OpenCL's functions.
//!
//! In: an intrinsic, or the name of an instruction of OpenCL. Out: instructions of GLSL.std.450
//! and arithmetic. *Invariant:* an instruction is used only where Vulkan bounds its error as OpenCL
//! does ("Precision and Operation of SPIR-V Instructions"), or for functions of native precision;
//! any other function is an error.

use super::super::{Emitter, assembly::id};
use crate::failure::Outcome;
use rspirv::{
    dr::Operand,
    spirv::{Op, Word},
};
use sinter_llvm::{ir::Value, types::TypeView};

/// Intrinsics with an exact instruction of GLSL.std.450, or with one whose error OpenCL allows.
const EXACT: [(&str, u32); 8] = [
    ("floor", 8),
    ("ceil", 9),
    ("trunc", 3),
    ("rint", 2),
    ("roundeven", 2),
    ("sqrt", 31),
    ("minnum", 79),
    ("maxnum", 80),
];
/// OpenCL's functions of native precision.
const NATIVE: [(&str, u32); 9] = [
    ("native_sin", 13),
    ("native_cos", 14),
    ("native_tan", 15),
    ("native_exp", 27),
    ("native_log", 28),
    ("native_exp2", 29),
    ("native_log2", 30),
    ("native_sqrt", 31),
    ("native_rsqrt", 32),
];
const FLOOR: u32 = 8;
const TRUNCATE: u32 = 3;
const ABSOLUTE: u32 = 4;
const POWER: u32 = 26;
const EXP2: u32 = 29;
const LOG2: u32 = 30;

impl<'s> Emitter<'_, 's> {
    /// Adds an instruction of GLSL.std.450.
    pub(super) fn glsl(&mut self, number: u32, ty: Word, operands: &[Word]) -> Word {
        let set = self.out.extended_set("GLSL.std.450");
        let head = [id(set), Operand::LiteralExtInstInteger(number)];
        self.out.value(Op::ExtInst, ty, head.into_iter().chain(operands.iter().copied().map(id)).collect())
    }

    /// Emits an intrinsic of LLVM. False for one that shaders have nothing for.
    pub(in super::super) fn shader_intrinsic(
        &mut self,
        call: Value<'s>,
        name: &str,
        arguments: &[Value<'s>],
    ) -> Outcome<bool> {
        let family = name.rsplit_once('.').map_or(name, |(family, _)| family);
        if family == "sqrt" && self.needs_exact_root(call) {
            let root = self.exact_root(arguments[0])?;
            return self.alias(call, root).map(|()| true);
        }
        if let Some((_, number)) = EXACT.iter().find(|(known, _)| *known == family) {
            let ids = arguments.iter().take(if *number >= 79 { 2 } else { 1 });
            let ids = ids.map(|argument| self.id(*argument)).collect::<Outcome<Vec<_>>>()?;
            let ty = self.ty(call.ty())?;
            let value = self.glsl(*number, ty, &ids);
            return self.alias(call, value).map(|()| true);
        }
        let value = match family.split_once(".sat.").map_or(family, |(family, _)| family) {
            "fptosi" => self.saturated_conversion(call, arguments[0], true)?,
            "fptoui" => self.saturated_conversion(call, arguments[0], false)?,
            "fabs" => Some(self.absolute(arguments[0])?),
            "round" => self.rounded(arguments[0])?,
            "copysign" => self.with_sign(arguments)?,
            "fmuladd" => Some(self.multiply_and_add(arguments)?),
            _ => self.integer_intrinsic(call, name, arguments)?,
        };
        match value {
            Some(value) => self.alias(call, value).map(|()| true),
            None => Ok(false),
        }
    }

    /// Rounds to the nearest whole number, halves away from zero.
    fn rounded(&mut self, argument: Value<'s>) -> Outcome<Option<Word>> {
        let TypeView::Float(bits) = argument.ty().view() else { return Ok(None) };
        let (ty, boolean, value) = (self.ty(argument.ty())?, self.boolean(), self.id(argument)?);
        let whole = self.glsl(TRUNCATE, ty, &[value]);
        let rest = self.out.value(Op::FSub, ty, vec![id(value), id(whole)]);
        let rest = self.glsl(ABSOLUTE, ty, &[rest]);
        let [half, one, none] = [
            self.float_constant(argument.ty(), bits, 0.5)?,
            self.float_constant(argument.ty(), bits, 1.0)?,
            self.float_constant(argument.ty(), bits, 0.0)?,
        ];
        let is_away = self.out.value(Op::FOrdGreaterThanEqual, boolean, vec![id(rest), id(half)]);
        let step = self.out.value(Op::Select, ty, [is_away, one, none].map(id).to_vec());
        let size = self.glsl(ABSOLUTE, ty, &[whole]);
        let size = self.out.value(Op::FAdd, ty, vec![id(size), id(step)]);
        Ok(Some(self.signed_as(bits, size, value)))
    }

    fn with_sign(&mut self, arguments: &[Value<'s>]) -> Outcome<Option<Word>> {
        let TypeView::Float(bits) = arguments[0].ty().view() else { return Ok(None) };
        let (size, sign) = (self.id(arguments[0])?, self.id(arguments[1])?);
        Ok(Some(self.signed_as(bits, size, sign)))
    }

    fn signed_as(&mut self, bits: u32, size: Word, sign: Word) -> Word {
        let (integer, float) = (self.integer(bits), self.float(bits));
        let [top, rest] = [1u64 << (bits - 1), (1u64 << (bits - 1)) - 1].map(|mask| self.integer_constant(bits, mask));
        let [size, sign] = [size, sign].map(|value| self.out.value(Op::Bitcast, integer, vec![id(value)]));
        let size = self.out.value(Op::BitwiseAnd, integer, vec![id(size), id(rest)]);
        let sign = self.out.value(Op::BitwiseAnd, integer, vec![id(sign), id(top)]);
        let both = self.out.value(Op::BitwiseOr, integer, vec![id(size), id(sign)]);
        self.out.value(Op::Bitcast, float, vec![id(both)])
    }

    /// Emits a function of OpenCL.
    pub(in super::super) fn shader_function_of_opencl(
        &mut self,
        call: Value<'s>,
        name: &str,
        arguments: &[Value<'s>],
    ) -> Outcome<()> {
        let ty = self.ty(call.ty())?;
        let ids = arguments.iter().map(|argument| self.id(*argument)).collect::<Outcome<Vec<_>>>()?;
        let single = call.ty().view() == TypeView::Float(32);
        let scaled = |emitter: &mut Self, value: Word, factor: f64| {
            let factor = emitter.float_constant(call.ty(), 32, factor)?;
            Outcome::Ok(emitter.out.value(Op::FMul, ty, vec![id(value), id(factor)]))
        };
        let value = match (name, ids.as_slice()) {
            ("fabs", [_]) => self.absolute(arguments[0])?,
            ("floor", [a]) => self.glsl(FLOOR, ty, &[*a]),
            ("native_divide", [a, b]) if single => self.out.value(Op::FDiv, ty, vec![id(*a), id(*b)]),
            ("native_recip", [a]) if single => {
                let one = self.float_constant(call.ty(), 32, 1.0)?;
                self.out.value(Op::FDiv, ty, vec![id(one), id(*a)])
            }
            ("native_powr", [a, b]) if single => self.glsl(POWER, ty, &[*a, *b]),
            ("native_exp10", [a]) if single => {
                let power = scaled(self, *a, std::f64::consts::LOG2_10)?;
                self.glsl(EXP2, ty, &[power])
            }
            ("native_log10", [a]) if single => {
                let logarithm = self.glsl(LOG2, ty, &[*a]);
                scaled(self, logarithm, std::f64::consts::LOG10_2)?
            }
            (_, [a]) if single && NATIVE.iter().any(|(known, _)| *known == name) => {
                let number = NATIVE.iter().find(|(known, _)| *known == name).map_or(0, |(_, number)| *number);
                self.glsl(number, ty, &[*a])
            }
            _ => {
                let what = format!("the function `{name}` of `{}`", call.ty().text());
                let hint = "Vulkan has none that is as accurate as OpenCL's; use a function of native precision";
                return self.unsupported(call, what, hint);
            }
        };
        self.alias(call, value)
    }
}
