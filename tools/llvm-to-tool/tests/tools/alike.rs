//! Tests of the command-line behaviour that all these tools share.
//!

use super::folder::{Folder, refused, request};
use sinter_core::{PtxTarget, Target};
use sinter_translate::native_target;

pub(crate) fn lists(folder: &Folder) {
    assert_eq!(folder.text(&["--list-kernels", "two.ll"]), "copy\nscale(int*, float) [_Z5scalePif]\n");
    assert_eq!(folder.text(&["--list-kernels", "--json", "two.ll"]), "[\"copy\",\"_Z5scalePif\"]\n");
    assert!(folder.text(&["--print-steps", "--json"]).starts_with("[\"parse\",\"imports\","));
    assert!(folder.text(&["--print-steps"]).starts_with("parse\nimports\nlaunch-shape\nspecialize\n"));
    for flags in [&["--kernel", "copy"][..], &["--group-size", "8"], &["--emit", "ir"], &["--dump", "d"]] {
        let reason = format!("--list-kernels translates nothing; leave out {}", flags[0]);
        refused(&folder.run(&[&["--list-kernels", "two.ll"][..], flags].concat()), 2, &reason);
    }
    refused(&folder.run(&["--list-missing", "two.ll"]), 1, "two.ll has no containers; give a program or object file");
    refused(
        &folder.run(&["--list-missing", "two.ll", "--kernel", "copy"]),
        2,
        "--list-missing translates nothing; leave out --kernel",
    );
    refused(&folder.run(&["--list-kernels", "two.ll", "--with", "two.ll"]), 2, "leave out --with");
    refused(&folder.run(&["two.ll", "--with", "two.ll", "-o", "x"]), 2, "--list-missing");
    refused(
        &folder.run(&["--print-steps", "--kernel", "copy"]),
        2,
        "--print-steps translates nothing; leave out --kernel",
    );
}

/// Command lines that are rejected; none of them leaves an output file.
pub(crate) fn refuses(folder: &Folder) {
    let run = |flags: &[&str]| folder.run(&[&["two.ll", "-o", "x"][..], flags].concat());
    refused(
        &run(&[]),
        2,
        "two.ll has 2 kernels; choose one with --kernel:\n  copy\n  scale(int*, float) [_Z5scalePif]",
    );
    refused(&run(&["--kernel", "copi"]), 1, "two.ll: cannot translate kernel `copi` for ");
    for (slip, meant) in [("copi", "copy"), ("scael", "scale"), ("_Z5scalePig", "_Z5scalePif")] {
        refused(&run(&["--kernel", slip]), 1, &format!("has no kernel `{slip}`; did you mean `{meant}`?"));
    }
    refused(&folder.run(&["two.ll", "--kernel", "copy"]), 2, "-o FILE");
    refused(&run(&["--kernel", "copy", "--stop-after", "nowhere"]), 2, "specialize");
    assert_eq!(folder.files(), ["two.ll"]);
}

pub(crate) fn constants_have_readable_names(folder: &Folder) {
    let ir = "@_ZL3sid = internal constant i32 5
@_ZN2ns5depthE = external global i32
@_ZN2ab4sizeE = external global i32
@_ZN2cd4sizeE = external global i32
declare ptr @__sinter_specialization_constant(ptr)
define void @k(ptr %p) {
  %c = call ptr @__sinter_specialization_constant(ptr @_ZL3sid)
  %a = load i32, ptr %c
  %b = load i32, ptr @_ZN2ns5depthE
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  ret void
}
define void @other(ptr %p) {
  %a = load i32, ptr @_ZN2ab4sizeE
  %b = load i32, ptr @_ZN2cd4sizeE
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  ret void
}";
    folder.write("k.ll", ir);
    let flags = ["k.ll", "--kernel", "k", "--emit", "ir", "-o", "-", "--constant", "sid=i32:30", "--constant"];
    for depth in ["ns::depth=i32:12", "depth=i32:12", "_ZN2ns5depthE=i32:12"] {
        let text = folder.text(&[&flags[..], &[depth]].concat());
        assert!(text.contains("store i32 42"), "{text}");
    }
    for (slip, meant) in [("dept", "depth"), ("ns::dept", "ns::depth"), ("_ZN2ns5deptE", "_ZN2ns5depthE")] {
        let output = folder.run(&[&flags[..], &[&format!("{slip}=i32:12")]].concat());
        refused(&output, 1, &format!("`{slip}` in the kernel's image; did you mean `{meant}`?"));
    }
    let several = folder.run(&["k.ll", "--kernel", "other", "--constant", "size=i32:1", "-o", "x"]);
    refused(&several, 2, "2 constants are called `size`; choose one:\n  ab::size [_ZN2ab4sizeE]");
}

/// A request for this target gives the same bytes as the flags that describe it, and accepts no
/// such flags.
pub(crate) fn replays(folder: &Folder, target: Target, flags: &[&str]) {
    let another = match target {
        Target::Host(_) => Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false }),
        _ => Target::Host(native_target()),
    };
    folder.write("failed.request", request(target).to_bytes());
    folder.text(&["--replay", "failed.request", "-o", "a.out"]);
    folder.text(&[&["two.ll", "--kernel", "copy", "-o", "b.out"][..], flags].concat());
    assert_eq!(folder.read("a.out"), folder.read("b.out"));
    let only = folder.run(&["--replay", "failed.request"]);
    assert!(only.status.success() && only.stdout.is_empty());
    assert!(String::from_utf8_lossy(&only.stderr).contains("the request translates"));
    refused(&folder.run(&["--replay", "two.ll", "-o", "x"]), 1, "not a translation request");
    for replay in [&["--replay", "failed.request"][..], &["failed.request"]] {
        let output = folder.run(&[replay, &["--group-size", "64", "-o", "x"][..], flags].concat());
        refused(&output, 2, "failed.request is a request, which is translated unchanged; leave out");
        flags.iter().filter_map(|flag| flag.split('=').next()?.strip_prefix("--")).for_each(|flag| {
            refused(&output, 2, &format!("--{flag}"));
        });
        refused(&output, 2, "--group-size");
    }
    let family = another.family();
    folder.write("another.request", request(another).to_bytes());
    let output = folder.run(&["--replay", "another.request", "-o", "x"]);
    refused(&output, 1, &format!("translate it with llvm-to-{family}-tool"));
    assert!(!folder.path("x").exists());
}

/// Runs the examples of `--help`, except those that need a program which the machine lacks.
pub(crate) fn runs_examples(folder: &Folder, target: Target, can_run: impl Fn(&str) -> bool) {
    let ir = "@n = external global i32
@depth = internal constant { i32 } { i32 1 }
declare ptr @__sinter_specialization_constant(ptr)
define void @triad(ptr %p) { %d = call ptr @__sinter_specialization_constant(ptr @depth)
%v = load i32, ptr %d store i32 %v, ptr %p ret void }
define void @use(ptr %p) { %v = load i32, ptr @n store i32 %v, ptr %p ret void }";
    ["app", "k.ll"].into_iter().for_each(|name| folder.write(name, ir));
    folder.write("failed.request", request(target).to_bytes());
    let help = folder.text(&["--help"]);
    let start = format!("  {} ", folder.tool);
    let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix(start.as_str())).collect();
    assert!(examples.len() >= 6, "{help}");
    for example in examples.into_iter().filter(|example| can_run(example)) {
        folder.text(&example.split(' ').collect::<Vec<_>>());
    }
}
