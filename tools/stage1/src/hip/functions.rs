//! Functions that only devices have.
//!
//! In: functions with the plugin's annotation. Out: host code in which they trap. *Invariant:* runs
//! when the image has been written.

use sinter_llvm::{
    inkwell::module::{Linkage, Module},
    stage1::{annotation::FunctionAnnotation, name, surgery},
};
use std::collections::HashSet;

const FUNCTION: &str = "sinter_hip_function";
/// Annotation of functions that others' kernels may call.
const EXPORT: &str = "sinter_export";

/// A function that this unit defines.
#[derive(Debug)]
pub(super) struct OfDevices {
    symbol: String,
    is_exported: bool,
}

pub(super) fn of_devices(annotations: &[FunctionAnnotation<'_>]) -> Vec<OfDevices> {
    let names = |text: &'static str| annotations.iter().filter(move |one| one.text == text);
    let exported: HashSet<_> = names(EXPORT).map(|one| name(one.function)).collect();
    let symbols = names(FUNCTION).map(|one| name(one.function));
    symbols.map(|symbol| OfDevices { is_exported: exported.contains(&symbol), symbol }).collect()
}

/// Two units may define a function of the same name, which no linker of host code sees, unless the
/// function is exported: then a linker finds the unit in an archive by its symbol, which a function
/// of the host in another unit may have too.
pub(super) fn remove(module: &Module<'_>, functions: &[OfDevices]) {
    for OfDevices { symbol, is_exported } in functions {
        let Some(function) = module.get_function(symbol) else { continue };
        surgery::define_as_trap(function);
        if *is_exported {
            function.set_linkage(Linkage::WeakAny);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        hip::testing::{HANDLE, text},
        testing::process,
    };

    const FUNCTIONS: &str = "define i32 @exported(i32 %x) {\n  ret i32 %x\n}
define i32 @own(i32 %x) {\n  ret i32 %x\n}\ndeclare i32 @far(i32)\n";

    #[test]
    fn host_code_keeps_the_names_of_exported_functions() {
        let body = "  %a = call i32 @exported(i32 1)\n  %b = call i32 @own(i32 1)\n  %c = call i32 @far(i32 2)";
        let annotations: [(&str, &str, &[i64]); 4] = [
            ("exported", "sinter_hip_function", &[]),
            ("exported", "sinter_export", &[]),
            ("own", "sinter_hip_function", &[]),
            ("far", "sinter_export", &[]),
        ];
        let result = process(&text(body, &format!("{HANDLE}{FUNCTIONS}"), &annotations));
        assert!(result.host.contains("i32 @exported(i32 %x) {"), "{}", result.host);
        assert!(!result.host.contains("@own("), "{}", result.host);
        // A linker looks for a function of another unit.
        assert!(
            result.host.contains("call void @far()") && result.host.contains("declare i32 @far(i32)"),
            "{}",
            result.host
        );
        assert!(result.device.contains("define") && result.device.contains("@exported("), "{}", result.device);
    }
}
