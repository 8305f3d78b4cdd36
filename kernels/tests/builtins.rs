//! The library defines the whole interface, needs nothing but libc and libm, and computes what it should.
//!
//! llvm-nm and clang are tools that this project did not write.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_kernels::HOST_BUILTINS;
use std::{collections::BTreeSet, env, fs, path::PathBuf, process::Command};

const MATH: &str = "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh \
    cospi erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma \
    lgamma_r log log2 log10 log1p logb mad maxmag minmag modf nextafter pow powr pown remainder rint rootn round rsqrt \
    sin sinh sinpi sqrt tan tanh tgamma trunc";
const NATIVE: &str = "cos sin tan exp exp2 exp10 log log2 log10 powr recip rsqrt sqrt divide";
const RELATIONAL: &str = "isnan isinf isfinite isnormal signbit";
const FLOATS: &str = "f32 f64";
const SIGNED: &str = "i8 i16 i32 i64";
const NUMBERS: &str = "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64";
const UNSIGNED: &str = "u8 u16 u32 u64";
const GROUPS: &str = "work_group_ sub_group_";
const MOVES: &str = "broadcast shift_left shift_right permute select";
const COMBINATIONS: &str = "reduce inclusive_scan exclusive_scan";
const VOTES: &str = "any all none";
const OTHER: &str = "half_add half_sub half_mul half_div half_lt half_lte half_gt half_gte mul24_s32 mul24_u32 \
    popcount_u32 popcount_u64 get_subgroup_local_id get_subgroup_size get_subgroup_max_size get_subgroup_id \
    get_num_subgroups sub_group_barrier fence print assert_fail glibcxx_assert_fail";

/// Local memory of the collectives.
const SLOTS: &str = "_ZL5slots";

fn product<'a>(prefix: &'a str, operations: &'a str, types: &'a str) -> impl Iterator<Item = String> + 'a {
    let name = move |operation| move |ty| format!("__acpp_sscp_{prefix}{operation}_{ty}");
    operations.split_whitespace().flat_map(move |operation| types.split_whitespace().map(name(operation)))
}

/// The group functions; those that compute have more types than those that move values.
fn collectives() -> impl Iterator<Item = String> {
    GROUPS.split_whitespace().flat_map(|group| {
        let votes = VOTES.split_whitespace().map(move |vote| format!("__acpp_sscp_{group}{vote}"));
        product(group, MOVES, SIGNED)
            .chain(product(group, COMBINATIONS, NUMBERS))
            .chain(product(group, COMBINATIONS, "f16"))
            .chain(votes)
    })
}

fn expected() -> BTreeSet<String> {
    let atomics = product("atomic_", "load store exchange fetch_and fetch_or fetch_xor", SIGNED)
        .chain(product("", "cmp_exch_weak cmp_exch_strong", SIGNED))
        .chain(product("atomic_", "fetch_add fetch_sub fetch_min fetch_max", NUMBERS));
    let other = OTHER.split_whitespace().map(|name| format!("__acpp_sscp_{name}"));
    product("", MATH, FLOATS)
        .chain(product("native_", NATIVE, FLOATS))
        .chain(product("", RELATIONAL, FLOATS))
        .chain(product("", "clz ctz", UNSIGNED))
        .chain(atomics)
        .chain(collectives())
        .chain(other)
        .collect()
}

fn tool(name: &str) -> Command {
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    Command::new(PathBuf::from(prefix).join("bin").join(name))
}

/// The library as a file.
fn library(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, HOST_BUILTINS).unwrap();
    path
}

/// Names that llvm-nm lists with this option.
fn symbols(option: &str, file: &str) -> BTreeSet<String> {
    let output = tool("llvm-nm").args([option, "--just-symbol-name"]).arg(library(file)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn defines_exactly_the_interface() {
    let (mut defined, expected) = (symbols("--defined-only", "defined.bc"), expected());
    assert!(defined.remove(SLOTS), "the collectives share one array of local memory");
    assert_eq!(expected.difference(&defined).collect::<Vec<_>>(), Vec::<&String>::new(), "missing");
    assert_eq!(defined.difference(&expected).collect::<Vec<_>>(), Vec::<&String>::new(), "unexpected");
}

#[test]
fn needs_only_libc_libm_index_queries_and_barriers() {
    let is_launch =
        |name: &String| name.starts_with("__acpp_sscp_get_local_") || name == "__acpp_sscp_work_group_barrier";
    for name in symbols("--undefined-only", "undefined.bc").into_iter().filter(|name| !is_launch(name)) {
        assert!(!name.starts_with('_') || name == "__assert_fail", "{name} is neither libc's nor libm's");
    }
}

#[test]
fn names_no_cpu_and_no_path() {
    let output = tool("llvm-dis").arg(library("text.bc")).args(["-o", "-"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // The first line is llvm-dis's own.
    for line in text.lines().skip(1) {
        let bound = ["target-cpu", "target-features", "tune-cpu", env!("CARGO_MANIFEST_DIR"), "!llvm.module.flags"];
        assert!(!bound.iter().any(|word| line.contains(word)), "{line}");
    }
}

#[test]
fn computes_what_the_specification_says() {
    run("values");
}

#[test]
fn work_items_of_a_group_exchange_values() {
    run("groups");
}

/// Compiles a program of this folder, links it with the library and runs it.
fn run(name: &str) {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{name}.cpp"));
    let mut compile = tool("clang++");
    // libgcc of Debian 12 has no conversions of half precision: the CPU must.
    compile.args(["-std=c++17", "-O1", "-march=native", "-pthread", "-Wno-override-module"]);
    compile.arg(source).arg(library(&format!("{name}.bc"))).args(["-lm", "-o"]).arg(&program);
    assert!(compile.status().unwrap().success());
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
