//! Saved requests of failed translations give the error again, offline.

use sinter_core::{HostTarget, Image, KernelConfig, Observer, Target, TranslateRequest};
use sinter_translate::{assemble, inspect, native_target};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const UNRESOLVED: &str = "declare float @missing(float)
define float @helper(float %x) { %r = call float @missing(float %x) ret float %r }
define void @k(ptr %p) {
  %x = load float, ptr %p
  %r = call float @helper(float %x)
  store float %r, ptr %p
  ret void
}";

fn request(ir: &str, cpu: &str) -> TranslateRequest {
    let target = HostTarget { cpu: cpu.into(), features: String::new(), ..native_target() };
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(ir.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(target),
        config: KernelConfig::generic("k"),
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_llvm-to-host-tool"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the tool runs")
}

#[test]
fn a_request_gives_the_error_that_the_program_got() {
    let folder = tempfile::tempdir().expect("folder");
    let mut damaged = request(UNRESOLVED, "x86-64");
    damaged.image.bytes = damaged.image.bytes[..damaged.image.bytes.len() / 2].into();
    for request in [request(UNRESOLVED, "x86-64"), request(UNRESOLVED, "no-such-cpu"), damaged] {
        let error = inspect(&request, &Observer::default(), None).map(drop).expect_err("an error").to_string();
        fs::write(folder.path().join("failed.sinterq"), request.to_bytes()).expect("write");
        let commands = [&["--replay", "failed.sinterq"][..], &["failed.sinterq", "-o", "x"]];
        for arguments in commands {
            let output = run(folder.path(), arguments);
            assert_eq!(output.status.code(), Some(1));
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(message, format!("llvm-to-host-tool: error: {error}\n"));
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1, "a failure leaves no output");
}

#[test]
fn a_request_that_translates_is_said_to() {
    let folder = tempfile::tempdir().expect("folder");
    fs::write(folder.path().join("good.sinterq"), request("define void @k() { ret void }", "x86-64").to_bytes())
        .expect("write");
    let output = run(folder.path(), &["--replay", "good.sinterq"]);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("the request translates"));
}

#[test]
fn a_damaged_request_is_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let bytes = request(UNRESOLVED, "x86-64").to_bytes();
    let cases = [&bytes[..bytes.len() - 1], &bytes[..8], &bytes[..4], &[]];
    for content in cases {
        fs::write(folder.path().join("cut.sinterq"), content).expect("write");
        let output = run(folder.path(), &["--replay", "cut.sinterq", "-o", "x"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("cut.sinterq"), "{message}");
    }
}
