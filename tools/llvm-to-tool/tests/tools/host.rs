//! Command-line tests of llvm-to-host-tool: output, messages, exit status.

use crate::folder::{Folder, WITH_LINE, refused};
use sinter_core::{HostTarget, Target};
use sinter_translate::{Step, native_target};
use std::fs;

fn folder() -> Folder {
    Folder::new("llvm-to-host-tool")
}

fn cpu() -> Target {
    Target::Host(HostTarget { cpu: "x86-64".into(), features: String::new(), ..native_target() })
}

#[test]
fn does_what_all_these_tools_do() {
    crate::alike::lists(&folder());
    crate::alike::refuses(&folder());
    crate::alike::constants_have_readable_names(&folder());
    crate::alike::replays(&folder(), cpu(), &["--target", "x86-64:"]);
    crate::alike::runs_examples(&folder(), cpu(), |_| true);
}

#[test]
fn writes_every_form() {
    let folder = folder();
    let output = folder.run(&["two.ll", "--kernel", "copy", "-o", "out"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.read("out").starts_with(b"\x7fELF"));
    assert!(folder.run(&["two.ll", "--kernel", "copy", "--emit", "obj", "-o", "other"]).status.success());
    assert!(folder.read("other") == folder.read("out"));
    let assembly = folder.text(&["two.ll", "--kernel", "copy", "--emit", "asm", "-o", "-"]);
    assert!(assembly.contains(".globl\tcopy"), "{assembly}");
    let ir =
        folder.text(&["two.ll", "--kernel", "scale(", "--arg", "1=f32:2.5", "--stop-after", "specialize", "-o", "-"]);
    assert!(ir.contains("store float 2.5") && !ir.contains("@copy"), "{ir}");
}

#[test]
fn dumps_every_step() {
    let folder = folder();
    let output = folder.run(&["two.ll", "--kernel", "copy", "--dump", "dump", "-o", "out.o"]);
    assert!(output.status.success());
    let kernel = fs::read_dir(folder.path("dump")).expect("dump").next().expect("kernel").expect("entry").path();
    let last = kernel.join(format!("{:02}-lower.o", Step::ALL.len() - 1));
    assert!(kernel.join("00-parse.ll").exists() && last.exists());
    assert_eq!(fs::read(last).expect("dump"), folder.read("out.o"));
}

#[test]
fn dumps_have_readable_names() {
    let folder = folder();
    folder.text(&["two.ll", "--kernel", "scale(int*, float)", "--dump", "dump", "-o", "-"]);
    let kernel = fs::read_dir(folder.path("dump")).expect("dump").next().expect("kernel").expect("entry").file_name();
    assert!(kernel.to_string_lossy().starts_with("scale_int_float-"), "{kernel:?}");
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = folder();
    folder.write("broken.ll", "define void @k( {");
    folder.write("noise", [0u8, 1, 2, 255]);
    folder.write("cut.bc", b"BC\xC0\xDE\x35\x14");
    let before = folder.files().len();
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--target", "z80", "-o", "x"]), 2, "no CPU `z80`");
    let copy = ["two.ll", "--kernel", "copy", "-o", "x"];
    refused(&folder.run(&[&copy[..], &["--target", "i386"]].concat()), 2, "the CPU `i386` has no 64-bit mode");
    refused(&folder.run(&[&copy[..], &["--arg", "1=i32:1", "--arg", "1=i32:2"]].concat()), 2, "--arg 1 is given more");
    refused(
        &folder.run(&[&copy[..], &["--constant", "n=i32:1", "--constant", "n=i8:2"]].concat()),
        2,
        "--constant n is",
    );
    refused(&folder.run(&[&copy[..], &["--group-size", "99999999999"]].concat()), 2, "numbers from 1 to 4294967295");
    for size in ["99999", "32,32,2", "4294967295,4294967295,4294967295"] {
        refused(
            &folder.run(&[&copy[..], &["--group-size", size]].concat()),
            1,
            "a work-group has at most 1024 work-items on host",
        );
    }
    folder.text(&["two.ll", "--kernel", "copy", "-o", "/dev/null", "--group-size", "1024"]);
    refused(
        &folder.run(&["/etc/passwd", "-o", "x"]),
        1,
        "/etc/passwd: this text is none of the kinds of input: LLVM IR (.ll)",
    );
    refused(&folder.run(&[&copy[..], &["--dump", "two.ll"]].concat()), 1, "--dump: cannot write to two.ll");
    refused(&folder.run(&[&copy[..], &["--dump", "/proc/no"]].concat()), 1, "--dump: cannot write to /proc/no");
    refused(&folder.run(&["broken.ll", "-o", "out"]), 1, "broken.ll:1:18: error: expected");
    refused(&folder.run(&["noise", "-o", "out"]), 1, "none of the kinds of input: LLVM IR");
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
fn features_of_the_native_cpu_can_be_changed() {
    let folder = folder();
    let ir = |target: &str| folder.text(&["two.ll", "--kernel", "copy", "--target", target, "--emit", "ir", "-o", "-"]);
    // The CPU has the others.
    assert!(ir("native:-sse4.2").contains("\"target-cpu\""), "{}", ir("native:-sse4.2"));
    assert!(ir("native:-sse4.2").contains("-sse4.2\"") && !ir("native").contains("-sse4.2"));
}

#[test]
fn line_tables_without_debug_information_are_told_of() {
    let folder = folder();
    folder.write("lines.ll", WITH_LINE);
    let says = |input: &str, kernel: &str| {
        let output = folder.run(&[input, "--kernel", kernel, "--line-tables", "-o", "out.o"]);
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("text")
    };
    let warning = "llvm-to-host-tool: warning: two.ll has no debug information, so --line-tables has no effect; \
                   compile it with -g\n";
    assert_eq!((says("two.ll", "copy").as_str(), says("lines.ll", "k").as_str()), (warning, ""));
}

#[test]
fn takes_a_part_of_a_readable_name() {
    let folder = folder();
    let ir = "define void @_Z5triadPf(ptr %p) { ret void }
define void @_Z6triad2Pf(ptr %p) { ret void }
define void @_Z4copyPf(ptr %p) { call void @missing() ret void }
declare void @missing()";
    folder.write("k.ll", ir);
    for (name, symbol) in [("triad2", "_Z6triad2Pf"), ("triad(", "_Z5triadPf"), ("_Z5triadPf", "_Z5triadPf")] {
        let ir = folder.text(&["k.ll", "--kernel", name, "--stop-after", "parse", "-o", "-"]);
        assert!(ir.contains(&format!("define void @{symbol}(")), "{name}: {ir}");
    }
    let several = "`triad` is part of the names of 2 kernels of k.ll; choose one with --kernel:
  triad(float*) [_Z5triadPf]
  triad2(float*) [_Z6triad2Pf]";
    refused(&folder.run(&["k.ll", "--kernel", "triad", "-o", "x"]), 2, several);
    refused(
        &folder.run(&["k.ll", "--kernel", "copy", "-o", "x"]),
        1,
        "k.ll: cannot translate kernel `copy(float*)` for ",
    );
    let unresolved = folder.run(&["k.ll", "--kernel", "copy(float*)", "-o", "x"]);
    refused(&unresolved, 1, "`missing` (called through copy(float*)): define it in device code");
    refused(&unresolved, 1, "`--sinter-late-functions` takes none out of archives");
    refused(&folder.run(&["k.ll", "--kernel", "_Z4copyPg", "-o", "x"]), 1, "did you mean `_Z4copyPf`?");
}

#[test]
fn floating_point_flags_are_part_of_the_request() {
    let folder = folder();
    let ir = "define void @k(ptr %p) { %v = load float, ptr %p
%m = fmul float %v, %v %s = fadd float %m, %v store float %s, ptr %p ret void }";
    folder.write("k.ll", ir);
    let fast = folder.text(&["k.ll", "--fast-math", "--emit", "ir", "-o", "-"]);
    let plain = folder.text(&["k.ll", "--emit", "ir", "-o", "-"]);
    assert!(fast.contains("fmul fast") && !plain.contains("fmul fast"), "{fast}{plain}");
    let approximate = ["--flush-denormals", "--approximate-division", "--approximate-square-root", "-o", "x"];
    assert!(folder.run(&[&["k.ll"], &approximate[..]].concat()).status.success());
    refused(&folder.run(&["k.ll", "--fast-math", "--no-contraction", "-o", "x"]), 2, "cannot be used with");
}

#[test]
fn takes_the_bytes_of_a_constant() {
    let folder = folder();
    let ir = "@n = external global { i32, i32 }
define void @k(ptr %p) { %v = load i64, ptr @n store i64 %v, ptr %p ret void }";
    folder.write("k.ll", ir);
    let constant = ["--constant", "n=bytes:0x1000000020000000"];
    let ir = folder.text(&["k.ll", constant[0], constant[1], "--stop-after", "specialize", "-o", "-"]);
    assert!(ir.contains("store i64 137438953488"), "{ir}");
    refused(&folder.run(&["k.ll", "--constant", "n=bytes:0x1", "-o", "x"]), 2, "`0x1` is not a value of type bytes");
    refused(&folder.run(&["k.ll", "--constant", "n=bytes:0x10", "-o", "x"]), 1, "{ i32, i32 } of 8 bytes");
    refused(&folder.run(&["k.ll", "--constant", "n=i32:1", "-o", "x"]), 1, "takes { i32, i32 }");
}

#[test]
fn a_target_or_name_that_makes_no_sense_is_wrong_usage() {
    let folder = folder();
    folder.write("k.ll", "define void @k(ptr %p) { ret void }");
    let run = |flags: &[&str]| folder.run(&[&["k.ll", "-o", "x"][..], flags].concat());
    for target in ["x86-64-v9", "x86-64-v9:-fma"] {
        refused(
            &run(&["--target", target]),
            2,
            "LLVM knows no CPU `x86-64-v9` of this kind; give `native`, `x86-64`, ",
        );
    }
    refused(&run(&["--kernel", ""]), 2, "--kernel");
    folder.write("empty", "");
    refused(&folder.run(&["empty", "-o", "x"]), 1, "empty: the file is empty");
    refused(&folder.run(&["k.ll", "-o", "nowhere/x"]), 1, "there is no folder nowhere");
}

#[test]
fn only_marked_functions_are_kernels_where_one_is_marked() {
    let folder = folder();
    let helper = "define void @helper(ptr %p) { ret void }\n";
    folder.write(
        "marked.ll",
        format!("{helper}define void @k(ptr %p) #0 {{ ret void }}\nattributes #0 = {{ \"sinter-kernel\" }}"),
    );
    assert_eq!(folder.text(&["--list-kernels", "marked.ll"]), "k\n");
    folder.text(&["marked.ll", "-o", "x"]);
    folder.text(&["marked.ll", "--kernel", "helper", "-o", "y"]);
    folder.write("bare.ll", helper);
    let output = folder.run(&["--list-kernels", "bare.ll"]);
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"helper\n"[..]));
    let note = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(note.contains("note: bare.ll marks no function as a kernel; these could be kernels"), "{note}");
}
