//! The functions for vector code keep their bounds, with and without fused multiplication, and have
//! nothing in them that could not be vectorised.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{
    HOST_LANES, HOST_LANES_FMA, slices,
    table::{Precision, c_function},
};
use std::process::Command;
use support::{file, folder, run, source, tool};

/// A variant of the library, and a CPU that it is for.
struct Variant {
    name: &'static str,
    bitcode: &'static [u8],
    slices: &'static slices::Library,
    cpu: &'static str,
}

const VARIANTS: [Variant; 2] = [
    Variant { name: "rounded", bitcode: HOST_LANES, slices: &slices::HOST_LANES, cpu: "x86-64-v2" },
    Variant { name: "fused", bitcode: HOST_LANES_FMA, slices: &slices::HOST_LANES_FMA, cpu: "x86-64-v3" },
];

/// Measures every function with 2^18 arguments of each kind, of which the program has five; with a
/// quarter of them where tests take turns.
#[test]
fn errors_are_within_their_bounds() {
    let arguments = if std::env::var_os("TESTS_TAKE_TURNS").is_some() { "65536" } else { "262144" };
    for Variant { name, bitcode, cpu, .. } in VARIANTS {
        if cpu == "x86-64-v3" && !(is_x86_feature_detected!("fma") && is_x86_feature_detected!("avx2")) {
            println!("skipped: {name}, since this CPU is older than {cpu}");
            continue;
        }
        let folder = folder(&format!("lanes-{name}"));
        let (library, program) = (file(&folder, "lanes.bc", bitcode), folder.join("lanes"));
        let mut clang = tool("clang++");
        clang.args(["-std=c++17", "-O1", "-ffp-contract=off", "-Wno-override-module", "-pthread"]);
        clang.arg(format!("-march={cpu}")).arg(source("tests/lanes.cpp")).arg(library).arg("-lm");
        run(clang.arg("-o").arg(&program));
        println!("{name}\n{}", run(Command::new(program).arg(arguments)));
    }
}

/// Calls of the intrinsics that have vector instructions, or are short code, are the only ones.
const INTRINSICS: [&str; 9] = ["copysign", "fabs", "fma", "fshl", "is.fpclass", "smax", "smin", "sqrt", "trunc"];

#[test]
fn no_function_has_a_table_or_calls_another() {
    for Variant { name, bitcode, .. } in VARIANTS {
        let library = file(&folder(&format!("lanes-code-{name}")), "lanes.bc", bitcode);
        let text = run(tool("llvm-dis").arg(library).args(["-o", "-"]));
        for line in text.lines() {
            assert!(!line.starts_with('@') && !line.contains("alloca"), "{name}: {line}");
            let callee = line.split_once(" call ").and_then(|(_, call)| call.split_once('@')).map(|(_, callee)| callee);
            let is_vector = |callee: &str| INTRINSICS.iter().any(|it| callee.starts_with(&format!("llvm.{it}.")));
            assert!(callee.is_none_or(is_vector), "{name}: {line}");
        }
    }
}

#[test]
fn both_variants_have_the_same_functions() {
    let [rounded, fused] = VARIANTS.map(|variant| variant.slices.names().collect::<Vec<_>>());
    assert_eq!(rounded, fused);
    assert!(rounded.len() > 60 && rounded.contains(&"__sinter_lanes_expf"), "{rounded:?}");
}

/// Functions with a loop, which LLVM's vectoriser does not take: it has another number of rounds
/// for each lane.
const WITH_LOOPS: [&str; 2] = ["fmod", "remainder"];

/// A C function with a loop that computes a function of numbers for each element of arrays; `None`
/// for one with other parameters.
fn loop_over(name: &str) -> Option<String> {
    let (function, precision) = c_function(name.strip_prefix("__sinter_lanes_")?)?;
    let (parameters, result) = (function.family.parameters, function.family.result);
    if WITH_LOOPS.contains(&function.name) || result != "T" || parameters.iter().any(|ty| *ty != "T") {
        return None;
    }
    let ty = if precision == Precision::Single { "float" } else { "double" };
    let list = |text: &dyn Fn(usize) -> String| (0..parameters.len()).map(text).collect::<Vec<_>>().join(", ");
    let (types, values) = (list(&|_| ty.to_owned()), list(&|i| format!("a{i}[i]")));
    let arrays = list(&|i| format!("const {ty} *a{i}"));
    Some(format!(
        "{ty} {name}({types});\n\
         void of{name}({ty} *restrict r, int n, {arrays}) {{ for (int i = 0; i < n; ++i) r[i] = {name}({values}); }}\n"
    ))
}

/// LLVM's loop vectoriser stands for ours: it refuses calls and what it cannot do for all lanes.
#[test]
fn loops_over_functions_are_vectorised() {
    let folder = folder("lanes-loops");
    let [program, linked, remarks] = ["loops.bc", "linked.bc", "remarks.yaml"].map(|name| folder.join(name));
    let loops: Vec<_> = slices::HOST_LANES_FMA.names().filter_map(loop_over).collect();
    let code = file(&folder, "loops.c", loops.concat().as_bytes());
    let flags = ["-O2", "-march=x86-64-v3", "-Xclang", "-disable-llvm-passes", "-c", "-emit-llvm"];
    run(tool("clang").args(flags).arg(code).arg("-o").arg(&program));
    let library = file(&folder, "lanes.bc", HOST_LANES_FMA);
    run(tool("llvm-link").args(["-internalize", "-only-needed"]).arg(&program).arg(library).arg("-o").arg(&linked));
    let mut opt = tool("opt");
    opt.args(["-passes=default<O2>", "-inline-threshold=1000000", "-pass-remarks-filter=loop-vectorize"]);
    opt.arg(format!("-pass-remarks-output={}", remarks.display())).arg(&linked).args(["-o", "/dev/null"]);
    run(&mut opt);
    let remarks = std::fs::read_to_string(remarks).unwrap();
    let missed: Vec<_> =
        remarks.split("---").filter(|remark| !remark.contains("Name:            Vectorized\n")).collect();
    assert_eq!(remarks.matches("Name:            Vectorized\n").count(), loops.len(), "{missed:?}");
    assert!(loops.len() > 50, "{} loops", loops.len());
}
