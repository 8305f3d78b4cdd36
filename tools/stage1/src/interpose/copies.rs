//! Gives functions that lead to an allocation names of their own.
//!
//! In: the functions whose allocations were interposed. Out: copies of those that the linker would
//! merge with functions of other units, and of those that call them; calls in this unit go to the
//! copies. *Invariant:* the address of a function, and the variables in it, stay those of all
//! units: only calls change.
//!
//! Units that are compiled with `--stdpar` merge their copies. A unit without never sees them.

use sinter_llvm::{
    inkwell::{
        attributes::AttributeLoc,
        module::{Linkage, Module},
        values::{FunctionValue, InstructionOpcode},
    },
    stage1::{call::calls, name, surgery},
};
use std::collections::{HashMap, HashSet};

/// The end of a copy's name. Demanglers print it behind the name of the function.
const SUFFIX: &str = ".sinter_stdpar";

/// Makes the copies. True if there are any.
pub(super) fn make<'ctx>(module: &Module<'ctx>, allocating: &[FunctionValue<'ctx>]) -> bool {
    let merged = merged(module, allocating);
    let copy = |function: &FunctionValue<'ctx>| surgery::copy_as(*function, &format!("{}{SUFFIX}", name(*function)));
    let copies: HashMap<_, _> = merged.iter().filter_map(|function| Some((*function, copy(function)?))).collect();
    for call in super::own::bodies(module).into_iter().flat_map(calls) {
        if let Some(copy) = call.function().and_then(|function| copies.get(&function)) {
            call.set_callee(*copy);
        }
    }
    !copies.is_empty()
}

/// The functions that the linker may merge and that lead to an allocation, in the order of the
/// module.
fn merged<'ctx>(module: &Module<'ctx>, allocating: &[FunctionValue<'ctx>]) -> Vec<FunctionValue<'ctx>> {
    let mut callers: HashMap<FunctionValue<'_>, Vec<FunctionValue<'_>>> = HashMap::new();
    let candidates: Vec<_> =
        super::own::bodies(module).into_iter().filter(|function| may_be_merged(*function)).collect();
    for caller in &candidates {
        for callee in calls(*caller).iter().filter_map(|call| call.function()) {
            callers.entry(callee).or_default().push(*caller);
        }
    }
    let mut found: HashSet<_> = allocating.iter().copied().filter(|function| may_be_merged(*function)).collect();
    let mut open: Vec<_> = found.iter().copied().collect();
    while let Some(function) = open.pop() {
        let callers = callers.get(&function).map(Vec::as_slice).unwrap_or_default();
        open.extend(callers.iter().copied().filter(|caller| found.insert(*caller)));
    }
    candidates.into_iter().filter(|function| found.contains(function)).collect()
}

fn may_be_merged(function: FunctionValue<'_>) -> bool {
    let coroutine = super::wrapper::attribute("presplitcoroutine");
    matches!(function.get_linkage(), Linkage::LinkOnceODR | Linkage::WeakODR)
        && !name(function).ends_with(SUFFIX)
        && !takes_addresses_of_blocks(function)
        && function.get_enum_attribute(AttributeLoc::Function, coroutine).is_none()
}

/// True if the function jumps to addresses of its blocks: a table of them leads into the original.
fn takes_addresses_of_blocks(function: FunctionValue<'_>) -> bool {
    let ends = function.get_basic_block_iter().filter_map(|block| block.get_terminator());
    ends.map(|end| end.get_opcode()).any(|opcode| opcode == InstructionOpcode::IndirectBr)
}
