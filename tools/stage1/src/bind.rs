//! Binds host code to the descriptors of kernels and the names of variables.
//!
//! In: `__sinter_bind_kernel(&entry, slot)`, `__sinter_bind_optional_kernel(&entry, slot, reason)`
//! and `__sinter_bind_symbol(&variable, slot)`. Out: `*slot = &descriptor`, or `*reason = "text"`
//! for a kernel that is left out, and `*slot = "mangled name"`. *Invariant:* no such call remains.

use crate::{
    descriptors::Descriptor,
    error::{Cause, Reporter, Stage1Error},
    optional::LeftOut,
    requests::{KERNEL, OPTIONAL, SYMBOL, calls_of, entry_of},
};
use sinter_core::names::readable;
use sinter_llvm::{
    inkwell::{
        builder::BuilderError,
        module::{Linkage, Module},
        values::{PointerValue, UnnamedAddress},
    },
    stage1::{call::Call, diagnose::Place, name, surgery},
};

/// Numbers of the arguments that receive something.
const SLOT: u32 = 1;
const REASON: u32 = 2;

pub(crate) fn replace_calls<'ctx>(
    module: &Module<'ctx>,
    descriptors: &[Descriptor<'ctx>],
    left_out: &[LeftOut],
    reporter: &mut Reporter<'_>,
) -> Result<(), Stage1Error> {
    for call in [KERNEL, OPTIONAL].iter().flat_map(|callee| calls_of(module, callee)) {
        let symbol = entry_of(&call);
        let known = |name: &str| symbol.as_deref() == Some(name);
        if let Some(descriptor) = descriptors.iter().find(|descriptor| known(&descriptor.symbol)) {
            store(module, &call, SLOT, descriptor.address)?;
        } else if let Some(kernel) = left_out.iter().find(|kernel| known(&kernel.symbol)) {
            store(module, &call, REASON, string(module, kernel.reason.as_bytes()))?;
        } else {
            report(&call, reporter, |function| Cause::Bind { function });
        }
    }
    for call in calls_of(module, SYMBOL) {
        match variable_name(module, &call) {
            Some(name) => store(module, &call, SLOT, name)?,
            None => report(&call, reporter, |function| Cause::BindSymbol { function }),
        }
    }
    Ok(())
}

/// A string constant with the mangled name of the variable that the first argument points to.
fn variable_name<'ctx>(module: &Module<'ctx>, call: &Call<'ctx>) -> Option<PointerValue<'ctx>> {
    let variable = surgery::named_variable(surgery::argument(call.instruction, 0)?)?;
    Some(string(module, variable.get_name().to_bytes()))
}

/// A string constant.
pub(crate) fn string<'ctx>(module: &Module<'ctx>, text: &[u8]) -> PointerValue<'ctx> {
    let text = module.get_context().const_string(text, true);
    let string = module.add_global(text.get_type(), None, "sinter.name");
    string.set_initializer(&text);
    string.set_linkage(Linkage::Private);
    string.set_constant(true);
    string.set_unnamed_address(UnnamedAddress::Global);
    string.as_pointer_value()
}

/// Stores `value` where the argument with this number points, instead of the call.
fn store<'ctx>(
    module: &Module<'ctx>,
    call: &Call<'ctx>,
    number: u32,
    value: PointerValue<'ctx>,
) -> Result<(), BuilderError> {
    let Some(slot) = surgery::argument(call.instruction, number) else { return Ok(()) };
    let builder = module.get_context().create_builder();
    builder.position_before(&call.instruction);
    builder.build_store(slot, value)?;
    surgery::erase_call(call.instruction);
    Ok(())
}

fn report(call: &Call<'_>, reporter: &mut Reporter<'_>, cause: impl FnOnce(String) -> Cause) {
    let place = Place::Instruction(call.instruction);
    let function = place.function().map(|function| readable(&name(function))).unwrap_or_default();
    reporter.report(place, &cause(function));
}

#[cfg(test)]
mod tests {
    use crate::testing::{accept, module_text, process};

    const DECLARATIONS: &str = "declare void @__sinter_bind_symbol(ptr, ptr)
@_ZL4tile = internal constant { i32, i32 } { i32 8, i32 0 }\n@other = external global i32\n";

    #[test]
    fn a_named_variable_stays_in_the_image_where_no_kernel_reads_it() {
        let host = "define void @host(ptr %slot) {
  call void @__sinter_bind_symbol(ptr @_ZL4tile, ptr %slot)
  call void @__sinter_bind_symbol(ptr @other, ptr %slot)
  ret void\n}";
        let result = accept("", &format!("{DECLARATIONS}{host}"));
        assert!(result.device.contains("@_ZL4tile = internal constant"), "{}", result.device);
        assert!(!result.device.contains("@other"), "{}", result.device);
    }

    #[test]
    fn the_name_of_a_variable_is_stored() {
        let host = "define void @host(ptr %slot) {
  call void @__sinter_bind_symbol(ptr @_ZL4tile, ptr %slot)
  call void @__sinter_bind_symbol(ptr getelementptr (i8, ptr @other, i64 0), ptr %slot)
  call void @__sinter_bind_symbol(ptr addrspacecast (ptr addrspace(4) addrspacecast (ptr @other to ptr addrspace(4)) to ptr), ptr %slot)
  ret void\n}";
        let body = "  %v = load i32, ptr @_ZL4tile\n  call void @use(i32 %v)";
        let result = accept(body, &format!("{DECLARATIONS}{host}\ndeclare void @use(i32)"));
        assert!(result.host.contains("private unnamed_addr constant [9 x i8] c\"_ZL4tile\\00\""), "{}", result.host);
        assert_eq!(result.host.matches("store ptr @sinter.name").count(), 3, "{}", result.host);
        assert!(!result.host.contains("__sinter_bind_symbol"), "{}", result.host);
        assert!(result.device.contains("@_ZL4tile = internal constant"), "{}", result.device);
    }

    #[test]
    fn what_is_no_variable_has_no_name() {
        let host = "define void @host(ptr %p) {\n  call void @__sinter_bind_symbol(ptr %p, ptr %p)\n  ret void\n}";
        let causes = process(&module_text("", &format!("{DECLARATIONS}{host}"))).causes;
        assert!(causes[0].contains("`__sinter_bind_symbol` (in `host`)") && causes[0].contains("static"), "{causes:?}");
    }

    #[test]
    fn names_are_bound_in_files_without_kernels() {
        let text = format!(
            "{DECLARATIONS}define void @host(ptr %slot) {{
  call void @__sinter_bind_symbol(ptr @other, ptr %slot)\n  ret void\n}}"
        );
        assert!(process(&text).host.contains("c\"other\\00\""));
    }
}
