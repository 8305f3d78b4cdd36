//! Saved requests of failed translations reproduce the error offline.

use crate::folder::{Folder, refused};
use sinter_core::{HostTarget, Image, KernelConfig, Observer, Target, TranslateRequest};
use sinter_translate::{assemble, inspect, native_target};

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

fn folder() -> Folder {
    Folder::new("llvm-to-host-tool")
}

#[test]
fn a_request_gives_the_error_that_the_program_got() {
    let folder = folder();
    let before = folder.files().len();
    let mut damaged = request(UNRESOLVED, "x86-64");
    damaged.image.bytes = damaged.image.bytes[..damaged.image.bytes.len() / 2].into();
    for request in [request(UNRESOLVED, "x86-64"), request(UNRESOLVED, "no-such-cpu"), damaged] {
        let error = inspect(&request, &Observer::default(), None).map(drop).expect_err("an error").to_string();
        folder.write("failed.sinterq", request.to_bytes());
        for arguments in [&["--replay", "failed.sinterq"][..], &["failed.sinterq", "-o", "x"]] {
            let output = folder.run(arguments);
            refused(&output, 1, "");
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(message, format!("llvm-to-host-tool: error: failed.sinterq: {error}\n"));
        }
    }
    assert_eq!(folder.files().len(), before + 1, "a failure leaves no output");
}

#[test]
fn a_damaged_request_is_refused() {
    let folder = folder();
    let bytes = request(UNRESOLVED, "x86-64").to_bytes();
    for content in [&bytes[..bytes.len() - 1], &bytes[..8], &bytes[..4], &[]] {
        folder.write("cut.sinterq", content);
        refused(&folder.run(&["--replay", "cut.sinterq", "-o", "x"]), 1, "cut.sinterq");
    }
}
