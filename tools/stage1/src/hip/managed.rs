//! `__managed__` variables.
//!
//! In: what clang makes of a managed variable `x`: a variable `x.managed` with the initial value,
//! and a variable `x`, the slot, from which all code loads the address of the value. Out: host code
//! loads the address through a function that asks the runtime while the slot is null; device code
//! uses `x.managed` like any variable of devices. *Invariant:* the value lies where the runtime put
//! it first, so that an address which host code has taken stays valid.

use super::marks::{Annotated, is_declared, name_of};
use sinter_llvm::{
    inkwell::{
        AddressSpace, IntPredicate,
        attributes::{Attribute, AttributeLoc},
        builder::BuilderError,
        module::{Linkage, Module},
        values::{
            AnyValueEnum, BasicValue, FunctionValue, GlobalValue, InstructionOpcode, InstructionValue, PointerValue,
        },
    },
    stage1::{call, surgery},
};

/// Ending of clang's for the variable with the value.
const SUFFIX: &str = ".managed";
/// The function of host code, which is in the module until the device code is split off.
const ADDRESS: &str = "sinter.hip.managed";
/// The runtime's function.
const FIND: &str = "sinter_hip_managed";

/// Names of the two variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Managed {
    pub(super) variable: String,
    pub(super) slot: String,
}

/// The managed variables that a module defines or declares.
pub(super) fn find(module: &Module<'_>, annotated: &Annotated<'_>) -> Vec<Managed> {
    let defined = annotated.iter().map(|(variable, _)| *variable);
    let declared = module.get_globals().filter(|variable| is_declared(*variable));
    let pair = |variable: GlobalValue<'_>| {
        let variable = name_of(variable);
        let slot = variable.strip_suffix(SUFFIX)?.to_owned();
        module.get_global(&slot)?;
        Some(Managed { variable, slot })
    };
    let mut found: Vec<_> = defined.chain(declared).filter_map(pair).collect();
    found.sort_unstable_by(|a, b| a.variable.cmp(&b.variable));
    found.dedup();
    found
}

/// Lets code load the addresses through the function.
pub(super) fn replace_loads<'ctx>(module: &Module<'ctx>, managed: &[Managed]) -> Result<(), BuilderError> {
    if managed.is_empty() {
        return Ok(());
    }
    let function = address_function(module)?;
    let builder = module.get_context().create_builder();
    for Managed { variable, slot } in managed {
        let (Some(value), Some(slot)) = (module.get_global(variable), module.get_global(slot)) else { continue };
        let (value, slot) = (value.as_pointer_value(), slot.as_pointer_value());
        for load in loads(slot) {
            builder.position_before(&load);
            let call = builder.build_direct_call(function, &[slot.into(), value.into()], "")?;
            if let Some(address) = call.try_as_basic_value().basic() {
                surgery::replace_instruction(load, &address);
            }
        }
    }
    Ok(())
}

fn loads(slot: PointerValue<'_>) -> Vec<InstructionValue<'_>> {
    let uses = std::iter::successors(slot.get_first_use(), |one| one.get_next_use());
    let instruction = |user| match user {
        AnyValueEnum::InstructionValue(instruction) => Some(instruction),
        AnyValueEnum::PointerValue(pointer) => pointer.as_instruction(),
        _ => None,
    };
    let users = uses.filter_map(|one| instruction(one.get_user()));
    users.filter(|user| user.get_opcode() == InstructionOpcode::Load).collect()
}

/// `ptr f(ptr slot, ptr value)`: the address in the slot, or where the runtime puts the value.
fn address_function<'ctx>(module: &Module<'ctx>) -> Result<FunctionValue<'ctx>, BuilderError> {
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let ty = pointer.fn_type(&[pointer.into(), pointer.into()], false);
    let function = module.add_function(ADDRESS, ty, Some(Linkage::Internal));
    let inline = Attribute::get_named_enum_kind_id("alwaysinline");
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(inline, 0));
    let runtime = module.get_function(FIND).unwrap_or_else(|| module.add_function(FIND, ty, None));
    let [entry, missing, end] = ["", "missing", "end"].map(|name| context.append_basic_block(function, name));
    let parameter = |index| function.get_nth_param(index).map(|parameter| parameter.into_pointer_value());
    let (slot, value) = (parameter(0).unwrap_or(pointer.const_null()), parameter(1).unwrap_or(pointer.const_null()));
    let builder = context.create_builder();
    builder.position_at_end(entry);
    let held = builder.build_load(pointer, slot, "")?.into_pointer_value();
    let is_missing = builder.build_int_compare(IntPredicate::EQ, held, pointer.const_null(), "")?;
    builder.build_conditional_branch(is_missing, missing, end)?;
    builder.position_at_end(missing);
    let found = builder.build_direct_call(runtime, &[slot.into(), value.into()], "")?;
    builder.build_unconditional_branch(end)?;
    builder.position_at_end(end);
    let address = builder.build_phi(pointer, "")?;
    address.add_incoming(&[(&held, entry)]);
    if let Some(found) = found.try_as_basic_value().basic() {
        address.add_incoming(&[(&found, missing)]);
    }
    builder.build_return(Some(&address.as_basic_value()))?;
    Ok(function)
}

/// In device code: replaces calls of the function by the variable with the value.
pub(crate) fn resolve(device: &Module<'_>) {
    let Some(function) = device.get_function(ADDRESS) else { return };
    for caller in device.get_functions() {
        for site in call::calls(caller) {
            let value = (site.function() == Some(function)).then(|| call::arguments(site.instruction));
            if let Some(value) = value.and_then(|arguments| arguments.get(1).copied()) {
                surgery::replace_instruction(site.instruction, &value);
            }
        }
    }
    surgery::erase_function(function);
}

#[cfg(test)]
mod tests {
    use crate::{
        hip::testing::{HANDLE, line, text},
        testing::process,
    };

    const MANAGED: &str = "@x = externally_initialized global ptr null, align 8\n@x.managed = global i32 7, section \"sinter_hip_exported\", align 4
@y = external externally_initialized global ptr
@y.managed = external global i32, section \"sinter_hip_variable\", align 4
define i32 @on_host() {\n  %p = load ptr, ptr @x, align 4\n  %a = load i32, ptr %p
  %q = load ptr, ptr @y, align 4\n  %b = load i32, ptr %q\n  %c = add i32 %a, %b\n  ret i32 %c\n}\n";
    const BODY: &str = "  %p = load ptr, ptr @x, align 4\n  store i32 1, ptr %p
  %q = load ptr, ptr @y, align 4\n  store i32 2, ptr %q";

    #[test]
    fn host_code_asks_the_runtime_and_device_code_has_a_device_global() {
        let result = process(&text(BODY, &format!("{HANDLE}{MANAGED}"), &[]));
        assert_eq!(result.causes, Vec::<String>::new());
        let (object, slot) = (line(&result.host, "@x.managed"), line(&result.host, "@x"));
        assert!(object.contains("ptr @x,") && object.contains("i32 7"), "{object}");
        assert!(slot.contains("global ptr null"), "{slot}");
        // The flag in the alignment.
        assert!(result.host.contains(&format!("{{ i64 20, i64 {} }}", (1u64 << 63 | 16) as i64)), "{}", result.host);
        assert_eq!(result.host.matches("call ptr @sinter.hip.managed(").count(), 2, "{}", result.host);
        assert!(result.host.contains("@sinter_hip_managed(ptr"), "{}", result.host);
        assert!(!result.device.contains("sinter.hip.managed") && !result.device.contains("@x ="), "{}", result.device);
        for name in ["x.managed", "y.managed"] {
            assert!(result.device.contains(&format!("@__sinter_device_global.{name}")), "{name}\n{}", result.device);
        }
    }
}
