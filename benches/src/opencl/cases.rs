//! The tests of the programs as table rows: title, versions of the peer, goal.
//!
//! *Invariant:* "at least 0.9 of the speed of OpenCL C" is "at most 1.11 of its time".

use crate::case::{self, Case, Version};
use crate::ceilings::Work;
use crate::figure::{Goal, Unit};
use crate::session;

const CHOSEN: &str = "OpenCL C, size left open";
const CL: &str = "OpenCL C";
const CL_SUMS: &str = "OpenCL C, 4 sums an item";
const BUILTIN: &str = "work_group_reduce_add";
const COPY: &str = "clEnqueueSVMMemcpy";
const ENQUEUE: &str = "clEnqueueNDRangeKernel";
const KEPT: &str = "the same, arguments kept";

const GOAL: f64 = 1.0 / 0.9;

const fn kernel(test: &'static str, id: &'static str, title: &'static str) -> Case {
    case::kernel(test, id, title, CL, GOAL)
}

const fn beside(peer: &'static str, rivals: &'static [Version], case: Case) -> Case {
    Case { peer: (case.peer.0, peer), rivals, ..case }
}

// `sync` waits after each launch. Batches are short, since a platform may slow down with the number
// of pending commands.
const fn launch(
    test: &'static str,
    peer_test: &'static str,
    rivals: &'static [Version],
    id: &'static str,
    title: &'static str,
) -> Case {
    let case = kernel(test, id, title);
    let (unit, launches) = (Unit::Microseconds, Some(200));
    Case { peer: (peer_test, ENQUEUE), rivals, unit, goal: Goal::None, checked: false, launches, ..case }
}

const COPIES: [Version; 4] = sizes(["copy_nd", "copy_64", "copy_1024", "copy_4096"]);
const MULS: [Version; 4] = sizes(["mul_nd", "mul_64", "mul_1024", "mul_4096"]);
const ADDS: [Version; 4] = sizes(["add_nd", "add_64", "add_1024", "add_4096"]);
const TRIADS: [Version; 4] = sizes(["triad_nd", "triad_64", "triad_1024", "triad_4096"]);
const BLOCKS: [Version; 3] = [
    ("stencil7", "OpenCL C, 32x4x2"),
    ("stencil7_range_row", "OpenCL C, 32x1x1"),
    ("stencil7_range_tile", "OpenCL C, 32x8x1"),
];

const fn sizes(tests: [&'static str; 4]) -> [Version; 4] {
    let [nd, small, large, largest] = tests;
    [
        (nd, "OpenCL C, 256 a group"),
        (small, "OpenCL C, 64 a group"),
        (large, "OpenCL C, 1024 a group"),
        (largest, "OpenCL C, 4096 a group"),
    ]
}

/// The platform's copy, then kernels over a range, whose group size Sinter chooses, then with 256
/// items per group.
pub(super) const STREAM: [Case; 10] = [
    beside(COPY, &[], kernel("memcpy", "stream.memcpy", "memcpy on the device")),
    beside(CHOSEN, &COPIES, kernel("copy", "stream.copy", "copy, range")),
    beside(CHOSEN, &MULS, kernel("mul", "stream.mul", "mul, range")),
    beside(CHOSEN, &ADDS, kernel("add", "stream.add", "add, range")),
    beside(CHOSEN, &TRIADS, kernel("triad", "stream.triad", "triad, range")),
    kernel("copy_nd", "stream.copy_nd", "copy, groups of 256"),
    kernel("mul_nd", "stream.mul_nd", "mul, groups of 256"),
    kernel("add_nd", "stream.add_nd", "add, groups of 256"),
    kernel("triad_nd", "stream.triad_nd", "triad, groups of 256"),
    beside(CL_SUMS, &[("dot_library", BUILTIN)], kernel("dot", "stream.dot", "dot, sycl::reduction")),
];

/// Same algorithm, tiles, work per item and functions on both sides; `sum` beside the faster of two
/// versions.
pub(super) const FIXED: [Case; 14] = [
    kernel("matmul16", "fixed.matmul16", "matmul 512, tile 16"),
    kernel("matmul32", "fixed.matmul32", "matmul 512, tile 32"),
    kernel("matmul16_2d", "fixed.matmul16_2d", "matmul, 2-D accessor"),
    kernel("nbody", "fixed.nbody", "n-body 4096"),
    kernel("nbody_tiled", "fixed.nbody_tiled", "n-body 4096, tiles"),
    kernel("stencil7", "fixed.stencil7", "stencil 128^3, 7 points"),
    beside(CHOSEN, &BLOCKS, kernel("stencil7_range", "fixed.stencil7_range", "the same, range<3>")),
    kernel("stencil27", "fixed.stencil27", "stencil 128^3, 27 points"),
    beside(CL_SUMS, &[("sum_library", BUILTIN)], kernel("sum", "fixed.sum", "sum 2^24, sycl::reduction")),
    kernel("sum_tree", "fixed.sum_tree", "sum 2^24, tree"),
    kernel("histogram", "fixed.histogram", "histogram 2^22 bytes"),
    kernel("black_scholes", "fixed.black_scholes", "Black-Scholes 2^20"),
    kernel("mandelbrot_f32", "fixed.mandelbrot_f32", "mandelbrot 512^2 f32"),
    kernel("mandelbrot_f64", "fixed.mandelbrot_f64", "mandelbrot 256^2 f64"),
];

/// The work of a test that meets a limit of the processor; `listed` has its bytes and operations.
pub(super) fn work(case: &Case, listed: &session::Work) -> Work {
    let session::Work { bytes, operations, .. } = *listed;
    match case.test {
        "dot" | "sum" | "sum_tree" => Work::Read(bytes),
        // Each byte counts.
        "histogram" => Work::Increments(bytes),
        // A register has half as many of them.
        "mandelbrot_f64" => Work::Either(bytes, 2.0 * operations),
        _ => Work::Either(bytes, operations),
    }
}

/// An empty kernel with one work-item.
pub(super) const LAUNCH: [Case; 12] = [
    launch("async1", "async1", &[("async1_kept", KEPT)], "launch.async1", "SYCL, 1 argument"),
    launch("async4", "async4", &[("async4_kept", KEPT)], "launch.async4", "SYCL, 4 arguments"),
    launch("async16", "async16", &[("async16_kept", KEPT)], "launch.async16", "SYCL, 16 arguments"),
    launch("c_async1", "async1", &[("async1_kept", KEPT)], "launch.c_async1", "C, 1 argument"),
    launch("c_async4", "async4", &[("async4_kept", KEPT)], "launch.c_async4", "C, 4 arguments"),
    launch("c_async16", "async16", &[("async16_kept", KEPT)], "launch.c_async16", "C, 16 arguments"),
    launch("sync1", "sync1", &[("sync1_kept", KEPT)], "launch.sync1", "SYCL and wait, 1"),
    launch("sync4", "sync4", &[("sync4_kept", KEPT)], "launch.sync4", "SYCL and wait, 4"),
    launch("sync16", "sync16", &[("sync16_kept", KEPT)], "launch.sync16", "SYCL and wait, 16"),
    launch("c_sync1", "sync1", &[("sync1_kept", KEPT)], "launch.c_sync1", "C and wait, 1"),
    launch("c_sync4", "sync4", &[("sync4_kept", KEPT)], "launch.c_sync4", "C and wait, 4"),
    launch("c_sync16", "sync16", &[("sync16_kept", KEPT)], "launch.c_sync16", "C and wait, 16"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_start_with_their_suite() {
        let suites: [(&str, &[Case]); 3] = [("stream.", &STREAM), ("fixed.", &FIXED), ("launch.", &LAUNCH)];
        case::assert_ids(suites.map(|(prefix, cases)| (prefix, cases.iter().collect())));
    }

    #[test]
    fn tests_have_the_work_that_their_limit_counts() {
        let listed = session::Work { bytes: 4.0, operations: 3.0, group: String::new() };
        let of = |test: &str| work(FIXED.iter().find(|case| case.test == test).unwrap(), &listed);
        assert_eq!([of("sum"), of("histogram")], [Work::Read(4.0), Work::Increments(4.0)]);
        assert_eq!([of("nbody"), of("mandelbrot_f64")], [Work::Either(4.0, 3.0), Work::Either(4.0, 6.0)]);
    }

    #[test]
    fn each_kernel_has_the_goal_of_the_project() {
        let reached = |case: &Case| case.goal == Goal::Ratio(1.0 / 0.9);
        assert!(STREAM.iter().chain(&FIXED).all(reached));
    }
}
