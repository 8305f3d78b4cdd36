//! Gives each loop one entry.
//!
//! In: a module and functions of it. Out: the module without loops that are entered in several
//! places, if one of the functions has any. *Invariant:* a module without such loops is left alone.
//! LLVM's pass takes branches alone: it makes wrong code of a `switch`, so these become branches.

use crate::{
    cfg::{Variation, has_irreducible_cycles, read::read},
    failure::Outcome,
};
use sinter_llvm::{Machine, Module, ir::Value};

/// The passes.
const ENTER_ONCE: &str = "function(lower-switch,fix-irreducible)";

/// Gives each loop one entry, if one of the functions, which have bodies, has a loop with several.
pub(crate) fn enter_once<'s>(
    module: &Module<'s>,
    functions: impl IntoIterator<Item = Value<'s>>,
    machine: &Machine,
) -> Outcome<()> {
    let enters_twice = |function: Value<'_>| has_irreducible_cycles(&read(function, "", |_| Variation::Uniform).cfg);
    if functions.into_iter().any(enters_twice) {
        module.run_passes(ENTER_ONCE, Some(machine))?;
    }
    Ok(())
}
