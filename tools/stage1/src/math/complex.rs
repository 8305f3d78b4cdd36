//! Defines the functions of the C library on complex numbers.
//!
//! In: declarations of `cabsf`, `cexp` and the like. Out: definitions from a library of bitcode,
//! which call functions of C on real numbers. *Invariant:* a function that the module defines
//! itself stays as it is, and so does one whose type differs from that of x86-64, where a complex
//! `float` is a vector and a complex `double` two values.

use crate::error::Stage1Error;
use sinter_kernels::slices::COMPLEX;
use sinter_llvm::{
    inkwell::{
        memory_buffer::MemoryBuffer,
        module::{Linkage, Module},
        support::LLVMString,
        values::FunctionValue,
    },
    stage1::name,
};

/// Defines those that `module` declares.
pub(crate) fn define_complex(module: &Module<'_>) -> Result<(), Stage1Error> {
    let declared = module.get_functions().filter(|function| function.count_basic_blocks() == 0);
    let found: Vec<_> = declared.filter_map(|function| Some((function, COMPLEX.slice(&name(function))?))).collect();
    for (function, slice) in found {
        define(module, function, slice).map_err(|error| Stage1Error::Library(error.to_string()))?;
    }
    Ok(())
}

fn define(module: &Module<'_>, function: FunctionValue<'_>, slice: &'static [u8]) -> Result<(), LLVMString> {
    let symbol = name(function);
    let buffer = MemoryBuffer::create_from_memory_range_copy(slice, &symbol);
    let library = Module::parse_bitcode_from_buffer(&buffer, module.get_context())?;
    if library.get_function(&symbol).is_none_or(|ours| ours.get_type() != function.get_type()) {
        return Ok(());
    }
    // Equal but for their spelling; a difference would be a warning.
    library.set_triple(&module.get_triple());
    library.set_data_layout(&module.get_data_layout());
    module.link_in_module(library)?;
    module.get_function(&symbol).into_iter().for_each(|defined| defined.set_linkage(Linkage::Internal));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn functions_of_both_precisions_are_defined_by_builtins() {
        let device = accept(
            "  %a = call float @cabsf(<2 x float> zeroinitializer)
  %b = call { double, double } @cexp(double 1.0, double 2.0)
  %c = call <2 x float> @cpowf(<2 x float> zeroinitializer, <2 x float> zeroinitializer)",
            "declare float @cabsf(<2 x float>)\ndeclare { double, double } @cexp(double, double)
declare <2 x float> @cpowf(<2 x float>, <2 x float>)",
        )
        .device;
        for expected in [
            "define internal noundef float @cabsf(<2 x float>",
            "call float @__acpp_sscp_hypot_f32(",
            "define internal { double, double } @cexp(double",
            "call noundef double @llvm.exp.f64(",
            "define internal <2 x float> @cpowf(",
        ] {
            assert!(device.contains(expected), "{expected}\n{device}");
        }
        assert!(!device.contains("@hypotf"), "{device}");
    }

    #[test]
    fn functions_of_other_types_stay_declared() {
        let rest = "declare double @cabs({ double, double })
define internal double @carg(double %x, double %y) {
  ret double %x
}";
        let body = "  %a = call double @cabs({ double, double } zeroinitializer)
  %b = call double @carg(double %a, double 1.0)";
        let device = accept(body, rest).device;
        assert!(device.contains("declare double @cabs({ double, double })"), "{device}");
        assert!(device.contains("call double @carg(double") && !device.contains("atan2"), "{device}");
    }
}
