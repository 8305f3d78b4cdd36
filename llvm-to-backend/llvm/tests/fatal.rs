//! A fatal error of LLVM ends the translation, not the process. One test: it poisons its process.

use sinter_llvm::{Emit, LlvmError, Machine, Session, host_triple, poisoned};

const UNSELECTABLE: &str = "
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define i32 @f() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %r
}";

fn compile(text: &str) -> Result<Vec<u8>, LlvmError> {
    let session = Session::new()?;
    let module = session.parse(text.as_bytes())?;
    let triple = host_triple();
    let machine = Machine::new(&triple, "x86-64", "", true)?;
    module.set_target(&triple, &machine);
    machine.emit(&module, Emit::Object)
}

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
