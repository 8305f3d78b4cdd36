//! A fatal error of another user of LLVM in the process ends it as LLVM would: with LLVM's message.

use sinter_llvm::{
    Machine, Session, host_triple,
    inkwell::{
        OptimizationLevel,
        context::Context,
        memory_buffer::MemoryBuffer,
        targets::{CodeModel, FileType, RelocMode, Target, TargetTriple},
    },
};
use std::process::Command;

/// Environment variable of the process that must fail.
const CHILD: &str = "SINTER_TEST_FOREIGN_FATAL";
const UNSELECTABLE: &[u8] = b"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define i32 @f() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %r
}";

/// A program that uses LLVM directly.
fn fail() {
    let _ours = Session::new().expect("session");
    let _machine = Machine::new(&host_triple(), "x86-64", "", false).expect("our machine");
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(UNSELECTABLE, "test");
    let module = context.create_module_from_ir(buffer).expect("IR");
    let triple = TargetTriple::create(&host_triple());
    let target = Target::from_triple(&triple).expect("target");
    let machine = target
        .create_target_machine(&triple, "", "", OptimizationLevel::None, RelocMode::PIC, CodeModel::Default)
        .expect("machine");
    let _ = machine.write_to_memory_buffer(&module, FileType::Object);
}

#[test]
fn a_fatal_error_of_others_keeps_its_message() {
    if std::env::var_os(CHILD).is_some() {
        return fail();
    }
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).env(CHILD, "1").arg("--nocapture").output().expect("child");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("LLVM ERROR: Cannot select"), "{text}");
    assert!(!text.contains("panicked"), "{text}");
}
