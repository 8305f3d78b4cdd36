//! Objects that threads create and destroy over this driver's stand-in.

mod common;
#[path = "../../common/tests/shared/threads.rs"]
mod shared;

#[test]
fn nothing_is_left_behind() {
    let pairs = [
        ("zeCommandListCreateImmediate", "zeCommandListDestroy"),
        ("zeModuleCreate", "zeModuleDestroy"),
        ("zeModuleCreate", "zeModuleBuildLogDestroy"),
        ("zeKernelCreate", "zeKernelDestroy"),
        ("zeEventPoolCreate", "zeEventPoolDestroy"),
        ("zeEventCreate", "zeEventDestroy"),
        ("zeContextCreate", "zeContextDestroy"),
    ];
    shared::check(&pairs, ("zeModuleCreate", 80), ("zeCommandListCreateImmediate", 81));
}
