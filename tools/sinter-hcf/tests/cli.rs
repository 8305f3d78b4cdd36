//! The commands as scripts use them: output, files and exit status.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_core::{
    Parameter, ParameterKind,
    container::{ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord, encode_blob},
};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

const BITCODE: &[u8] = b"BC\xc0\xde bitcode";

fn container() -> Vec<u8> {
    let mut builder = ContainerBuilder::new();
    builder.image(ImageRecord { name: GLOBAL_IMAGE.into(), bytes: BITCODE.to_vec(), ..ImageRecord::default() });
    let kind = ParameterKind::Pointer;
    builder.kernel(KernelRecord {
        symbol: "triad".into(),
        image_providers: vec![GLOBAL_IMAGE.into()],
        parameters: vec![Parameter { byte_offset: 0, byte_size: 8, original_index: 0, kind, annotations: vec![] }],
        block_size: 8,
        ..KernelRecord::default()
    });
    builder.build().unwrap()
}

/// A folder with `good.hcf`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.hcf"), container()).unwrap();
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinter-hcf")).args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn ls_shows_images_kernels_and_parameters() {
    let folder = folder();
    let output = text(&run(folder.path(), &["ls", "good.hcf"]).stdout);
    assert!(output.contains("image llvm-ir.global: 12 bytes of llvm-ir"), "{output}");
    assert!(output.contains("kernel triad in llvm-ir.global, block of 8 bytes"), "{output}");
    assert!(output.contains("0: pointer, 8 bytes at 0, of field 0"), "{output}");
}

#[test]
fn ls_prints_json() {
    let folder = folder();
    let output = run(folder.path(), &["ls", "--json", "good.hcf"]).stdout;
    let value: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(value[0]["kernels"][0]["parameters"][0]["type"], "pointer");
    assert_eq!(value[0]["kernels"][0]["ir-hash"], "0".repeat(64));
}

#[test]
fn extract_writes_the_container_or_an_image() {
    let folder = folder();
    let written = |args: &[&str]| {
        let output = run(folder.path(), &[&["extract", "good.hcf", "-o", "out"], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        fs::read(folder.path().join("out")).unwrap()
    };
    assert_eq!(written(&[]), container());
    for args in [&["--bitcode"][..], &["--kernel", "triad"], &["--kernel", "ria"], &["--image", GLOBAL_IMAGE]] {
        assert_eq!(written(args), BITCODE);
    }
}

#[test]
fn a_name_that_does_not_exist_is_answered_with_those_that_do() {
    let folder = folder();
    let output = run(folder.path(), &["extract", "good.hcf", "-o", "out", "--kernel", "tirad"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("holds no kernel `tirad`; did you mean `triad`?"),
        "{}",
        text(&output.stderr)
    );
    let output = run(folder.path(), &["extract", "good.hcf", "-o", "out", "--kernel", "histogram"]);
    assert!(text(&output.stderr).contains("`histogram`; its kernels:\n  triad\n"), "{}", text(&output.stderr));
    assert!(!folder.path().join("out").exists());
}

#[test]
fn verify_finds_a_flipped_bit() {
    let folder = folder();
    let output = run(folder.path(), &["verify", "good.hcf"]);
    assert_eq!(text(&output.stdout), "container 0: good (object id is the content's; images: 1, kernels: 1)\n");
    let mut bytes = container();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(folder.path().join("bad.hcf"), bytes).unwrap();
    let output = run(folder.path(), &["verify", "bad.hcf"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("but the content hashes to"), "{}", text(&output.stderr));
}

#[test]
fn a_file_without_a_container_is_rejected_with_a_remedy() {
    let folder = folder();
    let program = env!("CARGO_BIN_EXE_sinter-hcf");
    let output = run(folder.path(), &["ls", program]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("not compiled with sinter-cc"), "{}", text(&output.stderr));
    assert_eq!(run(folder.path(), &["ls"]).status.code(), Some(2));
}

/// A container as AdaptiveCpp's compiler emits it.
fn foreign(id: u64) -> Vec<u8> {
    let text = format!(
        "object-id={id}\ngenerator=hipSYCL SSCP\n{{.images\n{{.llvm-ir.global\nvariant=global-module\nformat=llvm-ir\n\
         {{.__binary\nstart=0\nsize={}\n}}.__binary\n}}.llvm-ir.global\n}}.images\n__acpp_hcf_binary_appendix",
        BITCODE.len()
    );
    [text.as_bytes(), BITCODE].concat()
}

/// An object file in which a variable holds a container, as AdaptiveCpp's compiler embeds one.
fn embed(folder: &Path, container: &str, object: &str) {
    let variable = "__acpp_local_sscp_hcf_content.initialized";
    let source = format!(
        ".section .rodata,\"a\",@progbits\n.type {variable},@object\n{variable}:\n.incbin \"{container}\"\n.byte 0\n\
         .size {variable}, .-{variable}\n.section .note.GNU-stack,\"\",@progbits\n"
    );
    fs::write(folder.join("embed.s"), source).unwrap();
    compile(folder, &["-c", "embed.s", "-o", object]);
}

fn compile(folder: &Path, arguments: &[&str]) {
    assert!(Command::new("clang++-19").args(arguments).current_dir(folder).status().unwrap().success());
}

#[test]
fn containers_of_adaptivecpp_are_found_in_programs() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("one.hcf"), foreign(4711)).unwrap();
    fs::write(at.join("two.hcf"), foreign(1211)).unwrap();
    embed(at, "one.hcf", "one.o");
    embed(at, "two.hcf", "two.o");
    fs::write(at.join("main.cpp"), "int main() {}").unwrap();
    compile(at, &["main.cpp", "one.o", "two.o", "-o", "program"]);
    compile(at, &["main.cpp", "one.o", "two.o", "-s", "-o", "stripped"]);
    for file in ["program", "stripped"] {
        let output = text(&run(at, &["ls", file]).stdout);
        assert!(output.contains("object id 4711") && output.contains("object id 1211"), "{file}: {output}");
        let verified = text(&run(at, &["verify", file]).stdout);
        assert_eq!(verified.matches("good (foreign object id, not checked").count(), 2, "{file}: {verified}");
        assert!(run(at, &["extract", file, "--all", "-o", "out"]).status.success());
        assert_eq!(fs::read(at.join("out.0")).unwrap(), foreign(4711), "{file}");
    }
    fs::write(at.join("cut.hcf"), &foreign(1)[..40]).unwrap();
    embed(at, "cut.hcf", "cut.o");
    let output = run(at, &["ls", "cut.o"]);
    assert!(text(&output.stderr).contains("container 0: byte"), "{}", text(&output.stderr));
}

#[test]
fn exit_statuses_tell_wrong_usage_from_a_rejected_input() {
    let folder = folder();
    let extract = |file: &str, flags: &[&str]| {
        let output = run(folder.path(), &[&["extract", file, "-o", "out"], flags].concat());
        (output.status.code(), text(&output.stderr).to_owned())
    };
    fs::write(folder.path().join("empty"), b"").unwrap();
    let (code, message) = extract("empty", &[]);
    assert!(code == Some(1) && message.contains("empty: the file is empty"), "{message}");
    assert_eq!(extract("good.hcf", &["--kernel", ""]).0, Some(2));
    let output = run(folder.path(), &["extract", "good.hcf", "-o", "nowhere/out"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("cannot write nowhere/out: there is no folder nowhere"), "{message}");
    fs::write(folder.path().join("two.bin"), [encode_blob(&container()), encode_blob(&container())].concat()).unwrap();
    let (code, message) = extract("two.bin", &["--bitcode"]);
    assert!(code == Some(2) && message.contains("2 images fit"), "{message}");
    let (code, message) = extract("two.bin", &[]);
    assert!(code == Some(2) && message.contains("choose one with --index"), "{message}");
}

#[test]
fn names_of_a_damaged_container_do_not_command_the_terminal() {
    let folder = folder();
    let damaged = text(&container()).replace("triad", "t\u{1b}[2J");
    fs::write(folder.path().join("bad.hcf"), damaged).unwrap();
    for args in [&["ls", "bad.hcf"][..], &["verify", "bad.hcf"], &["extract", "bad.hcf", "-o", "out", "--kernel", "x"]]
    {
        let output = run(folder.path(), args);
        let shown = text(&output.stdout) + &text(&output.stderr);
        assert!(!shown.contains('\u{1b}'), "{args:?}: {shown:?}");
    }
}
