//! Objects that threads create and destroy over this driver's stand-in.

mod common;
#[path = "../../common/tests/shared/threads.rs"]
mod shared;

#[test]
fn nothing_is_left_behind() {
    let pairs = [
        ("clCreateContext", "clReleaseContext"),
        ("clCreateCommandQueueWithProperties", "clReleaseCommandQueue"),
        ("clCreateProgramWithIL", "clReleaseProgram"),
        ("clCreateKernel", "clReleaseKernel"),
        ("clEnqueueMarkerWithWaitList", "clReleaseEvent"),
    ];
    shared::check(&pairs, ("clCreateProgramWithIL", 80), ("clCreateCommandQueueWithProperties", 81));
}
