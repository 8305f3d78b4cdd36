//! The command line of `llvm-to-spirv-tool`.

#[path = "../../common/translate/tests/shared/folder.rs"]
mod folder;

use folder::{Folder, TWO_KERNELS, refused};
use sinter_core::{Image, KernelConfig, Target, TranslateRequest};
use sinter_translate::{assemble, native_target};
use std::fs;

/// The first word of every module (SPIR-V, 3.1).
const MAGIC: [u8; 4] = 0x0723_0203u32.to_le_bytes();

fn folder() -> Folder {
    Folder::new(env!("CARGO_BIN_EXE_llvm-to-spirv-tool"))
}

fn request(target: Target) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(TWO_KERNELS.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target,
        config: KernelConfig::generic("copy"),
    }
}

fn device(text: &str) -> Target {
    Target::Spirv(text.parse().expect("a target"))
}

#[test]
fn lists() {
    let folder = folder();
    assert_eq!(folder.text(&["--list-kernels", "two.ll"]), "copy\n_Z5scalePif (scale(int*, float))\n");
    assert_eq!(folder.text(&["--list-kernels", "--json", "two.ll"]), "[\"copy\",\"_Z5scalePif\"]\n");
    assert!(folder.text(&["--print-steps"]).starts_with("parse\nimports\nlaunch-shape\nspecialize\n"));
}

#[test]
fn writes_text_for_the_version_and_the_interface() {
    let folder = folder();
    let flags = ["two.ll", "--kernel", "copy", "--emit", "text", "-o", "-"];
    let text = |more: &[&str]| folder.text(&[&flags[..], more].concat());
    let usual = text(&[]);
    assert!(usual.contains("; Version: 1.4") && usual.contains("OpEntryPoint Kernel %1 \"copy\""), "{usual}");
    assert!(text(&["--spirv-version", "1.1"]).contains("; Version: 1.1"));
    assert_eq!(text(&["--env", "level-zero"]), usual);
    assert_eq!(text(&["--env", "opencl"]), text(&["--env", "opencl2.1"]));
    let scale = ["two.ll", "--kernel", "scale(int*", "--arg", "1=f32:2.5", "--emit", "text", "-o", "-"];
    let scale = folder.text(&scale);
    assert_eq!(scale.matches("OpFunctionParameter").count(), 1, "{scale}");
    let ir = folder.text(&["two.ll", "--kernel", "copy", "--emit", "ir", "-o", "-"]);
    assert!(ir.contains("define spir_kernel void @copy(ptr addrspace(1)"), "{ir}");
}

#[test]
fn writes_words() {
    let folder = folder();
    folder.text(&["two.ll", "--kernel", "copy", "-o", "copy.spv"]);
    let words = fs::read(folder.path("copy.spv")).expect("output");
    assert!(words.starts_with(&MAGIC) && words.len().is_multiple_of(4));
    assert_eq!(words[4..8], 0x0001_0400u32.to_le_bytes());
}

#[test]
fn leaves_out_what_the_device_lacks() {
    let folder = folder();
    let ir =
        "define void @k(ptr %p) { %v = load double, ptr %p %w = fadd double %v, %v store double %w, ptr %p ret void }";
    folder.write("k.ll", ir);
    let flags = |features| ["k.ll", features, "--emit", "text", "-o", "-"];
    assert!(folder.text(&flags("--features=-all,+fp64")).contains("OpCapability Float64"));
    refused(&folder.run(&["k.ll", "--features", "-fp64,-fp16", "-o", "x"]), 1, "the device lacks `fp64`");
    refused(&folder.run(&flags("--features=-fp63")), 2, "did you mean `fp64`?");
    assert!(!folder.path("x").exists());
}

#[test]
fn says_which_line_code_comes_from() {
    let folder = folder();
    let ir = "define void @k(ptr %p) !dbg !4 { store i32 1, ptr %p, !dbg !6 ret void, !dbg !6 }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"kernel.cpp\", directory: \"/source\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 6, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 7, column: 3, scope: !4)";
    folder.write("k.ll", ir);
    let text = |flags: &[&str]| folder.text(&[&["k.ll", "--emit", "text", "-o", "-"][..], flags].concat());
    assert!(!text(&[]).contains("kernel.cpp"));
    let with = text(&["--line-tables"]);
    assert!(with.contains("kernel.cpp") && with.contains("OpLine") && with.contains(" 7 3"), "{with}");
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = folder();
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--env", "vulkan", "-o", "x"]), 2, "opencl2.1");
    let version = ["two.ll", "--kernel", "copy", "--spirv-version", "1.9", "-o", "x"];
    refused(&folder.run(&version), 2, "is not a version of SPIR-V that is written: 1.0 to 1.4");
    refused(&folder.run(&["two.ll", "-o", "x"]), 2, "_Z5scalePif (scale(int*, float))");
    refused(&folder.run(&["two.ll", "--kernel", "copi", "-o", "x"]), 1, "did you mean `copy`?");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "obj", "-o", "x"]), 2, "text");
    refused(&folder.run(&["two.ll", "--kernel", "copy"]), 2, "-o FILE");
    assert!(!folder.path("x").exists());
}

#[test]
fn replays_a_request_to_the_same_bytes() {
    let folder = folder();
    folder.write("failed.request", request(device("level-zero:1.2:-fp16")).to_bytes());
    let flags = [
        &["--replay", "failed.request", "-o", "a.spv"][..],
        &[
            "two.ll",
            "--kernel",
            "copy",
            "--env",
            "level-zero",
            "--spirv-version",
            "1.2",
            "--features=-fp16",
            "-o",
            "b.spv",
        ],
    ];
    flags.into_iter().for_each(|flags| drop(folder.text(flags)));
    let [replayed, direct] = ["a.spv", "b.spv"].map(|name| fs::read(folder.path(name)).expect("output"));
    assert_eq!(replayed, direct);
    refused(&folder.run(&["--replay", "two.ll", "-o", "x"]), 1, "not a translation request");
    refused(&folder.run(&["--replay", "failed.request", "--line-tables", "-o", "x"]), 2, "leave out --line-tables");
    folder.write("host.request", request(Target::Host(native_target())).to_bytes());
    refused(&folder.run(&["--replay", "host.request", "-o", "x"]), 1, "translate it with llvm-to-host-tool");
}

#[test]
fn a_request_says_what_the_device_is() {
    let folder = folder();
    folder.write("failed.request", request(device("opencl")).to_bytes());
    for flag in ["--env=level-zero", "--spirv-version=1.2", "--features=-fp64"] {
        refused(&folder.run(&["--replay", "failed.request", flag, "-o", "x"]), 2, "leave out");
    }
}

#[test]
fn the_examples_of_the_help_run() {
    let folder = folder();
    let ir = "@n = external global i32
define void @triad(ptr %p) { store i32 7, ptr %p ret void }
define void @use(ptr %p) { %v = load i32, ptr @n store i32 %v, ptr %p ret void }";
    ["app", "k.ll"].into_iter().for_each(|name| folder.write(name, ir));
    folder.write("failed.request", request(device("opencl")).to_bytes());
    folder.run_examples("llvm-to-spirv-tool");
}
