//! `__device__` and `__constant__` variables.
//!
//! In: annotated variables with their initial values, and `extern` ones in a section of the
//! plugin's. Out: objects of device globals, which are larger: the address of their layout comes
//! first, then the value. All uses refer to the value, so that the host's address of a variable
//! lies in its object. *Invariant:* a unit sees others' variables only if it was compiled for that
//! (`-fgpu-rdc`).

use sinter_llvm::{
    inkwell::{
        AddressSpace,
        module::{Linkage, Module},
        targets::TargetData,
        types::{AnyTypeEnum, BasicType, BasicTypeEnum, StructType},
        values::{GlobalValue, PointerValue},
    },
    stage1::replace,
};

const VARIABLE: &str = "sinter_hip_variable";
const EXPORTED: &str = "sinter_hip_exported";
/// Type of the objects that other units define, by which the device globals know them.
const TYPE: &str = "sinter_hip_variable";
/// The part of the name by which device globals know their layouts, with an end of ours.
const LAYOUT: &str = "sinter_device_global_layout.hip";
/// Size in bytes of the address of a layout.
const ADDRESS: u64 = 8;
/// Smallest offset of a value. Clang may give a definition this alignment and its declarations,
/// which do not say how long an array is, a smaller one.
const OFFSET: u64 = 16;

type Annotated<'ctx> = [(GlobalValue<'ctx>, String)];

/// True for a variable of another unit.
pub(crate) fn has_type(variable: GlobalValue<'_>) -> bool {
    let AnyTypeEnum::StructType(ty) = variable.get_value_type() else { return false };
    ty.get_name().is_some_and(|name| name.to_bytes().starts_with(TYPE.as_bytes()))
}

fn is_variable(text: &str) -> bool {
    text == VARIABLE
}

fn name_of(variable: GlobalValue<'_>) -> String {
    variable.get_name().to_string_lossy().into_owned()
}

fn is_in_section(variable: GlobalValue<'_>) -> bool {
    variable.get_section().is_some_and(|name| name.to_bytes() == VARIABLE.as_bytes())
}

/// The variables that this unit defines.
pub(super) fn defined(annotated: &Annotated<'_>) -> Vec<String> {
    let mut names: Vec<_> = annotated.iter().filter(|(_, text)| is_variable(text)).map(|(v, _)| name_of(*v)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

pub(super) fn wrap<'ctx>(module: &Module<'ctx>, annotated: &Annotated<'ctx>) {
    let exported: Vec<_> =
        annotated.iter().filter(|(_, text)| text == EXPORTED).map(|(variable, _)| name_of(*variable)).collect();
    let layout = TargetData::create(&module.get_data_layout().as_str().to_string_lossy());
    let wrap = Wrap { module, layout };
    for name in defined(annotated) {
        if let Some(variable) = module.get_global(&name) {
            variable.set_section(None);
            wrap.define(variable, exported.contains(&name));
        }
    }
    let declared: Vec<_> = module.get_globals().filter(|v| v.is_declaration() && is_in_section(*v)).collect();
    declared.into_iter().for_each(|variable| wrap.declare(variable));
}

struct Wrap<'m, 'ctx> {
    module: &'m Module<'ctx>,
    layout: TargetData,
}

impl<'ctx> Wrap<'_, 'ctx> {
    fn define(&self, variable: GlobalValue<'ctx>, is_exported: bool) {
        let Some(value) = variable.get_initializer() else { return };
        if !is_exported {
            variable.set_linkage(Linkage::Internal);
        }
        let (offset, alignment) = self.place(variable);
        // The runtime takes what follows the offset as the size of the value.
        let size = offset + self.layout.get_abi_size(&value.get_type());
        let context = self.module.get_context();
        let padding = context.i8_type().array_type((offset - ADDRESS) as u32).const_zero().into();
        let fields = [self.layout_of(size, alignment).into(), padding, value];
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
