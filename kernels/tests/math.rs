//! The functions of the host and the free math libraries of GPUs keep OpenCL's bounds, measured on the CPU.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{AMDGCN_BUILTINS, AMDGCN_MATH, HOST_BUILTINS, PTX_BUILTINS, PTX_MATH};
use std::{
    path::{Path, PathBuf},
    process::Command,
};
use support::{file, folder, run, source, tool};

/// The GPUs of a vendor.
struct Vendor {
    name: &'static str,
    libraries: [&'static [u8]; 2],
    /// Instructions that the CPU does not have, and what tests/<name>_instructions.cpp defines for them.
    instructions: &'static [(&'static str, &'static str)],
}

const NVIDIA: Vendor = Vendor {
    name: "nvidia",
    libraries: [PTX_BUILTINS, PTX_MATH],
    instructions: &[("@llvm.nvvm.rsqrt.approx.f(", "@approximate_rsqrt(")],
};

const AMD: Vendor = Vendor {
    name: "amd",
    libraries: [AMDGCN_BUILTINS, AMDGCN_MATH],
    instructions: &[
        ("@llvm.amdgcn.rsq.f32(", "@approximate_rsqrt_f32("),
        ("@llvm.amdgcn.rsq.f64(", "@approximate_rsqrt_f64("),
        ("@llvm.canonicalize.f64(", "@canonical("),
    ],
};

impl Vendor {
    /// A line of the GPU's library with what this CPU does not do alike as a call: conversions to integers saturate on the
    /// GPU. The address spaces are one.
    fn for_the_cpu(&self, line: &str) -> String {
        let line = [" addrspace(4)", ", addrspace(5)", " addrspace(5)"]
            .iter()
            .fold(line.to_owned(), |line, space| line.replace(space, ""));
        let line = line.replace("addrspacecast", "bitcast").replace(".p5(", ".p0(");
        let replaced = || self.instructions.iter().fold(line.clone(), |line, (from, to)| line.replace(from, to));
        conversion(&line).unwrap_or_else(replaced)
    }

    /// Links what a program needs of the GPU's libraries, as a module for this CPU.
    fn link(&self, folder: &Path, program: &Path) -> PathBuf {
        let linked = folder.join("linked.bc");
        let [builtins, math] = self.libraries;
        let libraries = [file(folder, "builtins.bc", builtins), file(folder, "math.bc", math)];
        let mut link = tool("llvm-link");
        run(link.args(["-suppress-warnings", "-only-needed"]).arg(program).args(libraries).arg("-o").arg(&linked));
        let linked = run(tool("llvm-dis").arg(linked).args(["-o", "-"]));
        let linked: String = linked.lines().map(|line| self.for_the_cpu(line) + "\n").collect();
        file(folder, "linked.ll", (linked + CONVERSIONS).as_bytes())
    }

    fn run(&self, name: &str, flags: &[&str], arguments: &[&str]) -> String {
        let folder = folder(&format!("math-{}-{name}", self.name));
        let [bitcode, program] = ["program.bc", "program"].map(|file| folder.join(file));
        let compile = |input: &Path, output: &Path, extra: &[&str]| {
            let mut clang = tool("clang++");
            clang.args(["-std=c++17", "-O1", "-march=native", "-ffp-contract=off", "-Wno-override-module"]).args(extra);
            run(clang.args(["-fno-builtin", "-pthread"]).arg(input).arg("-o").arg(output));
        };
        let instructions = source(&format!("tests/{}_instructions.cpp", self.name)).display().to_string();
        compile(&source(&format!("tests/{name}.cpp")), &bitcode, &[&["-c", "-emit-llvm"], flags].concat());
        compile(&self.link(&folder, &bitcode), &program, &[instructions.as_str(), "-lm"]);
        run(Command::new(program).args(arguments))
    }
}

const CONVERSIONS: &str = "declare i32 @convert_float_i32(float)\ndeclare i32 @convert_double_i32(double)\n\
    declare i64 @convert_double_i64(double)\n";

fn conversion(line: &str) -> Option<String> {
    let (result, rest) = line.split_once(" = fptosi ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [from, value, "to", to, ..] = words[..] else { return None };
    Some(format!("{result} = call {to} @convert_{from}_{to}({from} {value})"))
}

#[test]
fn the_math_libraries_keep_the_bounds_of_opencl() {
    for vendor in [NVIDIA, AMD] {
        println!("{}", vendor.run("math", &[], &["65536"]));
    }
}

#[test]
fn special_values_are_those_of_the_specification() {
    for vendor in [NVIDIA, AMD] {
        vendor.run("values", &["-DMATH_ONLY"], &[]);
    }
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
