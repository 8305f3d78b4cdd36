//! Containers as modules of kernels.
//!
//! In: a container's bytes, or containers that linked C++ objects registered. Out: kernels by name. *Invariant:* a module
//! holds a descriptor for each of its kernels at a fixed address, and what the runtime knows by that address is forgotten
//! before it is used for anything else.
#![expect(unsafe_code, reason = "registers containers in memory that it owns")]

use super::{kernel::Kernel, owned::Owned};
use crate::{abi, error::RuntimeError, registry::Registered, runtime::Runtime};
use sinter_core::{
    Parameter,
    container::{Container, ContainerKernel, seal_of_content},
    names::{self, Extent, Named},
};
use std::{
    ffi::{CString, c_char},
    mem::offset_of,
    slice,
    sync::Arc,
};

/// Larger than any closure; a larger number is garbage.
const MAX_BLOCK: u64 = 1 << 24;

/// A kernel and the descriptor that stage 1 would have made for it.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) descriptor: Box<abi::WholeKernel>,
    /// What the descriptor points to.
    _symbol: CString,
    _records: Box<[abi::Parameter]>,
}

pub(super) struct Inner {
    pub(super) runtime: Arc<Runtime>,
    pub(super) entries: Vec<Entry>,
    container: *const abi::Container,
    owned: Option<Owned>,
}

// SAFETY: the pointers are to memory that the value owns, or that linked objects own for as long as they are loaded; nothing
// changes it.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.owned.is_some() {
            self.runtime.registry().unregister(self.container);
        }
        self.runtime.forget(self.container);
    }
}

/// The kernels of a container. Cloning it is cheap; the container goes with the last clone and the last of its kernels.
#[derive(Clone)]
pub struct Module(pub(super) Arc<Inner>);

/// Size of the argument block: what is recorded, or, in foreign containers, what the parameters need.
fn block_size(kernel: &ContainerKernel<'_>) -> u64 {
    let end = |parameter: &Parameter| u64::from(parameter.byte_offset) + u64::from(parameter.byte_size);
    kernel.block_size.unwrap_or_else(|| kernel.parameters.iter().map(end).max().unwrap_or(0))
}

/// What the container says that launches of a kernel must look like; the error says which option has no meaning.
fn requirements(kernel: &ContainerKernel<'_>) -> Result<abi::KernelRequirements, String> {
    let required = kernel.required().map_err(|error| error.to_string())?;
    Ok(abi::KernelRequirements {
        required_group_size: required.group_size.unwrap_or_default(),
        required_sub_group_size: required.sub_group_size.unwrap_or_default(),
    })
}

/// Adds the third part of a descriptor: the number of the kernel's image, and what seals all parts.
fn seal(descriptor: &mut abi::WholeKernel, image: u32, symbol: &str, records: &[abi::Parameter]) {
    let content_seal = seal_of_content(symbol.as_bytes(), records.iter().map(abi::Parameter::words));
    descriptor.image = abi::KernelImage { image, symbol_size: symbol.len() as u32, content_seal, seal: 0 };
    *descriptor = descriptor.sealed();
}

impl Entry {
    /// `image` is the number of the kernel's image in the container's table, if there is one.
    fn new(
        kernel: &ContainerKernel<'_>,
        container: *const abi::Container,
        image: Option<u32>,
    ) -> Result<Self, RuntimeError> {
        let refuse =
            |reason: &str| RuntimeError::Kernel { kernel: kernel.symbol.to_owned(), reason: reason.to_owned() };
        let symbol = CString::new(kernel.symbol).map_err(|_| refuse("its name has a NUL byte"))?;
        let size = block_size(kernel);
        let is_inside = |p: &Parameter| u64::from(p.byte_offset) + u64::from(p.byte_size) <= size;
        if size > MAX_BLOCK || !kernel.parameters.iter().all(is_inside) {
            return Err(refuse("its parameters do not fit its argument block; rebuild the container"));
        }
        let records: Box<[_]> = kernel.parameters.iter().map(abi::Parameter::from).collect();
        let requirements = requirements(kernel).map_err(|reason| refuse(&reason))?;
        let without_image = offset_of!(abi::WholeKernel, image);
        let first = abi::Kernel {
            struct_size: image.map_or(without_image, |_| size_of::<abi::WholeKernel>()) as u32,
            parameter_count: records.len() as u32,
            container,
            symbol: symbol.as_ptr().cast::<c_char>(),
            parameters: records.as_ptr(),
            block_size: size,
            ir_hash: kernel.ir_hash.unwrap_or_default(),
            slot: std::ptr::null_mut(),
        };
        let mut descriptor = Box::new(abi::WholeKernel { kernel: first, requirements, image: Default::default() });
        if let Some(image) = image {
            seal(&mut descriptor, image, kernel.symbol, &records);
        }
        let (name, parameters) = (kernel.symbol.to_owned(), kernel.parameters.clone());
        Ok(Entry { name, parameters, descriptor, _symbol: symbol, _records: records })
    }
}

/// `has_table`: the container has a table of its images, which has them in the order of the text.
fn entries(
    parsed: &Container<'_>,
    container: *const abi::Container,
    has_table: bool,
) -> Result<Vec<Entry>, RuntimeError> {
    let number = |kernel| parsed.image_of(kernel).and_then(|image| parsed.number_of(image)).filter(|_| has_table);
    parsed.kernels().iter().map(|kernel| Entry::new(kernel, container, number(kernel))).collect()
}

impl Module {
    /// The kernels of a container: what `sinter-cc --sinter-emit-hcf` and `sinter-build` write. The bytes are copied.
    pub fn from_bytes(runtime: &Arc<Runtime>, bytes: &[u8]) -> Result<Self, RuntimeError> {
        let damaged = |source| RuntimeError::Module { source: Arc::new(source) };
        let parsed = Container::parse(bytes).map_err(damaged)?;
        parsed.verify_content().map_err(damaged)?;
        let owned = Owned::new(&parsed, bytes)?;
        let container = owned.record();
        let entries = entries(&parsed, container, true)?;
        // SAFETY: the value that is made next owns the container and its bytes, and unregisters it before they go.
        unsafe { runtime.registry().register(container) };
        Ok(Module(Arc::new(Inner { runtime: Arc::clone(runtime), entries, container, owned: Some(owned) })))
    }

    /// The modules of the C++ objects that are linked into the program and its libraries, in no particular order. A damaged
    /// one is an error.
    pub fn linked(runtime: &Arc<Runtime>) -> Result<Vec<Self>, RuntimeError> {
        let read = |container: &Registered| drop(container.open("any"));
        let modules = |containers: &mut dyn Iterator<Item = &Registered>| {
            containers.map(|container| Self::of(runtime, container)).collect()
        };
        runtime.registry().with_all(read, modules)
    }

    fn of(runtime: &Arc<Runtime>, registered: &Registered) -> Result<Self, RuntimeError> {
        let container = registered.container();
        let entries = entries(registered.open("any")?, container, registered.has_table("any")?)?;
        Ok(Module(Arc::new(Inner { runtime: Arc::clone(runtime), entries, container, owned: None })))
    }

    /// The names of its kernels.
    pub fn kernel_names(&self) -> impl Iterator<Item = &str> {
        self.0.entries.iter().map(|entry| entry.name.as_str())
    }

    fn at(&self, index: usize) -> Kernel {
        Kernel::new(&self.0, index)
    }

    fn with_symbol(&self, symbol: &str) -> Option<Kernel> {
        self.0.entries.iter().position(|entry| entry.name == symbol).map(|index| self.at(index))
    }

    /// The kernel with this symbol or this whole readable name; `sinter-hcf ls` prints both.
    pub fn kernel(&self, name: &str) -> Result<Kernel, RuntimeError> {
        match self.with_symbol(name) {
            Some(kernel) => Ok(kernel),
            None => with_readable_name(slice::from_ref(self), name),
        }
    }
}

/// The kernel with a readable name. Demangles the symbol of every kernel.
fn with_readable_name(modules: &[Module], name: &str) -> Result<Kernel, RuntimeError> {
    let symbols: Vec<String> = modules.iter().flat_map(Module::kernel_names).map(str::to_owned).collect();
    match names::find(name, &symbols, Extent::Whole) {
        Named::One(symbol) => only(modules, symbol),
        Named::Several(symbols) => {
            let (count, list) = (symbols.len(), names::listed(symbols));
            let reason = format!("{count} kernels are called like that; give the symbol of one:{list}");
            Err(RuntimeError::Kernel { kernel: name.to_owned(), reason })
        }
        Named::None(nearest) => Err(RuntimeError::UnknownKernel { name: name.to_owned(), nearest }),
    }
}

/// The kernel with a symbol. Fails if several modules define it.
fn only(modules: &[Module], symbol: &str) -> Result<Kernel, RuntimeError> {
    let found: Vec<_> = modules.iter().filter_map(|module| module.with_symbol(symbol)).collect();
    match &found[..] {
        [kernel] => Ok(kernel.clone()),
        [] => with_readable_name(modules, symbol),
        _ => {
            let reason = format!("{} linked containers define it; choose one with Module::linked", found.len());
            Err(RuntimeError::Kernel { kernel: symbol.to_owned(), reason })
        }
    }
}

impl Runtime {
    /// The kernel with this symbol or whole readable name in the C++ objects that are linked into
    /// the program. Each call makes new modules, so keep the kernel.
    pub fn linked_kernel(self: &Arc<Self>, name: &str) -> Result<Kernel, RuntimeError> {
        only(&Module::linked(self)?, name)
    }
}
