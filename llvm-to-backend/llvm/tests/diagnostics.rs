//! Errors that LLVM only reports fail the call, and the next one works.

mod support;

use sinter_llvm::{LlvmError, Session, link_shared, newer_producer, poisoned};
use support::compile;

fn message(result: Result<Vec<u8>, LlvmError>) -> String {
    match result {
        Err(LlvmError::Diagnostic { message }) => message,
        other => panic!("expected a diagnostic, got {:?}", other.map(|bytes| bytes.len())),
    }
}

#[test]
fn bad_inline_assembly_is_an_error() {
    let bad = "define void @f() { call void asm sideeffect \"no such instruction\", \"\"() ret void }";
    assert!(message(compile(bad)).contains("asm"), "{}", message(compile(bad)));
    let constraint =
        "define i32 @f(double %x) { %r = call i32 asm \"\", \"={xmm99},{nonsense}\"(double %x) ret i32 %r }";
    assert!(message(compile(constraint)).contains("constraint") || message(compile(constraint)).contains("register"));
    assert!(compile("define void @f() { ret void }").is_ok());
    assert_eq!(poisoned(), None);
}

#[test]
fn an_oversized_stack_frame_does_not_kill() {
    let huge = "
        declare void @use(ptr)
        define void @f() { %a = alloca [4611686018427387904 x i8] call void @use(ptr %a) ret void }";
    // LLVM may compile it, with a warning, or fail; either way the process continues.
    let _ = compile(huge);
    assert!(compile("define void @f() { ret void }").is_ok());
}

#[test]
fn damaged_input_is_an_error() {
    assert!(!message(compile("define void @f() { ret i32 }")).is_empty());
    let session = Session::new().expect("session");
    assert!(matches!(session.lazy_bitcode(b"BC\xC0\xDE"), Err(LlvmError::Diagnostic { .. })));
    assert!(matches!(session.lazy_bitcode(b""), Err(LlvmError::Diagnostic { .. })));
}

#[test]
fn every_truncation_of_bitcode_is_an_error() {
    let session = Session::new().expect("session");
    let text = b"define void @k(ptr %p) { store i32 1, ptr %p ret void }";
    let bitcode = session.parse(text).expect("IR").bitcode();
    for length in (1..bitcode.len()).step_by(7) {
        let session = Session::new().expect("session");
        let parsed = session.parse(&bitcode[..length]);
        assert!(parsed.is_err(), "accepted {length} of {} bytes", bitcode.len());
    }
}

#[test]
fn linking_works_again_after_an_error() {
    let object = compile("define i32 @f() { ret i32 1 }").expect("object");
    let before = link_shared(&object).expect("shared object");
    assert!(matches!(link_shared(b"not an object"), Err(LlvmError::Link { .. })));
    assert_eq!(link_shared(&object).expect("shared object"), before);
}

/// The bits of a string in LLVM's char6 encoding (BitcodeFormat, "char6"), least significant first.
fn char6(text: &str) -> Vec<bool> {
    const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    let code = |c| ALPHABET.find(c).expect("char6");
    text.chars().flat_map(|c| (0..6).map(move |bit| code(c) >> bit & 1 == 1)).collect()
}

/// Replaces a char6 string by another of the same length at any bit offset.
fn replace_bits(bytes: &mut [u8], from: &str, to: &str) {
    let bits: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect();
    let (from, to) = (char6(from), char6(to));
    let start = bits.windows(from.len()).position(|window| window == from).expect("the producer");
    for (i, bit) in (start..).zip(to) {
        bytes[i / 8] = bytes[i / 8] & !(1 << (i % 8)) | u8::from(bit) << (i % 8);
    }
}

#[test]
fn producers_of_newer_versions_are_recognised() {
    let session = Session::new().expect("session");
    let mut bitcode = session.parse(b"define void @k() { ret void }").expect("IR").bitcode();
    assert_eq!(newer_producer(&bitcode), None);
    replace_bits(&mut bitcode, "LLVM19", "LLVM99");
    assert!(newer_producer(&bitcode).is_some_and(|producer| producer.starts_with("LLVM99")));
}
