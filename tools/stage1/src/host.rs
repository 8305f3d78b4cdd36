//! Removes device code from the host module.
//!
//! In: the host module after its bind calls are replaced. Out: no kernel entry, no code that only
//! kernels need, and no Sinter symbol that a linker would have to resolve. *Invariant:* everything
//! that the program itself can refer to stays.

use crate::{annotations::Marks, builtins, error::Stage1Error};
use sinter_llvm::{
    inkwell::{
        module::{FlagBehavior, Linkage, Module},
        values::FunctionValue,
    },
    stage1::{is_unused, name, surgery},
};

const PROCESSED: &str = "sinter.stage1";

/// True if stage 1 already ran on this module.
pub(crate) fn is_processed(module: &Module<'_>) -> bool {
    module.get_flag(PROCESSED).is_some()
}

/// Records that stage 1 ran.
pub(crate) fn mark_processed(module: &Module<'_>) {
    if !is_processed(module) {
        let version = module.get_context().i32_type().const_int(1, false);
        module.add_basic_value_flag(PROCESSED, FlagBehavior::Override, version);
    }
}

/// Removes the kernel entries. An entry whose address the host takes becomes a trap.
pub(crate) fn remove_entries(module: &Module<'_>, marks: &Marks) {
    for entry in marks.kernels.iter().filter_map(|symbol| module.get_function(symbol)) {
        surgery::define_as_trap(entry);
    }
}

/// Removes functions and variables that are neither referenced nor visible to other translation
/// units.
pub(crate) fn remove_unused(module: &Module<'_>) -> Result<(), Stage1Error> {
    surgery::run_passes(module, "globaldce").map_err(Stage1Error::Passes)
}

/// Gives the device functions that host code still references a body that traps.
pub(crate) fn trap_device_functions(module: &Module<'_>) {
    let functions = module.get_functions().filter(|function| builtins::is_ours(&name(*function)));
    for function in functions.collect::<Vec<_>>() {
        trap_or_hide(function);
    }
    let variables = module.get_globals().filter(|v| builtins::is_ours(&v.get_name().to_string_lossy()));
    for variable in variables.filter(|variable| variable.is_declaration()).collect::<Vec<_>>() {
        surgery::define_as_zero(variable);
    }
}

fn trap_or_hide(function: FunctionValue<'_>) {
    if function.count_basic_blocks() > 0 {
        function.set_linkage(Linkage::Internal);
    } else if is_unused(function) {
        surgery::erase_function(function);
    } else {
        surgery::define_as_trap(function);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accept, process};

    const LAUNCH: &str = "@__acpp_sscp_is_device = external constant i32
define void @launch(ptr %slot) optnone noinline {
  call void @__sinter_bind_kernel(ptr @kernel, ptr %slot)
  %d = load i32, ptr @__acpp_sscp_is_device
  %c = icmp eq i32 %d, 0
  br i1 %c, label %on_host, label %on_device
on_device:
  %id = call i64 @__acpp_sscp_get_local_id_x()
  br label %on_host
on_host:
  ret void
}
define linkonce_odr void @only_for_kernels() {\n  ret void\n}
declare void @__sinter_bind_kernel(ptr, ptr)\ndeclare i64 @__acpp_sscp_get_local_id_x()";

    #[test]
    fn nothing_of_ours_is_left() {
        let host = accept("  call void @only_for_kernels()", LAUNCH).host;
        let code: Vec<_> = host.lines().filter(|line| !line.starts_with("@sinter.blob")).collect();
        for gone in ["__sinter", "__acpp", "@kernel", "@only_for_kernels", "annotations"] {
            assert!(!code.iter().any(|line| line.contains(gone)), "{gone}\n{host}");
        }
        assert!(host.contains("store ptr @sinter.kernel, ptr %slot"), "{host}");
    }

    #[test]
    fn a_second_run_changes_nothing() {
        let once = accept("", LAUNCH).host;
        assert_eq!(process(&once).host.lines().skip(1).collect::<Vec<_>>(), once.lines().skip(1).collect::<Vec<_>>());
    }

    #[test]
    fn a_device_function_that_the_host_calls_traps() {
        let text = "declare i64 @__acpp_sscp_get_local_id_x()
define i64 @host() {\n  %id = call i64 @__acpp_sscp_get_local_id_x()\n  ret i64 %id\n}";
        let host = process(text).host;
        assert!(host.contains("define internal i64 @__acpp_sscp_get_local_id_x()"), "{host}");
        assert!(host.contains("call void @llvm.trap()"), "{host}");
    }

    #[test]
    fn an_invoked_bind_call_keeps_its_control_flow() {
        let rest = "declare void @__sinter_bind_kernel(ptr, ptr)\ndeclare i32 @__gxx_personality_v0(...)
define void @launch(ptr %slot) personality ptr @__gxx_personality_v0 {
  invoke void @__sinter_bind_kernel(ptr @kernel, ptr %slot) to label %fine unwind label %pad
fine:\n  ret void
pad:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}";
        assert!(accept("", rest).host.contains("store ptr @sinter.kernel, ptr %slot"));
    }

    #[test]
    fn an_unknown_entry_is_rejected() {
        let rest = "declare void @__sinter_bind_kernel(ptr, ptr)
define void @launch(ptr %slot) {\n  call void @__sinter_bind_kernel(ptr %slot, ptr %slot)\n  ret void\n}";
        let result = process(&crate::testing::module_text("", rest));
        assert!(result.causes[0].contains("__sinter_bind_kernel"), "{:?}", result.causes);
    }

    #[test]
    fn a_module_without_anything_of_ours_is_left_alone() {
        let text = "; ModuleID = 'test'\nsource_filename = \"test\"\n\ndefine internal i32 @f() {\n  ret i32 1\n}\n";
        assert_eq!(process(text).host, text);
    }
}
