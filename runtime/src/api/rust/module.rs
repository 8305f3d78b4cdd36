//! Containers as modules of kernels.
//!
//! In: bytes of a container, or containers that linked C++ objects registered. Out: kernels by
//! name. *Invariant:* a module holds a descriptor for each of its kernels at a fixed address. When
//! it is dropped, the runtime forgets everything that it stored under that address, before the
//! memory is reused.
#![expect(unsafe_code, reason = "registers containers in memory that it owns")]

use super::{
    kernel::Kernel,
    loaded_module::{Inner, Module, entries},
    owned::Owned,
};
use crate::{error::RuntimeError, registry::Registered, runtime::Runtime};
use sinter_core::{
    container::Container,
    names::{self, Extent, Named},
};
use std::{slice, sync::Arc};

impl Module {
    /// Loads a container as `sinter-cc --sinter-emit-hcf` and `sinter-build` write it. Copies the
    /// bytes. A malformed container is an error.
    pub fn from_bytes(runtime: &Arc<Runtime>, bytes: &[u8]) -> Result<Self, RuntimeError> {
        let damaged = |source| RuntimeError::Module { source: Arc::new(source) };
        let parsed = Container::parse(bytes).map_err(damaged)?;
        parsed.verify_content().map_err(damaged)?;
        let owned = Owned::new(&parsed, bytes)?;
        let container = owned.record();
        let entries = entries(&parsed, container, true)?;
        // SAFETY: the `Inner` that is made next owns the container and its bytes, and unregisters
        // it before it frees them.
        unsafe { runtime.registry().register(container) };
        Ok(Module(Arc::new(Inner { runtime: Arc::clone(runtime), entries, container, owned: Some(owned) })))
    }

    /// Modules of the C++ objects that are linked into the program and its libraries, in no
    /// particular order. A damaged one is an error.
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

    /// Symbols of the kernels.
    pub fn kernel_names(&self) -> impl Iterator<Item = &str> {
        self.0.entries.iter().map(|entry| entry.name.as_str())
    }

    fn at(&self, index: usize) -> Kernel {
        Kernel::new(&self.0, index)
    }

    fn with_symbol(&self, symbol: &str) -> Option<Kernel> {
        self.0.entries.iter().position(|entry| entry.name == symbol).map(|index| self.at(index))
    }

    /// Finds a kernel by its symbol or full demangled name; `sinter-hcf ls` prints both.
    pub fn kernel(&self, name: &str) -> Result<Kernel, RuntimeError> {
        match self.with_symbol(name) {
            Some(kernel) => Ok(kernel),
            None => with_readable_name(slice::from_ref(self), name),
        }
    }
}

/// Finds a kernel by demangled name. Demangles the symbol of every kernel.
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

/// Finds a kernel by symbol. Fails if several modules define it.
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
    /// Finds a kernel by symbol or full demangled name in the C++ objects that are linked into the
    /// program. Each call makes new modules, so keep the kernel.
    pub fn linked_kernel(self: &Arc<Self>, name: &str) -> Result<Kernel, RuntimeError> {
        only(&Module::linked(self)?, name)
    }
}
