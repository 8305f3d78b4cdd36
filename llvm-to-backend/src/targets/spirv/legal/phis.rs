//! Splits phis with many incoming values.
//!
//! In: blocks with any number of predecessors. Out: blocks whose phis fit into SPIR-V instructions.
//! *Invariant:* a phi that is small enough stays unchanged.

use crate::{device_module::DeviceModule, targets::spirv::limits::INCOMING};
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Value},
};
use std::collections::HashMap;

pub(super) fn divide<S>(m: &DeviceModule<'_, S>) {
    for function in m.defined() {
        for block in function.blocks() {
            let phis = block.instructions().into_iter().take_while(|first| first.opcode() == Opcode::LLVMPHI);
            let phis: Vec<_> = phis.collect();
            if phis.first().is_some_and(|phi| phi.incoming().len() > INCOMING) {
                gather(function, block, phis);
            }
        }
    }
}

/// Inserts a block between a block and each [`INCOMING`] of its predecessors.
fn gather<'s>(function: Value<'s>, block: Block<'s>, phis: Vec<Value<'s>>) {
    let mut gathered: HashMap<Block<'s>, Block<'s>> = HashMap::new();
    let mut between = Vec::new();
    for (from, _) in phis.first().into_iter().flat_map(|phi| phi.incoming()) {
        let count = gathered.len();
        gathered.entry(from).or_insert_with(|| {
            if count.is_multiple_of(INCOMING) {
                between.push(function.append_block(""));
            }
            between[count / INCOMING]
        });
    }
    for phi in phis {
        let joined = phi.insert_before(|insert| insert.phi(phi.ty()));
        let parts: HashMap<_, _> =
            between.iter().map(|between| (*between, between.append(|insert| insert.phi(phi.ty())))).collect();
        phi.incoming().into_iter().for_each(|(from, value)| parts[&gathered[&from]].add_incoming(value, from));
        between.iter().for_each(|between| joined.add_incoming(parts[between], *between));
        phi.replace_uses(joined);
        phi.erase();
    }
    between.iter().for_each(|between| between.append(|insert| insert.branch(block)));
    gathered.into_iter().for_each(|(from, between)| from.redirect(block, between));
}
