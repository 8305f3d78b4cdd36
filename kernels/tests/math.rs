//! The host's functions and the free math libraries of GPUs keep OpenCL's bounds, measured on the
//! CPU.

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
    /// A header in this folder that emulates instructions that this CPU lacks.
    header: &'static str,
    /// The header's prefix for conversions to integers, which saturate on GPUs.
    prefix: &'static str,
    /// Other instructions, and their replacements in the header.
    instructions: &'static [(&'static str, &'static str)],
}

const NVIDIA: Vendor = Vendor {
    name: "nvidia",
    libraries: [PTX_BUILTINS, PTX_MATH],
    header: "instructions.hpp",
    prefix: "",
    instructions: &[
        ("@llvm.nvvm.ex2.approx.f(", "@approximate_exp2("),
        ("@llvm.nvvm.ex2.approx.ftz.f(", "@approximate_exp2_flushed("),
        ("@llvm.nvvm.lg2.approx.f(", "@approximate_log2("),
        ("@llvm.nvvm.mul.rn.f(", "@product("),
        ("@llvm.nvvm.rcp.approx.ftz.d(", "@approximate_reciprocal_f64("),
        ("@llvm.nvvm.rcp.approx.ftz.f(", "@approximate_reciprocal("),
        ("@llvm.nvvm.rsqrt.approx.f(", "@approximate_rsqrt("),
        ("@llvm.nvvm.saturate.f(", "@saturate("),
    ],
};

const AMD: Vendor = Vendor {
    name: "amd",
    libraries: [AMDGCN_BUILTINS, AMDGCN_MATH],
    header: "amd_instructions.hpp",
    prefix: "amd_",
    instructions: &[
        ("@llvm.amdgcn.rsq.f32(", "@amd_rsqrt_f32("),
        ("@llvm.amdgcn.rsq.f64(", "@amd_rsqrt_f64("),
        ("@llvm.canonicalize.f64(", "@amd_canonical("),
    ],
};

/// Results of approximate instructions: too small, rounded, too large (tests/instructions.hpp).
const DEVIATIONS: [&str; 3] = ["-1", "0", "1"];

/// The math builtins. Others use instructions that cannot be emulated.
const MATH: &str = "^__acpp_sscp_[a-z0-9]+(_r)?_f(32|64)$";

/// A line without address spaces, since the CPU has only one.
fn without_spaces(line: &str) -> String {
    let spaces = [" addrspace(4)", ", addrspace(5)", " addrspace(5)"];
    let line = spaces.iter().fold(line.to_owned(), |line, space| line.replace(space, ""));
    line.replace("addrspacecast", "bitcast").replace(".p5(", ".p0(")
}

impl Vendor {
    /// A line of the GPU's library, with instructions that differ on this CPU replaced by calls
    /// into the header.
    fn replaced(&self, line: &str) -> String {
        let renamed = |line: String, (from, to): &(&str, &str)| line.replace(from, to);
        let line = without_spaces(line);
        self.conversion(&line).unwrap_or_else(|| self.instructions.iter().fold(line.clone(), renamed))
    }

    fn conversion(&self, line: &str) -> Option<String> {
        let (result, rest) = line.split_once(" = fptosi ")?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [from, value, "to", to, ..] = words[..] else { return None };
        Some(format!("{result} = call {to} @{}convert_{from}_{to}({from} {value})", self.prefix))
    }

    fn declarations(&self) -> String {
        [("i32", "half"), ("i32", "float"), ("i32", "double"), ("i64", "double")]
            .map(|(to, from)| format!("declare {to} @{}convert_{from}_{to}({from})\n", self.prefix))
            .concat()
    }

    fn retargeted(&self, module: &Path) -> PathBuf {
        let text = run(tool("llvm-dis").arg(module).args(["-o", "-"]));
        let text: String = text.lines().map(|line| self.replaced(line) + "\n").collect();
        let path = module.with_extension("ll");
        std::fs::write(&path, text + &self.declarations()).unwrap();
        path
    }

    /// Links the GPU library functions that a program needs, as a module for this CPU.
    fn for_the_cpu(&self, folder: &Path, program: &Path) -> PathBuf {
        let [linked, builtins] = ["linked.bc", "builtins.bc"].map(|name| folder.join(name));
        let whole = file(folder, "whole.bc", self.libraries[0]);
        let mut extract = tool("llvm-extract");
        run(extract.arg("--recursive").arg(format!("--rfunc={MATH}")).arg(whole).arg("-o").arg(&builtins));
        let libraries = [builtins, file(folder, "math.bc", self.libraries[1])].map(|module| self.retargeted(&module));
        let mut link = tool("llvm-link");
        run(link.args(["-suppress-warnings", "-only-needed"]).arg(program).args(libraries).arg("-o").arg(&linked));
        linked
    }

    /// Compiles a program of this folder and links the GPU library functions that it needs.
    fn program(&self, name: &str, flags: &[&str]) -> PathBuf {
        let folder = folder(&format!("math-{}-{name}", self.name));
        let [bitcode, program] = ["program.bc", "program"].map(|file| folder.join(file));
        let compile = |input: &Path, output: &Path, extra: &[&str]| {
            let mut clang = tool("clang++");
            clang.args(["-std=c++17", "-O1", "-march=native", "-ffp-contract=off", "-Wno-override-module"]).args(extra);
            run(clang.args(["-fno-builtin", "-pthread"]).arg(input).arg("-o").arg(output));
        };
        let header = source(&format!("tests/{}", self.header)).display().to_string();
        let flags = [&["-c", "-emit-llvm", "-include", header.as_str()], flags].concat();
        compile(&source(&format!("tests/{name}.cpp")), &bitcode, &flags);
        compile(&self.for_the_cpu(&folder, &bitcode), &program, &["-lm"]);
        program
    }
}

#[track_caller]
fn measure(vendor: &Vendor) {
    let program = vendor.program("math", &["-DAPPROXIMATE"]);
    for deviation in DEVIATIONS {
        println!("{}", run(Command::new(&program).args(["65536", deviation])));
    }
}

#[test]
fn the_math_library_keeps_the_bounds_of_opencl() {
    measure(&NVIDIA);
}

/// The code generator's f32 exponential functions and logarithms are not measured: on the CPU they
/// are libm's.
#[test]
fn the_math_library_of_amd_gpus_keeps_the_bounds_of_opencl() {
    measure(&AMD);
}

/// Every 4099th bit pattern; a step of 1 measures all.
#[test]
fn our_functions_keep_their_own_bounds_everywhere() {
    let program = NVIDIA.program("patterns", &[]);
    for deviation in DEVIATIONS {
        println!("{}", run(Command::new(&program).args(["4099", deviation])));
    }
}

#[test]
fn special_values_are_those_of_the_specification() {
    for vendor in [NVIDIA, AMD] {
        run(&mut Command::new(vendor.program("values", &["-DMATH_ONLY"])));
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
    // The translator replaces the roots that may be estimates, or forbids it.
    let text = run(tool("llvm-dis").arg(&linked).args(["-o", "-"])).replace(" arcp ", " ");
    let exact = file(&folder, "exact.ll", text.as_bytes());
    run(tool("clang++").args(flags).arg(exact).args(["-lm", "-o"]).arg(&program));
    println!("{}", run(Command::new(program).arg("65536")));
}
