//! Reduces the device module to the closure of kernels and exported functions.
//!
//! *Invariant:* kernels and exports are the only external definitions of the image.

use crate::annotations::Marks;
use sinter_llvm::{
    inkwell::{
        GlobalVisibility,
        module::{Linkage, Module},
        values::GlobalValue,
    },
    stage1::surgery,
};

/// Erases everything that neither the marked functions nor the named constants reach.
pub(crate) fn keep(module: &Module<'_>, marks: &Marks) {
    let functions = marks.functions(module).into_iter().map(|function| function.as_global_value());
    let constants = marks.constants.iter().filter_map(|name| module.get_global(name));
    surgery::keep_reachable(module, &functions.chain(constants).collect::<Vec<_>>());
}

/// Sets the linkage that each definition has in the image.
pub(crate) fn set_linkage(module: &Module<'_>, marks: &Marks) {
    let roots = marks.functions(module);
    for function in module.get_functions() {
        surgery::neutralize(function.as_global_value());
        if function.count_basic_blocks() > 0 {
            let may_be_overridden = function.get_linkage() == Linkage::WeakAny;
            function.set_linkage(match roots.contains(&function) {
                true if may_be_overridden => Linkage::WeakAny,
                true => Linkage::External,
                false => Linkage::Internal,
            });
        }
    }
    module.get_globals().for_each(set_variable_linkage);
}

fn set_variable_linkage(variable: GlobalValue<'_>) {
    surgery::neutralize(variable);
    variable.set_visibility(GlobalVisibility::Default);
    if !variable.is_declaration() && variable.get_linkage() != Linkage::Private {
        variable.set_linkage(Linkage::Internal);
    }
}
