//! Flattens kernel entries to kernels.
//!
//! In: `void entry(const K &k)` whose body copies `k` into an annotated local variable. Out:
//! `void kernel(leaf...)` of the same name, which stores the leaves into its own closure and
//! continues with the body. *Invariant:* the body sees the same bytes as on the host, except
//! padding.

use crate::{
    annotations::{CLOSURE, Marks},
    error::{Cause, Reporter, Stage1Error},
    leaves::{Leaf, leaves},
    requirements::Requirements,
};
use sinter_core::container::{KERNEL_ATTRIBUTE, LaunchForm};
use sinter_core::names::readable;
use sinter_core::parameter::{Parameter, ParameterKind};
use sinter_llvm::{
    inkwell::{
        AddressSpace,
        attributes::{Attribute, AttributeLoc},
        builder::{Builder, BuilderError},
        module::Module,
        targets::TargetData,
        types::{AnyType, BasicTypeEnum},
        values::{BasicValue, BasicValueEnum, FunctionValue, PointerValue},
    },
    stage1::{annotation, diagnose::Place, inspect, is_unused, name, surgery},
};

/// Record of a kernel in the container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kernel {
    pub(crate) symbol: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) block_size: u64,
    /// Floating-point relaxations that the whole kernel was compiled with.
    pub(crate) flags: Vec<String>,
    /// Sizes that the kernel requires of its launches.
    pub(crate) required: Requirements,
    /// The form of its launches, if the source says it.
    pub(crate) form: Option<LaunchForm>,
}

/// A kernel entry of the expected form.
struct Entry<'ctx> {
    function: FunctionValue<'ctx>,
    closure: BasicTypeEnum<'ctx>,
    alignment: u32,
    reference: PointerValue<'ctx>,
}

/// Flattens all kernel entries and removes local annotations.
pub(crate) fn kernels(
    module: &Module<'_>,
    marks: &Marks,
    reporter: &mut Reporter<'_>,
) -> Result<Vec<Kernel>, Stage1Error> {
    let layout = TargetData::create(&module.get_data_layout().as_str().to_string_lossy());
    let mut kernels = Vec::new();
    for function in marks.kernels.iter().filter_map(|symbol| module.get_function(symbol)) {
        match read(function) {
            Ok(entry) => {
                let kernel = flatten(module, &entry, &layout)?;
                kernels.push(Kernel { form: marks.forms.get(&kernel.symbol).copied(), ..kernel });
            }
            Err(defect) => {
                let kernel = readable(&name(function));
                reporter.report(Place::Function(function), &Cause::Entry { kernel, defect });
            }
        }
    }
    module.get_functions().for_each(annotation::remove_local_annotations);
    Ok(kernels)
}

fn read(function: FunctionValue<'_>) -> Result<Entry<'_>, &'static str> {
    let parameter = function.get_first_param().filter(|_| function.count_params() == 1);
    let Some(BasicValueEnum::PointerValue(reference)) = parameter else {
        return Err("must take one reference parameter");
    };
    if function.get_type().get_return_type().is_some() {
        return Err("must return void");
    }
    if !is_unused(function) {
        return Err("must not be called or have its address taken in device code");
    }
    let slot = annotation::annotated_slot(function, CLOSURE)
        .ok_or("has no local variable that is annotated with \"sinter_closure\"")?;
    let closure = slot.get_allocated_type().map_err(|_| "has an annotated variable without a type")?;
    Ok(Entry { function, closure, alignment: slot.get_alignment().unwrap_or(1), reference })
}

fn flatten<'ctx>(module: &Module<'ctx>, entry: &Entry<'ctx>, layout: &TargetData) -> Result<Kernel, Stage1Error> {
    let symbol = name(entry.function);
    let leaves = if is_empty(entry, layout) { Vec::new() } else { leaves(entry.closure, layout) };
    let context = module.get_context();
    let pointer = context.ptr_type(AddressSpace::default());
    let types: Vec<_> = leaves.iter().map(|leaf| parameter_type(leaf, pointer.into()).into()).collect();
    let Some(kernel) = surgery::move_body(entry.function, context.void_type().fn_type(&types, false)) else {
        return Err(Stage1Error::Passes(format!("kernel `{symbol}` lost its body")));
    };
    mark_parameters(module, kernel, &leaves);
    let block = store_leaves(module, entry, kernel, &leaves)?;
    surgery::replace_uses(entry.reference, block);
    surgery::erase_function(entry.function);
    Ok(Kernel {
        parameters: leaves.iter().map(Leaf::record).collect(),
        block_size: layout.get_abi_size(&entry.closure),
        flags: flags(kernel),
        required: Requirements::default(),
        form: None,
        symbol,
    })
}

/// True if the closure has no members: clang gives such a type one byte and never copies it.
fn is_empty(entry: &Entry<'_>, layout: &TargetData) -> bool {
    layout.get_abi_size(&entry.closure) == 1 && inspect::is_never_read(entry.reference)
}

fn parameter_type<'ctx>(leaf: &Leaf<'ctx>, pointer: BasicTypeEnum<'ctx>) -> BasicTypeEnum<'ctx> {
    if leaf.kind == ParameterKind::OtherByValue { pointer } else { leaf.ty }
}

fn mark_parameters(module: &Module<'_>, kernel: FunctionValue<'_>, leaves: &[Leaf<'_>]) {
    let context = module.get_context();
    kernel.add_attribute(AttributeLoc::Function, context.create_string_attribute(KERNEL_ATTRIBUTE, ""));
    let byval = Attribute::get_named_enum_kind_id("byval");
    for (index, leaf) in (0..).zip(leaves).filter(|(_, leaf)| leaf.kind == ParameterKind::OtherByValue) {
        let bytes = context.i8_type().array_type(leaf.size as u32);
        kernel
            .add_attribute(AttributeLoc::Param(index), context.create_type_attribute(byval, bytes.as_any_type_enum()));
    }
}

/// Constructs the closure at the start of the kernel.
fn store_leaves<'ctx>(
    module: &Module<'ctx>,
    entry: &Entry<'ctx>,
    kernel: FunctionValue<'ctx>,
    leaves: &[Leaf<'ctx>],
) -> Result<PointerValue<'ctx>, BuilderError> {
    let builder = module.get_context().create_builder();
    let first = kernel.get_first_basic_block().and_then(|block| block.get_first_instruction());
    if let Some(first) = first {
        builder.position_before(&first);
        builder.unset_current_debug_location();
    }
    let block = builder.build_alloca(entry.closure, "block")?;
    if let Some(slot) = block.as_instruction_value() {
        // The alignment is copied from another alloca, hence valid.
        let _ = slot.set_alignment(entry.alignment);
    }
    for (leaf, value) in leaves.iter().zip(kernel.get_params()) {
        store(&builder, block, leaf, value)?;
    }
    Ok(block)
}

fn store<'ctx>(
    builder: &Builder<'ctx>,
    block: PointerValue<'ctx>,
    leaf: &Leaf<'ctx>,
    value: BasicValueEnum<'ctx>,
) -> Result<(), BuilderError> {
    let address = surgery::byte_offset(builder, block, leaf.offset)?;
    match value {
        BasicValueEnum::PointerValue(bytes) if leaf.kind == ParameterKind::OtherByValue => {
            let size = block.get_type().get_context().i64_type().const_int(leaf.size, false);
            builder.build_memcpy(address, 1, bytes, 1, size)?;
        }
        // Members of packed closures have any alignment.
        _ => {
            let store = builder.build_store(address, value)?;
            let _ = store.set_alignment(1 << leaf.offset.trailing_zeros().min(leaf.size.trailing_zeros()).min(4));
        }
    }
    Ok(())
}

fn flags(kernel: FunctionValue<'_>) -> Vec<String> {
    let attribute = kernel.get_string_attribute(AttributeLoc::Function, "unsafe-fp-math");
    let is_fast = attribute.is_some_and(|attribute| attribute.get_string_value().to_bytes() == b"true");
    if is_fast { vec!["fast-math".to_owned()] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accept, module_text, process};

    #[test]
    fn a_kernel_takes_the_leaves_and_rebuilds_the_closure() {
        let device = accept("", "").device;
        assert!(device.contains("define void @kernel(ptr %0, i32 %1)"), "{device}");
        assert!(device.contains("\"sinter-kernel\""), "{device}");
        assert!(!device.contains("annotation"), "{device}");
    }

    #[test]
    fn host_attributes_are_gone_and_floating_point_ones_stay() {
        let device = accept("", "").device;
        assert!(device.contains("\"no-nans-fp-math\"=\"true\""), "{device}");
        for gone in ["target-cpu", "optnone", "noinline", "uwtable", "comdat", "dso_local", "triple", "test.cpp"] {
            assert!(!device.contains(gone), "{gone}\n{device}");
        }
    }

    #[test]
    fn malformed_entries_are_rejected_with_the_reason() {
        let text = module_text("", "");
        let unmarked = process(&text.replace("c\"sinter_closure\\00\"", "c\"sinter_clause_\\00\""));
        assert!(unmarked.causes[0].contains("sinter_closure"), "{:?}", unmarked.causes);
        let two = process(&text.replace("@kernel(ptr %k)", "@kernel(ptr %k, i32 %n)"));
        assert!(two.causes[0].contains("one reference parameter"), "{:?}", two.causes);
        let recursive = process(&module_text("  call void @kernel(ptr %k)", ""));
        assert!(recursive.causes[0].contains("must not be called"), "{:?}", recursive.causes);
    }

    #[test]
    fn a_closure_without_members_has_no_parameters() {
        let text = module_text("", "").replace("%K = type { ptr, i32 }", "%K = type { i8 }");
        let copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %closure, ptr %k, i64 16, i1 false)\n";
        let device = process(&text.replace(copy, "")).device;
        assert!(device.contains("define void @kernel()"), "{device}");
        let one_byte = process(&text.replace("i64 16", "i64 1")).device;
        assert!(one_byte.contains("define void @kernel(i8 %0)"), "{one_byte}");
    }
}
