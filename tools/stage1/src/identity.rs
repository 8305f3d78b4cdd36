//! Finds kernels that depend on where constants and functions lie.
//!
//! In: a module of kernels. Out: the first use of an address. The code of a device has constants
//! and functions of its own, so that a pointer to one that is stored, returned or compared is not
//! that of the program, and ends with the code. *Invariant:* the module may be optimised on the
//! way: it must be a copy.

use crate::{builtins, error::Cause};
use sinter_core::names::readable;
use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        module::{Linkage, Module},
        values::{FunctionValue, GlobalValue, InstructionValue},
    },
    stage1::{addresses, call::instructions, diagnose::Place, name, surgery},
};

/// Prevent that code is optimised.
const NOT_OPTIMISED: [&str; 2] = ["optnone", "noinline"];

/// The constants and functions of which an address is used so before the module is optimised.
pub(crate) fn all_exposed<'ctx>(module: &Module<'ctx>) -> Vec<GlobalValue<'ctx>> {
    candidates(module).filter(|global| addresses::exposing(*global, &is_harmless).is_some()).collect()
}

/// The first address that the kernel exposes. Addresses that are only passed on are gone after
/// functions are inlined, so the kernel is optimised before it is judged, which takes milliseconds.
pub(crate) fn exposed<'ctx>(module: &Module<'ctx>, kernel: &str) -> Option<(Place<'ctx>, Cause)> {
    first(module)?;
    module.get_functions().for_each(let_optimise);
    // Nothing refers to a kernel, whose linkage is internal where its type is local.
    module.get_function(kernel)?.set_linkage(Linkage::External);
    // A failure leaves code in which more addresses are used.
    let _ = surgery::run_passes(module, &format!("internalize<preserve-gv={kernel}>,default<O1>,globaldce"));
    let (symbol, instruction) = first(module)?;
    let function = instruction.get_parent().and_then(|block| block.get_parent());
    let function = function.map(|function| readable(&name(function))).unwrap_or_default();
    Some((Place::Instruction(instruction), Cause::Address { function, symbol: readable(&symbol) }))
}

fn let_optimise(function: FunctionValue<'_>) {
    for attribute in NOT_OPTIMISED {
        function.remove_enum_attribute(AttributeLoc::Function, Attribute::get_named_enum_kind_id(attribute));
    }
}

fn first<'ctx>(module: &Module<'ctx>) -> Option<(String, InstructionValue<'ctx>)> {
    candidates(module).find_map(|global| Some((symbol(global), addresses::exposing(global, &is_harmless)?)))
}

/// Objects of which a device has copies.
fn candidates<'ctx>(module: &Module<'ctx>) -> impl Iterator<Item = GlobalValue<'ctx>> {
    let constants = module.get_globals().filter(|global| global.is_constant() && !global.is_declaration());
    let functions = module.get_functions().filter(|function| is_copied(*function));
    constants.chain(functions.map(|function| function.as_global_value()))
}

/// True for a function that a device has for itself.
fn is_copied(function: FunctionValue<'_>) -> bool {
    let symbol = name(function);
    !symbol.starts_with("llvm.") && !builtins::is_ours(&symbol) && instructions(function).next().is_some()
}

fn symbol(global: GlobalValue<'_>) -> String {
    global.get_name().to_string_lossy().into_owned()
}

/// True for functions that read through their arguments and keep none of them.
fn is_harmless(function: &str) -> bool {
    builtins::prints(function) || builtins::is_ours(function)
}
