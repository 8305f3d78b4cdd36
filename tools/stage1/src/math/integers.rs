//! Defines the functions of the C library that take absolute values of integers and divide them.
//!
//! In: declarations of `abs`, `div` and the like. Out: definitions, with the results of `div` as
//! clang passes them on x86-64, both in one register. *Invariant:* a function that the module
//! defines itself stays as it is, and so does one whose type differs from C's.

use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        builder::{Builder, BuilderError},
        context::ContextRef,
        intrinsics::Intrinsic,
        module::{Linkage, Module},
        types::IntType,
        values::{FunctionValue, IntValue},
    },
    stage1::name,
};

/// Bits of `int`, and of `long` and the wider types.
const INT: u32 = 32;
const LONG: u32 = 64;

/// Defines those that `module` declares.
pub(crate) fn define_integers(module: &Module<'_>) -> Result<(), BuilderError> {
    for function in module.get_functions().filter(|function| function.count_basic_blocks() == 0) {
        match name(function).as_str() {
            "abs" => magnitude(module, function, INT)?,
            "labs" | "llabs" | "imaxabs" => magnitude(module, function, LONG)?,
            "div" => quotient_in_word(module, function)?,
            "ldiv" | "lldiv" | "imaxdiv" => quotient(module, function)?,
            _ => {}
        }
    }
    Ok(())
}

fn magnitude<'ctx>(module: &Module<'ctx>, function: FunctionValue<'ctx>, bits: u32) -> Result<(), BuilderError> {
    let context = module.get_context();
    let ty = integer(context, bits);
    let abs = Intrinsic::find("llvm.abs").and_then(|abs| abs.get_declaration(module, &[ty.into()]));
    let (Some(abs), true) = (abs, function.get_type() == ty.fn_type(&[ty.into()], false)) else { return Ok(()) };
    let builder = body(context, function);
    // As for the call of the host: there is no absolute value of the least number.
    let poison = context.bool_type().const_all_ones();
    let call = builder.build_call(abs, &[parameter(function, 0).into(), poison.into()], "")?;
    call.try_as_basic_value().basic().map_or(Ok(()), |value| builder.build_return(Some(&value)).map(|_| ()))
}

fn quotient<'ctx>(module: &Module<'ctx>, function: FunctionValue<'ctx>) -> Result<(), BuilderError> {
    let context = module.get_context();
    let ty = integer(context, LONG);
    let result = context.struct_type(&[ty.into(), ty.into()], false);
    if function.get_type() != result.fn_type(&[ty.into(), ty.into()], false) {
        return Ok(());
    }
    let builder = body(context, function);
    let (quotient, rest) = divided(&builder, function)?;
    builder.build_aggregate_return(&[quotient.into(), rest.into()]).map(|_| ())
}

fn quotient_in_word<'ctx>(module: &Module<'ctx>, function: FunctionValue<'ctx>) -> Result<(), BuilderError> {
    let context = module.get_context();
    let (ty, word) = (integer(context, INT), integer(context, LONG));
    if function.get_type() != word.fn_type(&[ty.into(), ty.into()], false) {
        return Ok(());
    }
    let builder = body(context, function);
    let (quotient, rest) = divided(&builder, function)?;
    let low = builder.build_int_z_extend(quotient, word, "")?;
    let high = builder.build_int_z_extend(rest, word, "")?;
    let high = builder.build_left_shift(high, word.const_int(INT.into(), false), "")?;
    let both = builder.build_or(high, low, "")?;
    builder.build_return(Some(&both)).map(|_| ())
}

fn divided<'ctx>(
    builder: &Builder<'ctx>,
    function: FunctionValue<'ctx>,
) -> Result<(IntValue<'ctx>, IntValue<'ctx>), BuilderError> {
    let (dividend, divisor) = (parameter(function, 0), parameter(function, 1));
    let quotient = builder.build_int_signed_div(dividend, divisor, "")?;
    Ok((quotient, builder.build_int_signed_rem(dividend, divisor, "")?))
}

/// Begins the definition of a function, which the image has for itself.
fn body<'ctx>(context: ContextRef<'ctx>, function: FunctionValue<'ctx>) -> Builder<'ctx> {
    function.set_linkage(Linkage::Internal);
    let inlined = Attribute::get_named_enum_kind_id("alwaysinline");
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(inlined, 0));
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(function, ""));
    builder
}

fn integer(context: ContextRef<'_>, bits: u32) -> IntType<'_> {
    if bits == INT { context.i32_type() } else { context.i64_type() }
}

fn parameter(function: FunctionValue<'_>, index: u32) -> IntValue<'_> {
    match function.get_nth_param(index) {
        Some(parameter) => parameter.into_int_value(),
        None => function.get_type().get_context().i32_type().const_zero(),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn absolute_values_and_divisions_are_defined() {
        let device = accept(
            "  %a = call i32 @abs(i32 -3)\n  %b = call i64 @llabs(i64 -3)\n  %c = call i64 @div(i32 7, i32 %a)
  %d = call { i64, i64 } @ldiv(i64 7, i64 %b)",
            "declare i32 @abs(i32)\ndeclare i64 @llabs(i64)\ndeclare i64 @div(i32, i32)
declare { i64, i64 } @ldiv(i64, i64)",
        )
        .device;
        for expected in [
            "define internal i32 @abs(i32 %0)",
            "call i64 @llvm.abs.i64(i64 %0, i1 true)",
            "define internal i64 @div(i32 %0, i32 %1)",
            "define internal { i64, i64 } @ldiv(i64 %0, i64 %1)",
            "shl i64",
            "srem i64 %0, %1",
        ] {
            assert!(device.contains(expected), "{expected}\n{device}");
        }
    }

    #[test]
    fn functions_of_other_types_stay_declared() {
        let rest = "declare i64 @abs(i64)\ndefine internal i64 @labs(i64 %x) {\n  ret i64 %x\n}";
        let device = accept("  %a = call i64 @abs(i64 1)\n  %b = call i64 @labs(i64 %a)", rest).device;
        assert!(device.contains("declare i64 @abs(i64)") && !device.contains("@llvm.abs"), "{device}");
    }
}
