//! The command line of llvm-to-amdgpu-tool: output, messages, exit status.

#[path = "../../common/translate/tests/shared/folder.rs"]
mod folder;

use folder::{Folder, TWO_KERNELS, refused};
use sinter_core::{Image, KernelConfig, Target, TranslateRequest};
use sinter_translate::{assemble, native_target};
use std::fs;

fn folder() -> Folder {
    Folder::new(env!("CARGO_BIN_EXE_llvm-to-amdgpu-tool"))
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

fn gpu(id: &str) -> Target {
    Target::Amdgcn(id.parse().expect("a target ID"))
}

#[test]
fn lists() {
    let folder = folder();
    assert_eq!(folder.text(&["--list-kernels", "two.ll"]), "copy\n_Z5scalePif (scale(int*, float))\n");
    assert_eq!(folder.text(&["--list-kernels", "--json", "two.ll"]), "[\"copy\",\"_Z5scalePif\"]\n");
    assert!(folder.text(&["--print-steps"]).starts_with("parse\nimports\nlaunch-shape\nspecialize\n"));
}

#[test]
fn writes_code_for_the_target() {
    let folder = folder();
    let usual = folder.text(&["two.ll", "--kernel", "copy", "--emit", "asm", "-o", "-"]);
    assert!(usual.contains("amdgcn-amd-amdhsa--gfx90a\"") && usual.contains(".amdhsa_kernel copy"), "{usual}");
    let flags = ["two.ll", "--kernel", "copy", "--emit", "asm", "-o", "-", "--target"];
    let off = folder.text(&[&flags[..], &["gfx90a:xnack-"]].concat());
    assert!(off.contains("amdgcn-amd-amdhsa--gfx90a:xnack-\""), "{off}");
    let wide = folder.text(&[&flags[..], &["gfx1100:wavefrontsize64+"]].concat());
    assert!(wide.contains(".wavefront_size: 64"), "{wide}");
    let scale = ["two.ll", "--kernel", "scale(int*", "--arg", "1=f32:2.5", "--emit", "asm", "-o", "-"];
    let scale = folder.text(&scale);
    assert!(scale.contains(".amdhsa_kernarg_size 8") && !scale.contains("copy"), "{scale}");
    let ir = folder.text(&["two.ll", "--kernel", "copy", "--emit", "ir", "-o", "-"]);
    assert!(ir.contains("amdgcn-amd-amdhsa"), "{ir}");
}

#[test]
fn writes_objects_and_code_objects() {
    let folder = folder();
    // The types of ELF files: relocatable and shared.
    for (emit, kind) in [("obj", 1), ("co", 3)] {
        folder.text(&["two.ll", "--kernel", "copy", "--emit", emit, "-o", "copy.out"]);
        let bytes = fs::read(folder.path("copy.out")).expect("output");
        assert!(bytes.starts_with(b"\x7fELF") && bytes[16] == kind, "{emit}");
    }
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
    let code = |flags: &[&str]| {
        folder.text(&[&["k.ll", "-o", "k.co"][..], flags].concat());
        fs::read(folder.path("k.co")).expect("output")
    };
    let names_file = |code: &[u8]| code.windows(10).any(|window| window == b"kernel.cpp");
    assert!(!names_file(&code(&[])) && names_file(&code(&["--line-tables"])));
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = folder();
    let targets = [
        ("mi300", "no AMD processor `mi300` is known"),
        ("gfx91a", "did you mean `gfx90a`?"),
        ("gfx1100:xnack+", "gfx1100 has no feature `xnack`"),
        ("gfx90a:xnack", "is not a setting"),
    ];
    for (target, text) in targets {
        refused(&folder.run(&["two.ll", "--kernel", "copy", "--target", target, "-o", "x"]), 2, text);
    }
    refused(&folder.run(&["two.ll", "-o", "x"]), 2, "_Z5scalePif (scale(int*, float))");
    refused(&folder.run(&["two.ll", "--kernel", "copi", "-o", "x"]), 1, "did you mean `copy`?");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "missing", "-o", "x"]), 1, "cannot read missing");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "so", "-o", "x"]), 2, "asm");
    refused(&folder.run(&["two.ll", "--kernel", "copy"]), 2, "-o FILE");
    assert!(!folder.path("x").exists());
}

#[test]
fn a_library_that_is_no_bitcode_is_refused() {
    let folder = folder();
    let ir = "declare double @llvm.sin.f64(double)
define void @k(ptr %p) { %v = load double, ptr %p %s = call double @llvm.sin.f64(double %v) store double %s, ptr %p ret void }";
    folder.write("k.ll", ir);
    let own = folder.text(&["k.ll", "--emit", "asm", "-o", "-"]);
    assert!(own.contains(".amdhsa_kernel k"), "{own}");
    refused(
        &folder.run(&["k.ll", "--library", "two.ll", "-o", "x"]),
        1,
        "cannot translate kernel `k` for amdgpu:gfx90a",
    );
}

#[test]
fn replays_a_request_to_the_same_bytes() {
    let folder = folder();
    folder.write("failed.request", request(gpu("gfx90a:xnack-")).to_bytes());
    let flags = [
        &["--replay", "failed.request", "-o", "a.co"][..],
        &["two.ll", "--kernel", "copy", "--target", "gfx90a:xnack-", "-o", "b.co"],
    ];
    flags.into_iter().for_each(|flags| drop(folder.text(flags)));
    let [replayed, direct] = ["a.co", "b.co"].map(|name| fs::read(folder.path(name)).expect("output"));
    assert_eq!(replayed, direct);
    let only = folder.run(&["--replay", "failed.request"]);
    assert!(only.status.success() && only.stdout.is_empty());
    assert!(String::from_utf8_lossy(&only.stderr).contains("the request translates"));
    refused(&folder.run(&["--replay", "two.ll", "-o", "x"]), 1, "not a translation request");
    folder.write("host.request", request(Target::Host(native_target())).to_bytes());
    refused(&folder.run(&["--replay", "host.request", "-o", "x"]), 1, "translate it with llvm-to-host-tool");
}

#[test]
fn the_examples_of_the_help_run() {
    let folder = folder();
    let ir = "@n = external global i32
define void @triad(ptr %p) { store i32 7, ptr %p ret void }
define void @use(ptr %p) { %v = load i32, ptr @n store i32 %v, ptr %p ret void }";
    for name in ["app", "k.ll"] {
        folder.write(name, ir);
    }
    folder.write("failed.request", request(gpu("gfx90a")).to_bytes());
    folder.run_examples("llvm-to-amdgpu-tool");
}
