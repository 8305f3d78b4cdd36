//! Functions that the host and devices have under one name.
//!
//! In: a device module in which functions for both sides, which were parsed as the host's, call the
//! host's. Out: they call the devices' functions of the same signature, whose symbols the plugin
//! made from the host's (`plugin/hip_twins.hpp`). *Invariant:* a function of the host without such
//! a twin is not replaced.

use crate::annotations::Marks;
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{name, surgery},
};

/// End of the symbols of devices' functions.
const SUFFIX: &str = ".device";
/// In the symbols of devices' constructors, an ABI tag.
const TAG: &str = "B6sinter";

/// Symbol of the host's twin.
fn twin(symbol: &str) -> Option<String> {
    match symbol.strip_suffix(SUFFIX) {
        Some(host) => Some(host.to_owned()),
        None => symbol.contains(TAG).then(|| symbol.replace(TAG, "")),
    }
}

/// Exported twins get the symbols by which other units call them.
pub(crate) fn prefer(module: &Module<'_>, marks: &mut Marks) {
    let defined = module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    for of_devices in defined.collect::<Vec<_>>() {
        let symbol = name(of_devices);
        let Some(plain) = twin(&symbol) else { continue };
        let host = module.get_function(&plain);
        host.into_iter().for_each(|host| replace(host, of_devices));
        if let Some(export) = marks.exports.iter_mut().find(|export| **export == symbol) {
            host.into_iter().for_each(|host| host.as_global_value().set_name(&format!("{plain}.host")));
            of_devices.as_global_value().set_name(&plain);
            *export = plain;
        }
    }
}

/// A result may be of another type: that is not part of a symbol.
fn replace<'ctx>(host: FunctionValue<'ctx>, of_devices: FunctionValue<'ctx>) {
    if host.get_type() == of_devices.get_type() {
        let address = |function: FunctionValue<'ctx>| function.as_global_value().as_pointer_value();
        surgery::replace_uses(address(host), address(of_devices));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    const TWINS: &str = "define internal i32 @f() {\n  ret i32 1\n}
define internal i32 @f.device() {\n  ret i32 100\n}
define internal float @g.device() {\n  ret float 2.0\n}
define internal i32 @g() {\n  ret i32 3\n}
define internal void @_ZN1CC2Ev(ptr %c) {\n  store i32 4, ptr %c\n  ret void\n}
define internal void @_ZN1CC2B6sinterEv(ptr %c) {\n  store i32 400, ptr %c\n  ret void\n}";

    #[test]
    fn device_code_calls_the_twins_for_devices() {
        let body = "  %a = call i32 @f()\n  %b = call i32 @g()\n  call void @_ZN1CC2Ev(ptr %closure)";
        let device = accept(body, TWINS).device;
        assert!(device.contains("ret i32 100") && device.contains("store i32 400"), "{device}");
        assert!(!device.contains("ret i32 1\n") && !device.contains("store i32 4,"), "{device}");
        // Of another type.
        assert!(device.contains("ret i32 3"), "{device}");
    }
}
