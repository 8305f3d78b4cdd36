//! Objects that threads create and destroy over this driver's stand-in.

mod common;
#[path = "../../common/tests/shared/threads.rs"]
mod shared;

#[test]
fn nothing_is_left_behind() {
    let pairs = [
        ("hipStreamCreateWithFlags", "hipStreamDestroy"),
        ("hipModuleLoadDataEx", "hipModuleUnload"),
        ("hipEventCreateWithFlags", "hipEventDestroy"),
    ];
    shared::check(&pairs, ("hipModuleLoadDataEx", 80), ("hipStreamCreateWithFlags", 81));
}
