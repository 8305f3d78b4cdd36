//! Command-line tests of llvm-to-ptx-tool: output, messages, exit status.

use crate::folder::{Folder, TWO_KERNELS, WITH_LINE, refused};
use sinter_core::{PtxTarget, Target};
use sinter_translate::assemble;
use std::{env, process::Command};

fn folder() -> Folder {
    Folder::new("llvm-to-ptx-tool")
}

/// True if NVIDIA's assembler is installed. Otherwise prints that the test is skipped.
fn has_ptxas() -> bool {
    let program = env::var_os("SINTER_PTXAS").unwrap_or_else(|| "ptxas".into());
    let found = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {} does not run; `pip install nvidia-cuda-nvcc-cu12` has it", program.display());
    }
    found
}

fn gpu(sm: u32, isa: u32) -> Target {
    Target::Ptx(PtxTarget { sm, isa, line_tables: false })
}

#[test]
fn does_what_all_these_tools_do() {
    let has_ptxas = has_ptxas();
    crate::alike::lists(&folder());
    crate::alike::refuses(&folder());
    crate::alike::constants_have_readable_names(&folder());
    crate::alike::replays(&folder(), gpu(80, 72), &["--target", "sm_80:ptx72"]);
    crate::alike::runs_examples(&folder(), gpu(90, 85), |example| has_ptxas || !example.contains("cubin"));
}

#[test]
fn says_which_line_code_comes_from() {
    let folder = folder();
    folder.write("k.ll", WITH_LINE);
    let code = |flags: &[&str]| folder.text(&[&["k.ll", "-o", "-"][..], flags].concat());
    assert!(!code(&[]).contains("kernel.cpp") && code(&["--line-tables"]).contains("kernel.cpp"));
}

#[test]
fn writes_ptx_for_the_target() {
    let folder = folder();
    let newest = folder.text(&["two.ll", "--kernel", "copy", "-o", "-"]);
    assert!(newest.contains(".version 8.5") && newest.contains(".target sm_90"), "{newest}");
    let older = folder.text(&["two.ll", "--kernel", "copy", "--target", "sm_80:ptx72", "-o", "-"]);
    assert!(older.contains(".version 7.2") && older.contains(".target sm_80"), "{older}");
    assert!(newest.contains(".entry copy("), "{newest}");
    let scale = folder.text(&["two.ll", "--kernel", "scale(int*", "--arg", "1=f32:2.5", "-o", "-"]);
    assert!(scale.contains(".entry _Z5scalePif(") && !scale.contains("copy"), "{scale}");
    let ir = folder.text(&["two.ll", "--kernel", "copy", "--emit", "ir", "-o", "-"]);
    assert!(ir.contains("nvptx64-nvidia-cuda"), "{ir}");
}

#[test]
fn writes_cubins() {
    if !has_ptxas() {
        return;
    }
    let folder = folder();
    for target in ["sm_90", "sm_75"] {
        let flags = ["two.ll", "--kernel", "copy", "--target", target, "--emit", "cubin", "-o", "copy.cubin"];
        folder.text(&flags);
        assert!(folder.read("copy.cubin").starts_with(b"\x7fELF"), "{target}");
    }
}

#[test]
fn says_where_the_assembler_comes_from() {
    let folder = folder();
    let flags = ["two.ll", "--kernel", "copy", "--emit", "cubin", "-o", "x"];
    let output = folder.run(&[&flags[..], &["--ptxas", "no-such-ptxas"]].concat());
    refused(&output, 1, "cannot run no-such-ptxas");
    refused(&output, 1, "nvidia-cuda-nvcc-cu12");
    let output = folder.run(&[&flags[..], &["--ptxas", "false"]].concat());
    refused(&output, 1, "false refuses the code for sm_90 (exit status: 1); it gives no reason");
    let output = folder.run(&[&flags[..], &["--ptxas", "true"]].concat());
    refused(&output, 1, "true wrote no cubin");
    let output = folder.command(&flags).env("SINTER_PTXAS", "named-ptxas").output();
    refused(&output.expect("the tool runs"), 1, "cannot run named-ptxas");
    assert!(!folder.path("x").exists());
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = folder();
    let targets = [
        ("h100", 2, "is not of the form sm_NN"),
        ("sm_60", 2, "GPUs from sm_70 on"),
        ("sm_90:ptx71", 2, "the nearest that will do is sm_86"),
        ("sm_120", 2, "pass --target sm_90"),
    ];
    for (target, code, text) in targets {
        refused(&folder.run(&["two.ll", "--kernel", "copy", "--target", target, "-o", "x"]), code, text);
    }
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "missing", "-o", "x"]), 1, "cannot read missing");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "so", "-o", "x"]), 2, "cubin");
    let large = ["--group-size", "2048", "-o", "x"];
    refused(
        &folder.run(&[&["two.ll", "--kernel", "copy"], &large[..]].concat()),
        1,
        "a work-group has at most 1024 work-items",
    );
    assert!(!folder.path("x").exists());
}

#[test]
fn a_library_that_is_no_bitcode_is_refused() {
    let folder = folder();
    let ir = "declare float @llvm.sin.f32(float)
define void @k(ptr %p) { %v = load float, ptr %p %s = call float @llvm.sin.f32(float %v) store float %s, ptr %p ret void }";
    folder.write("k.ll", ir);
    let own = folder.text(&["k.ll", "-o", "-"]);
    assert!(own.contains(".entry k("), "{own}");
    folder.write("other.bc", assemble(TWO_KERNELS.as_bytes()).expect("IR"));
    folder.write("cut.bc", b"BC\xC0\xDE\x35\x14");
    folder.write("empty", "");
    for (file, text) in [
        ("two.ll", "two.ll is not bitcode"),
        ("cut.bc", "cut.bc is not bitcode"),
        ("empty", "empty is not bitcode"),
        ("other.bc", "other.bc is not NVIDIA's libdevice"),
    ] {
        refused(&folder.run(&["k.ll", "--libdevice", file, "-o", "x"]), 1, &format!("--library: {text}"));
    }
}
