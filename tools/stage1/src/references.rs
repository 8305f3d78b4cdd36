//! Makes the linker resolve device functions of other translation units.
//!
//! In: the functions that this unit's device code calls and other units export (`SYCL_EXTERNAL`).
//! Out: an uncalled function of the host module with a call to each. Host code need not call them:
//! without this reference a linker would leave out the archive member or shared library that
//! defines such a function, and would not report an undefined one. *Invariant:* only functions that
//! device code reaches are referenced; a weak declaration stays weak.

use crate::annotations::Marks;
use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        builder::BuilderError,
        module::{Linkage, Module},
    },
    stage1::embed,
};

/// Prefix of reserved names: builtins and vendor libraries, which only devices have.
const RESERVED: &str = "__";

/// Functions of other units that the finished device code references.
pub(crate) fn needed(device: &Module<'_>, marks: &Marks) -> Vec<String> {
    let is_undefined = |name: &str| device.get_function(name).is_some_and(|f| f.count_basic_blocks() == 0);
    let is_needed = |name: &&String| !name.starts_with(RESERVED) && is_undefined(name);
    marks.foreign.iter().filter(is_needed).cloned().collect()
}

/// References functions in the host module while it still declares them. A call without arguments
/// is a relocation like any other call's, which a linker may bind lazily, and no pass optimises it,
/// since its type differs from that of the function.
pub(crate) fn embed(host: &Module<'_>, functions: &[String]) -> Result<(), BuilderError> {
    let declared = functions.iter().filter_map(|name| host.get_function(name));
    let strong: Vec<_> = declared.filter(|function| function.get_linkage() == Linkage::External).collect();
    if strong.is_empty() {
        return Ok(());
    }
    let context = host.get_context();
    let ty = context.void_type().fn_type(&[], false);
    let caller = host.add_function("sinter.functions", ty, Some(Linkage::Internal));
    for attribute in ["noinline", "optnone"].map(Attribute::get_named_enum_kind_id) {
        caller.add_attribute(AttributeLoc::Function, context.create_enum_attribute(attribute, 0));
    }
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(caller, ""));
    for function in strong {
        builder.build_indirect_call(ty, function.as_global_value().as_pointer_value(), &[], "")?;
    }
    builder.build_return(None)?;
    embed::keep(caller.as_global_value());
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{module_text, process};

    /// Host code of a unit whose kernel has this body. `foreign` and `@other` are declared as
    /// exported, `@plain` is not.
    fn host(body: &str, foreign: &str, rest: &str) -> String {
        let common = "declare i32 @other(i32)\ndeclare i32 @plain(i32)
@.e = private unnamed_addr constant [14 x i8] c\"sinter_export\\00\", section \"llvm.metadata\"";
        let text = module_text(body, &format!("{rest}\n{common}"));
        let entry = |function: &str| {
            format!("{{ ptr, ptr, ptr, i32, ptr }} {{ ptr @{function}, ptr @.e, ptr @.f, i32 1, ptr null }}")
        };
        let entries = [foreign, "other"].map(entry).join(", ");
        let text = text.replace("i32 1, ptr null }]", &format!("i32 1, ptr null }}, {entries}]"));
        process(&text.replace("global [1 x", "global [3 x")).host
    }

    #[test]
    fn what_device_code_reaches_is_referred_to_as_a_call_does() {
        let rest = "declare i32 @far(i32)\ndefine linkonce_odr i32 @near(i32 %x) {
  %y = call i32 @far(i32 %x)\n  %z = call i32 @plain(i32 %y)\n  ret i32 %z\n}";
        let host = host("  %r = call i32 @near(i32 1)", "far", rest);
        assert!(host.contains("call void @far()") && host.contains("declare i32 @far(i32)"), "{host}");
        assert!(host.contains("@llvm.used") && host.contains("@sinter.functions"), "{host}");
        assert!(!host.contains("@other") && !host.contains("@plain"), "{host}");
    }

    #[test]
    fn weak_declarations_and_functions_that_only_devices_have_need_no_definition() {
        for (name, linkage) in [("far", "extern_weak"), ("__nv_sinf", "")] {
            let body = format!("  %r = call i32 @{name}(i32 1)");
            let host = host(&body, name, &format!("declare {linkage} i32 @{name}(i32)"));
            assert!(!host.contains("@sinter.functions") && host.contains("@sinter.blob"), "{host}");
        }
    }
}
