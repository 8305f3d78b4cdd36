//! Other translators in place of our emitter: scripts with a given output.
#![cfg(unix)]

use crate::folder::{Folder, refused};
use std::{os::unix::fs::PermissionsExt, process::Output};

/// A folder with the module `own.spv` and the temporary folder `t`.
fn folder() -> Folder {
    let folder = Folder::new("llvm-to-spirv-tool");
    folder.text(&["two.ll", "--kernel", "copy", "-o", "own.spv"]);
    std::fs::create_dir(folder.path("t")).expect("folder");
    folder
}

fn script(folder: &Folder, name: &str, lines: &str) {
    folder.write(name, format!("#!/bin/sh\n{lines}\n"));
    std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).expect("permissions");
}

fn run(folder: &Folder, more: &[&str]) -> Output {
    let mut command = folder.command(&[&["two.ll", "--kernel", "copy", "-o", "-"][..], more].concat());
    let output = command.env("TMPDIR", folder.path("t")).output().expect("the tool runs");
    assert_eq!(std::fs::read_dir(folder.path("t")).expect("folder").count(), 0, "{more:?} leaves files");
    output
}

/// Standard output and standard error of the tool.
fn written(folder: &Folder, more: &[&str]) -> (Vec<u8>, String) {
    let output = run(folder, more);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{more:?}: {said}");
    (output.stdout, said)
}

#[test]
fn writes_what_another_translator_wrote() {
    let folder = folder();
    script(&folder, "copy", "head -c 2 \"$1\"; echo; cp own.spv \"$2\"; echo a warning >&2");
    for command in ["./copy", "./copy {in} {out}", "'./copy' \"{in}\"", "sh -c 'cp own.spv $1; head -c2 $0' {in} {out}"]
    {
        let (words, said) = written(&folder, &["--external", command]);
        assert_eq!(words, folder.read("own.spv"), "{command}");
        // Bitcode starts with these letters. The command's output must not appear on standard
        // output.
        assert!(said.contains("BC"), "{command}: {said}");
    }
    let (text, said) = written(&folder, &["--external", "./copy", "--emit", "text"]);
    assert_eq!(
        String::from_utf8_lossy(&text),
        folder.text(&["two.ll", "--kernel", "copy", "--emit", "text", "-o", "-"])
    );
    assert!(said.contains("a warning"), "{said}");
}

#[test]
fn gives_the_kernel_names_that_others_know() {
    let folder = folder();
    folder.write("k.ll", "declare void @__sinter_spirv_op_NoSuch__() define void @k() { call void @__sinter_spirv_op_NoSuch__() ret void }");
    let output = folder.run(&["k.ll", "--external", "false", "-o", "x"]);
    refused(
        &output,
        1,
        "k.ll: kernel `k`: another translator cannot take it: `__sinter_spirv_op_NoSuch__` has no name",
    );
}

#[test]
fn says_what_is_wrong_with_another_translator() {
    let folder = folder();
    script(&folder, "fails", "echo its reason >&2; exit 7");
    script(&folder, "empty", ": > \"$2\"");
    script(&folder, "text", "echo '; SPIR-V' > \"$2\"");
    script(&folder, "half", "head -c 42 own.spv > \"$2\"");
    for (command, reason) in [
        ("./missing {in}", "cannot start `./missing`: No such file or directory (os error 2); install it"),
        ("./fails", "`./fails` failed (exit status: 7); its messages are above"),
        ("true", "`true` wrote nothing; put {out} in --external"),
        ("./empty", "`./empty` wrote nothing; put {out} in --external"),
        ("./text", "`./text` wrote what cannot be used: it is not a module of SPIR-V; have it write a binary one"),
        ("./half", "`./half` wrote what cannot be used: it is cut off or damaged"),
    ] {
        let output = run(&folder, &["--external", command]);
        refused(&output, 1, reason);
        assert!(output.stdout.is_empty(), "{command}");
    }
    refused(&run(&folder, &["--external", "./fails"]), 1, "its reason\n");
}

#[test]
fn refuses_flags_that_have_no_use_for_it() {
    let folder = folder();
    refused(&run(&folder, &["--external", "a 'b"]), 2, "the quotes do not match");
    refused(&run(&folder, &["--external", " "]), 2, "it is empty; name a program");
    refused(&run(&folder, &["--external", "true", "--emit", "ir"]), 2, "leave out one of them");
    refused(&run(&folder, &["--external", "true", "--stop-after", "check"]), 2, "cannot be used with");
    refused(&folder.run(&["two.ll", "--external", "true", "--list-kernels"]), 2, "leave out --external");
}
