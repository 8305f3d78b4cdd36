//! Every AMD builtin, called from a kernel with constant order, scope and address space, goes
//! through the code generator for each generation of processors. Representative instructions are
//! compared.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{
    AMDGCN_BUILTINS, AMDGCN_MATH,
    table::{BUILTINS, Builtin, Provider},
};
use std::{collections::BTreeMap, fs, path::Path};
use support::{calls::kernels, file, folder, for_each_at_once, ocml, run, source, symbols, tool};

/// A processor, its version in the library's numbering, and its wave size.
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
const RDNA3_WIDE: &Gpu = &GPUS[8];
const RDNA4: &Gpu = &GPUS[9];

impl Gpu {
    fn name(&self) -> String {
        format!("{}-{}", self.cpu, self.wave)
    }

    /// Options for LLVM's tools.
    fn machine(&self) -> [String; 2] {
        [format!("-mcpu={}", self.cpu), format!("-mattr=+wavefrontsize{}", self.wave)]
    }

    /// Definitions of the target queries, which the translator would answer.
    fn answers(&self) -> String {
        format!(
            "extern \"C\" i32 __sinter_amdgcn_isa() {{ return {}; }}\n\
             extern \"C\" i32 __sinter_amdgcn_wave_size() {{ return {}; }}\n",
            self.isa, self.wave
        )
    }
}

const TARGET: [&str; 4] = ["--target=amdgcn-amd-amdhsa", "-nogpulib", "-Xclang", "-mcode-object-version=none"];

/// Compiles C++ with kernels, links the libraries and generates code; returns the assembly.
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
    // Kernels and target queries must stay visible up to here.
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

/// Generates code for kernels that call each of the selected builtins.
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
fn collectives_are_generated() {
    for gpu in [MI200, RDNA3] {
        check("collectives", gpu, |builtin| builtin.family.group == "collective");
    }
}

/// Of the atomic and collective builtins, those of representative types: their other types differ
/// in nothing that depends on the processor.
#[test]
fn every_processor_has_its_code() {
    let ends = |name: &str, all: &[&str]| all.iter().any(|end| name.ends_with(end));
    let is_chosen = |builtin: &Builtin| match builtin.family.group {
        "atomic" => ends(builtin.name, &["add_i32", "add_f32", "min_f64", "strong_i8"]),
        "collective" => ends(builtin.name, &["_i32", "_f32"]) || !builtin.name.contains("group_"),
        _ => true,
    };
    for_each_at_once(&GPUS, |gpu| check("all", gpu, is_chosen));
}

/// The key of an instruction in tests: its name without the encoding, plus its cache and lane
/// modifiers. `None` for an instruction that tests do not watch.
fn words(line: &str) -> Option<String> {
    const WATCHED: [&str; 11] = [
        "ds_",
        "global_",
        "flat_",
        "buffer_",
        "s_barrier",
        "v_permlane",
        "v_readlane",
        "v_sin",
        "v_exp",
        "v_log",
        "v_r",
    ];
    let (name, operands) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    let name = name.trim_end_matches("_e32").trim_end_matches("_e64");
    let says = |word: &&str| {
        ["glc", "sc0", "sc1", "scope:", "row_", "quad_"].iter().any(|start| word.starts_with(start))
            && !word.starts_with("row_mask")
    };
    let modifiers: Vec<&str> = operands.split_whitespace().filter(says).collect();
    let is_plain = modifiers.is_empty() && (name.starts_with("global_load") || name.starts_with("global_store"));
    let is_watched = !is_plain && WATCHED.iter().any(|start| name.starts_with(start)) || name.ends_with("_dpp");
    is_watched.then(|| [&[name], &modifiers[..]].concat().join(" "))
}

/// The watched instructions of a kernel with this body, in a work-group of 256.
fn instructions(name: &str, body: &str, gpu: &Gpu) -> Vec<String> {
    let parameters = "i32 *p, i32 *q, f32 *f, i32 *values, u32 place";
    let sizes: String = [("x", 256), ("y", 1), ("z", 1)]
        .map(|(axis, size)| format!("extern \"C\" u64 __acpp_sscp_get_local_size_{axis}() {{ return {size}; }}\n"))
        .concat();
    let code = format!(
        "{sizes}#define AT_PLACE(T) (T *)(__attribute__((address_space(3))) T *)place\n\
         KERNEL void kernel({parameters}) {{\n  i32 x = values[__acpp_sscp_get_local_id_x()];\n  {body}\n}}\n"
    );
    let text = generate(name, &code, gpu);
    let body = text.split_once("\nkernel:").unwrap().1.split_once("s_endpgm").unwrap().0;
    body.lines().filter_map(words).collect()
}

/// Compares the instructions on gfx942, gfx1100 and gfx1201.
#[track_caller]
fn expect(name: &str, body: &str, expected: [&[&str]; 3]) {
    for (gpu, expected) in [MI300, RDNA3, RDNA4].into_iter().zip(expected) {
        assert_eq!(instructions(name, body, gpu), expected, "{body} on {}", gpu.name());
    }
}

/// A relaxed operation in the generic address space uses the space that the optimiser infers: `p`
/// is a kernel parameter, hence global.
#[test]
fn an_atomic_with_constants_is_one_instruction() {
    expect(
        "relaxed",
        "__acpp_sscp_atomic_fetch_add_i32(space::generic, order::relaxed, scope::device, p + x, x);",
        [&["global_atomic_add"], &["global_atomic_add_u32"], &["global_atomic_add_u32 scope:SCOPE_DEV"]],
    );
    for order in ["relaxed", "seq_cst"] {
        let arguments = format!("space::local, order::{order}, scope::work_group, AT_PLACE(i32) + x, x");
        let all = instructions("ds-i32", &format!("__acpp_sscp_atomic_fetch_sub_i32({arguments});"), MI300);
        assert_eq!(all, ["ds_add_u32"], "{order}");
    }
    expect(
        "ds-f32",
        "__acpp_sscp_atomic_fetch_add_f32(space::local, order::relaxed, scope::work_group, AT_PLACE(f32) + x, 1);",
        [&["ds_add_f32"]; 3],
    );
}

#[test]
fn an_ordered_atomic_keeps_caches_coherent_as_far_as_its_scope() {
    expect(
        "exchange",
        "*q = __acpp_sscp_atomic_exchange_i32(space::global, order::seq_cst, scope::system, p + x, x);",
        [
            &["buffer_wbl2 sc0 sc1", "global_atomic_swap sc0 sc1", "buffer_inv sc0 sc1"],
            &["global_atomic_swap_b32 glc", "buffer_gl1_inv", "buffer_gl0_inv"],
            &["global_wb scope:SCOPE_SYS", "global_atomic_swap_b32 scope:SCOPE_SYS", "global_inv scope:SCOPE_SYS"],
        ],
    );
    expect(
        "acquire",
        "*q = __acpp_sscp_atomic_load_i32(space::global, order::acquire, scope::device, p);",
        [
            &["global_load_dword sc1", "buffer_inv sc1"],
            &["global_load_b32 glc", "buffer_gl1_inv", "buffer_gl0_inv"],
            &["global_load_b32 scope:SCOPE_DEV", "global_inv scope:SCOPE_DEV"],
        ],
    );
    expect(
        "release",
        "__acpp_sscp_atomic_store_i32(space::global, order::release, scope::system, p, x);",
        [
            &["buffer_wbl2 sc0 sc1", "global_store_dword sc0 sc1"],
            &[],
            &["global_wb scope:SCOPE_SYS", "global_store_b32 scope:SCOPE_SYS"],
        ],
    );
}

/// The instructions cannot access private memory.
#[test]
fn an_atomic_on_a_generic_pointer_asks_where_it_leads() {
    let body =
        "*q = __acpp_sscp_atomic_fetch_add_i32(space::generic, order::relaxed, scope::device, (i32 *)(u64)x, x);";
    let all = instructions("generic", body, MI300);
    assert_eq!(all, ["flat_atomic_add sc0", "flat_load_dword", "flat_store_dword"]);
}

#[test]
fn barriers_release_before_and_acquire_behind() {
    expect(
        "barrier-group",
        "__acpp_sscp_work_group_barrier(scope::work_group, order::seq_cst);",
        [
            &["s_barrier"],
            &["s_barrier", "buffer_gl0_inv"],
            &["global_wb scope:SCOPE_SE", "s_barrier_signal", "s_barrier_wait", "global_inv scope:SCOPE_SE"],
        ],
    );
    expect(
        "barrier-device",
        "__acpp_sscp_work_group_barrier(scope::device, order::acq_rel);",
        [
            &["buffer_wbl2 sc1", "s_barrier", "buffer_inv sc1"],
            &["s_barrier", "buffer_gl1_inv", "buffer_gl0_inv"],
            &["global_wb scope:SCOPE_DEV", "s_barrier_signal", "s_barrier_wait", "global_inv scope:SCOPE_DEV"],
        ],
    );
    expect("barrier-wave", "__acpp_sscp_sub_group_barrier(scope::sub_group, order::seq_cst);", [&[]; 3]);
    expect(
        "fence",
        "__acpp_sscp_fence(order::seq_cst, scope::system);",
        [
            &["buffer_wbl2 sc0 sc1", "buffer_inv sc0 sc1"],
            &["buffer_gl1_inv", "buffer_gl0_inv"],
            &["global_wb scope:SCOPE_SYS", "global_inv scope:SCOPE_SYS"],
        ],
    );
    expect("fence-relaxed", "__acpp_sscp_fence(order::relaxed, scope::system);", [&[]; 3]);
}

/// The additions of a reduction within a row, one instruction each.
fn row(add: &str) -> Vec<String> {
    ["quad_perm:[1,0,3,2]", "quad_perm:[2,3,0,1]", "row_half_mirror", "row_mirror"]
        .map(|lanes| format!("{add}_dpp {lanes}"))
        .to_vec()
}

#[test]
fn a_reduction_exchanges_words_within_rows_and_reads_one_lane_of_each() {
    for (gpu, add, rows) in [(MI300, "v_add_u32", 4), (RDNA3, "v_add_nc_u32", 2), (RDNA3_WIDE, "v_add_nc_u32", 4)] {
        let all = instructions("reduce", "*q = __acpp_sscp_sub_group_reduce_i32(operation::plus, x);", gpu);
        assert_eq!(all, [row(add), vec!["v_readlane_b32".to_owned(); rows]].concat(), "{}", gpu.name());
    }
    let all = instructions("reduce-group", "*q = __acpp_sscp_work_group_reduce_i32(operation::plus, x);", MI300);
    assert_eq!(all.iter().filter(|name| *name == "s_barrier").count(), 2, "{all:?}");
    assert!(all.ends_with(&["ds_write_b32", "s_barrier", "ds_read_b128", "s_barrier"].map(str::to_owned)), "{all:?}");
}

/// From gfx10 on the halves of a wave of 64 permute their words separately.
#[test]
fn a_value_of_another_item_is_found_in_both_halves_of_a_wave() {
    let body = "values[x] = __acpp_sscp_sub_group_select_i32(x, p[x]);";
    let (whole, turns) = (vec!["ds_bpermute_b32"], vec!["v_readlane_b32"]);
    let halves = vec!["v_permlane64_b32", "ds_bpermute_b32", "ds_bpermute_b32"];
    let expected = [&whole, &whole, &whole, &whole, &whole, &whole, &turns, &whole, &halves, &whole, &halves];
    for (gpu, expected) in GPUS.iter().zip(expected) {
        assert_eq!(instructions("select", body, gpu), *expected, "{}", gpu.name());
    }
    expect("broadcast", "*q = __acpp_sscp_sub_group_broadcast_i32(3, x);", [&["v_readlane_b32"]; 3]);
}

#[test]
fn native_functions_are_instructions() {
    let cases: [(&str, &[&str]); 5] = [
        ("sin_f32(f[x])", &["v_sin_f32"]),
        ("exp10_f32(f[x])", &["v_exp_f32"]),
        ("powr_f32(f[x], 3)", &["v_log_f32", "v_exp_f32"]),
        ("rsqrt_f32(f[x])", &["v_rsq_f32"]),
        ("divide_f32(3, f[x])", &["v_rcp_f32"]),
    ];
    for (number, (call, expected)) in cases.into_iter().enumerate() {
        expect(&format!("native-{number}"), &format!("f[x] = __acpp_sscp_native_{call};"), [expected; 3]);
    }
}

/// The types of the functions that a module defines, as `result (parameters)`, by name.
fn types(module: &Path) -> BTreeMap<String, String> {
    let text = run(tool("llvm-dis").arg(module).args(["-o", "-"]));
    text.lines().filter_map(type_of).collect()
}

fn type_of(line: &str) -> Option<(String, String)> {
    const TYPES: [&str; 6] = ["half", "float", "double", "i32", "ptr", "addrspace(5)"];
    let (head, rest) = line.strip_prefix("define ")?.split_once(" @")?;
    let (name, parameters) = rest.split_once('(')?;
    let words = |text: &str| text.split_whitespace().filter(|word| TYPES.contains(word)).collect::<Vec<_>>().join(" ");
    let end = parameters.rfind(')')?;
    let parameters: Vec<String> = parameters[..end].split(',').map(words).collect();
    Some((name.to_owned(), format!("{} {parameters:?}", words(head))))
}

#[test]
fn the_free_math_library_has_the_types_of_ocml() {
    let Some(ocml) = ocml() else {
        eprintln!("skipped: no ocml.bc in SINTER_OCML or where Debian and ROCm have it to compare with");
        return;
    };
    let (theirs, ours) = (types(&ocml), types(&file(&folder("ocml"), "math.bc", AMDGCN_MATH)));
    let ours: BTreeMap<_, _> = ours.into_iter().filter(|(name, _)| name.starts_with("__ocml_")).collect();
    assert!(ours.len() > 150, "{}", ours.len());
    for (name, shape) in ours {
        assert_eq!(theirs.get(&name), Some(&shape), "{name}");
    }
}
