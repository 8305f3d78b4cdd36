//! A fatal error of LLVM ends the translation, not the process. One test: it poisons its process.

mod support;

use sinter_llvm::{LlvmError, poisoned};
use support::compile;

const UNSELECTABLE: &str = "
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define i32 @f() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %r
}";

#[test]
fn an_unselectable_instruction_poisons_but_does_not_kill() {
    let simple = "define i32 @f() { ret i32 1 }";
    assert!(compile(simple).is_ok());
    // From a worker thread, as in a runtime.
    let result = std::thread::spawn(|| compile(UNSELECTABLE)).join().expect("no panic");
    let Err(LlvmError::Fatal { message }) = result else { panic!("expected a fatal error, got {result:?}") };
    assert!(message.contains("Cannot select"), "{message}");
    let reason = poisoned().expect("poisoned");
    let refused = compile(simple);
    assert_eq!(refused, Err(LlvmError::Poisoned { reason: reason.to_owned() }));
}
