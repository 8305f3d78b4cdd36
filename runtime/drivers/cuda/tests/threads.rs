//! Objects that threads create and destroy over this driver's stand-in.

mod common;
#[path = "../../common/tests/shared/threads.rs"]
mod shared;

#[test]
fn nothing_is_left_behind() {
    let pairs = [
        ("cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2"),
        ("cuStreamCreate", "cuStreamDestroy_v2"),
        ("cuModuleLoadDataEx", "cuModuleUnload"),
        ("cuEventCreate", "cuEventDestroy_v2"),
        ("cuLinkCreate_v2", "cuLinkDestroy"),
    ];
    // Each of the 80 kernels is loaded twice: once to query its resources and once to run.
    shared::check(&pairs, ("cuModuleLoadDataEx", 160), ("cuStreamCreate", 81));
}
