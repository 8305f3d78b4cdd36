//! Every builtin of AMD's GPUs, called from a kernel with constant order, scope and address space, goes through the code
//! generator for each generation of processors. Representative instructions are compared.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{
    AMDGCN_BUILTINS, AMDGCN_MATH,
    table::{BUILTINS, Builtin, Provider},
};
use std::fs;
use support::{calls::kernels, file, folder, run, source, symbols, tool};

/// A processor, its version as the library asks for it, and how wide its waves are.
struct Gpu {
    cpu: &'static str,
    isa: i32,
    wave: i32,
}

const GPUS: [Gpu; 11] = [
    Gpu { cpu: "gfx900", isa: 9000, wave: 64 },
    Gpu { cpu: "gfx906", isa: 9006, wave: 64 },
    Gpu { cpu: "gfx90a", isa: 9010, wave: 64 },
    Gpu { cpu: "gfx942", isa: 9402, wave: 64 },
    Gpu { cpu: "gfx1010", isa: 10100, wave: 32 },
    Gpu { cpu: "gfx1030", isa: 10300, wave: 32 },
    Gpu { cpu: "gfx1030", isa: 10300, wave: 64 },
    Gpu { cpu: "gfx1100", isa: 11000, wave: 32 },
    Gpu { cpu: "gfx1100", isa: 11000, wave: 64 },
    Gpu { cpu: "gfx1201", isa: 12001, wave: 32 },
    Gpu { cpu: "gfx1201", isa: 12001, wave: 64 },
];
const MI200: &Gpu = &GPUS[2];
const MI300: &Gpu = &GPUS[3];
const RDNA3: &Gpu = &GPUS[7];
const RDNA4: &Gpu = &GPUS[9];

impl Gpu {
    fn name(&self) -> String {
        format!("{}-{}", self.cpu, self.wave)
    }

    /// The options of LLVM's tools.
    fn machine(&self) -> [String; 2] {
        [format!("-mcpu={}", self.cpu), format!("-mattr=+wavefrontsize{}", self.wave)]
    }

    /// What the translator answers.
    fn answers(&self) -> String {
        format!(
            "extern \"C\" i32 __sinter_amdgcn_isa() {{ return {}; }}\n\
             extern \"C\" i32 __sinter_amdgcn_wave_size() {{ return {}; }}\n",
            self.isa, self.wave
        )
    }
}

const TARGET: [&str; 4] = ["--target=amdgcn-amd-amdhsa", "-nogpulib", "-Xclang", "-mcode-object-version=none"];

/// Compiles C++ with kernels, links the libraries and generates code: the assembly.
fn generate(name: &str, code: &str, gpu: &Gpu) -> String {
    let folder = folder(&format!("amdgcn-{name}-{}", gpu.name()));
    let text = format!(
        "#include \"builtins.hpp\"\n#define KERNEL extern \"C\" __attribute__((amdgpu_kernel, convergent))\n{}{code}",
        gpu.answers()
    );
    let [kernels, linked, optimised, assembly] =
        ["kernels.bc", "linked.bc", "optimised.bc", "code.s"].map(|file| folder.join(file));
    let libraries = [file(&folder, "builtins.bc", AMDGCN_BUILTINS), file(&folder, "math.bc", AMDGCN_MATH)];
    let mut clang = tool("clang++");
    clang.args(TARGET).args(["-std=c++17", "-O1", "-nostdinc", "-ffp-contract=off", "-c", "-emit-llvm"]);
    clang.arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
    run(clang.arg(file(&folder, "kernels.cpp", text.as_bytes())).arg("-o").arg(&kernels));
    let mut link = tool("llvm-link");
    run(link.arg("-only-needed").arg(&kernels).args(libraries).arg("-o").arg(&linked));
    // Kernels and the answers are visible to others until here.
    let visible: Vec<String> = text.lines().filter_map(kernel_name).collect();
    let keep = format!("-internalize-public-api-list={}", visible.join(","));
    let mut opt = tool("opt");
    opt.args(["-passes=internalize,default<O2>", &keep]).args(gpu.machine());
    run(opt.arg(&linked).arg("-o").arg(&optimised));
    for symbol in symbols("--undefined-only", &optimised) {
        assert!(symbol.starts_with("llvm."), "{name} needs {symbol}");
    }
    run(tool("llc").args(gpu.machine()).arg(&optimised).arg("-o").arg(&assembly));
    fs::read_to_string(&assembly).unwrap()
}

fn kernel_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("KERNEL void ")?.split_once('(')?;
    Some(name.to_owned())
}

/// Generates all kernels of some functions.
fn check(name: &str, gpu: &Gpu, choose: impl Fn(&Builtin) -> bool) {
    let mine = BUILTINS.iter().filter(|builtin| builtin.provider("amdgcn") == Some(Provider::Library));
    let code: String = mine.filter(|builtin| choose(builtin)).map(kernels).collect();
    assert!(!code.is_empty());
    let text = generate(name, &code, gpu);
    let entries = text.matches(".amdhsa_kernel ").count();
    assert_eq!(entries, code.matches("KERNEL").count());
}

#[test]
fn atomics_are_generated() {
    for gpu in [MI300, RDNA4] {
        check("atomics", gpu, |builtin| builtin.family.group == "atomic");
    }
}

#[test]
fn atomics_of_words_are_generated_for_every_processor() {
    for gpu in &GPUS {
        let is_word = |name: &str| ["add_i32", "add_f32", "min_f64", "strong_i8"].iter().any(|end| name.ends_with(end));
        check("words", gpu, |builtin| builtin.family.group == "atomic" && is_word(builtin.name));
    }
}

#[test]
fn collectives_are_generated() {
    for gpu in [MI200, RDNA3] {
        check("collectives", gpu, |builtin| builtin.family.group == "collective");
    }
}

#[test]
fn collectives_of_words_are_generated_for_every_processor() {
    for gpu in &GPUS {
        let is_word = |name: &str| name.ends_with("_i32") || name.ends_with("_f32") || !name.contains("group_");
        check("exchanges", gpu, |builtin| builtin.family.group == "collective" && is_word(builtin.name));
    }
}

#[test]
fn everything_else_is_generated_for_every_processor() {
    for gpu in &GPUS {
        check("rest", gpu, |builtin| !["atomic", "collective"].contains(&builtin.family.group));
    }
}
