//! Reduces the device module to what kernels and exported functions reach.
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

/// Erases what the marked functions do not reach.
pub(crate) fn keep(module: &Module<'_>, marks: &Marks) {
    surgery::keep_reachable(module, &marks.functions(module));
}

/// Gives every definition its linkage in the image.
pub(crate) fn set_linkage(module: &Module<'_>, marks: &Marks) {
    let roots = marks.functions(module);
    for function in module.get_functions() {
        surgery::neutralize(function.as_global_value());
        if function.count_basic_blocks() > 0 {
            function.set_linkage(if roots.contains(&function) { Linkage::External } else { Linkage::Internal });
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
