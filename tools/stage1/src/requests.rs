//! Calls by which host code asks for descriptors of kernels and names of variables.
//!
//! In: a module before it is split. Out: the calls, and the variables whose names are asked for.
//! *Invariant:* nothing changes.

use sinter_llvm::{
    inkwell::module::Module,
    stage1::{
        call::{Call, calls},
        name, surgery,
    },
};

/// The function that asks for the descriptor of a kernel.
pub(crate) const KERNEL: &str = "__sinter_bind_kernel";
/// The function that asks for the descriptor of a kernel that may be left out, or for the reason
/// why it is.
pub(crate) const OPTIONAL: &str = "__sinter_bind_optional_kernel";
/// The function that asks for the name of a variable.
pub(crate) const SYMBOL: &str = "__sinter_bind_symbol";

/// Variables whose names are requested and that are defined in this module.
pub(crate) fn named_variables<'ctx>(module: &Module<'ctx>) -> Vec<String> {
    let variable = |call: Call<'ctx>| surgery::named_variable(surgery::argument(call.instruction, 0)?);
    let variables = calls_of(module, SYMBOL).into_iter().filter_map(variable).filter(|v| !v.is_declaration());
    variables.map(|variable| variable.get_name().to_string_lossy().into_owned()).collect()
}

/// Calls of the function with this name.
pub(crate) fn calls_of<'ctx>(module: &Module<'ctx>, callee: &str) -> Vec<Call<'ctx>> {
    let Some(callee) = module.get_function(callee) else { return Vec::new() };
    module.get_functions().flat_map(calls).filter(|call| call.function() == Some(callee)).collect()
}

/// The symbol of the kernel entry that a call names.
pub(crate) fn entry_of(call: &Call<'_>) -> Option<String> {
    surgery::named_function(surgery::argument(call.instruction, 0)?).map(name)
}
