//! The command as scripts use it: output, files and exit status.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_core::{
    Parameter, ParameterKind,
    container::{ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord},
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
