//! Finds where the pointers lie that a kernel loads and follows.
//!
//! In: the pointers that its addresses are made of. Out: for each a path from a pointer parameter,
//! of loads at constant offsets and at elements that a parameter numbers. *Invariant:* the paths
//! name every place that such a pointer may be loaded from, or there is no answer: not for pointers
//! in private memory, in variables of the module, in lists that a loop goes along, or that other
//! threads may change (atomic and volatile loads).

use super::origins::{Origin, Start, Way};
use sinter_core::{Index, Path, Places, Step};
use sinter_llvm::{
    Machine,
    ir::{Opcode, Value},
};
use std::collections::{BTreeSet, HashSet};

/// Limit for the loads on the way to a pointer.
const LOADS: usize = 4;

/// The type of a pointer to memory of the program.
const POINTER: &str = "ptr";

/// Paths to all pointers, to those that the kernel writes through, and to those that it shares with
/// other threads.
pub(super) fn places<'s>(
    way: &Way<'_, 's>,
    machine: &Machine,
    [all, written, shared]: [&HashSet<Start<'s>>; 3],
) -> Option<Places> {
    let paths = |starts: &HashSet<Start<'s>>| {
        let mut paths = BTreeSet::new();
        for start in starts {
            paths.extend(Walk { way, machine, under_way: Vec::new() }.of_start(*start)?);
            if paths.len() > Places::MOST {
                return None;
            }
        }
        Some(paths.into_iter())
    };
    let pointers = paths(all)?.filter(|path| !path.steps.is_empty()).collect();
    Some(Places { pointers, written: paths(written)?.collect(), shared: paths(shared)?.collect() })
}

/// A place in the object that a path leads to.
struct Place {
    path: Path,
    step: Step,
}

/// The way from one pointer to where it comes from.
struct Walk<'a, 'w, 's> {
    way: &'a Way<'w, 's>,
    machine: &'a Machine,
    /// Values whose place is being found.
    under_way: Vec<Value<'s>>,
}

impl<'s> Walk<'_, '_, 's> {
    /// The paths to a pointer.
    fn of_start(&mut self, start: Start<'s>) -> Option<Vec<Path>> {
        let load = match start {
            Start::Parameter(parameter) => return Some(vec![Path { parameter, steps: Vec::new() }]),
            Start::Loaded(load) => load,
        };
        if load.is_atomic() || load.is_volatile() || load.ty().text() != POINTER {
            return None;
        }
        let places = self.of_address(*load.operands().first()?)?;
        let behind = |Place { mut path, step }| {
            path.steps.push(step);
            (path.steps.len() <= LOADS).then_some(path)
        };
        places.into_iter().map(behind).collect()
    }

    /// The places that an address may stand for.
    fn of_address(&mut self, address: Value<'s>) -> Option<Vec<Place>> {
        if self.under_way.contains(&address) || self.under_way.len() > Places::MOST {
            return None;
        }
        self.under_way.push(address);
        let places = match self.way.origin(address)? {
            // Nothing can be loaded through the null pointer.
            Origin::Own => is_nowhere(address).then(Vec::new),
            Origin::Start(start) => {
                let at = |path| Place { path, step: Step { offset: 0, index: None } };
                Some(self.of_start(start)?.into_iter().map(at).collect())
            }
            Origin::Made(values) => {
                let mut places = Vec::new();
                for value in values {
                    places.extend(self.of_address(value)?);
                }
                if is_step(address) {
                    places.into_iter().map(|place| self.behind(address, place)).collect()
                } else {
                    Some(places)
                }
            }
        };
        self.under_way.pop();
        places.filter(|places| places.len() <= Places::MOST)
    }

    /// The place that a `getelementptr` with this base stands for.
    fn behind(&self, step: Value<'s>, mut place: Place) -> Option<Place> {
        if let Some(bytes) = step.constant_byte_offset(self.machine) {
            place.step.offset = place.step.offset.checked_add(bytes)?;
            return Some(place);
        }
        let index = self.index(step).filter(|_| place.step.index.is_none())?;
        place.step.index = Some(index);
        Some(place)
    }

    /// The one index of a `getelementptr`, if it is a parameter of the kernel.
    fn index(&self, step: Value<'s>) -> Option<Index> {
        let operands = step.operands();
        let [_, index] = operands[..] else { return None };
        let scale = step.stepped_type().alloc_size(self.machine).try_into().ok()?;
        let extends = |opcode| index.is_instruction() && index.opcode() == opcode;
        let (value, is_signed) = match (extends(Opcode::LLVMSExt), extends(Opcode::LLVMZExt)) {
            (false, false) => (index, true),
            (_, is_zero) => (*index.operands().first()?, !is_zero),
        };
        let is_known = matches!(value.ty().text().as_str(), "i32" | "i64");
        Some(Index { parameter: self.way.of_kernel(value).filter(|_| is_known)?, scale, is_signed })
    }
}

fn is_step(value: Value<'_>) -> bool {
    let is_expression = value.is_instruction();
    is_expression && value.opcode() == Opcode::LLVMGetElementPtr
}

/// True for the null pointer and for one that nobody may use.
fn is_nowhere(value: Value<'_>) -> bool {
    value.is_undefined() || (value.is_constant_value() && !value.is_global() && value.is_null())
}
