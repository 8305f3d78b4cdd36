//! Removes clang's registration of kernels.
//!
//! In: a module with `__hip_module_ctor` and calls of HIP's runtime. Out: the same without the
//! constructor, and calls of ours. The names are those of `CGNVCUDARuntime` of clang 19.
//! *Invariant:* what is left of the registration is internal and unreferenced, so that it goes with
//! the rest of the device code.

use sinter_llvm::{
    inkwell::{
        module::{Linkage, Module},
        values::FunctionValue,
    },
    stage1::{replace, surgery},
};

const CONSTRUCTOR: &str = "__hip_module_ctor";
const UNIT_ID: &str = "__hip_cuid_";
/// Functions that clang calls by name, with ours.
const CALLED: [(&str, &str); 3] = [
    ("hipLaunchKernel", "sinter_hip_launch_kernel"),
    ("hipLaunchKernel_spt", "sinter_hip_launch_kernel_of_thread"),
    ("__hipPopCallConfiguration", "sinter_hip_pop_call_configuration"),
];

/// Returns true if the module is of HIP.
pub(super) fn remove(module: &Module<'_>) -> bool {
    let constructor = module.get_function(CONSTRUCTOR);
    if let Some(constructor) = constructor {
        replace::drop_constructor(module, constructor);
    }
    let ids = module.get_globals().filter(|global| global.get_name().to_bytes().starts_with(UNIT_ID.as_bytes()));
    let ids: Vec<_> = ids.collect();
    ids.iter().for_each(|id| id.set_linkage(Linkage::Internal));
    for (theirs, ours) in CALLED {
        module.get_function(theirs).into_iter().for_each(|function| rename(module, function, ours));
    }
    constructor.is_some() || !ids.is_empty()
}

fn rename<'ctx>(module: &Module<'ctx>, function: FunctionValue<'ctx>, ours: &str) {
    let address = |function: FunctionValue<'ctx>| function.as_global_value().as_pointer_value();
    match module.get_function(ours) {
        None => function.as_global_value().set_name(ours),
        Some(ours) => {
            surgery::replace_uses(address(function), address(ours));
            surgery::erase_function(function);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        hip::testing::{HANDLE, text},
        testing::process,
    };

    const CLANG: &str = "@__hip_cuid_1 = global i8 0
@__hip_fatbin_1 = external constant i8
@llvm.compiler.used = appending global [1 x ptr] [ptr @__hip_cuid_1], section \"llvm.metadata\"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @own, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @__hip_module_ctor, ptr null }]
declare i32 @hipLaunchKernel(ptr)
declare i32 @hipLaunchKernel_spt(ptr)
declare i32 @__hipPopCallConfiguration(ptr)
declare i32 @sinter_hip_launch_kernel(ptr)
declare void @other()\ndefine internal void @own() {\n  call void @other()\n  ret void\n}
define internal void @__hip_module_ctor() {\n  %x = load i8, ptr @__hip_fatbin_1\n  ret void\n}
define void @launch() {\n  %a = call i32 @__hipPopCallConfiguration(ptr null)\n  %b = call i32 @hipLaunchKernel(ptr @k)
  %c = call i32 @hipLaunchKernel_spt(ptr @k)\n  %d = call i32 @sinter_hip_launch_kernel(ptr @k)\n  ret void\n}\n";

    #[test]
    fn nothing_of_clangs_registration_is_left() {
        let host = process(&text("", &format!("{HANDLE}{CLANG}"), &[])).host;
        for name in ["__hip_module_ctor", "__hip_fatbin", "@hipLaunchKernel", "@__hipPop"] {
            assert!(!host.contains(name), "{name} in\n{host}");
        }
        assert_eq!(host.matches("call i32 @sinter_hip_launch_kernel(ptr @k)").count(), 2, "{host}");
        for name in ["call i32 @sinter_hip_launch_kernel_of_thread(ptr @k)", "ptr @own, ptr null"] {
            assert!(host.contains(name), "{name} not in\n{host}");
        }
    }
}
