//! Embeds the container and describes its kernels to the runtime.
//!
//! In: the host module and the container. Out: the blob, the structures of `sinter/sinter.h`, and a
//! constructor and destructor that register and unregister the container. *Invariant:* layouts are
//! those of the header; only a kernel's slot is writable.

use crate::{
    container::{Container, HashedKernel, PlacedImage},
    device_globals::DeviceGlobal,
    error::Stage1Error,
};
use sinter_core::{
    container::{BLOB_HEADER_SIZE, BLOB_SECTION, ContainerError, encode_blob, seal_of_content},
    records::{self, Image, ImagePlace, KernelAspects, KernelImage, KernelRequirements, WholeContainer, WholeKernel},
};
use sinter_llvm::{
    inkwell::{
        AddressSpace,
        builder::BuilderError,
        context::ContextRef,
        module::{Linkage, Module},
        values::{ArrayValue, BasicValue, BasicValueEnum, FunctionValue, GlobalValue, PointerValue, StructValue},
    },
    stage1::embed,
};
use std::ptr;

/// The global variable of a kernel's descriptor in the host module.
#[derive(Debug, Clone)]
pub(crate) struct Descriptor<'ctx> {
    pub(crate) symbol: String,
    pub(crate) address: PointerValue<'ctx>,
}

/// Embeds the container, if there is one, and the table of device globals. Returns one descriptor
/// per kernel.
pub(crate) fn embed<'ctx>(
    module: &Module<'ctx>,
    container: Option<&Container>,
    globals: &[DeviceGlobal],
) -> Result<Vec<Descriptor<'ctx>>, Stage1Error> {
    let embed = Embed { module, context: module.get_context() };
    let Some(container) = container else {
        embed.device_globals(globals, embed.null())?;
        return Ok(Vec::new());
    };
    let blob = embed.blob(&container.bytes);
    let record = embed.container(container, embed::address_in(module, blob, BLOB_HEADER_SIZE as u64))?;
    let constructor = embed.registration("sinter.register", "sinter_register_container", record)?;
    let destructor = embed.registration("sinter.unregister", "sinter_unregister_container", record)?;
    embed::register(constructor, destructor);
    embed.device_globals(globals, record)?;
    Ok(container.kernels.iter().map(|kernel| embed.kernel(kernel, record)).collect())
}

struct Embed<'m, 'ctx> {
    module: &'m Module<'ctx>,
    context: ContextRef<'ctx>,
}

impl<'ctx> Embed<'_, 'ctx> {
    fn blob(&self, container: &[u8]) -> GlobalValue<'ctx> {
        let blob = self.variable("sinter.blob", &self.context.const_string(&encode_blob(container), false));
        blob.set_constant(true);
        blob.set_section(Some(BLOB_SECTION));
        blob.set_alignment(BLOB_HEADER_SIZE as u32);
        embed::keep(blob);
        blob
    }

    fn container(&self, container: &Container, data: PointerValue<'ctx>) -> Result<PointerValue<'ctx>, ContainerError> {
        let (size, image_count) = (container.bytes.len() as u64, container.images.len() as u32);
        let whole = WholeContainer::new(size, container.object_id, image_count);
        let records::Container { struct_size, abi_version, data: _, size, object_id } = whole.container;
        let records::ContainerIndex { images: _, image_count, reserved, seal } = whole.index;
        let fields = [
            self.u32(struct_size),
            self.u32(abi_version),
            data.into(),
            self.u64(size),
            self.bytes(&object_id),
            self.images(&container.images)?.into(),
            self.u32(image_count),
            self.u32(reserved),
            self.u64(seal),
        ];
        let record = self.variable("sinter.container", &self.context.const_struct(&fields, false));
        record.set_constant(true);
        Ok(record.as_pointer_value())
    }

    /// The table of images.
    fn images(&self, images: &[PlacedImage]) -> Result<PointerValue<'ctx>, ContainerError> {
        let records = images.iter().map(|image| self.image(image)).collect::<Result<Vec<_>, _>>()?;
        let Some(ty) = records.first().map(|record| record.get_type()) else { return Ok(self.null()) };
        let table = self.variable("sinter.images", &ty.const_array(&records));
        table.set_constant(true);
        Ok(table.as_pointer_value())
    }

    fn image(&self, image: &PlacedImage) -> Result<StructValue<'ctx>, ContainerError> {
        let PlacedImage { offset, size, digest, exports, imports, has_debug } = image;
        let place = ImagePlace { offset: *offset, size: *size, digest: *digest, has_debug: *has_debug };
        let (record, names) = Image::new(place, exports, imports)?;
        let Image { offset, size, digest, names: _, exports_size, imports_size, flags, reserved, names_seal, seal } =
            record;
        let fields = [
            self.u64(offset),
            self.u64(size),
            self.bytes(&digest),
            self.names(&names).into(),
            self.u32(exports_size),
            self.u32(imports_size),
            self.u32(flags),
            self.u32(reserved),
            self.u64(names_seal),
            self.u64(seal),
        ];
        Ok(self.context.const_struct(&fields, false))
    }

    fn names(&self, names: &[u8]) -> PointerValue<'ctx> {
        if names.is_empty() {
            return self.null();
        }
        let names = self.variable("sinter.names", &self.context.const_string(names, false));
        names.set_constant(true);
        names.as_pointer_value()
    }

    fn kernel(&self, kernel: &HashedKernel, container: PointerValue<'ctx>) -> Descriptor<'ctx> {
        let symbol = self.variable("sinter.symbol", &self.context.const_string(kernel.symbol.as_bytes(), true));
        symbol.set_constant(true);
        let parameters: Vec<_> = kernel.parameters.iter().map(records::Parameter::from).collect();
        let record = record(kernel, &parameters);
        let aspects = record.require(kernel.required.aspects);
        let WholeKernel { kernel: first, requirements, image } = record;
        let KernelRequirements { required_group_size, required_sub_group_size } = requirements;
        let KernelImage { image, symbol_size, content_seal, seal } = image;
        let mut fields = vec![
            self.u32(first.struct_size),
            self.u32(first.parameter_count),
            container.into(),
            symbol.as_pointer_value().into(),
            self.parameters(&parameters).into(),
            self.u64(first.block_size),
            self.bytes(&first.ir_hash),
            self.null().into(),
            self.words(&required_group_size).into(),
            self.u32(required_sub_group_size),
            self.u32(image),
            self.u32(symbol_size),
            self.u64(content_seal),
            self.u64(seal),
        ];
        if let Some(KernelAspects { required_aspects, aspects_seal }) = aspects {
            fields.extend([self.u64(required_aspects), self.u64(aspects_seal)]);
        }
        let descriptor = self.variable("sinter.kernel", &self.context.const_struct(&fields, false));
        Descriptor { symbol: kernel.symbol.clone(), address: descriptor.as_pointer_value() }
    }

    /// The table of device globals with its registration; nothing if there are none.
    fn device_globals(&self, globals: &[DeviceGlobal], container: PointerValue<'ctx>) -> Result<(), BuilderError> {
        let entries: Vec<_> = globals.iter().filter_map(|global| self.device_global(global)).collect();
        let Some(ty) = entries.first().map(|entry| entry.get_type()) else { return Ok(()) };
        let list = self.variable("sinter.device_globals", &ty.const_array(&entries));
        list.set_constant(true);
        let size = size_of::<records::DeviceGlobals>() as u32;
        let fields = [self.u32(size), self.u32(entries.len() as u32), container.into(), list.as_pointer_value().into()];
        let table = self.variable("sinter.globals", &self.context.const_struct(&fields, false));
        table.set_constant(true);
        let table = table.as_pointer_value();
        let constructor = self.registration("sinter.register.globals", "sinter_register_device_globals", table)?;
        let destructor = self.registration("sinter.unregister.globals", "sinter_unregister_device_globals", table)?;
        embed::register(constructor, destructor);
        Ok(())
    }

    fn device_global(&self, global: &DeviceGlobal) -> Option<StructValue<'ctx>> {
        let object = self.module.get_global(&global.variable)?.as_pointer_value();
        let name = self.variable("sinter.name", &self.context.const_string(global.name.as_bytes(), true));
        name.set_constant(true);
        Some(self.context.const_struct(&[name.as_pointer_value().into(), object.into()], false))
    }

    fn parameters(&self, parameters: &[records::Parameter]) -> PointerValue<'ctx> {
        if parameters.is_empty() {
            return self.null();
        }
        let words: Vec<_> = parameters.iter().flat_map(records::Parameter::words).collect();
        let records = self.variable("sinter.parameters", &self.words(&words));
        records.set_constant(true);
        records.as_pointer_value()
    }

    /// A function that calls a function of the runtime with `record`.
    fn registration(
        &self,
        name: &str,
        callee: &str,
        record: PointerValue<'ctx>,
    ) -> Result<FunctionValue<'ctx>, BuilderError> {
        let pointer = self.context.ptr_type(AddressSpace::default());
        let ty = self.context.void_type().fn_type(&[pointer.into()], false);
        let callee = self.module.get_function(callee).unwrap_or_else(|| self.module.add_function(callee, ty, None));
        let ty = self.context.void_type().fn_type(&[], false);
        let function = self.module.add_function(name, ty, Some(Linkage::Internal));
        let builder = self.context.create_builder();
        builder.position_at_end(self.context.append_basic_block(function, ""));
        builder.build_call(callee, &[record.into()], "")?;
        builder.build_return(None)?;
        Ok(function)
    }

    fn variable(&self, name: &str, value: &dyn BasicValue<'ctx>) -> GlobalValue<'ctx> {
        let value = value.as_basic_value_enum();
        let variable = self.module.add_global(value.get_type(), None, name);
        variable.set_initializer(&value);
        variable.set_linkage(Linkage::Private);
        variable
    }

    fn bytes(&self, bytes: &[u8]) -> BasicValueEnum<'ctx> {
        self.context.const_string(bytes, false).into()
    }

    fn u32(&self, value: u32) -> BasicValueEnum<'ctx> {
        self.context.i32_type().const_int(value.into(), false).into()
    }

    fn u64(&self, value: u64) -> BasicValueEnum<'ctx> {
        self.context.i64_type().const_int(value, false).into()
    }

    fn words(&self, words: &[u32]) -> ArrayValue<'ctx> {
        let words: Vec<_> = words.iter().map(|word| self.context.i32_type().const_int((*word).into(), false)).collect();
        self.context.i32_type().const_array(&words)
    }

    fn null(&self) -> PointerValue<'ctx> {
        self.context.ptr_type(AddressSpace::default()).const_null()
    }
}

/// The descriptor of a kernel, with its pointers still null.
fn record(kernel: &HashedKernel, parameters: &[records::Parameter]) -> WholeKernel {
    let HashedKernel { symbol, block_size, ir_hash, required, image, .. } = kernel;
    let first = records::Kernel {
        struct_size: WholeKernel::size(required.aspects),
        parameter_count: parameters.len() as u32,
        container: ptr::null(),
        symbol: ptr::null(),
        parameters: ptr::null(),
        block_size: *block_size,
        ir_hash: *ir_hash,
        slot: ptr::null_mut(),
    };
    let requirements = KernelRequirements {
        required_group_size: required.group_size,
        required_sub_group_size: required.sub_group_size,
    };
    let content_seal = seal_of_content(symbol.as_bytes(), parameters.iter().map(records::Parameter::words));
    let image = KernelImage { image: *image, symbol_size: symbol.len() as u32, content_seal, seal: 0 };
    WholeKernel { kernel: first, requirements, image }.sealed()
}

#[cfg(test)]
mod tests {
    use crate::testing::{LAUNCH, module_text, process};

    #[test]
    fn specialized_parameters_and_required_sizes_are_in_the_descriptor() {
        let text = module_text("", LAUNCH)
            .replace("%K = type { ptr, i32 }", "%S = type { i32 }\n%K = type { ptr, %S }")
            .replace("%S", "%\"struct.sycl::detail::sinter_specialized\"");
        let host = process(&text).host;
        assert!(host.contains("[8 x i32] [i32 0, i32 8, i32 0, i32 0, i32 8, i32 4, i32 1, i32 257]"), "{host}");
        assert!(host.contains("{ i32 120, i32 2, ptr @sinter.container,"), "{host}");
        assert!(host.contains("ptr null, [3 x i32] zeroinitializer, i32 0, i32 0, i32 6, i64 "), "{host}");
    }
}
