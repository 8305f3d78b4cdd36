//! Splits the type of a closure into kernel parameters.
//!
//! In: the type of the closure and the data layout. Out: its leaves in the order of their offsets.
//! *Invariant:* the leaves cover every byte that can carry data: the members of a union overlap, so
//! a union is one leaf of bytes. Leaves inside a `sinter_specialized` of the headers are marked as
//! such, and those inside a `sinter_specialized_place` as parts of a local accessor.

use sinter_core::parameter::{LOCAL_ACCESSOR, Parameter, ParameterKind, SPECIALIZED};
use sinter_llvm::inkwell::{
    targets::TargetData,
    types::{BasicTypeEnum, StructType},
};

/// Longer arrays become a leaf of bytes.
const MAX_ELEMENTS: u32 = 16;
/// Parts of the names of structs around specialized values, with the annotations of their leaves.
const MARKS: [(&str, &str); 2] = [("sinter_specialized", SPECIALIZED), ("sinter_specialized_place", LOCAL_ACCESSOR)];

/// A part of the closure that becomes one parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Leaf<'ctx> {
    pub(crate) ty: BasicTypeEnum<'ctx>,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) kind: ParameterKind,
    /// Index of the closure's field that contains the leaf.
    pub(crate) field: u32,
    /// True for each of [`MARKS`] that the leaf has.
    pub(crate) marks: [bool; MARKS.len()],
}

impl Leaf<'_> {
    pub(crate) fn record(&self) -> Parameter {
        Parameter {
            byte_offset: self.offset as u32,
            byte_size: self.size as u32,
            original_index: self.field,
            kind: self.kind,
            annotations: MARKS
                .iter()
                .zip(self.marks)
                .filter(|(_, has)| *has)
                .map(|((_, mark), _)| (*mark).to_owned())
                .collect(),
        }
    }
}

/// The leaves of a closure.
pub(crate) fn leaves<'ctx>(closure: BasicTypeEnum<'ctx>, layout: &TargetData) -> Vec<Leaf<'ctx>> {
    let mut split = Split { layout, leaves: Vec::new(), marks: [false; MARKS.len()] };
    match closure {
        BasicTypeEnum::StructType(ty) if !is_union(ty) => split.structure(ty, 0, None),
        _ => split.value(closure, 0, 0),
    }
    split.leaves
}

struct Split<'l, 'ctx> {
    layout: &'l TargetData,
    leaves: Vec<Leaf<'ctx>>,
    /// Marks of all structs that enclose the current member.
    marks: [bool; MARKS.len()],
}

impl<'ctx> Split<'_, 'ctx> {
    fn value(&mut self, ty: BasicTypeEnum<'ctx>, offset: u64, field: u32) {
        match ty {
            BasicTypeEnum::PointerType(_) => self.leaf(ty, offset, field, ParameterKind::Pointer),
            BasicTypeEnum::IntType(int) if int.get_bit_width().is_power_of_two() && int.get_bit_width() >= 8 => {
                self.leaf(ty, offset, field, ParameterKind::Integer);
            }
            BasicTypeEnum::FloatType(float) if float.get_bit_width() <= 64 => {
                self.leaf(ty, offset, field, ParameterKind::FloatingPoint);
            }
            BasicTypeEnum::StructType(structure) if !is_union(structure) => {
                self.structure(structure, offset, Some(field))
            }
            BasicTypeEnum::ArrayType(array) if array.len() <= MAX_ELEMENTS => {
                let (element, stride) = (array.get_element_type(), self.layout.get_abi_size(&array.get_element_type()));
                (0..array.len()).for_each(|i| self.value(element, offset + u64::from(i) * stride, field));
            }
            _ => self.leaf(ty, offset, field, ParameterKind::OtherByValue),
        }
    }

    /// `field` is the closure's field that contains the structure; `None` for the closure itself.
    fn structure(&mut self, ty: StructType<'ctx>, offset: u64, field: Option<u32>) {
        let (outer, name) = (self.marks, name(ty));
        MARKS.iter().zip(&mut self.marks).for_each(|((part, _), has)| *has |= name.contains(part));
        for (index, member) in (0..).zip(ty.get_field_types_iter()) {
            let offset = offset + self.layout.offset_of_element(&ty, index).unwrap_or(0);
            let field = field.unwrap_or(index);
            match ty.is_packed() && is_byte_array(member) {
                true => self.leaf(member, offset, field, ParameterKind::OtherByValue),
                false => self.value(member, offset, field),
            }
        }
        self.marks = outer;
    }

    fn leaf(&mut self, ty: BasicTypeEnum<'ctx>, offset: u64, field: u32, kind: ParameterKind) {
        let size = self.layout.get_store_size(&ty);
        if size > 0 {
            self.leaves.push(Leaf { ty, offset, size, kind, field, marks: self.marks });
        }
    }
}

/// In packed structures clang emits padding as such an array (`CGRecordLowering::insertPadding`);
/// one leaf is enough, as it is almost never read.
fn is_byte_array(ty: BasicTypeEnum<'_>) -> bool {
    match ty {
        BasicTypeEnum::ArrayType(array) => {
            matches!(array.get_element_type(), BasicTypeEnum::IntType(int) if int.get_bit_width() == 8)
        }
        _ => false,
    }
}

/// True if the type is a union: `CodeGenTypes::addRecordTypeName` starts the name with the kind of
/// record.
fn is_union(ty: StructType<'_>) -> bool {
    name(ty).starts_with("union.")
}

fn name(ty: StructType<'_>) -> String {
    ty.get_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_llvm::inkwell::{AddressSpace, context::Context};

    const LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    /// Offset, size, field and kind of each leaf.
    fn summary(ty: BasicTypeEnum<'_>) -> Vec<(u64, u64, u32, ParameterKind)> {
        let leaves = leaves(ty, &TargetData::create(LAYOUT));
        leaves.iter().map(|leaf| (leaf.offset, leaf.size, leaf.field, leaf.kind)).collect()
    }

    #[test]
    fn nested_structures_and_arrays_become_scalars() {
        use ParameterKind::{FloatingPoint, Integer, Pointer};
        let cx = Context::create();
        let inner = cx.struct_type(&[cx.i8_type().into(), cx.f32_type().array_type(2).into()], false);
        let ty =
            cx.struct_type(&[cx.ptr_type(AddressSpace::default()).into(), inner.into(), cx.f16_type().into()], false);
        let expected = [
            (0, 8, 0, Pointer),
            (8, 1, 1, Integer),
            (12, 4, 1, FloatingPoint),
            (16, 4, 1, FloatingPoint),
            (20, 2, 2, FloatingPoint),
        ];
        assert_eq!(summary(ty.into()), expected);
    }

    #[test]
    fn long_arrays_vectors_and_odd_types_are_bytes() {
        let cx = Context::create();
        let odd = cx.custom_width_int_type(24.try_into().unwrap()).unwrap();
        let fields = [
            cx.i32_type().array_type(17).into(),
            cx.f32_type().vec_type(4).into(),
            odd.into(),
            cx.x86_f80_type().into(),
        ];
        let kinds: Vec<_> =
            summary(cx.struct_type(&fields, false).into()).iter().map(|leaf| (leaf.1, leaf.3)).collect();
        assert_eq!(kinds, [68, 16, 3, 10].map(|size| (size, ParameterKind::OtherByValue)));
        assert_eq!(summary(cx.i32_type().array_type(16).into()).len(), 16);
    }

    #[test]
    fn a_union_is_bytes_because_its_padding_may_carry_data() {
        let cx = Context::create();
        let union = cx.opaque_struct_type("union.std::variant");
        union.set_body(&[cx.struct_type(&[cx.i8_type().into(), cx.f64_type().into()], false).into()], false);
        let ty = cx.struct_type(&[cx.i32_type().into(), union.into()], false);
        assert_eq!(summary(ty.into())[1], (8, 16, 1, ParameterKind::OtherByValue));
        assert_eq!(summary(union.into()), [(0, 16, 0, ParameterKind::OtherByValue)]);
    }

    #[test]
    fn members_of_specialized_values_are_marked_and_no_others() {
        let cx = Context::create();
        let specialized = cx.opaque_struct_type("struct.sycl::detail::sinter_specialized.7");
        let pair = cx.struct_type(&[cx.i32_type().into(), cx.f64_type().into()], false);
        specialized.set_body(&[pair.into()], false);
        let ty = cx.struct_type(&[cx.i32_type().into(), specialized.into(), cx.i8_type().into()], false);
        let leaves = leaves(ty.into(), &TargetData::create(LAYOUT));
        let records: Vec<_> = leaves.iter().map(Leaf::record).collect();
        assert_eq!(records.iter().map(Parameter::is_specialized).collect::<Vec<_>>(), [false, true, true, false]);
        assert!(records.iter().all(|record| !record.is_of_local_accessor()));
        assert!(records[0].annotations.is_empty());
    }

    #[test]
    fn members_of_local_accessors_are_marked_twice() {
        let cx = Context::create();
        let place = cx.opaque_struct_type("struct.sycl::detail::sinter_specialized_place.1");
        place.set_body(&[cx.i32_type().into(), cx.i64_type().array_type(2).into()], false);
        let ty = cx.struct_type(&[place.into(), cx.i64_type().into()], false);
        let leaves = leaves(ty.into(), &TargetData::create(LAYOUT));
        assert_eq!(leaves[2].record().annotations, ["specialized", "local-accessor"]);
        assert!(leaves[3].record().annotations.is_empty());
    }

    #[test]
    fn packed_members_keep_their_offsets() {
        let cx = Context::create();
        let ty = cx.struct_type(&[cx.i8_type().into(), cx.i64_type().into()], true);
        let offsets: Vec<_> = summary(ty.into()).iter().map(|leaf| leaf.0).collect();
        assert_eq!(offsets, [0, 1]);
    }
}
