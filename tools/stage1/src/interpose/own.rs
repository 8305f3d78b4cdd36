//! Tells functions that are made here from those of the program.
//!
//! *Invariant:* the program has no names with a dot in front of `stdpar`.

use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::name,
};

/// Start of the names of functions that are made here.
pub(super) const OWN: &str = "sinter.stdpar.";

/// Functions of the module that have a body and are not made here.
pub(super) fn bodies<'ctx>(module: &Module<'ctx>) -> Vec<FunctionValue<'ctx>> {
    let functions = module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    functions.filter(|function| !name(*function).starts_with(OWN)).collect()
}
