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

#[cfg(test)]
mod tests {
    use crate::{
        hip::testing::{HANDLE, line, text},
        testing::process,
    };

    #[test]
    fn variables_of_blocks_are_in_local_memory() {
        let rest = format!("{HANDLE}@s = internal global [4 x i32] undef, section \"x\", align 4\n");
        let body = "  store i32 1, ptr getelementptr (i8, ptr @s, i64 4)";
        let result = process(&text(body, &rest, &[("s", "sinter_hip_shared", &[])]));
        let variable = line(&result.device, "@s");
        assert!(variable.contains("internal addrspace(3) global [4 x i32] undef, align 4"), "{variable}");
        assert!(!result.host.contains("@s ="), "{}", result.host);
    }

    #[test]
    fn undefined_ones_are_the_dynamic_part() {
        let rest = format!("{HANDLE}@d = external global [0 x i32], section \"sinter_hip_dynamic\", align 4\n");
        let result = process(&text("  store i32 1, ptr @d", &rest, &[]));
        assert!(
            result.device.contains("call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()"),
            "{}",
            result.device
        );
        assert!(!result.device.contains("@d ="), "{}", result.device);
    }
}
