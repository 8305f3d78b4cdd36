//! Replaces the libm calls in the table of functions.
//!
//! In: a module. Out: the same computation without libm. *Invariant:* the replacement keeps a
//! call's fast-math flags and debug location.

use super::functions::find;
use sinter_builtins::{Function, Llvm, Precision};
use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        builder::{Builder, BuilderError},
        context::ContextRef,
        intrinsics::Intrinsic,
        module::Module,
        types::{AnyType, AnyTypeEnum, BasicMetadataTypeEnum, BasicType, BasicTypeEnum, FloatType, FunctionType},
        values::{BasicValue, BasicValueEnum, CallSiteValue, FloatValue, FunctionValue, InstructionValue},
    },
    stage1::{
        call::{arguments, calls},
        name, surgery,
    },
};

/// Replaces the calls of libm functions in `module`.
pub(crate) fn replace_calls(module: &Module<'_>) -> Result<(), BuilderError> {
    for function in module.get_functions() {
        for call in calls(function) {
            let known = call.function().and_then(|callee| known_function(module, callee));
            if let Some((entry, precision)) = known {
                Replacement::at(module, call.instruction, precision).replace(entry)?;
            }
        }
    }
    Ok(())
}

fn known_function(module: &Module<'_>, callee: FunctionValue<'_>) -> Option<(&'static Function, Precision)> {
    if callee.count_basic_blocks() > 0 {
        return None;
    }
    let (entry, precision) = find(&name(callee))?;
    matches(entry, callee.get_type(), float_type(module.get_context(), precision)).then_some((entry, precision))
}

fn float_type(context: ContextRef<'_>, precision: Precision) -> FloatType<'_> {
    match precision {
        Precision::Single => context.f32_type(),
        Precision::Double => context.f64_type(),
    }
}

/// True if a declaration has the type that libm gives the function.
fn matches(entry: &Function, ty: FunctionType<'_>, float: FloatType<'_>) -> bool {
    let (expected, parameters) = (entry.family.parameters, ty.get_param_types());
    let result = match ty.get_return_type() {
        None => entry.family.result == "void",
        Some(result) => is_type(entry.family.result, result.as_basic_type_enum(), float),
    };
    let is_parameter = |(word, ty): (&&str, &BasicMetadataTypeEnum<'_>)| {
        BasicTypeEnum::try_from(*ty).is_ok_and(|ty| is_type(word, ty, float))
    };
    result && parameters.len() == expected.len() && expected.iter().zip(&parameters).all(is_parameter)
}

/// True if `ty` is the type that a word of the table stands for. Integers of C have several widths.
fn is_type(word: &str, ty: BasicTypeEnum<'_>, float: FloatType<'_>) -> bool {
    match ty {
        BasicTypeEnum::FloatType(ty) => word == "T" && ty == float,
        BasicTypeEnum::IntType(_) => word.starts_with('i') && !word.ends_with('*'),
        BasicTypeEnum::PointerType(_) => word.ends_with('*'),
        _ => false,
    }
}

struct Replacement<'m, 'ctx> {
    module: &'m Module<'ctx>,
    builder: Builder<'ctx>,
    call: InstructionValue<'ctx>,
    arguments: Vec<BasicValueEnum<'ctx>>,
    float: FloatType<'ctx>,
    precision: Precision,
}

impl<'m, 'ctx> Replacement<'m, 'ctx> {
    fn at(module: &'m Module<'ctx>, call: InstructionValue<'ctx>, precision: Precision) -> Self {
        let context = module.get_context();
        let builder = context.create_builder();
        builder.position_before(&call);
        let arguments = arguments(call);
        Replacement { module, builder, call, arguments, float: float_type(context, precision), precision }
    }

    fn replace(&self, entry: &Function) -> Result<(), BuilderError> {
        let value = match entry.llvm {
            Some(Llvm::Intrinsic(name)) => self.intrinsic(name, &self.overloads(), &self.arguments)?,
            Some(Llvm::Remainder) => self.remainder()?,
            Some(Llvm::SinCos) => return self.sin_cos(),
            Some(Llvm::Class(mask)) => self.class(mask)?,
            None => self.builtin(entry)?,
        };
        let Some(value) = value else { return Ok(()) };
        self.keep_flags(value);
        surgery::replace_instruction(self.call, &value);
        Ok(())
    }

    /// `None` if LLVM has no such intrinsic; the call stays.
    fn intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'ctx>],
        arguments: &[BasicValueEnum<'ctx>],
    ) -> Result<Option<BasicValueEnum<'ctx>>, BuilderError> {
        let declaration = Intrinsic::find(name).and_then(|intrinsic| intrinsic.get_declaration(self.module, types));
        let Some(declaration) = declaration else { return Ok(None) };
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).into()).collect();
        self.builder.build_call(declaration, &arguments, "").map(value_of)
    }

    /// The types on which an intrinsic is overloaded: an integer result, the floating-point type,
    /// an exponent.
    fn overloads(&self) -> Vec<BasicTypeEnum<'ctx>> {
        let integer = |ty: AnyTypeEnum<'ctx>| match ty {
            AnyTypeEnum::IntType(ty) => Some(ty.into()),
            _ => None,
        };
        let result = integer(self.call.get_type());
        let exponents = self.arguments.iter().filter_map(|argument| integer(argument.get_type().as_any_type_enum()));
        result.into_iter().chain([self.float.into()]).chain(exponents).collect()
    }

    fn remainder(&self) -> Result<Option<BasicValueEnum<'ctx>>, BuilderError> {
        let (Some(left), Some(right)) = (self.float_argument(0), self.float_argument(1)) else { return Ok(None) };
        self.builder.build_float_rem(left, right, "").map(|value| Some(value.into()))
    }

    fn float_argument(&self, index: usize) -> Option<FloatValue<'ctx>> {
        self.arguments.get(index).and_then(|value| FloatValue::try_from(*value).ok())
    }

    fn sin_cos(&self) -> Result<(), BuilderError> {
        for (name, place) in [("llvm.sin", 1), ("llvm.cos", 2)] {
            let value = self.intrinsic(name, &[self.float.into()], &self.arguments[..1])?;
            if let (Some(value), BasicValueEnum::PointerValue(place)) = (value, self.arguments[place]) {
                self.builder.build_store(place, value)?;
            }
        }
        self.call.erase_from_basic_block();
        Ok(())
    }

    fn class(&self, mask: u32) -> Result<Option<BasicValueEnum<'ctx>>, BuilderError> {
        let AnyTypeEnum::IntType(result) = self.call.get_type() else { return Ok(None) };
        let mask = self.module.get_context().i32_type().const_int(mask.into(), false);
        let arguments = [self.arguments[0], mask.into()];
        match self.intrinsic("llvm.is.fpclass", &[self.float.into()], &arguments)? {
            Some(BasicValueEnum::IntValue(is_class)) => {
                self.builder.build_int_z_extend(is_class, result, "").map(|value| Some(value.into()))
            }
            _ => Ok(None),
        }
    }

    fn builtin(&self, entry: &Function) -> Result<Option<BasicValueEnum<'ctx>>, BuilderError> {
        let Some(symbol) = entry.builtin(self.precision.word()) else { return Ok(None) };
        let function = self.module.get_function(&symbol).or_else(|| self.declare(&symbol, entry));
        let Some(function) = function else { return Ok(None) };
        let arguments: Vec<_> = self.arguments.iter().map(|argument| (*argument).into()).collect();
        self.builder.build_call(function, &arguments, "").map(value_of)
    }

    fn declare(&self, symbol: &str, entry: &Function) -> Option<FunctionValue<'ctx>> {
        let result = BasicTypeEnum::try_from(self.call.get_type()).ok()?;
        let parameters: Vec<_> = self.arguments.iter().map(|argument| argument.get_type().into()).collect();
        let function = self.module.add_function(symbol, result.fn_type(&parameters, false), None);
        let context = self.module.get_context();
        // `memory(none)` is the value 0 (llvm/Support/ModRef.h); a function with a pointer
        // parameter writes through it.
        for name in ["nounwind", "willreturn"].into_iter().chain(entry.family.is_pure.then_some("memory")) {
            let kind = Attribute::get_named_enum_kind_id(name);
            function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
        }
        Some(function)
    }

    fn keep_flags(&self, value: BasicValueEnum<'ctx>) {
        if let (Ok(flags), Some(replacement)) = (self.call.get_fast_math_flags(), value.as_instruction_value()) {
            // An instruction with an integer result takes no flags.
            let _ = replacement.set_fast_math_flags(flags);
        }
    }
}

fn value_of(call: CallSiteValue<'_>) -> Option<BasicValueEnum<'_>> {
    call.try_as_basic_value().basic()
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn calls_become_intrinsics_or_builtins_in_both_precisions() {
        let device = accept(
            "  %a = call fast float @sinf(float 1.0)\n  %b = call double @sqrt(double 2.0) noinline
  %c = call float @cbrtf(float %a)\n  %d = call double @atan2(double %b, double %b)
  %e = call i64 @lrint(double %d)\n  %f = call double @fmod(double %d, double 3.0)
  %g = call double @ldexp(double %f, i32 3)\n  %h = call float @modff(float %c, ptr %k)
  %i = call i32 @isnan(double %g)\n  call void @sincosf(float %h, ptr %k, ptr %closure)",
            "declare float @sinf(float)\ndeclare double @sqrt(double)\ndeclare float @cbrtf(float)
declare double @atan2(double, double)\ndeclare i64 @lrint(double)\ndeclare double @fmod(double, double)
declare double @ldexp(double, i32)\ndeclare float @modff(float, ptr)\ndeclare i32 @isnan(double)
declare void @sincosf(float, ptr, ptr)",
        )
        .device;
        for expected in [
            "call fast float @llvm.sin.f32(float 1.0",
            "call double @llvm.sqrt.f64(double 2.0",
            "call float @__acpp_sscp_cbrt_f32(",
            "call double @__acpp_sscp_atan2_f64(",
            "call i64 @llvm.lrint.i64.f64(",
            "frem double",
            "@llvm.ldexp.f64.i32(",
            "call float @__acpp_sscp_modf_f32(float",
            "call i1 @llvm.is.fpclass.f64(double",
            "call float @llvm.cos.f32(float",
        ] {
            assert!(device.contains(expected), "{expected}\n{device}");
        }
        assert!(!device.contains("@sincosf") && !device.contains("@sinf"), "{device}");
    }

    #[test]
    fn a_function_of_the_program_is_not_replaced() {
        let rest = "define double @sqrt(double %x) {\n  ret double %x\n}\ndeclare float @sin(i32)";
        let result = accept("  %a = call double @sqrt(double 2.0)\n  %b = call float @sin(i32 1)", rest);
        assert!(result.device.contains("call double @sqrt("), "{}", result.device);
        assert!(result.device.contains("call float @sin(i32 1)"), "{}", result.device);
    }
}
