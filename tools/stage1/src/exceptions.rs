//! Removes exception handling; device code cannot unwind.
//!
//! In: invokes, landing pads and throwing calls. Out: calls, and a trap where an exception would be
//! thrown or the program would be terminated. *Invariant:* no landing pad, personality or throwing
//! call remains.

use crate::sanitizers;
use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        module::Module,
    },
    stage1::{call::calls, name, surgery},
};

/// Functions of the C++ runtime and libc that do not return.
const ENDINGS: [&str; 15] = [
    "_Unwind_Resume",
    "__clang_call_terminate",
    "__cxa_allocate_exception",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_unexpected",
    "__cxa_deleted_virtual",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_new_length",
    "__stack_chk_fail",
    "_ZSt9terminatev",
    "abort",
    "llvm.ubsantrap",
];

pub(crate) fn lower(module: &Module<'_>) {
    let nounwind = module.get_context().create_enum_attribute(Attribute::get_named_enum_kind_id("nounwind"), 0);
    module.get_functions().for_each(|function| function.add_attribute(AttributeLoc::Function, nounwind));
    let bodies = module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    for function in bodies {
        surgery::invokes_to_calls(function);
        // A trap removes the rest of its block, so the list of calls is recomputed after each.
        while let Some(call) = calls(function).into_iter().find(|call| call.function().is_some_and(|f| ends(&name(f))))
        {
            surgery::trap_at(call.instruction);
        }
        surgery::remove_unreachable(function);
    }
}

/// True if the function does not return. The standard library throws through `std::__throw_*`.
fn ends(name: &str) -> bool {
    ENDINGS.contains(&name) || (name.starts_with("_ZSt") && name.contains("__throw_")) || sanitizers::ends(name)
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn throwing_code_becomes_a_trap() {
        let result = accept(
            "  call void @work()",
            "define void @work() personality ptr @__gxx_personality_v0 {
  invoke void @may() to label %fine unwind label %pad
pad:
  %l = landingpad { ptr, i32 } cleanup
  call void @cleanup()
  resume { ptr, i32 } %l
fine:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
}
define void @may() {\n  call void @_ZSt20__throw_length_errorPKc(ptr null)\n  unreachable\n}
declare void @cleanup()\ndeclare i32 @__gxx_personality_v0(...)\ndeclare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)\ndeclare void @_ZSt20__throw_length_errorPKc(ptr)\n@_ZTIi = external constant ptr",
        );
        for gone in ["invoke", "landingpad", "personality", "__cxa", "_ZSt", "_ZTIi", "@cleanup"] {
            assert!(!result.device.contains(gone), "{gone}\n{}", result.device);
        }
        assert_eq!(result.device.matches("call void @llvm.trap()").count(), 2, "{}", result.device);
        assert!(result.device.contains("\"sinter-trap\"=\"exception\""), "{}", result.device);
    }

    #[test]
    fn an_abort_is_told_from_an_exception() {
        let result = accept("  call void @abort()", "declare void @abort()");
        assert!(result.device.contains("\"sinter-trap\"=\"abort\""), "{}", result.device);
    }
}
