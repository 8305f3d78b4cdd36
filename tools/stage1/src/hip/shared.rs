//! `__shared__` variables.
//!
//! In: variables of host code, annotated or, without a definition, in a section of the plugin's.
//! Out: variables of local memory, and for `extern` ones the start of the dynamic part.
//! *Invariant:* one variable of the source is one of the work-group, whatever functions use it.

use sinter_llvm::{
    inkwell::{
        AddressSpace,
        module::{Linkage, Module},
        values::{FunctionValue, GlobalValue},
    },
    stage1::replace,
};

const SHARED: &str = "sinter_hip_shared";
const DYNAMIC_SECTION: &str = "sinter_hip_dynamic";
const DYNAMIC: &str = "__acpp_sscp_get_dynamic_local_memory";
/// Address space of local memory.
pub(crate) const LOCAL_SPACE: u16 = 3;

/// True if the module refers to dynamic local memory.
pub(super) fn any_dynamic(module: &Module<'_>) -> bool {
    module.get_globals().any(is_dynamic)
}

pub(super) fn place<'ctx>(module: &Module<'ctx>, variables: &[(GlobalValue<'ctx>, String)]) {
    for (variable, _) in variables.iter().filter(|(_, text)| text == SHARED) {
        variable.set_section(None);
        variable.set_linkage(Linkage::Internal);
        replace::move_to_space(module, *variable, LOCAL_SPACE);
    }
    for variable in module.get_globals().filter(|global| is_dynamic(*global)).collect::<Vec<_>>() {
        replace::by_call(variable, dynamic(module));
    }
}

fn is_dynamic(variable: GlobalValue<'_>) -> bool {
    variable.is_declaration()
        && variable.get_section().is_some_and(|name| name.to_bytes() == DYNAMIC_SECTION.as_bytes())
}

fn dynamic<'ctx>(module: &Module<'ctx>) -> FunctionValue<'ctx> {
    let ty = || module.get_context().ptr_type(AddressSpace::from(LOCAL_SPACE)).fn_type(&[], false);
    module.get_function(DYNAMIC).unwrap_or_else(|| module.add_function(DYNAMIC, ty(), None))
}
