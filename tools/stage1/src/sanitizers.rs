//! Removes sanitizer instrumentation, whose runtime library exists only on the host.
//!
//! In: code with calls that report undefined behaviour. Out: the same without reports; a report
//! that terminates the program becomes a trap, see [`ends`]. Names are those of
//! `compiler-rt/lib/ubsan/ubsan_handlers.h`; the marks are those of `CodeGenFunction::EmitCall`.
//! *Invariant:* no reference to the library remains.

use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{call::calls, name, surgery},
};

const REPORT: &str = "__ubsan_handle_";
/// Reports that terminate the program regardless of the options.
const ALWAYS_END: [&str; 2] = ["__ubsan_handle_builtin_unreachable", "__ubsan_handle_missing_return"];
/// Reports that repeat the check and return if it passes (`getRecoverableKind` in clang's
/// `CGExpr.cpp`).
const MAY_RETURN: [&str; 2] = ["__ubsan_handle_dynamic_type_cache_miss", "__ubsan_handle_function_type_mismatch"];
/// Cache of types of objects seen before; filled with zeros it is an empty cache.
const TYPE_CACHE: &str = "__ubsan_vptr_type_cache";

/// True for a report that does not return.
pub(crate) fn ends(name: &str) -> bool {
    name.starts_with(REPORT)
        && (name.ends_with("_abort") || ALWAYS_END.contains(&name))
        && !MAY_RETURN.iter().any(|prefix| name.starts_with(prefix))
}

/// Removes reports that return, and checks of function types.
pub(crate) fn remove(module: &Module<'_>) {
    module.get_functions().for_each(surgery::zero_type_hashes);
    module.get_functions().filter(|function| function.count_basic_blocks() > 0).for_each(remove_reports);
    if let Some(cache) = module.get_global(TYPE_CACHE).filter(|cache| cache.is_declaration()) {
        surgery::define_as_zero(cache);
        cache.set_constant(true);
    }
}

fn remove_reports(function: FunctionValue<'_>) {
    for call in calls(function) {
        if call.function().is_some_and(|callee| name(callee).starts_with(REPORT)) {
            surgery::erase_call(call.instruction);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn reports_of_undefined_behaviour_are_removed_or_trap() {
        let body = "  %t = load i64, ptr @__ubsan_vptr_type_cache
  call void @__ubsan_handle_add_overflow(ptr @0, i64 1, i64 %t)
  %c = icmp eq i64 %t, 0\n  br i1 %c, label %bad, label %good
bad:\n  call void @__ubsan_handle_shift_abort(ptr @0, i64 1)\n  unreachable\ngood:";
        let rest = "@0 = private global { i32 } zeroinitializer\n@__ubsan_vptr_type_cache = external global [128 x i64]
declare void @__ubsan_handle_add_overflow(ptr, i64, i64)\ndeclare void @__ubsan_handle_shift_abort(ptr, i64)";
        let device = accept(body, rest).device;
        assert!(!device.contains("_handle_") && !device.contains("external global"), "{device}");
        assert_eq!(device.matches("call void @llvm.trap()").count(), 1, "{device}");
    }

    #[test]
    fn the_type_of_a_known_function_is_not_checked() {
        let body = "  %m = load i32, ptr getelementptr (<{ i32, i32 }>, ptr @work, i32 -1, i32 0)
  %c = icmp eq i32 %m, -1056584962\n  br i1 %c, label %check, label %go
check:\n  call void @__ubsan_handle_function_type_mismatch_abort(ptr null, i64 0)\n  unreachable
go:\n  call void @work()";
        let rest = "declare void @__ubsan_handle_function_type_mismatch_abort(ptr, i64)
define void @work() {\n  ret void\n}";
        let device = accept(body, rest).device;
        assert!(device.contains("call void @work()"), "{device}");
        assert!(!device.contains("load i32, ptr getelementptr") && !device.contains("@llvm.trap()"), "{device}");
    }

    #[test]
    fn only_reports_that_never_come_back_are_endings() {
        let ending = ["__ubsan_handle_shift_abort", "__ubsan_handle_missing_return", "__ubsan_handle_x_minimal_abort"];
        assert!(ending.into_iter().all(super::ends));
        let other = ["__ubsan_handle_shift", "__ubsan_handle_dynamic_type_cache_miss_abort", "my_abort"];
        assert!(!other.into_iter().any(super::ends));
    }

    #[test]
    fn functions_carry_no_marks_of_sanitizers() {
        let rest =
            "define void @work() sanitize_address sanitize_hwaddress !func_sanitize !0 !kcfi_type !1 {\n  ret void\n}
!0 = !{i32 -1056584962, i32 42}\n!1 = !{i32 7}";
        let device = accept("  call void @work()", rest).device;
        assert!(device.contains("@work()"), "{device}");
        assert!(!device.contains("sanitize") && !device.contains("kcfi"), "{device}");
    }
}
