//! Calls every NVIDIA builtin except atomics from a kernel with constant order and scope, and runs
//! the code generator and, if it is found, NVIDIA's assembler. Representative instructions are
//! compared. Atomics need the translator, whose tests cover them.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{
    PTX_BUILTINS, PTX_MATH,
    table::{BUILTINS, Builtin, Provider},
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};
use support::{calls::kernels, file, folder, libdevice, ptxas, run, source, symbols, tool};

/// A GPU and its PTX version.
struct Gpu {
    cpu: &'static str,
    features: &'static str,
}

const HOPPER: Gpu = Gpu { cpu: "sm_90", features: "+ptx85" };
const AMPERE: Gpu = Gpu { cpu: "sm_80", features: "+ptx70" };
/// The oldest supported GPU.
const VOLTA: Gpu = Gpu { cpu: "sm_70", features: "+ptx63" };

/// Compiles C++ with kernels, links the libraries and generates code; returns the PTX.
fn generate(name: &str, code: &str, gpu: &Gpu) -> (PathBuf, String) {
    let folder = folder(&format!("ptx-{name}-{}", gpu.cpu));
    let text = format!(
        "#include \"builtins.hpp\"\n#define KERNEL extern \"C\" __attribute__((nvptx_kernel, convergent))\n{code}"
    );
    let [kernels, linked, optimised, ptx] =
        ["kernels.bc", "linked.bc", "optimised.bc", "code.ptx"].map(|f| folder.join(f));
    let libraries = [file(&folder, "builtins.bc", PTX_BUILTINS), file(&folder, "math.bc", PTX_MATH)];
    let mut clang = tool("clang++");
    clang.args([
        "--target=nvptx64-nvidia-cuda",
        "-std=c++17",
        "-O1",
        "-nostdinc",
        "-ffp-contract=off",
        "-c",
        "-emit-llvm",
    ]);
    clang.args(["-Xclang", "-target-cpu", "-Xclang", gpu.cpu, "-Xclang", "-target-feature", "-Xclang", gpu.features]);
    clang.arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
    run(clang.arg(file(&folder, "kernels.cpp", text.as_bytes())).arg("-o").arg(&kernels));
    let mut link = tool("llvm-link");
    run(link.args(["-only-needed", "-internalize"]).arg(&kernels).args(libraries).arg("-o").arg(&linked));
    let machine = [format!("-mcpu={}", gpu.cpu), format!("-mattr={}", gpu.features)];
    run(tool("opt").arg("-O2").args(&machine).arg(&linked).arg("-o").arg(&optimised));
    for symbol in symbols("--undefined-only", &optimised) {
        let is_known = ["vprintf", "__assertfail"].contains(&symbol.as_str()) || symbol.starts_with("llvm.");
        assert!(is_known, "{name} needs {symbol}");
    }
    run(tool("llc").args(&machine).arg(&optimised).arg("-o").arg(&ptx));
    let text = fs::read_to_string(&ptx).unwrap();
    (ptx, text)
}

fn assemble(ptx: &PathBuf, gpu: &Gpu) {
    let Some(ptxas) = ptxas() else {
        eprintln!("skipped: {} is not assembled: no ptxas in SINTER_PTXAS or PATH", ptx.display());
        return;
    };
    let cubin = ptx.with_extension("cubin");
    run(std::process::Command::new(ptxas).args(["-c", "-O0", "-arch", gpu.cpu]).arg(ptx).arg("-o").arg(cubin));
}

/// Generates and assembles kernels that call each of the selected builtins.
fn check(name: &str, gpu: &Gpu, choose: impl Fn(&Builtin) -> bool) {
    let mine = BUILTINS.iter().filter(|builtin| builtin.provider("ptx") == Some(Provider::Library));
    let code: String = mine.filter(|builtin| choose(builtin)).map(kernels).collect();
    assert!(!code.is_empty());
    let (ptx, text) = generate(name, &code, gpu);
    let entries = text.matches(".entry").count();
    assert_eq!(entries, code.matches("KERNEL").count());
    assemble(&ptx, gpu);
}

#[test]
fn collectives_of_work_groups_assemble() {
    check("groups", &HOPPER, |builtin| builtin.name.contains("work_group_") && builtin.name.contains("32"));
}

#[test]
fn collectives_of_all_types_assemble() {
    let is_other = |builtin: &Builtin| builtin.family.group == "collective" && !builtin.name.contains("32");
    check("types", &AMPERE, |builtin| is_other(builtin) && !builtin.name.contains("scan"));
    check("scans", &AMPERE, |builtin| is_other(builtin) && builtin.name.contains("inclusive_scan"));
}

#[test]
fn collectives_of_sub_groups_assemble_for_all_gpus() {
    for gpu in [&HOPPER, &AMPERE, &VOLTA] {
        check("sub-groups", gpu, |builtin| builtin.name.contains("sub_group") && builtin.name.contains("32"));
    }
}

#[test]
fn everything_else_assembles() {
    for gpu in [&HOPPER, &VOLTA] {
        check("rest", gpu, |builtin| !["atomic", "collective"].contains(&builtin.family.group));
    }
}

/// The instructions of a kernel with this body, without moves and addressing.
fn instructions(name: &str, body: &str, gpu: &Gpu) -> Vec<String> {
    let code = format!("KERNEL void kernel(i32 *p, i32 *q, f32 *f, f64 *d, i64 *l, i32 x) {{ {body} }}");
    let (ptx, text) = generate(name, &code, gpu);
    assemble(&ptx, gpu);
    let is_setup = |line: &&str| {
        ["ld.param", "cvta", "ret", "mov.", ".reg", "//", "{", "}", ".param", "st.", "cvt."]
            .iter()
            .any(|word| line.starts_with(word))
            && !line.starts_with("st.release")
            && !line.starts_with("st.relaxed")
    };
    let body = text.split_once('{').unwrap().1;
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty() && !is_setup(line));
    lines.map(|line| line.split_whitespace().next().unwrap().trim_end_matches(';').to_owned()).collect()
}

#[track_caller]
fn expect(name: &str, body: &str, expected: &[&str]) {
    assert_eq!(instructions(name, body, &HOPPER), expected, "{body}");
}

#[test]
fn barriers_fence_only_beyond_the_work_group() {
    let barrier = |scope: &str| format!("__acpp_sscp_work_group_barrier(scope::{scope}, order::acq_rel);");
    expect("barrier-group", &barrier("work_group"), &["bar.sync"]);
    expect("barrier-device", &barrier("device"), &["fence.acq_rel.gpu", "bar.sync"]);
    expect("fence", "__acpp_sscp_fence(order::seq_cst, scope::system);", &["fence.sc.sys"]);
    expect("fence-relaxed", "__acpp_sscp_fence(order::relaxed, scope::system);", &[]);
}

/// A definition with a known work-group size, which replaces the query.
const WARPS: &str = "extern \"C\" u64 __acpp_sscp_get_local_size_x() { return 64; }
extern \"C\" u64 __acpp_sscp_get_local_size_y() { return 1; }
extern \"C\" u64 __acpp_sscp_get_local_size_z() { return 1; }\n";

#[test]
fn a_reduction_of_a_whole_sub_group_is_one_instruction_where_there_is_one() {
    let code =
        format!("{WARPS}KERNEL void kernel(i32 *p) {{ *p = __acpp_sscp_sub_group_reduce_i32(operation::plus, *p); }}");
    let (_, new) = generate("redux", &code, &HOPPER);
    assert!(new.contains("redux.sync.add.s32") && !new.contains("shfl"), "{new}");
    let (_, old) = generate("redux", &code, &VOLTA);
    assert!(!old.contains("redux") && old.matches("shfl.sync.bfly").count() == 5 && !old.contains("%tid"), "{old}");
}

#[test]
fn a_reduction_of_a_work_group_has_two_barriers() {
    let code =
        format!("{WARPS}KERNEL void kernel(f32 *p) {{ *p = __acpp_sscp_work_group_reduce_f32(operation::plus, *p); }}");
    let (_, text) = generate("reduce", &code, &HOPPER);
    assert_eq!((text.matches("bar.sync").count(), text.matches("shfl.sync").count()), (2, 5), "{text}");
}

#[test]
fn native_functions_are_approximating_instructions() {
    let calls = [
        ("cos", "cos.approx.f32"),
        ("exp2", "ex2.approx.f32"),
        ("log2", "lg2.approx.f32"),
        ("recip", "rcp.approx.f32"),
        ("sin", "sin.approx.f32"),
        ("sqrt", "sqrt.approx.f32"),
        ("rsqrt", "rsqrt.approx.f32"),
    ];
    for (name, instruction) in calls {
        let body = format!("*f = __acpp_sscp_native_{name}_f32(*f);");
        let found = instructions(&format!("native-{name}"), &body, &HOPPER);
        assert!(found.contains(&instruction.to_owned()), "{name}: {found:?}");
    }
}

/// The most frequent functions, and limits for their instruction counts. Only large angles justify
/// a branch.
#[test]
fn common_functions_are_short_and_have_no_branches() {
    let most = [
        ("exp_f32(*f)", 12),
        ("exp10_f32(*f)", 12),
        ("expm1_f32(*f)", 24),
        ("log_f32(*f)", 28),
        ("log2_f32(*f)", 28),
        ("log10_f32(*f)", 30),
        ("log1p_f32(*f)", 30),
        ("erf_f32(*f)", 28),
        ("tanh_f32(*f)", 22),
        ("pow_f32(*f, f[1])", 95),
        ("cbrt_f32(*f)", 20),
        ("exp_f64(*d)", 40),
        ("log_f64(*d)", 50),
    ];
    for (number, (call, most)) in most.into_iter().enumerate() {
        let variable = if call.contains("*f") { "*f" } else { "*d" };
        let found = instructions(&format!("short-{number}"), &format!("{variable} = __acpp_sscp_{call};"), &HOPPER);
        assert!(found.len() <= most && !found.iter().any(|code| code == "bra"), "{call}, {}: {found:?}", found.len());
    }
}

/// The types of the functions that a module defines, as `result (parameters)`, by name.
fn types(module: &Path) -> BTreeMap<String, String> {
    let text = run(tool("llvm-dis").arg(module).args(["-o", "-"]));
    text.lines().filter_map(type_of).collect()
}

fn type_of(line: &str) -> Option<(String, String)> {
    const TYPES: [&str; 6] = ["void", "float", "double", "i32", "i64", "ptr"];
    let (head, rest) = line.strip_prefix("define ")?.split_once(" @")?;
    let (name, parameters) = rest.split_once('(')?;
    let word = |words: &str| words.split_whitespace().find(|word| TYPES.contains(word)).unwrap_or("?").to_owned();
    let parameters: Vec<String> = parameters.split_once(')')?.0.split(',').map(word).collect();
    Some((name.to_owned(), format!("{} {parameters:?}", word(head))))
}

#[test]
fn the_free_math_library_has_the_types_of_libdevice() {
    let Some(libdevice) = libdevice() else {
        eprintln!("skipped: no libdevice in SINTER_LIBDEVICE or beside ptxas to compare with");
        return;
    };
    let (theirs, ours) = (types(&libdevice), types(&file(&folder("libdevice"), "math.bc", PTX_MATH)));
    let ours: BTreeMap<_, _> = ours.into_iter().filter(|(name, _)| name.starts_with("__nv_")).collect();
    assert!(ours.len() > 100, "{}", ours.len());
    for (name, shape) in ours {
        assert_eq!(theirs.get(&name), Some(&shape), "{name}");
    }
}
