//! Handles of kernels, which host code launches.
//!
//! In: clang's handle of a kernel, a variable with the kernel's symbol and the address of its stub
//! as the value. Out: a [`KernelHandle`], so that a launch by the handle's address needs no
//! registration, in whatever unit or library the handle is. *Invariant:* the stub stays first,
//! where clang's code loads it.

use crate::descriptors::Descriptor;
use sinter_core::{container::WARPS_ATTRIBUTE, hip::HANDLE_MARK};
use sinter_llvm::{
    inkwell::{
        AddressSpace,
        attributes::AttributeLoc,
        module::{Linkage, Module},
        values::{BasicValueEnum, PointerValue},
    },
    stage1::{annotation::FunctionAnnotation, name, replace},
};

const PARAMETERS: &str = "sinter_hip_parameters";
/// Ending that the plugin adds to a kernel's symbol.
const SUFFIX: &str = ".kernel";

/// A kernel with the offset and the size of each parameter in its argument block.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Launchable {
    entry: String,
    /// Largest number of work-items in a block; 0 if the source does not say.
    largest_block: i64,
    numbers: Vec<i64>,
}

impl Launchable {
    pub(super) fn entry(&self) -> &str {
        &self.entry
    }

    /// The symbol in the source.
    pub(super) fn symbol(&self) -> &str {
        self.entry.strip_suffix(SUFFIX).unwrap_or(&self.entry)
    }
}

pub(super) fn launchable(annotations: &[FunctionAnnotation<'_>]) -> Vec<Launchable> {
    let found = annotations.iter().filter(|annotation| annotation.text == PARAMETERS);
    found
        .map(|annotation| {
            let mut numbers = annotation.values.iter().map(|value| value.unwrap_or_default());
            let largest_block = numbers.next().unwrap_or_default();
            Launchable { entry: name(annotation.function), largest_block, numbers: numbers.collect() }
        })
        .collect()
}

pub(super) fn mark(device: &Module<'_>, kernels: &[Launchable]) {
    let attribute = device.get_context().create_string_attribute(WARPS_ATTRIBUTE, "");
    let functions = kernels.iter().filter_map(|kernel| device.get_function(&kernel.entry));
    functions.for_each(|function| function.add_attribute(AttributeLoc::Function, attribute));
}

pub(super) fn complete<'ctx>(module: &Module<'ctx>, kernels: &[Launchable], descriptors: &[Descriptor<'ctx>]) {
    for kernel in kernels {
        if let Some(descriptor) = descriptors.iter().find(|descriptor| descriptor.symbol == kernel.entry) {
            complete_one(module, kernel, descriptor.address);
        }
    }
}

fn complete_one<'ctx>(module: &Module<'ctx>, kernel: &Launchable, descriptor: PointerValue<'ctx>) {
    // A template that is never launched here has no handle.
    let Some(handle) = module.get_global(kernel.symbol()) else { return };
    let Some(BasicValueEnum::PointerValue(stub)) = handle.get_initializer() else { return };
    let context = module.get_context();
    let count = context.i32_type().const_int(kernel.numbers.len() as u64 / 2, false);
    let fields: [BasicValueEnum<'_>; 6] = [
        stub.into(),
        context.i64_type().const_int(HANDLE_MARK, false).into(),
        descriptor.into(),
        parameters(module, kernel).into(),
        count.into(),
        context.i32_type().const_int(kernel.largest_block as u64, false).into(),
    ];
    let value = context.const_struct(&fields, false);
    replace::retype(module, handle, value.get_type(), Some(&value), 0);
}

fn parameters<'ctx>(module: &Module<'ctx>, kernel: &Launchable) -> PointerValue<'ctx> {
    let context = module.get_context();
    if kernel.numbers.is_empty() {
        return context.ptr_type(AddressSpace::default()).const_null();
    }
    let number = |number: &i64| context.i32_type().const_int(*number as u64, false);
    let numbers = context.i32_type().const_array(&kernel.numbers.iter().map(number).collect::<Vec<_>>());
    let variable = module.add_global(numbers.get_type(), None, "sinter.hip.parameters");
    variable.set_initializer(&numbers);
    variable.set_linkage(Linkage::Private);
    variable.set_constant(true);
    variable.as_pointer_value()
}

#[cfg(test)]
mod tests {
    use crate::{
        hip::testing::{HANDLE, line, text},
        testing::process,
    };
    use sinter_core::hip::HANDLE_MARK;

    #[test]
    fn handles_have_the_stub_the_descriptor_and_the_parameters() {
        let host = process(&text("", HANDLE, &[("k.kernel", "sinter_hip_parameters", &[0, 0, 8, 8, 4])])).host;
        let handle = line(&host, "@k");
        let wanted = format!(
            "constant <{{ ptr, i64, ptr, ptr, i32, i32 }}> <{{ ptr @stub, i64 {HANDLE_MARK}, ptr @sinter.kernel, ptr \
             @sinter.hip.parameters, i32 2, i32 0 }}>"
        );
        assert!(
            handle.replace("<{", "{").replace("}>", "}").contains(&wanted.replace("<{", "{").replace("}>", "}")),
            "{handle}"
        );
        let parameters = line(&host, "@sinter.hip.parameters");
        assert!(parameters.contains("[i32 0, i32 8, i32 8, i32 4]"), "{parameters}");
        assert!(!host.contains("sinter_hip_parameters"), "{host}");
    }

    #[test]
    fn a_kernel_without_a_handle_is_embedded_all_the_same() {
        let result = process(&text("", "", &[("k.kernel", "sinter_hip_parameters", &[])]));
        assert_eq!(result.causes, Vec::<String>::new());
        assert!(result.device.contains("@k.kernel"), "{}", result.device);
        assert!(result.device.contains("\"sinter-warps\""), "{}", result.device);
    }
}
