//! The tests of the programs as table rows, with the limits of each.
//!
//! *Invariant:* ids start with the name of the part and end with that of the test.

use crate::case::{self, Case, Version};
use crate::figure::{Goal, Unit};

const NVCC: &str = "nvcc -O3";
const NVCC_128: &str = "nvcc, 128 a block";
const NVCC_256: &str = "nvcc, 256 a block";
const NVCC_SUMS: &str = "nvcc, 4 sums a thread";
const COPY: &str = "cudaMemcpyAsync";
const LIBRARY: &str = "cub::DeviceReduce";
const DRIVER: &str = "cuLaunchKernel";
pub(crate) const BY_ARGUMENT: &str = "nvcc, argument";

/// A measured limit of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceiling {
    /// Bytes read and written by the driver's copy.
    Copy,
    /// Bytes read by a kernel that only reads.
    Read,
    /// Fused multiply-adds of f32.
    Single,
    /// Fused multiply-adds of f64.
    Double,
}

/// A case with its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The measured test.
    pub(crate) case: Case,
    /// Limit of its traffic.
    pub(crate) traffic: Ceiling,
    /// Limit of its arithmetic.
    pub(crate) arithmetic: Ceiling,
}

const fn row(case: Case) -> Row {
    Row { case, traffic: Ceiling::Copy, arithmetic: Ceiling::Single }
}

const fn kernel(test: &'static str, id: &'static str, title: &'static str, goal: f64) -> Row {
    row(case::kernel(test, id, title, NVCC, goal))
}

const fn reading(of: Row) -> Row {
    Row { traffic: Ceiling::Read, ..of }
}

const fn beside(of: Row, peer: &'static str, rivals: &'static [Version]) -> Row {
    Row { case: Case { peer: (of.case.peer.0, peer), rivals, ..of.case }, ..of }
}

const fn range(test: &'static str, rivals: &'static [Version], id: &'static str, title: &'static str) -> Row {
    beside(kernel(test, id, title, STREAM_GOAL), NVCC_128, rivals)
}

const fn sum(test: &'static str, rivals: &'static [Version], id: &'static str, title: &'static str, goal: f64) -> Row {
    beside(reading(kernel(test, id, title, goal)), NVCC_SUMS, rivals)
}

const fn doubles(of: Row) -> Row {
    Row { arithmetic: Ceiling::Double, ..of }
}

const fn special(test: &'static str, id: &'static str, title: &'static str) -> Row {
    row(Case { goal: Goal::None, ..case::kernel(test, id, title, BY_ARGUMENT, 1.0) })
}

// A batch has fewer launches than the driver queues before a launch blocks (1024).
const fn launch(test: &'static str, peer_test: &'static str, id: &'static str, title: &'static str) -> Row {
    let case = case::kernel(test, id, title, DRIVER, 1.0);
    let (unit, goal) = (Unit::Microseconds, Goal::Above(0.15));
    row(Case { peer: (peer_test, DRIVER), unit, goal, checked: false, launches: Some(500), ..case })
}

const STREAM_GOAL: f64 = 1.0 / 0.99;
const FIXED_GOAL: f64 = 1.0 / 0.95;

/// The driver's copy, then kernels over a range, whose group size Sinter chooses, then with 256
/// items per group.
pub(crate) const STREAM: [Row; 10] = [
    beside(kernel("memcpy", "stream.memcpy", "memcpy on the device", STREAM_GOAL), COPY, &[]),
    range("copy", &[("copy_nd", NVCC_256)], "stream.copy", "copy, range"),
    range("mul", &[("mul_nd", NVCC_256)], "stream.mul", "mul, range"),
    range("add", &[("add_nd", NVCC_256)], "stream.add", "add, range"),
    range("triad", &[("triad_nd", NVCC_256)], "stream.triad", "triad, range"),
    kernel("copy_nd", "stream.copy_nd", "copy, groups of 256", STREAM_GOAL),
    kernel("mul_nd", "stream.mul_nd", "mul, groups of 256", STREAM_GOAL),
    kernel("add_nd", "stream.add_nd", "add, groups of 256", STREAM_GOAL),
    kernel("triad_nd", "stream.triad_nd", "triad, groups of 256", STREAM_GOAL),
    sum("dot", &[("dot_library", LIBRARY)], "stream.dot", "dot, sycl::reduction", STREAM_GOAL),
];

/// Same algorithm, tiles, work per item and functions on both sides; `sum` beside the faster of two
/// versions.
pub(crate) const FIXED: [Row; 14] = [
    kernel("matmul16", "fixed.matmul16", "matmul 4096, tile 16", FIXED_GOAL),
    kernel("matmul32", "fixed.matmul32", "matmul 4096, tile 32", FIXED_GOAL),
    kernel("matmul16_2d", "fixed.matmul16_2d", "matmul, 2-D accessor", FIXED_GOAL),
    kernel("nbody", "fixed.nbody", "n-body 2^16", FIXED_GOAL),
    kernel("nbody_tiled", "fixed.nbody_tiled", "n-body 2^16, tiles", FIXED_GOAL),
    kernel("stencil7", "fixed.stencil7", "stencil 512^3, 7 points", FIXED_GOAL),
    kernel("stencil7_range", "fixed.stencil7_range", "the same, range<3>", FIXED_GOAL),
    kernel("stencil27", "fixed.stencil27", "stencil 512^3, 27 points", FIXED_GOAL),
    sum("sum", &[("sum_library", LIBRARY)], "fixed.sum", "sum 2^28, sycl::reduction", FIXED_GOAL),
    reading(kernel("sum_tree", "fixed.sum_tree", "sum 2^28, tree", FIXED_GOAL)),
    reading(kernel("histogram", "fixed.histogram", "histogram 2^28 bytes", FIXED_GOAL)),
    kernel("black_scholes", "fixed.black_scholes", "Black-Scholes 2^26", FIXED_GOAL),
    kernel("mandelbrot_f32", "fixed.mandelbrot_f32", "mandelbrot 4096^2 f32", FIXED_GOAL),
    doubles(kernel("mandelbrot_f64", "fixed.mandelbrot_f64", "mandelbrot 2048^2 f64", FIXED_GOAL)),
];

/// Values that are constants of our kernels and arguments of the peer's.
pub(crate) const SPECIAL: [Row; 5] = [
    special("polynomial", "special.polynomial", "polynomial of order 16"),
    special("star_stencil", "special.star_stencil", "star stencil, radius 4"),
    special("filter", "special.filter", "filter, 7 by 7"),
    special("small_matrices", "special.small_matrices", "products of 6 by 6"),
    special("switches", "special.switches", "four switches in a loop"),
];

/// Kernels of many kinds, in the order of `include/gpu/patterns/all.hpp`.
pub(crate) const PATTERNS: [Row; 39] = [
    kernel("gups", "patterns.gups", "random updates, atomic", FIXED_GOAL),
    kernel("gups_plain", "patterns.gups_plain", "random updates, plain", FIXED_GOAL),
    kernel("scatter_f32", "patterns.scatter_f32", "scattered additions, f32", FIXED_GOAL),
    kernel("scatter_i64", "patterns.scatter_i64", "scattered additions, i64", FIXED_GOAL),
    kernel("scatter_rows", "patterns.scatter_rows", "the same, rows of 8", FIXED_GOAL),
    kernel("scatter_by_exchange", "patterns.scatter_by_exchange", "scattered additions, f64, exchanged", FIXED_GOAL),
    kernel("convolution_rows", "patterns.convolution_rows", "filter of 17, rows", FIXED_GOAL),
    kernel("convolution_columns", "patterns.convolution_columns", "filter of 17, columns", FIXED_GOAL),
    kernel("exchange", "patterns.exchange", "exchange in a group", FIXED_GOAL),
    kernel("bitonic", "patterns.bitonic", "bitonic sort in a group", FIXED_GOAL),
    kernel("nerve", "patterns.nerve", "Hodgkin-Huxley, 20 steps", FIXED_GOAL),
    kernel("heart", "patterns.heart", "Beeler-Reuter, a step", FIXED_GOAL),
    kernel("orders", "patterns.orders", "the same after Fehlberg", FIXED_GOAL),
    kernel("multipole", "patterns.multipole", "multipole look-ups, f64", FIXED_GOAL),
    kernel("radial", "patterns.radial", "radial distribution", FIXED_GOAL),
    kernel("options", "patterns.options", "Black-Scholes with erf", FIXED_GOAL),
    kernel("gather_128", "patterns.gather_128", "gather, groups of 128", FIXED_GOAL),
    kernel("gather_256", "patterns.gather_256", "gather, groups of 256", FIXED_GOAL),
    kernel("gather_512", "patterns.gather_512", "gather, groups of 512", FIXED_GOAL),
    kernel("gather_1024", "patterns.gather_1024", "gather, groups of 1024", FIXED_GOAL),
    kernel("transposed", "patterns.transposed", "axes of a tensor exchanged", FIXED_GOAL),
    kernel("five_points", "patterns.five_points", "stencil of 5 points, f64", FIXED_GOAL),
    kernel("jacobi", "patterns.jacobi", "Jacobi step and its change", FIXED_GOAL),
    kernel("floyd", "patterns.floyd", "Floyd-Warshall, 64 passes", FIXED_GOAL),
    kernel("search", "patterns.search", "breadth-first search", FIXED_GOAL),
    kernel("elimination", "patterns.elimination", "Gaussian elimination, 16 steps", FIXED_GOAL),
    kernel("sparse_items", "patterns.sparse_items", "CSR by items, f32", FIXED_GOAL),
    kernel("sparse_sub_groups", "patterns.sparse_sub_groups", "CSR by sub-groups, f64", FIXED_GOAL),
    kernel("sobel", "patterns.sobel", "Sobel, bytes", FIXED_GOAL),
    kernel("bilateral", "patterns.bilateral", "bilateral filter", FIXED_GOAL),
    kernel("hash_bytes", "patterns.hash_bytes", "FNV of 128 bytes", FIXED_GOAL),
    kernel("hash_words", "patterns.hash_words", "xxHash of 128 bytes", FIXED_GOAL),
    kernel("power_montgomery", "patterns.power_montgomery", "powers after Montgomery", FIXED_GOAL),
    kernel("power_remainders", "patterns.power_remainders", "powers by remainders", FIXED_GOAL),
    kernel("distances", "patterns.distances", "Levenshtein, 256 letters", FIXED_GOAL),
    kernel("queens", "patterns.queens", "14 queens", FIXED_GOAL),
    kernel("fourier", "patterns.fourier", "FFT of 1024 in a group", FIXED_GOAL),
    kernel("prefix", "patterns.prefix", "prefix sum in a group", FIXED_GOAL),
    kernel("darts", "patterns.darts", "Philox and a sum", FIXED_GOAL),
];

/// An empty kernel; `sync` waits after each launch. `buffer` and `address` call the driver's own
/// function in our process.
pub(crate) const LAUNCH: [Row; 14] = [
    launch("async1", "async1", "launch.async1", "SYCL, 1 argument"),
    launch("async4", "async4", "launch.async4", "SYCL, 4 arguments"),
    launch("async16", "async16", "launch.async16", "SYCL, 16 arguments"),
    launch("c_async1", "async1", "launch.c_async1", "C, 1 argument"),
    launch("c_async4", "async4", "launch.c_async4", "C, 4 arguments"),
    launch("c_async16", "async16", "launch.c_async16", "C, 16 arguments"),
    launch("buffer4", "async4", "launch.buffer4", "driver here, buffer, 4"),
    launch("address4", "async4", "launch.address4", "driver here, addresses, 4"),
    launch("sync1", "sync1", "launch.sync1", "SYCL and wait, 1"),
    launch("sync4", "sync4", "launch.sync4", "SYCL and wait, 4"),
    launch("sync16", "sync16", "launch.sync16", "SYCL and wait, 16"),
    launch("c_sync1", "sync1", "launch.c_sync1", "C and wait, 1"),
    launch("c_sync4", "sync4", "launch.c_sync4", "C and wait, 4"),
    launch("c_sync16", "sync16", "launch.c_sync16", "C and wait, 16"),
];

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, &[Row]); 5] = [
        ("stream.", &STREAM),
        ("fixed.", &FIXED),
        ("special.", &SPECIAL),
        ("patterns.", &PATTERNS),
        ("launch.", &LAUNCH),
    ];

    #[test]
    fn ids_are_unique_and_start_with_their_suite() {
        case::assert_ids(ALL.map(|(prefix, rows)| (prefix, rows.iter().map(|row| &row.case).collect())));
    }

    #[test]
    fn the_patterns_are_those_of_the_programs() {
        let programs = include_str!("../../include/gpu/patterns/all.hpp");
        let tests = programs.lines().filter_map(|line| line.trim().strip_prefix("add(\"")?.split_once('"'));
        let rows = PATTERNS.iter().map(|row| row.case.test);
        assert!(tests.map(|(test, _)| test).eq(rows), "one row for each test, in the order of the programs");
    }

    #[test]
    fn only_launches_have_a_fixed_number_of_them() {
        assert!(LAUNCH.iter().all(|row| row.case.launches == Some(500)));
        assert!(STREAM.iter().chain(&FIXED).chain(&SPECIAL).chain(&PATTERNS).all(|row| row.case.launches.is_none()));
    }
}
