//! Finds the calls of the program through which code of a library is reached.
//!
//! In: a module. Out: for a function, the nearest call on a way to it that stands in the program's
//! own files: a line in a header of a library tells nobody which algorithm is meant. *Invariant:*
//! nothing is changed.

use sinter_llvm::{
    inkwell::{
        module::Module,
        values::{FunctionValue, InstructionValue},
    },
    stage1::{
        call::calls,
        diagnose::{Place, is_of_program},
    },
};
use std::collections::{HashMap, HashSet, VecDeque};

/// The direct calls of a module, by the function that they call.
pub(crate) struct Callers<'ctx>(HashMap<FunctionValue<'ctx>, Vec<InstructionValue<'ctx>>>);

impl<'ctx> Callers<'ctx> {
    pub(crate) fn of(module: &Module<'ctx>) -> Self {
        let mut callers: HashMap<_, Vec<_>> = HashMap::new();
        for call in module.get_functions().flat_map(calls) {
            if let Some(callee) = call.function() {
                callers.entry(callee).or_default().push(call.instruction);
            }
        }
        Callers(callers)
    }

    /// The nearest call in the program's own files that leads to a function.
    pub(crate) fn in_program(&self, function: FunctionValue<'ctx>) -> Option<InstructionValue<'ctx>> {
        let (mut open, mut seen) = (VecDeque::from([function]), HashSet::from([function]));
        while let Some(callee) = open.pop_front() {
            let found = self.0.get(&callee).map(Vec::as_slice).unwrap_or_default();
            if let Some(call) = found.iter().find(|call| is_of_program(**call)) {
                return Some(*call);
            }
            let callers = found.iter().filter_map(|call| Place::Instruction(*call).function());
            open.extend(callers.filter(|caller| seen.insert(*caller)));
        }
        None
    }
}

/// True for a place in the program's own files, or without a line.
pub(crate) fn is_known(place: Place<'_>) -> bool {
    match place {
        Place::Instruction(instruction) => is_of_program(instruction),
        Place::Function(_) | Place::Module => true,
    }
}
