//! Compiles a module to an object, for tests of failures in between.

use sinter_llvm::{Emit, LlvmError, Machine, Session, host_triple};

pub(crate) fn compile(text: &str) -> Result<Vec<u8>, LlvmError> {
    let session = Session::new()?;
    let module = session.parse(text.as_bytes())?;
    let triple = host_triple();
    let machine = Machine::new(&triple, "x86-64", "", true)?;
    module.set_target(&triple, &machine);
    machine.emit(&module, Emit::Object)
}
