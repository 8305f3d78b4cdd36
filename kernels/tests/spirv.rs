//! SPIR-V builtins call only existing instructions, with valid operands, and queries that the
//! translator answers; code for a device uses no feature that it lacks.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use rspirv::{
    grammar::{INSTRUCTION_TABLE, LogicalOperand, OPENCL_STD_100_INSTRUCTION_TABLE, OperandKind, OperandQuantifier},
    spirv::BuiltIn,
};
use sinter_core::SpirvFeature;
use sinter_kernels::{
    SPIRV_BUILTINS,
    table::{BUILTINS, Builtin, Provider, find},
};
use std::{collections::BTreeSet, fs, process::Command, str::FromStr};
use support::{calls::kernels, file, folder, run, source, tool};

const OPERATION: &str = "__sinter_spirv_op_";
const OPENCL: &str = "__sinter_spirv_ocl_";
const VARIABLE: &str = "__sinter_spirv_builtin_";
const FEATURE: &str = "__sinter_spirv_has_";

/// The LLVM intrinsics with a SPIR-V instruction that a library may use, traps, and the class test
/// into which the optimiser turns comparisons.
const INTRINSICS: &str = "fabs floor ceil trunc rint round sqrt fma fmuladd minnum maxnum copysign ctpop ctlz cttz abs \
    smax smin umax umin fshl fshr lifetime.start lifetime.end is.fpclass trap";

/// Other functions that the translator provides.
const OTHERS: [&str; 7] = [
    "__sinter_spirv_sub_group_size",
    "__sinter_spirv_is_shader",
    "__sinter_spirv_flat_x",
    "__sinter_spirv_flat_y",
    "__sinter_spirv_flat_z",
    "__sinter_spirv_print",
    "__sinter_spirv_report",
];

/// A call: the function and its arguments as they are written.
struct Call {
    name: String,
    arguments: Vec<String>,
}

fn call(line: &str) -> Option<Call> {
    let (_, rest) = line.split_once(" call ")?;
    let (name, rest) = rest.split_once('@').expect("no call through a pointer").1.split_once('(')?;
    let list = &rest[..rest.rfind(')')?];
    let arguments = list.split(", ").filter(|argument| !argument.is_empty()).map(str::to_owned).collect();
    Some(Call { name: name.to_owned(), arguments })
}

fn calls(module: &[u8], name: &str) -> Vec<Call> {
    let text = run(tool("llvm-dis").arg(file(&folder("spirv"), name, module)).args(["-o", "-"]));
    assert!(!text.contains(" asm ") && !text.contains(" = alloca ") && !text.contains("invoke "));
    text.lines().filter_map(call).collect()
}

impl Call {
    /// The part of the name between a prefix and two underscores.
    fn stem(&self, prefix: &str) -> Option<&str> {
        let rest = self.name.strip_prefix(prefix)?;
        Some(rest.split_once("__").map_or(rest, |(stem, _)| stem))
    }

    /// The value of a constant argument.
    fn number(&self, index: usize) -> u32 {
        let word = self.arguments[index].rsplit(' ').next().unwrap();
        word.parse().unwrap_or_else(|_| panic!("{}: {} is no constant", self.name, self.arguments[index]))
    }

    fn check_operands(&self, operands: &[LogicalOperand]) {
        let is_given =
            |operand: &&LogicalOperand| !matches!(operand.kind, OperandKind::IdResultType | OperandKind::IdResult);
        let operands: Vec<_> = operands.iter().filter(is_given).collect();
        let least = operands.iter().filter(|operand| operand.quantifier == OperandQuantifier::One).count();
        assert!(
            (least..=operands.len()).contains(&self.arguments.len()),
            "{}: {} operands",
            self.name,
            self.arguments.len()
        );
        for (index, operand) in operands.iter().enumerate().take(self.arguments.len()) {
            match operand.kind {
                OperandKind::IdRef => {}
                OperandKind::IdScope => assert!(self.number(index) <= 3, "{}", self.name),
                OperandKind::IdMemorySemantics => self.check_semantics(index),
                OperandKind::GroupOperation => assert!(self.number(index) <= 2, "{}", self.name),
                kind => panic!("{}: {kind:?} is not expected", self.name),
            }
        }
    }

    /// Fails unless the semantics have at most one order, which must be valid for the instruction,
    /// and some memory.
    fn check_semantics(&self, index: usize) {
        const RELEASES: u32 = 0x4 | 0x8;
        const ACQUIRES: u32 = 0x2 | 0x8;
        let semantics = self.number(index);
        let order = semantics & 0x1e;
        assert!(order.count_ones() <= 1 && (order == 0) == (semantics == 0), "{}: {semantics:#x}", self.name);
        assert!(semantics & !0x31e == 0 && (order == 0 || semantics & 0x300 == 0x300), "{}: {semantics:#x}", self.name);
        let forbidden = match self.stem(OPERATION) {
            Some("AtomicLoad") => RELEASES,
            Some("AtomicStore") => ACQUIRES,
            Some("AtomicCompareExchange") if index == 3 => RELEASES,
            _ => 0,
        };
        assert_eq!(semantics & forbidden, 0, "{}: {semantics:#x}", self.name);
    }

    fn check(&self) {
        if let Some(name) = self.stem(OPERATION) {
            let found = INSTRUCTION_TABLE.iter().find(|instruction| instruction.opname == name);
            self.check_operands(found.unwrap_or_else(|| panic!("no instruction {name}")).operands);
        } else if let Some(name) = self.stem(OPENCL) {
            let found = OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|instruction| instruction.opname == name);
            self.check_operands(found.unwrap_or_else(|| panic!("no instruction {name}")).operands);
        } else if let Some(name) = self.stem(VARIABLE) {
            BuiltIn::from_str(name).unwrap_or_else(|()| panic!("no variable {name}"));
            self.arguments.iter().enumerate().for_each(|(index, _)| assert!(self.number(index) < 3));
        } else if let Some(name) = self.stem(FEATURE) {
            assert!(SpirvFeature::all().any(|feature| feature.name().replace('-', "_") == name), "no feature {name}");
        } else if let Some(name) = self.name.strip_prefix("llvm.") {
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            assert!(INTRINSICS.split_whitespace().any(|known| known == stem), "{name}");
        } else {
            assert!(OTHERS.contains(&self.name.as_str()) || find(&self.name).is_some(), "{}", self.name);
        }
    }
}

/// Scopes and semantics are constants in each call, and so also in unoptimised code.
#[test]
fn calls_are_instructions_with_their_operands() {
    let calls = calls(SPIRV_BUILTINS, "whole.bc");
    assert!(calls.len() > 1000, "{} calls", calls.len());
    calls.iter().for_each(Call::check);
}

/// A device with some features.
struct Device {
    name: &'static str,
    features: &'static [&'static str],
}

const DEVICES: [Device; 4] = [
    Device { name: "all", features: ALL },
    Device { name: "none", features: &[] },
    Device { name: "sub-groups", features: &["sub_groups"] },
    Device { name: "cpu", features: &["fp16", "sub_groups", "sub_group_arithmetic", "sub_group_shuffle"] },
];

const ALL: &[&str] = &[
    "fp16",
    "atomic_add_f32",
    "atomic_add_f64",
    "atomic_min_max_f32",
    "atomic_min_max_f64",
    "sub_groups",
    "sub_group_vote",
    "sub_group_arithmetic",
    "sub_group_shuffle",
    "sub_group_shuffle_relative",
    "uniform_group_arithmetic",
];

/// Name prefixes of instructions, and the features that they need.
const NEEDS: [(&str, &str); 13] = [
    ("op_AtomicFAddEXT__f32", "atomic_add_f32"),
    ("op_AtomicFAddEXT__f64", "atomic_add_f64"),
    ("op_AtomicFMinEXT__f32", "atomic_min_max_f32"),
    ("op_AtomicFMaxEXT__f64", "atomic_min_max_f64"),
    ("op_GroupNonUniformShuffle__", "sub_group_shuffle"),
    ("op_GroupNonUniformShuffleXor", "sub_group_shuffle"),
    ("op_GroupNonUniformShuffleUp", "sub_group_shuffle_relative"),
    ("op_GroupNonUniformShuffleDown", "sub_group_shuffle_relative"),
    ("op_GroupNonUniformAll", "sub_group_vote"),
    ("op_GroupNonUniformIAdd", "sub_group_arithmetic"),
    ("op_GroupIMulKHR", "uniform_group_arithmetic"),
    ("op_GroupBroadcast", "sub_groups"),
    ("builtin_Subgroup", "sub_groups"),
];

impl Device {
    fn answers(&self) -> String {
        let answer = |name: &&str| {
            format!(
                "extern \"C\" i32 __sinter_spirv_has_{name}() {{ return {}; }}\n",
                self.features.contains(name) as u8
            )
        };
        let zero = |name: &str| format!("extern \"C\" i32 __sinter_spirv_{name}() {{ return 0; }}\n");
        let zeros = ["sub_group_size", "is_shader", "flat_x", "flat_y", "flat_z"].map(zero);
        ALL.iter().map(answer).chain(zeros).collect()
    }

    /// Compiles C++ with kernels, links the library and optimises; returns the textual IR.
    fn optimise(&self, name: &str, code: &str) -> String {
        let folder = folder(&format!("spirv-{name}-{}", self.name));
        let text = format!(
            "#include \"builtins.hpp\"\n#define KERNEL extern \"C\" __attribute__((convergent))\n{}{code}",
            self.answers()
        );
        let [kernels, linked, optimised] = ["kernels.bc", "linked.bc", "optimised.ll"].map(|file| folder.join(file));
        let library = file(&folder, "builtins.bc", SPIRV_BUILTINS);
        let mut clang = tool("clang++");
        clang.args(["--target=nvptx64-nvidia-cuda", "-std=c++17", "-O1", "-nostdinc", "-ffp-contract=off"]);
        clang.args(["-c", "-emit-llvm"]);
        clang.arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
        run(clang.arg(file(&folder, "kernels.cpp", text.as_bytes())).arg("-o").arg(&kernels));
        run(tool("llvm-link").arg("-only-needed").arg(&kernels).arg(library).arg("-o").arg(&linked));
        // Kernels and device queries must stay visible up to here.
        let visible: Vec<String> = text.lines().filter_map(kernel_name).collect();
        let keep = format!("-internalize-public-api-list={}", visible.join(","));
        let mut opt = tool("opt");
        run(opt.args(["-S", "-passes=internalize,default<O2>", &keep]).arg(&linked).arg("-o").arg(&optimised));
        fs::read_to_string(&optimised).unwrap()
    }

    /// The functions for instructions that kernels with the selected builtins call.
    fn used(&self, name: &str, choose: impl Fn(&Builtin) -> bool) -> BTreeSet<String> {
        let mine = BUILTINS.iter().filter(|builtin| builtin.provider("spirv") == Some(Provider::Library));
        let code: String = mine.filter(|builtin| choose(builtin)).map(kernels).collect();
        assert!(!code.is_empty());
        let text = self.optimise(name, &code);
        let declared = text.lines().filter(|line| line.starts_with("declare "));
        let names = declared.filter_map(|line| Some(line.split_once('@')?.1.split_once('(')?.0.to_owned()));
        names.collect()
    }
}

fn kernel_name(line: &str) -> Option<String> {
    let (name, _) = line.strip_prefix("KERNEL void ")?.split_once('(')?;
    Some(name.to_owned())
}

fn is_collective(builtin: &Builtin) -> bool {
    ["collective", "sub-group", "barrier"].contains(&builtin.family.group)
}

#[test]
fn a_device_gets_the_instructions_that_it_has() {
    for device in &DEVICES {
        let chosen = |builtin: &Builtin| {
            let name = builtin.name;
            is_collective(builtin) && (!name.contains("scan") || name.contains("i32"))
                || ["add_f32", "add_f64", "min_f32", "max_f64"].iter().any(|end| name.ends_with(end))
        };
        let used = device.used("features", chosen);
        for (start, feature) in NEEDS {
            let is_used = used.iter().any(|name| name.trim_start_matches("__sinter_spirv_").starts_with(start));
            assert_eq!(is_used, device.features.contains(&feature), "{start} for {}", device.name);
        }
        assert!(!used.iter().any(|name| name.starts_with(FEATURE) || name.ends_with("sub_group_size")), "{used:?}");
    }
}

/// An operation with constant order, scope and address space is one instruction.
#[test]
fn an_atomic_with_constants_is_one_instruction() {
    let code = "KERNEL void kernel(i32 *p, i32 x, i32 *r) {\n  \
        *r = __acpp_sscp_atomic_fetch_add_i32(space::global, order::acq_rel, scope::device, p, x);\n}\n";
    let text = DEVICES[0].optimise("one", code);
    let calls: Vec<Call> = text.lines().filter_map(call).collect();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].name, "__sinter_spirv_op_AtomicIAdd__u32_global");
    assert_eq!((calls[0].number(1), calls[0].number(2)), (1, 0x308));
}

#[test]
fn atomics_and_halves_compute_what_the_specification_says() {
    for (add, min_max) in [(0, 0), (1, 1)] {
        let program = folder(&format!("spirv-memory-{add}")).join("program");
        let mut compile = tool("clang++");
        // Debian 12's libgcc has no half precision conversions, so the CPU must have them.
        compile.args(["-std=c++17", "-O1", "-march=native", "-fwrapv", "-fno-strict-aliasing"]);
        compile.args([format!("-DADD={add}"), format!("-DMIN_MAX={min_max}")]);
        compile.arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
        compile.args(["-include", "builtins.hpp"]).arg(source("tests/memory.cpp"));
        run(compile.arg("-o").arg(&program));
        run(&mut Command::new(program));
    }
}
