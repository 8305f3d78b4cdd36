//! The command line of llvm-to-host-tool: output, messages, exit status.

use sinter_core::{HostTarget, Image, KernelConfig, PtxTarget, Target, TranslateRequest};
use sinter_translate::{Step, assemble, native_target};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

const TWO_KERNELS: &str = "define void @copy(ptr %p) { store i32 1, ptr %p ret void }
define void @scale(ptr %p, i32 %n) { store i32 %n, ptr %p ret void }";

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
        let mut command = Command::new(env!("CARGO_BIN_EXE_llvm-to-host-tool"));
        command.current_dir(self.0.path()).args(arguments).output().expect("the tool runs")
    }

    /// Names of all files, hidden ones included.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("folder");
        entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(output: &Output, code: i32, text: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(text), "`{text}` is not in: {message}");
}

fn is_elf(path: &Path) -> bool {
    fs::read(path).expect("output").starts_with(b"\x7fELF")
}

#[test]
fn lists() {
    let folder = Folder::new();
    assert_eq!(stdout(&folder.run(&["--list-kernels", "two.ll"])), "copy\nscale\n");
    assert_eq!(stdout(&folder.run(&["--list-kernels", "--json", "two.ll"])), "[\"copy\",\"scale\"]\n");
    assert!(stdout(&folder.run(&["--print-steps"])).starts_with("parse\nimports\nlaunch-shape\nspecialize\n"));
}

#[test]
fn writes_every_form() {
    let folder = Folder::new();
    for emit in ["so", "obj"] {
        let output = folder.run(&["two.ll", "--kernel", "copy", "--emit", emit, "-o", "out"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(is_elf(&folder.path("out")), "{emit}");
    }
    let assembly = stdout(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "asm", "-o", "-"]));
    assert!(assembly.contains(".globl\tcopy"), "{assembly}");
    let ir = stdout(&folder.run(&[
        "two.ll",
        "--kernel",
        "scale",
        "--arg",
        "1=i32:5",
        "--stop-after",
        "specialize",
        "-o",
        "-",
    ]));
    assert!(ir.contains("store i32 5") && !ir.contains("@copy"), "{ir}");
}

#[test]
fn dumps_every_step() {
    let folder = Folder::new();
    let output = folder.run(&["two.ll", "--kernel", "copy", "--dump", "dump", "-o", "out.so"]);
    assert!(output.status.success());
    let kernel = fs::read_dir(folder.path("dump")).expect("dump").next().expect("kernel").expect("entry").path();
    let last = kernel.join(format!("{:02}-lower.so", Step::ALL.len() - 1));
    assert!(kernel.join("00-parse.ll").exists() && last.exists());
    assert_eq!(fs::read(last).expect("dump"), fs::read(folder.path("out.so")).expect("output"));
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = Folder::new();
    fs::write(folder.path("broken.ll"), "define void @k( {").expect("write");
    fs::write(folder.path("noise"), [0u8, 1, 2, 255]).expect("write");
    fs::write(folder.path("cut.bc"), b"BC\xC0\xDE\x35\x14").expect("write");
    let before = folder.files().len();
    refused(
        &folder.run(&["two.ll", "-o", "out"]),
        2,
        "two.ll has 2 kernels; choose one with --kernel:\n  copy\n  scale",
    );
    refused(&folder.run(&["two.ll", "--kernel", "copi", "-o", "out"]), 1, "did you mean `copy`?");
    refused(&folder.run(&["two.ll", "--kernel", "copy"]), 2, "-o FILE");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--stop-after", "nowhere", "-o", "x"]), 2, "specialize");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--target", "z80", "-o", "x"]), 1, "no CPU `z80`");
    let copy = ["two.ll", "--kernel", "copy", "-o", "x"];
    refused(&folder.run(&[&copy[..], &["--target", "i386"]].concat()), 1, "the CPU `i386` has no 64-bit mode");
    refused(&folder.run(&[&copy[..], &["--arg", "1=i32:1", "--arg", "1=i32:2"]].concat()), 2, "--arg 1 is given more");
    refused(
        &folder.run(&[&copy[..], &["--constant", "n=i32:1", "--constant", "n=i8:2"]].concat()),
        2,
        "--constant n is",
    );
    refused(&folder.run(&[&copy[..], &["--group-size", "99999999999"]].concat()), 2, "numbers from 1 to 4294967295");
    refused(&folder.run(&[&copy[..], &["--dump", "two.ll"]].concat()), 1, "--dump: cannot write to two.ll");
    refused(&folder.run(&[&copy[..], &["--dump", "/proc/no"]].concat()), 1, "--dump: cannot write to /proc/no");
    refused(&folder.run(&["broken.ll", "-o", "out"]), 1, "expected");
    refused(&folder.run(&["noise", "-o", "out"]), 1, "the content is not LLVM IR");
    refused(&folder.run(&["cut.bc", "--kernel", "k", "-o", "out"]), 1, "bitcode");
    refused(&folder.run(&["missing", "-o", "out"]), 1, "cannot read missing");
    refused(
        &folder.run(&["two.ll", "--kernel", "copy", "-o", "no/such/folder/out"]),
        1,
        "cannot write no/such/folder/out",
    );
    assert_eq!(folder.files().len(), before);
}

#[test]
fn replays_a_request_to_the_same_bytes() {
    let folder = Folder::new();
    let request = TranslateRequest {
        image: Image { hash: None, bytes: assemble(TWO_KERNELS.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(HostTarget { cpu: "x86-64".into(), features: String::new(), ..native_target() }),
        config: KernelConfig::generic("copy"),
    };
    fs::write(folder.path("failed.request"), request.to_bytes()).expect("write");
    assert!(folder.run(&["--replay", "failed.request", "-o", "one.so"]).status.success());
    assert!(folder.run(&["two.ll", "--kernel", "copy", "--target", "x86-64:", "-o", "two.so"]).status.success());
    assert_eq!(fs::read(folder.path("one.so")).expect("one"), fs::read(folder.path("two.so")).expect("two"));
    refused(&folder.run(&["--replay", "two.ll", "-o", "x"]), 1, "not a translation request");
}

#[test]
fn refuses_a_request_for_other_devices() {
    let folder = Folder::new();
    let request = TranslateRequest {
        image: Image { hash: None, bytes: assemble(TWO_KERNELS.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false }),
        config: KernelConfig::generic("copy"),
    };
    fs::write(folder.path("gpu.request"), request.to_bytes()).expect("write");
    refused(&folder.run(&["--replay", "gpu.request", "-o", "x"]), 1, "translate it with llvm-to-ptx-tool");
    assert!(!folder.path("x").exists());
}

#[test]
fn takes_a_part_of_a_readable_name() {
    let folder = Folder::new();
    let ir = "define void @_Z5triadPf(ptr %p) { ret void }
define void @_Z6triad2Pf(ptr %p) { ret void }
define void @_Z4copyPf(ptr %p) { call void @missing() ret void }
declare void @missing()";
    fs::write(folder.path("k.ll"), ir).expect("write");
    for (name, symbol) in [("triad2", "_Z6triad2Pf"), ("triad(", "_Z5triadPf"), ("_Z5triadPf", "_Z5triadPf")] {
        let ir = stdout(&folder.run(&["k.ll", "--kernel", name, "--stop-after", "parse", "-o", "-"]));
        assert!(ir.contains(&format!("define void @{symbol}(")), "{name}: {ir}");
    }
    let several = "`triad` is part of the names of 2 kernels of k.ll; choose one with --kernel:
  _Z5triadPf (triad(float*))
  _Z6triad2Pf (triad2(float*))";
    refused(&folder.run(&["k.ll", "--kernel", "triad", "-o", "x"]), 2, several);
    refused(&folder.run(&["k.ll", "--kernel", "copy", "-o", "x"]), 1, "\n`_Z4copyPf` is copy(float*)");
    refused(&folder.run(&["k.ll", "--kernel", "_Z4copyPg", "-o", "x"]), 1, "did you mean `_Z4copyPf`?");
}

#[test]
fn floating_point_flags_are_part_of_the_request() {
    let folder = Folder::new();
    let ir = "define void @k(ptr %p) { %v = load float, ptr %p
%m = fmul float %v, %v %s = fadd float %m, %v store float %s, ptr %p ret void }";
    fs::write(folder.path("k.ll"), ir).expect("write");
    let fast = stdout(&folder.run(&["k.ll", "--fast-math", "--emit", "ir", "-o", "-"]));
    let plain = stdout(&folder.run(&["k.ll", "--emit", "ir", "-o", "-"]));
    assert!(fast.contains("fmul fast") && !plain.contains("fmul fast"), "{fast}{plain}");
    let approximate = ["--flush-denormals", "--approximate-division", "--approximate-square-root", "-o", "x"];
    assert!(folder.run(&[&["k.ll"], &approximate[..]].concat()).status.success());
    refused(&folder.run(&["k.ll", "--fast-math", "--no-contraction", "-o", "x"]), 2, "cannot be used with");
}

#[test]
fn takes_the_bytes_of_a_constant() {
    let folder = Folder::new();
    let ir = "@n = external global { i32, i32 }
define void @k(ptr %p) { %v = load i64, ptr @n store i64 %v, ptr %p ret void }";
    fs::write(folder.path("k.ll"), ir).expect("write");
    let constant = ["--constant", "n=bytes:0x1000000020000000"];
    let output = folder.run(&["k.ll", constant[0], constant[1], "--stop-after", "specialize", "-o", "-"]);
    assert!(stdout(&output).contains("store i64 137438953488"), "{}", String::from_utf8_lossy(&output.stderr));
    refused(&folder.run(&["k.ll", "--constant", "n=bytes:0x1", "-o", "x"]), 2, "`0x1` is not a value of type bytes");
    refused(&folder.run(&["k.ll", "--constant", "n=bytes:0x10", "-o", "x"]), 1, "{ i32, i32 } of 8 bytes");
    refused(&folder.run(&["k.ll", "--constant", "n=i32:1", "-o", "x"]), 1, "has type { i32, i32 }");
}

#[test]
fn the_examples_of_the_help_run() {
    let folder = Folder::new();
    let ir = "@n = external global i32
@depth = internal constant { i32 } { i32 1 }
declare ptr @__sinter_specialization_constant(ptr)
define void @triad(ptr %p) { %d = call ptr @__sinter_specialization_constant(ptr @depth)
%v = load i32, ptr %d store i32 %v, ptr %p ret void }
define void @use(ptr %p) { %v = load i32, ptr @n store i32 %v, ptr %p ret void }";
    for name in ["app", "k.ll"] {
        fs::write(folder.path(name), ir).expect("write");
    }
    let request = TranslateRequest {
        image: Image { hash: None, bytes: assemble(TWO_KERNELS.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(native_target()),
        config: KernelConfig::generic("copy"),
    };
    fs::write(folder.path("failed.request"), request.to_bytes()).expect("write");
    let help = stdout(&folder.run(&["--help"]));
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix("  llvm-to-host-tool ")).collect();
    assert!(examples.len() >= 6, "{help}");
    for example in examples {
        let output = folder.run(&example.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
