//! The functions of the host and the free math library of NVIDIA's GPUs keep OpenCL's bounds, measured on the CPU.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{HOST_BUILTINS, PTX_BUILTINS, PTX_MATH};
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use support::{file, folder, run, source, tool};

/// A line of the GPU's library with what this CPU does not do alike as a call of what tests/instructions.hpp defines:
/// conversions to integers saturate on the GPU, and there are instructions that approximate.
fn replaced(line: &str) -> String {
    let renamed = |line: String, (from, to): &(&str, &str)| line.replace(from, to);
    conversion(line).unwrap_or_else(|| INSTRUCTIONS.iter().fold(line.to_owned(), renamed))
}

const INSTRUCTIONS: [(&str, &str); 8] = [
    ("@llvm.nvvm.ex2.approx.f(", "@approximate_exp2("),
    ("@llvm.nvvm.ex2.approx.ftz.f(", "@approximate_exp2_flushed("),
    ("@llvm.nvvm.lg2.approx.f(", "@approximate_log2("),
    ("@llvm.nvvm.mul.rn.f(", "@product("),
    ("@llvm.nvvm.rcp.approx.ftz.d(", "@approximate_reciprocal_f64("),
    ("@llvm.nvvm.rcp.approx.ftz.f(", "@approximate_reciprocal("),
    ("@llvm.nvvm.rsqrt.approx.f(", "@approximate_rsqrt("),
    ("@llvm.nvvm.saturate.f(", "@saturate("),
];

/// Too small, rounded and too large: what approximate instructions give (tests/instructions.hpp).
const DEVIATIONS: [&str; 3] = ["-1", "0", "1"];

fn conversion(line: &str) -> Option<String> {
    let (result, rest) = line.split_once(" = fptosi ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [from, value, "to", to, ..] = words[..] else { return None };
    Some(format!("{result} = call {to} @convert_{from}_{to}({from} {value})"))
}

const DECLARATIONS: &str = "declare i32 @convert_float_i32(float)\ndeclare i32 @convert_double_i32(double)\n\
    declare i64 @convert_double_i64(double)\n";

fn library(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let text = run(tool("llvm-dis").arg(file(folder, &format!("{name}.bc"), bytes)).args(["-o", "-"]));
    let text: String = text.lines().map(|line| replaced(line) + "\n").collect();
    file(folder, &format!("{name}.ll"), (text + DECLARATIONS).as_bytes())
}

/// Links what a program needs of the GPU's libraries, as a module for this CPU.
fn for_the_cpu(folder: &Path, program: &Path) -> PathBuf {
    let linked = folder.join("linked.bc");
    let libraries = [library(folder, "builtins", PTX_BUILTINS), library(folder, "math", PTX_MATH)];
    let mut link = tool("llvm-link");
    run(link.args(["-suppress-warnings", "-only-needed"]).arg(program).args(libraries).arg("-o").arg(&linked));
    linked
}

/// Compiles a program of this folder and links what it needs of the GPU's libraries.
fn program_for_cpu(name: &str, flags: &[&str]) -> PathBuf {
    let folder = folder(&format!("math-{name}"));
    let [bitcode, program] = ["program.bc", "program"].map(|file| folder.join(file));
    let compile = |input: &Path, output: &Path, extra: &[&str]| {
        let mut clang = tool("clang++");
        clang.args(["-std=c++17", "-O1", "-march=native", "-ffp-contract=off", "-Wno-override-module"]).args(extra);
        run(clang.args(["-fno-builtin", "-pthread"]).arg(input).arg("-o").arg(output));
    };
    let instructions = source("tests/instructions.hpp").display().to_string();
    let flags = [&["-c", "-emit-llvm", "-include", instructions.as_str()], flags].concat();
    compile(&source(&format!("tests/{name}.cpp")), &bitcode, &flags);
    compile(&for_the_cpu(&folder, &bitcode), &program, &["-lm"]);
    program
}

#[test]
fn the_math_library_keeps_the_bounds_of_opencl() {
    let program = program_for_cpu("math", &["-DAPPROXIMATE"]);
    for deviation in DEVIATIONS {
        println!("{}", run(Command::new(&program).args(["65536", deviation])));
    }
}

/// Every 4099th bit pattern; 1 instead measures all, in an hour of a core.
#[test]
fn our_functions_keep_their_own_bounds_everywhere() {
    let program = program_for_cpu("patterns", &[]);
    for deviation in DEVIATIONS {
        println!("{}", run(Command::new(&program).args(["4099", deviation])));
    }
}

#[test]
fn special_values_are_those_of_the_specification() {
    run(&mut Command::new(program_for_cpu("values", &["-DMATH_ONLY"])));
}

#[test]
fn the_host_keeps_the_bounds_of_opencl() {
    let folder = folder("math-host");
    let [bitcode, linked, program] = ["program.bc", "linked.bc", "program"].map(|file| folder.join(file));
    let flags = ["-std=c++17", "-O1", "-march=native", "-Wno-override-module", "-pthread"];
    let mut compile = tool("clang++");
    run(compile.args(flags).args(["-c", "-emit-llvm"]).arg(source("tests/math.cpp")).arg("-o").arg(&bitcode));
    let library = file(&folder, "host.bc", HOST_BUILTINS);
    run(tool("llvm-link").arg("-only-needed").arg(&bitcode).arg(library).arg("-o").arg(&linked));
    run(tool("clang++").args(flags).arg(&linked).args(["-lm", "-o"]).arg(&program));
    println!("{}", run(Command::new(program).arg("65536")));
}
