//! The command line of llvm-to-ptx-tool: output, messages, exit status.

use sinter_core::{Image, KernelConfig, PtxTarget, Target, TranslateRequest};
use sinter_translate::{assemble, native_target};
use std::{
    env, fs,
    path::PathBuf,
    process::{Command, Output},
};
use tempfile::TempDir;

const TWO_KERNELS: &str = "define void @copy(ptr %p) { store i32 1, ptr %p ret void }
define void @_Z5scalePif(ptr %p, float %x) { store float %x, ptr %p ret void }";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().expect("folder"));
        fs::write(folder.path("two.ll"), TWO_KERNELS).expect("write");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_llvm-to-ptx-tool"));
        command.current_dir(self.0.path()).args(arguments).output().expect("the tool runs")
    }

    /// What the tool writes to standard output, where it succeeds.
    fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn refused(output: &Output, code: i32, text: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(text), "`{text}` is not in: {message}");
}

/// Whether NVIDIA's assembler is there. Says so where it is not.
fn has_ptxas() -> bool {
    let program = env::var_os("SINTER_PTXAS").unwrap_or_else(|| "ptxas".into());
    let found = Command::new(&program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {} does not run; `pip install nvidia-cuda-nvcc-cu12` has it", program.display());
    }
    found
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

fn gpu(sm: u32, isa: u32) -> Target {
    Target::Ptx(PtxTarget { sm, isa, line_tables: false })
}

#[test]
fn lists() {
    let folder = Folder::new();
    assert_eq!(folder.text(&["--list-kernels", "two.ll"]), "copy\n_Z5scalePif (scale(int*, float))\n");
    assert_eq!(folder.text(&["--list-kernels", "--json", "two.ll"]), "[\"copy\",\"_Z5scalePif\"]\n");
    assert!(folder.text(&["--print-steps", "--json"]).starts_with("[\"parse\",\"imports\","));
    assert!(folder.text(&["--print-steps"]).starts_with("parse\nimports\nlaunch-shape\nspecialize\n"));
}

#[test]
fn writes_ptx_for_the_target() {
    let folder = Folder::new();
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
    let folder = Folder::new();
    for target in ["sm_90", "sm_75"] {
        let flags = ["two.ll", "--kernel", "copy", "--target", target, "--emit", "cubin", "-o", "copy.cubin"];
        folder.text(&flags);
        assert!(fs::read(folder.path("copy.cubin")).expect("output").starts_with(b"\x7fELF"), "{target}");
    }
}

#[test]
fn says_where_the_assembler_comes_from() {
    let folder = Folder::new();
    let flags = ["two.ll", "--kernel", "copy", "--emit", "cubin", "-o", "x"];
    let output = folder.run(&[&flags[..], &["--ptxas", "no-such-ptxas"]].concat());
    refused(&output, 1, "cannot run no-such-ptxas");
    refused(&output, 1, "nvidia-cuda-nvcc-cu12");
    let output = folder.run(&[&flags[..], &["--ptxas", "false"]].concat());
    refused(&output, 1, "false refuses the code for sm_90 (exit status: 1); it gives no reason");
    let output = folder.run(&[&flags[..], &["--ptxas", "true"]].concat());
    refused(&output, 1, "true wrote no cubin");
    let mut command = Command::new(env!("CARGO_BIN_EXE_llvm-to-ptx-tool"));
    let command = command.current_dir(folder.0.path()).args(flags).env("SINTER_PTXAS", "named-ptxas");
    refused(&command.output().expect("the tool runs"), 1, "cannot run named-ptxas");
    assert!(!folder.path("x").exists());
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = Folder::new();
    let targets = [
        ("h100", 2, "is not of the form sm_NN"),
        ("sm_60", 2, "GPUs from sm_70 on"),
        ("sm_90:ptx71", 2, "the nearest that will do is sm_86"),
        ("sm_120", 2, "pass --target sm_90"),
    ];
    for (target, code, text) in targets {
        refused(&folder.run(&["two.ll", "--kernel", "copy", "--target", target, "-o", "x"]), code, text);
    }
    refused(&folder.run(&["two.ll", "-o", "x"]), 2, "_Z5scalePif (scale(int*, float))");
    refused(&folder.run(&["two.ll", "--kernel", "copi", "-o", "x"]), 1, "did you mean `copy`?");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "missing", "-o", "x"]), 1, "cannot read missing");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "so", "-o", "x"]), 2, "cubin");
    refused(&folder.run(&["two.ll", "--kernel", "copy"]), 2, "-o FILE");
    let large = ["--group-size", "2048", "-o", "x"];
    refused(&folder.run(&[&["two.ll", "--kernel", "copy"], &large[..]].concat()), 1, "at most 1024 in all");
    assert!(!folder.path("x").exists());
}

#[test]
fn a_library_that_is_no_bitcode_is_refused() {
    let folder = Folder::new();
    let ir = "declare float @llvm.sin.f32(float)
define void @k(ptr %p) { %v = load float, ptr %p %s = call float @llvm.sin.f32(float %v) store float %s, ptr %p ret void }";
    fs::write(folder.path("k.ll"), ir).expect("write");
    let own = folder.text(&["k.ll", "-o", "-"]);
    assert!(own.contains(".entry k("), "{own}");
    fs::write(folder.path("other.bc"), assemble(TWO_KERNELS.as_bytes()).expect("IR")).expect("write");
    fs::write(folder.path("cut.bc"), b"BC\xC0\xDE\x35\x14").expect("write");
    fs::write(folder.path("empty"), "").expect("write");
    for (file, text) in [
        ("two.ll", "two.ll is not bitcode"),
        ("cut.bc", "cut.bc is not bitcode"),
        ("empty", "empty is not bitcode"),
        ("other.bc", "other.bc is not NVIDIA's libdevice"),
    ] {
        refused(&folder.run(&["k.ll", "--libdevice", file, "-o", "x"]), 1, &format!("--library: {text}"));
    }
}

#[test]
fn replays_a_request_to_the_same_bytes() {
    let folder = Folder::new();
    fs::write(folder.path("failed.request"), request(gpu(80, 72)).to_bytes()).expect("write");
    let replayed = folder.text(&["--replay", "failed.request", "-o", "-"]);
    assert_eq!(replayed, folder.text(&["two.ll", "--kernel", "copy", "--target", "sm_80:ptx72", "-o", "-"]));
    let only = folder.run(&["--replay", "failed.request"]);
    assert!(only.status.success() && only.stdout.is_empty());
    assert!(String::from_utf8_lossy(&only.stderr).contains("the request translates"));
    refused(&folder.run(&["--replay", "two.ll", "-o", "x"]), 1, "not a translation request");
    for flags in [["--replay", "failed.request"], ["failed.request", "--line-tables"]] {
        let output = folder.run(&[&flags[..], &["--target", "sm_90", "--group-size", "64", "-o", "x"]].concat());
        refused(&output, 2, "failed.request is a request, which is translated unchanged; leave out");
        refused(&output, 2, "--target");
        refused(&output, 2, "--group-size");
    }
    fs::write(folder.path("host.request"), request(Target::Host(native_target())).to_bytes()).expect("write");
    refused(&folder.run(&["--replay", "host.request", "-o", "x"]), 1, "translate it with llvm-to-host-tool");
}

#[test]
fn the_examples_of_the_help_run() {
    let folder = Folder::new();
    let ir = "@n = external global i32
define void @triad(ptr %p) { store i32 7, ptr %p ret void }
define void @use(ptr %p) { %v = load i32, ptr @n store i32 %v, ptr %p ret void }";
    for name in ["app", "k.ll"] {
        fs::write(folder.path(name), ir).expect("write");
    }
    fs::write(folder.path("failed.request"), request(gpu(90, 85)).to_bytes()).expect("write");
    let (help, has_ptxas) = (folder.text(&["--help"]), has_ptxas());
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("  llvm-to-ptx-tool ")).collect();
    assert!(examples.len() >= 7, "{help}");
    for example in examples.iter().filter(|example| has_ptxas || !example.contains("cubin")) {
        folder.text(&example.split(' ').collect::<Vec<_>>());
    }
}
