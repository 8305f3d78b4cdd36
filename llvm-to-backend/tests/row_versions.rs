//! Row versions of functions, against the same kernels item by item.
//!
//! Kernels call random functions, which call each other to a depth that an argument bounds, so that
//! few of them are inlined. The memory that a kernel leaves in rows must equal what it leaves item
//! by item without optimisation. `ROW_VERSION_CASES=1000` runs more of them.

#[path = "support/row_functions.rs"]
mod row_functions;
mod support;

use row_functions::{INPUTS, ITEM, kernel};
use sinter_core::{CodeObject, HostTarget, OptLevel, Rows, Target, TranslateRequest};
use support::{address, request, run, translate};

/// Number of random kernels in an ordinary run.
const CASES: u64 = 12;
/// Items of a launch, and of a group: the last row of each group lacks lanes.
const ITEMS: u64 = 150;
const GROUP: u64 = 50;

#[test]
fn random_functions_do_in_rows_what_they_do_item_by_item() {
    let cases = std::env::var("ROW_VERSION_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(CASES);
    let with_versions = (0..cases).filter(|seed| compare(*seed)).count() as u64;
    assert!(with_versions * 3 > cases, "{with_versions} of {cases} kernels have row versions");
}

/// Compares all variants of a kernel; true if one of them has a row version.
fn compare(seed: u64) -> bool {
    let text = kernel(seed);
    let request = request(&text, "kernel");
    let expected = outputs(&variant(&request, OptLevel::O0, Rows::Off, None));
    let mut has_versions = false;
    for (index, rows) in [4, 8, 16, 64].into_iter().enumerate() {
        // Neighbouring seeds have other combinations.
        let level = if (seed + index as u64).is_multiple_of(3) { OptLevel::O1 } else { OptLevel::O3 };
        let cpus = cpus(&request);
        let cpu = cpus[(seed as usize + index) % cpus.len()];
        let fixed = (seed / 2 + index as u64).is_multiple_of(2).then_some([GROUP as u32, 1, 1]);
        let mut one = variant(&request, level, Rows::Of(rows), fixed);
        if let (Target::Host(target), Some(cpu)) = (&mut one.target, cpu) {
            *target = HostTarget { cpu: cpu.to_owned(), features: String::new(), ..target.clone() };
        }
        let found = outputs(&one);
        let at = expected.0.iter().zip(&found.0).position(|(a, b)| a != b);
        assert_eq!(at, None, "seed {seed}, rows {rows}, {level:?}, {cpu:?}, {fixed:?}\n{text}");
        has_versions |= found.1;
    }
    has_versions
}

/// CPUs to translate for: the one at hand, and older ones whose code it runs.
fn cpus(request: &TranslateRequest) -> Vec<Option<&'static str>> {
    let has_avx2 =
        matches!(&request.target, Target::Host(target) if target.cpu != "x86-64" && target.cpu != "x86-64-v2");
    if cfg!(target_arch = "x86_64") && has_avx2 && std::env::var_os("SINTER_HOST_CPU").is_none() {
        vec![None, Some("x86-64-v2"), Some("x86-64-v3")]
    } else {
        vec![None]
    }
}

fn variant(request: &TranslateRequest, level: OptLevel, rows: Rows, group: Option<[u32; 3]>) -> TranslateRequest {
    let mut one = request.clone();
    one.config.dimensions = 1;
    one.config.opt_level = level;
    one.config.rows = rows;
    one.config.group_size = group;
    one
}

/// The memory that a kernel leaves, and true if it has row versions of functions.
fn outputs(request: &TranslateRequest) -> (Vec<u32>, bool) {
    let code: CodeObject = translate(request);
    let out = vec![0x5a5a_5a5a_u32; (ITEMS as usize + 1) * ITEM];
    let input: Vec<u32> = (0..INPUTS as u32).map(|i| i.wrapping_mul(2_654_435_761).rotate_left(i % 31)).collect();
    run(&code, &[&address(&input), &address(&out)], [ITEMS, 1, 1], [GROUP, 1, 1]);
    let symbols = String::from_utf8_lossy(&code.bytes);
    (out, symbols.contains(".row"))
}

/// The kernel of a file test: structures in vectors and by value.
const STRUCTURES: &str = include_str!("../../tests/files/host/rows_of_a_function_of_structures.ll");

/// The function of [`STRUCTURES`], which turns a triple and changes its own copy of `all`.
fn turn(depth: usize, [x, y]: [f32; 2], z: f32, mut all: [f32; 6]) -> [f32; 3] {
    let product = y * all[depth];
    all[0] = z;
    if depth == 0 { [z, x, product] } else { turn(depth - 1, [z, x], product, all) }
}

#[test]
fn structures_by_value_are_those_of_each_lane() {
    let request = request(STRUCTURES, "k");
    let depths: Vec<u32> = (0..GROUP as u32).map(|item| item * item % 6).collect();
    let all = [2.0_f32, 3.0, 5.0, 7.0, 11.0, 13.0];
    let of_depth = |depth: u32| {
        let mut own = all;
        own[3] = depth as f32;
        let [a, b, c] = turn(depth as usize, [depth as f32, 2.0], 3.0, own);
        a + b + c
    };
    let expected: Vec<f32> = depths.iter().map(|depth| of_depth(*depth)).collect();
    for rows in [Rows::Off, Rows::Of(4), Rows::Of(8), Rows::Of(16), Rows::Of(64)] {
        for level in [OptLevel::O1, OptLevel::O3] {
            let code = translate(&variant(&request, level, rows, None));
            let out = vec![0.0_f32; GROUP as usize];
            run(&code, &[&address(&all), &address(&depths), &address(&out)], [GROUP, 1, 1], [GROUP, 1, 1]);
            assert_eq!(out, expected, "{rows:?}, {level:?}");
            let has_versions = String::from_utf8_lossy(&code.bytes).contains("turn.row");
            assert_eq!(has_versions, rows != Rows::Off, "{rows:?}, {level:?}");
        }
    }
}
