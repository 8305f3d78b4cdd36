//! Phis of many values.
//!
//! In: blocks with any number of predecessors. Out: blocks whose phis SPIR-V has room for. *Invariant:* a phi that is small enough stays as it is.

use crate::{device_module::DeviceModule, spirv::limits::INCOMING};
use sinter_llvm::ir::{Opcode, Value};

pub(super) fn divide<S>(m: &DeviceModule<'_, S>) {
    for block in m.defined().into_iter().flat_map(Value::blocks) {
        let first = block.instructions().into_iter().next().filter(|first| first.opcode() == Opcode::LLVMPHI);
        if first.is_some_and(|phi| phi.incoming().len() > INCOMING) {
            block.gather_predecessors(INCOMING as u32);
        }
    }
}
