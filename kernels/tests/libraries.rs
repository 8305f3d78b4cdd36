//! Each library defines exactly the functions in the table, depends only on what its target
//! provides, and names no machine.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::{
    AMDGCN_BUILTINS, AMDGCN_MATH, HOST_BUILTINS, PTX_BUILTINS, PTX_MATH, SPIRV_BUILTINS, slices,
    table::{BUILTINS, FUNCTIONS, Origin, Provider, TARGETS},
};
use std::{collections::BTreeSet, env, path::PathBuf};
use support::{file, folder, run, source, symbols, tool};

/// The libraries of the targets, by column name.
const LIBRARIES: [(&str, &[u8]); 4] =
    [("host", HOST_BUILTINS), ("ptx", PTX_BUILTINS), ("amdgcn", AMDGCN_BUILTINS), ("spirv", SPIRV_BUILTINS)];

fn library(name: &str, bytes: &[u8]) -> PathBuf {
    file(&folder("libraries"), name, bytes)
}

fn provided(target: &str) -> BTreeSet<String> {
    let mine = BUILTINS.iter().filter(|builtin| builtin.provider(target) == Some(Provider::Library));
    mine.map(|builtin| builtin.name.to_owned()).collect()
}

/// True for a part of the host's atomics that the translator inlines later than the rest.
fn is_late(name: &str) -> bool {
    name.starts_with("__sinter_update_")
}

/// True for local memory of the collectives and for literals, which are not functions and not part
/// of the interface.
fn is_data(name: &str) -> bool {
    let is_array = |array: &&str| name.ends_with(&format!("{array}E")) || name == format!("_ZL5{array}");
    ["slots", "totals", "words", "long_words"].iter().any(is_array)
        || name.starts_with("__sinter_group_")
        || name == "__sinter_sent"
}

/// True for the part of a row in collectives of the host, which the translator links when it knows
/// the lanes.
fn is_of_row(name: &str) -> bool {
    name.starts_with("__sinter_row_")
}

#[test]
fn every_target_has_a_library() {
    assert_eq!(TARGETS, LIBRARIES.map(|(target, _)| target));
}

#[test]
fn names_are_unique() {
    let names: BTreeSet<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    assert_eq!(names.len(), BUILTINS.len());
}

#[test]
fn a_library_defines_exactly_its_column() {
    for (target, bytes) in LIBRARIES {
        let mut defined = symbols("--defined-only", &library(&format!("{target}-defined.bc"), bytes));
        defined.retain(|name| !is_data(name) && !is_late(name));
        let expected = provided(target);
        assert_eq!(expected.difference(&defined).collect::<Vec<_>>(), Vec::<&String>::new(), "missing for {target}");
        assert_eq!(defined.difference(&expected).collect::<Vec<_>>(), Vec::<&String>::new(), "unexpected for {target}");
    }
}

#[test]
fn the_host_needs_only_libc_libm_and_what_its_backend_provides() {
    let by_backend = |name: &String| {
        BUILTINS.iter().any(|builtin| builtin.name == name && builtin.provider("host") == Some(Provider::Backend))
    };
    let undefined = symbols("--undefined-only", &library("host-undefined.bc", HOST_BUILTINS));
    for name in undefined.into_iter().filter(|name| !by_backend(name) && !is_of_row(name)) {
        assert!(!name.starts_with('_') || name == "__assert_fail", "{name} is neither libc's nor libm's");
    }
}

/// The libraries for rows define what the host's library leaves to them, and need nothing but the
/// primitives that the translator defines.
#[test]
fn rows_have_their_part_in_collectives() {
    let undefined = symbols("--undefined-only", &library("host-rows-undefined.bc", HOST_BUILTINS));
    let wanted: Vec<String> = undefined.into_iter().filter(|name| is_of_row(name)).collect();
    assert!(wanted.len() > 30, "{wanted:?}");
    for lanes in [1, 4, 8, 16, 32, 64] {
        let rows = slices::host_rows(lanes).unwrap();
        for name in &wanted {
            let slice = library("row.bc", rows.slice(name).unwrap_or_else(|| panic!("{lanes} lanes lack {name}")));
            for needed in symbols("--undefined-only", &slice) {
                let is_fact = needed.starts_with("__sinter_row_is_");
                assert!(is_fact || lanes > 1 && needed.starts_with("__sinter_sub_group_"), "{name} needs {needed}");
            }
        }
    }
}

#[test]
fn ptx_needs_only_libdevice_and_the_driver() {
    let math = symbols("--defined-only", &library("ptx-math.bc", PTX_MATH));
    for name in symbols("--undefined-only", &library("ptx-undefined.bc", PTX_BUILTINS)) {
        let is_known = ["vprintf", "__assertfail", "__nvvm_reflect"].contains(&name.as_str());
        assert!(is_known || name.starts_with("llvm.") || math.contains(&name), "{name}");
    }
}

/// Vendor library functions that the translator may call for an LLVM intrinsic, besides those of
/// the table.
const MAPPED: &str = "powi round rint trunc floor ceil fma fmin fmax copysign ldexp frexp modf ilogb fdim remquo sincos \
    sincospi sqrt fabs nearbyint";

fn mapped() -> impl Iterator<Item = &'static str> {
    let vendor = FUNCTIONS.iter().filter(|function| function.family.origin == Origin::Vendor);
    vendor.map(|function| function.name).chain(MAPPED.split_whitespace())
}

#[test]
fn the_math_library_has_what_libdevice_is_used_for_and_needs_nothing() {
    let path = library("ptx-math-whole.bc", PTX_MATH);
    let (defined, undefined) = (symbols("--defined-only", &path), symbols("--undefined-only", &path));
    for name in mapped().flat_map(|name| [format!("__nv_{name}"), format!("__nv_{name}f")]) {
        assert!(defined.contains(&name), "{name}");
    }
    assert!(undefined.iter().all(|name| name.starts_with("llvm.")), "{undefined:?}");
}

#[test]
fn amdgcn_needs_only_ocml_and_what_the_translator_answers() {
    let math = symbols("--defined-only", &library("amdgcn-math.bc", AMDGCN_MATH));
    for name in symbols("--undefined-only", &library("amdgcn-undefined.bc", AMDGCN_BUILTINS)) {
        let is_answer = ["__sinter_amdgcn_isa", "__sinter_amdgcn_wave_size"].contains(&name.as_str());
        assert!(is_answer || name.starts_with("llvm.") || math.contains(&name), "{name}");
    }
}

/// ocml functions with two results or another argument, whose names differ from libdevice's.
const OCML: &str = "pown scalbn sincos sincospi ldexp frexp modf ilogb remquo nearbyint";

#[test]
fn the_free_ocml_has_all_types_and_needs_nothing() {
    let path = library("amdgcn-math-whole.bc", AMDGCN_MATH);
    let (defined, undefined) = (symbols("--defined-only", &path), symbols("--undefined-only", &path));
    let names = mapped().filter(|name| *name != "powi").chain(OCML.split_whitespace());
    for name in names.flat_map(|name| ["f16", "f32", "f64"].map(|ty| format!("__ocml_{name}_{ty}"))) {
        assert!(defined.contains(&name), "{name}");
    }
    assert!(undefined.iter().all(|name| name.starts_with("llvm.")), "{undefined:?}");
}

/// The defined names of a module, without data.
fn functions(path: &std::path::Path) -> BTreeSet<String> {
    symbols("--defined-only", path).into_iter().filter(|name| name.starts_with("__")).collect()
}

#[test]
fn the_slices_are_the_libraries() {
    let libraries = [
        ("ptx", PTX_BUILTINS, &slices::PTX_BUILTINS),
        ("ptx-math", PTX_MATH, &slices::PTX_MATH),
        ("amdgcn", AMDGCN_BUILTINS, &slices::AMDGCN_BUILTINS),
        ("amdgcn-math", AMDGCN_MATH, &slices::AMDGCN_MATH),
        ("spirv", SPIRV_BUILTINS, &slices::SPIRV_BUILTINS),
    ];
    for (name, whole, sliced) in libraries {
        let names: BTreeSet<String> = sliced.names().map(str::to_owned).collect();
        assert_eq!(names, functions(&library(&format!("{name}-whole.bc"), whole)));
        assert!(names.iter().all(|name| sliced.slice(name).is_some()));
        assert!(sliced.slice("__acpp_sscp_no_such_function").is_none());
    }
}

#[test]
fn a_slice_defines_its_function_and_declares_the_queries() {
    let bytes = slices::PTX_BUILTINS.slice("__acpp_sscp_work_group_reduce_f32").unwrap();
    let path = library("slice.bc", bytes);
    let is_reduction = |name: &String| name.starts_with("__acpp_sscp_work_group_reduce_");
    assert!(
        functions(&path).iter().all(is_reduction) && functions(&path).contains("__acpp_sscp_work_group_reduce_f32")
    );
    assert!(symbols("--undefined-only", &path).contains("__acpp_sscp_get_local_size_x"));
    let sine = library("sine.bc", slices::PTX_MATH.slice("__nv_sinf").unwrap());
    assert_eq!(functions(&sine).into_iter().collect::<Vec<_>>(), ["__nv_sinf"]);
}

#[test]
fn no_library_names_a_cpu_or_a_path() {
    for (name, bytes) in LIBRARIES.into_iter().chain([("ptx-math", PTX_MATH), ("amdgcn-math", AMDGCN_MATH)]) {
        let text = run(tool("llvm-dis").arg(library(&format!("{name}-text.bc"), bytes)).args(["-o", "-"]));
        // The first line is added by llvm-dis.
        for line in text.lines().skip(1) {
            let bound = [
                "target-cpu",
                "target-features",
                "tune-cpu",
                env!("CARGO_MANIFEST_DIR"),
                "!llvm.module.flags",
                "amdgpu-",
            ];
            assert!(!bound.iter().any(|word| line.contains(word)), "{line}");
        }
    }
}

#[test]
fn the_host_computes_what_the_specification_says() {
    run_on_host("values");
}

/// The items run one by one, in their order, as they do on the host.
#[test]
fn work_items_of_a_group_exchange_values() {
    run_on_host("groups");
}

/// Compiles a program of this folder, links it with the library, and that for rows of one
/// work-item, and runs it.
fn run_on_host(name: &str) {
    let folder = folder(name);
    let (program, library) = (folder.join("program"), file(&folder, "host.bc", HOST_BUILTINS));
    let rows = slices::host_rows(1).unwrap();
    let of_rows: BTreeSet<_> = rows.names().filter_map(|name| rows.slice(name)).collect();
    let of_rows = (0..).zip(of_rows).map(|(number, slice)| file(&folder, &format!("rows-{number}.bc"), slice));
    let mut compile = tool("clang++");
    // Debian 12's libgcc has no half precision conversions, so the CPU must have them.
    compile.args(["-std=c++17", "-O1", "-march=native", "-pthread", "-Wno-override-module"]);
    compile.arg("-fwrapv").arg("-I").arg(source("builtins/generic")).arg("-I").arg(env!("SINTER_KERNELS_OUT"));
    compile.arg("-DIN_ORDER").arg(source(&format!("tests/{name}.cpp"))).arg(library).args(of_rows);
    run(compile.args(["-lm", "-o"]).arg(&program));
    run(&mut std::process::Command::new(program));
}
