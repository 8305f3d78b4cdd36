//! Data that stage 1 emits into a program: a container, the table of its images, and the descriptor
//! of a kernel.
//!
//! *Invariant:* the data is as in the program's file, and may be changed; pointers are set by
//! [`Linked::relocate`], as the dynamic loader does.

use sinter::abi;
use sinter_core::container::{Container, ContainerImage, seal_of_content};
use std::{mem::offset_of, ops::Range, ptr};

/// The data of a program, for one kernel of its container.
#[derive(Clone)]
pub struct Linked {
    pub payload: Vec<u8>,
    /// Range of the kernel's image in the payload.
    pub image: Range<usize>,
    pub container: abi::WholeContainer,
    pub images: Vec<abi::Image>,
    /// Names of the images, each with a terminating zero.
    pub names: Vec<Vec<u8>>,
    pub kernel: abi::WholeKernel,
    /// With a terminating zero and further strings, as in a program.
    pub symbol: Vec<u8>,
    pub parameters: Vec<abi::Parameter>,
}

// SAFETY: the pointers point into the value itself; tests change it only while no launch uses them.
unsafe impl Sync for Linked {}

impl Linked {
    /// Data for the kernel `symbol` of a container. Without a table it has the form of programs
    /// that were compiled before tables existed.
    pub fn new(payload: Vec<u8>, symbol: &str, parameters: &[abi::Parameter], has_table: bool) -> Self {
        let parsed = Container::parse(&payload).unwrap();
        let kernel = parsed.kernel(symbol).unwrap();
        let image = parsed.image_of(kernel).unwrap();
        let (start, number) = (parsed.offset_of(image), parsed.number_of(image).unwrap());
        let (object_id, ir_hash) = (parsed.object_id_bytes().unwrap(), kernel.ir_hash.unwrap());
        let range = start..start + image.bytes.len();
        let record = |image: &ContainerImage<'_>| {
            let ContainerImage { exported_symbols, imported_symbols, .. } = image;
            abi::Image::new(parsed.place_of(image), exported_symbols, imported_symbols).unwrap()
        };
        let (images, names): (Vec<_>, Vec<_>) = parsed.images().iter().map(record).unzip();
        let container = container_record(payload.len() as u64, object_id, images.len() as u32, has_table);
        let kernel = kernel_record(symbol, parameters, ir_hash, number, has_table);
        let parameters = parameters.to_vec();
        let symbol = format!("{symbol}\0another string\0").into_bytes();
        Linked { payload, image: range, container, images, names, kernel, symbol, parameters }
    }

    /// Index of the kernel's image.
    pub fn number(&self) -> usize {
        self.kernel.image.image as usize
    }

    /// Sets the pointers, and returns those that a launch needs. They are valid until the value is
    /// changed or moved.
    pub fn relocate(&mut self) -> (*const abi::Container, *const abi::Kernel) {
        for (image, names) in self.images.iter_mut().zip(&self.names) {
            image.names = names.as_ptr().cast();
        }
        self.container.container.data = self.payload.as_ptr().cast();
        self.container.index.images = self.images.as_ptr();
        self.kernel.kernel.container = (&raw const self.container).cast();
        self.kernel.kernel.symbol = self.symbol.as_ptr().cast();
        self.kernel.kernel.parameters = self.parameters.as_ptr();
        self.kernel.kernel.slot = ptr::null_mut();
        ((&raw const self.container).cast(), (&raw const self.kernel).cast())
    }
}

fn container_record(size: u64, object_id: [u8; 32], image_count: u32, has_table: bool) -> abi::WholeContainer {
    let mut record = abi::WholeContainer::new(size, object_id, image_count);
    if !has_table {
        record.container.struct_size = size_of::<abi::Container>() as u32;
    }
    record.sealed()
}

/// The descriptor of a kernel, without its pointers.
fn kernel_record(
    symbol: &str,
    parameters: &[abi::Parameter],
    ir_hash: [u8; 32],
    image: u32,
    has_table: bool,
) -> abi::WholeKernel {
    let old_size = offset_of!(abi::WholeKernel, image);
    let content_seal = seal_of_content(symbol.as_bytes(), parameters.iter().map(abi::Parameter::words));
    let first = abi::Kernel {
        struct_size: if has_table { size_of::<abi::WholeKernel>() } else { old_size } as u32,
        parameter_count: parameters.len() as u32,
        container: ptr::null(),
        symbol: ptr::null(),
        parameters: ptr::null(),
        block_size: super::BLOCK as u64,
        ir_hash,
        slot: ptr::null_mut(),
    };
    let image = abi::KernelImage { image, symbol_size: symbol.len() as u32, content_seal, seal: 0 };
    abi::WholeKernel { kernel: first, requirements: Default::default(), image }.sealed()
}
