//! `__device__`, `__constant__` and `__managed__` variables.
//!
//! In: marked variables with their initial values, and declarations of others. Out: objects of
//! device globals, which are larger: the address of their layout comes first, then the value. All
//! uses refer to the value, so that the host's address of a variable lies in its object.
//! *Invariant:* a unit sees others' variables only if it was compiled for that (`-fgpu-rdc`).

use super::{
    managed::Managed,
    marks::{self, Annotated, is_declared, name_of},
};
use sinter_core::hip::{CONSTANT, MANAGED};
use sinter_llvm::{
    inkwell::{
        AddressSpace,
        module::{Linkage, Module},
        targets::TargetData,
        types::{AnyTypeEnum, BasicType, BasicTypeEnum, StructType},
        values::{BasicValueEnum, GlobalValue, PointerValue},
    },
    stage1::replace,
};

/// Type of the objects that other units define, by which the device globals know them.
const TYPE: &str = "sinter_hip_variable";
/// The part of the name by which device globals know their layouts, with an end of ours.
const LAYOUT: &str = "sinter_device_global_layout.hip";
/// Size in bytes of the address of a layout.
const ADDRESS: u64 = 8;
/// Smallest offset of a value: that of a managed one follows the address of the variable with its
/// address. Clang may give a definition this alignment and its declarations,
/// which do not say how long an array is, a smaller one.
const OFFSET: u64 = 16;
/// Field of an object with the value.
const VALUE: u32 = 3;

/// True for a variable of another unit.
pub(crate) fn has_type(variable: GlobalValue<'_>) -> bool {
    let AnyTypeEnum::StructType(ty) = variable.get_value_type() else { return false };
    ty.get_name().is_some_and(|name| name.to_bytes().starts_with(TYPE.as_bytes()))
}

/// LLVM's text of the initial value in an object of [`wrap`].
pub(super) fn value_of(object: GlobalValue<'_>) -> Option<String> {
    match object.get_initializer()? {
        BasicValueEnum::StructValue(object) => object.get_field_at_index(VALUE).map(|value| value.to_string()),
        _ => None,
    }
}

pub(super) fn wrap<'ctx>(module: &Module<'ctx>, annotated: &Annotated<'ctx>, managed: &[Managed]) {
    let (exported, constants) = (marks::exported(annotated), marks::constants(annotated));
    let layout = TargetData::create(&module.get_data_layout().as_str().to_string_lossy());
    let wrap = Wrap { module, layout, managed };
    for name in marks::defined(annotated) {
        if let Some(variable) = module.get_global(&name) {
            variable.set_section(None);
            let flags = if constants.contains(&name) { CONSTANT } else { 0 };
            wrap.define(variable, exported.contains(&name), flags);
        }
    }
    let declared: Vec<_> = module.get_globals().filter(|variable| is_declared(*variable)).collect();
    declared.into_iter().for_each(|variable| wrap.declare(variable));
}

struct Wrap<'m, 'ctx> {
    module: &'m Module<'ctx>,
    layout: TargetData,
    managed: &'m [Managed],
}

impl<'ctx> Wrap<'_, 'ctx> {
    /// The variable with the address of a managed one.
    fn slot_of(&self, variable: GlobalValue<'ctx>) -> Option<GlobalValue<'ctx>> {
        let name = name_of(variable);
        self.managed.iter().find(|one| one.variable == name).and_then(|one| self.module.get_global(&one.slot))
    }

    /// `flags`: those of its layout, besides that of managed ones.
    fn define(&self, variable: GlobalValue<'ctx>, is_exported: bool, flags: u64) {
        let Some(value) = variable.get_initializer() else { return };
        if !is_exported {
            variable.set_linkage(Linkage::Internal);
            self.slot_of(variable).into_iter().for_each(|slot| slot.set_linkage(Linkage::Internal));
        }
        let (offset, alignment) = self.place(variable);
        // The runtime takes what follows the offset as the size of the value.
        let size = offset + self.layout.get_abi_size(&value.get_type());
        let context = self.module.get_context();
        let slot = self.slot_of(variable).map(GlobalValue::as_pointer_value);
        let flags = if slot.is_some() { MANAGED } else { flags };
        let slot = slot.unwrap_or(context.ptr_type(AddressSpace::default()).const_null()).into();
        let padding = context.i8_type().array_type((offset - OFFSET) as u32).const_zero().into();
        let fields = [self.layout_of(size, alignment | flags).into(), slot, padding, value];
        let object = context.const_struct(&fields, true);
        let object = replace::retype(self.module, variable, object.get_type(), Some(&object), offset);
        object.set_alignment(alignment as u32);
        // Copies of its bytes are made while the program runs.
        object.set_constant(false);
    }

    fn declare(&self, variable: GlobalValue<'ctx>) {
        let Ok(value) = BasicTypeEnum::try_from(variable.get_value_type()) else { return };
        variable.set_section(None);
        let (offset, _) = self.place(variable);
        replace::retype(self.module, variable, self.object_type(value, offset), None, offset);
    }

    /// Offset of the value in its object, and the alignment of both.
    fn place(&self, variable: GlobalValue<'ctx>) -> (u64, u64) {
        let alignment = u64::from(variable.get_alignment()).max(OFFSET);
        (alignment, alignment)
    }

    fn object_type(&self, value: BasicTypeEnum<'ctx>, offset: u64) -> StructType<'ctx> {
        let context = self.module.get_context();
        let ty = context.opaque_struct_type(TYPE);
        let pointer = context.ptr_type(AddressSpace::default()).as_basic_type_enum();
        let padding = context.i8_type().array_type((offset - ADDRESS) as u32).as_basic_type_enum();
        ty.set_body(&[pointer, padding, value], true);
        ty
    }

    /// `alignment` has the flags of its kind.
    fn layout_of(&self, size: u64, alignment: u64) -> PointerValue<'ctx> {
        let number = |number: u64| self.module.get_context().i64_type().const_int(number, false).into();
        let value = self.module.get_context().const_struct(&[number(size), number(alignment)], false);
        let variable = self.module.add_global(value.get_type(), None, LAYOUT);
        variable.set_initializer(&value);
        variable.set_linkage(Linkage::Private);
        variable.set_constant(true);
        variable.as_pointer_value()
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        hip::testing::{HANDLE, line, text},
        testing::process,
    };

    const VARIABLES: &str = "@v = global i32 3, align 4\n@wide = global i64 9, align 64
@far = external global i32, section \"sinter_hip_variable\", align 4\n";
    const BODY: &str = "  %a = load i32, ptr @v\n  %b = load i64, ptr @wide\n  %c = load i32, ptr @far";

    #[test]
    fn device_code_knows_which_variables_it_only_reads() {
        let annotations: [(&str, &str, &[i64]); 5] = [
            ("v", "sinter_hip_variable", &[]),
            ("v", "sinter_hip_constant", &[]),
            ("v", "sinter_hip_exported", &[]),
            ("wide", "sinter_hip_variable", &[]),
            ("wide", "sinter_hip_exported", &[]),
        ];
        let result = process(&text(BODY, &format!("{HANDLE}{VARIABLES}"), &annotations));
        let declared = |name: &str| line(&result.device, &format!("@__sinter_device_global.{name}"));
        assert!(declared("v").contains("external constant"), "{}", declared("v"));
        assert!(declared("wide").contains("external global"), "{}", declared("wide"));
        let flagged = format!("{{ i64 20, i64 {} }}", super::CONSTANT as i64 | 16);
        assert!(result.host.contains(&flagged) && result.host.contains("{ i64 72, i64 64 }"), "{}", result.host);
    }

    #[test]
    fn variables_are_objects_whose_value_follows_the_layout() {
        let annotations: [(&str, &str, &[i64]); 3] = [
            ("v", "sinter_hip_variable", &[]),
            ("v", "sinter_hip_exported", &[]),
            ("wide", "sinter_hip_variable", &[]),
        ];
        let result = process(&text(BODY, &format!("{HANDLE}{VARIABLES}"), &annotations));
        let (exported, own) = (line(&result.host, "@v"), line(&result.host, "@wide"));
        assert!(
            exported.contains("global") && !exported.contains("internal") && exported.ends_with("align 16"),
            "{exported}"
        );
        assert!(exported.contains("i32 3") && exported.contains("@sinter_device_global_layout.hip"), "{exported}");
        assert!(own.contains("internal global") && own.contains("i64 9") && own.ends_with("align 64"), "{own}");
        assert!(
            result.host.contains("{ i64 20, i64 16 }") && result.host.contains("{ i64 72, i64 64 }"),
            "{}",
            result.host
        );
        for name in ["v", "wide", "far"] {
            assert!(result.device.contains(&format!("@__sinter_device_global.{name}")), "{name}\n{}", result.device);
        }
        assert!(result.host.contains("sinter_register_device_globals"), "{}", result.host);
    }
}
