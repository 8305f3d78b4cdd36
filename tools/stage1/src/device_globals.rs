//! Finds the device globals of a module, and takes their values out of its image.
//!
//! In: variables of the type `device_global`: definitions refer to the layout of their object
//! first, declarations have a type of that name. Out: in the device module a declaration under a
//! name that stage 2 knows; for the host module the names with their variables. *Invariant:* a
//! variable that only this unit sees has a name in device code that no other unit has.

use crate::hip;
use sinter_core::{
    device_global::{device_name, variable_of},
    hip::CONSTANT,
};
use sinter_llvm::{
    inkwell::{
        module::{Linkage, Module},
        types::AnyTypeEnum,
        values::{BasicValueEnum, GlobalValue},
    },
    stage1::{inspect, surgery},
};
use std::fmt::Write;

/// Part of the name of the variable that a definition refers to first.
const LAYOUT: &str = "sinter_device_global_layout";
/// LLVM's name of the type, after its namespace and before a number.
const TYPE: &str = "oneapi::experimental::device_global";
/// Bytes of a digest that make a name unique.
const DIGEST: usize = 8;

/// A device global of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeviceGlobal {
    /// Name in the host module.
    pub(crate) variable: String,
    /// Name that a translation reports.
    pub(crate) name: String,
}

/// Names of the device globals that a module defines or declares.
pub(crate) fn find(module: &Module<'_>) -> Vec<String> {
    let found = module.get_globals().filter(|variable| match variable.is_declaration() {
        true => has_type(*variable),
        false => is_initialised(*variable),
    });
    found.map(name_of).collect()
}

/// True for a variable of the type `device_global`, if LLVM kept the type's name.
pub(crate) fn has_type(variable: GlobalValue<'_>) -> bool {
    let AnyTypeEnum::StructType(ty) = variable.get_value_type() else { return false };
    if hip::has_type(variable) {
        return true;
    }
    let name = ty.get_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let rest = name.find(TYPE).map(|start| &name[start + TYPE.len()..]);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn is_initialised(variable: GlobalValue<'_>) -> bool {
    inspect::leading_variable(variable).is_some_and(|first| name_of(first).contains(LAYOUT))
}

/// True if the layout of an object says that device code only reads it.
fn is_only_read(variable: GlobalValue<'_>) -> bool {
    let layout = inspect::leading_variable(variable).and_then(|layout| layout.get_initializer());
    let Some(BasicValueEnum::StructValue(layout)) = layout else { return false };
    let alignment = match layout.get_field_at_index(1) {
        Some(BasicValueEnum::IntValue(alignment)) => alignment.get_zero_extended_constant(),
        _ => None,
    };
    alignment.is_some_and(|alignment| alignment & CONSTANT != 0)
}

/// Makes the device globals of a device module declarations, and returns those of the module.
pub(crate) fn detach(device: &Module<'_>, found: &[String]) -> Vec<DeviceGlobal> {
    let used: Vec<_> = found.iter().filter_map(|name| device.get_global(name)).collect();
    let is_local = |variable: &GlobalValue<'_>| {
        !variable.is_declaration() && matches!(variable.get_linkage(), Linkage::Internal | Linkage::Private)
    };
    let suffix = if used.iter().any(is_local) { suffix(device) } else { String::new() };
    used.into_iter()
        .map(|variable| {
            let name = name_of(variable);
            let unique = if is_local(&variable) { format!("{name}.{suffix}") } else { name.clone() };
            let is_constant = is_only_read(variable);
            surgery::declare_as(device, variable, &device_name(&unique));
            if let Some(declared) = device.get_global(&device_name(&unique)).filter(|_| is_constant) {
                declared.set_constant(true);
            }
            DeviceGlobal { variable: name, name: unique }
        })
        .collect()
}

/// Adds the device globals that the host module defines for others.
pub(crate) fn with_visible(mut used: Vec<DeviceGlobal>, host: &Module<'_>, found: &[String]) -> Vec<DeviceGlobal> {
    let visible = |name: &&String| {
        let others = [Linkage::Internal, Linkage::Private, Linkage::AvailableExternally];
        host.get_global(name).is_some_and(|v| !v.is_declaration() && !others.contains(&v.get_linkage()))
    };
    for name in found.iter().filter(visible) {
        if !used.iter().any(|one| one.variable == *name) {
            used.push(DeviceGlobal { variable: name.clone(), name: name.clone() });
        }
    }
    used
}

/// Adds variables that no device code of this unit uses and no other unit sees, so that the host
/// can copy to them.
pub(crate) fn add_unused(listed: &mut Vec<DeviceGlobal>, variables: &[String]) {
    for variable in variables {
        if !listed.iter().any(|one| one.variable == *variable) {
            listed.push(DeviceGlobal { variable: variable.clone(), name: format!("{variable}.unused") });
        }
    }
}

/// True for a declaration that [`detach`] made.
pub(crate) fn is_detached(variable: GlobalValue<'_>) -> bool {
    variable_of(&name_of(variable)).is_some()
}

/// A digest of the device code, in hexadecimal digits.
fn suffix(device: &Module<'_>) -> String {
    let digest = blake3::hash(device.write_bitcode_to_memory().as_slice());
    digest.as_bytes()[..DIGEST].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn name_of(variable: GlobalValue<'_>) -> String {
    variable.get_name().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use crate::testing::{accept, module_text, process};

    const TYPES: &str = "%\"class.sycl::ext::oneapi::experimental::device_global\" = type { ptr, i32 }
@_ZN4sycl27sinter_device_global_layoutIiEE = linkonce_odr constant i64 16
@own = global %\"class.sycl::ext::oneapi::experimental::device_global\" { ptr @_ZN4sycl27sinter_device_global_layoutIiEE, i32 7 }
@_ZL4mine = internal global { ptr, i32 } { ptr @_ZN4sycl27sinter_device_global_layoutIiEE, i32 8 }
@other = external global %\"class.sycl::ext::oneapi::experimental::device_global\"
@spare = external global %\"class.sycl::ext::oneapi::experimental::device_global\"\n";
    const BODY: &str = "  %a = load i32, ptr getelementptr (i8, ptr @own, i64 8)
  %b = load i32, ptr getelementptr (i8, ptr @_ZL4mine, i64 8)\n  %c = load i32, ptr getelementptr (i8, ptr @other, i64 8)";

    #[test]
    fn images_have_declarations_and_hosts_a_table() {
        let result = accept(BODY, TYPES);
        for name in ["own", "_ZL4mine.", "other"] {
            let declared = format!("__sinter_device_global.{name}");
            let line = result.device.lines().find(|line| line.starts_with('@') && line.contains(&declared));
            assert!(line.is_some_and(|line| line.contains("external global")), "{name}\n{}", result.device);
        }
        assert!(!result.device.contains("i32 7") && !result.device.contains("_layoutI"), "{}", result.device);
        assert!(result.host.contains("sinter_register_device_globals"), "{}", result.host);
        for variable in ["own", "_ZL4mine", "other"] {
            assert!(result.host.contains(&format!("ptr @{variable} }}")), "{variable}\n{}", result.host);
        }
        assert!(!result.host.contains("ptr @spare"), "{}", result.host);
    }

    #[test]
    fn a_unit_without_device_code_lists_what_others_may_use() {
        let host = process(TYPES).host;
        assert!(host.contains("ptr @own }") && !host.contains("ptr @_ZL4mine }"), "{host}");
        assert!(host.contains("{ i32 24, i32 1, ptr null, ptr @sinter.device_globals"), "{host}");
        assert_eq!(
            process(&host).host.matches("sinter.register.globals").count(),
            host.matches("sinter.register.globals").count()
        );
    }

    #[test]
    fn a_device_global_with_a_value_of_run_time_is_rejected() {
        let rest = TYPES.replace("{ ptr @_ZN4sycl27sinter_device_global_layoutIiEE, i32 7 }", "zeroinitializer");
        let causes = process(&module_text(BODY, &rest)).causes;
        assert!(causes[0].contains("device_global `own`") && causes[0].contains("constant"), "{causes:?}");
    }
}
