//! Lists the kernels of a container.
//!
//! In: the text of a container. Out: records of its kernels. *Invariant:* no record refers to
//! memory of the program, which may unload the container at any time.
#![forbid(unsafe_code)]

use super::{Registered, Registry, look_at};
use crate::error::RuntimeError;
use sinter_core::{
    IrHash, Parameter, ParameterKind,
    container::{Container, ContainerImage, ContainerKernel, LaunchForm, Required},
};
use std::sync::{Arc, PoisonError};

/// A kernel that a container defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedKernel {
    /// Address of the container.
    pub(crate) container: usize,
    /// Symbol in its image.
    pub(crate) symbol: String,
    /// Index of its image.
    pub(crate) image: u32,
    /// Digest of its own IR closure, if stage 1 recorded one.
    pub(crate) ir_hash: Option<IrHash>,
    /// Indices of the parameter records that are pointers.
    pub(crate) pointers: Vec<u32>,
    /// Indices of the parameter records whose values are compiled into it.
    pub(crate) specialized: Vec<u32>,
    pub(crate) required: Required,
    /// The form of its launches, if stage 1 recorded it.
    pub(crate) form: Option<LaunchForm>,
}

impl ListedKernel {
    fn of(container: usize, parsed: &Container<'_>, kernel: &ContainerKernel<'_>) -> Option<Self> {
        let is_pointer = |record: &Parameter| {
            record.kind == ParameterKind::Pointer && record.byte_size as usize == size_of::<usize>()
        };
        let indices = |is_meant: &dyn Fn(&Parameter) -> bool| {
            (0..).zip(&kernel.parameters).filter(|(_, record)| is_meant(record)).map(|(index, _)| index).collect()
        };
        Some(ListedKernel {
            container,
            symbol: kernel.symbol.to_owned(),
            image: parsed.number_of(parsed.image_of(kernel)?)?,
            ir_hash: kernel.ir_hash,
            pointers: indices(&is_pointer),
            specialized: indices(&Parameter::is_specialized),
            required: kernel.required().ok()?,
            form: kernel.launched_over(),
        })
    }
}

impl Registered {
    /// The image of one of its kernels.
    pub(crate) fn listed_image(&self, kernel: &ListedKernel) -> Result<ContainerImage<'static>, RuntimeError> {
        if self.has_table(&kernel.symbol)? {
            return self.image(kernel.image, &kernel.symbol);
        }
        let image = self.open(&kernel.symbol)?.images().get(kernel.image as usize);
        image.cloned().ok_or_else(|| RuntimeError::Kernel {
            kernel: kernel.symbol.clone(),
            reason: "its container holds no image of it; rebuild the program".to_owned(),
        })
    }

    /// Its kernels; none if it is damaged. What was parsed for that is not kept.
    fn kernels(&self) -> Vec<ListedKernel> {
        let list = |parsed: &Container<'_>| {
            let kernels = parsed.kernels().iter();
            kernels.filter_map(|kernel| ListedKernel::of(self.address, parsed, kernel)).collect()
        };
        match self.parsed.get() {
            Some(parsed) => parsed.as_ref().map(list).unwrap_or_default(),
            None => self.parse("").as_ref().map(list).unwrap_or_default(),
        }
    }
}

impl Registry {
    /// Addresses of the containers.
    pub(crate) fn addresses(&self) -> Vec<usize> {
        look_at(&self.containers, |containers| containers.by_address.keys().copied().collect())
    }

    /// The kernels of the container at an address.
    pub(crate) fn kernels_of(&self, address: usize) -> Vec<ListedKernel> {
        self.while_registered(address, |container| container.kernels()).unwrap_or_default()
    }

    /// Calls `read` with the container at an address, whose unregistering waits meanwhile.
    pub(crate) fn while_registered<R>(&self, address: usize, read: impl FnOnce(&Arc<Registered>) -> R) -> Option<R> {
        self.containers.with(|registry| {
            let registry = registry.read().unwrap_or_else(PoisonError::into_inner);
            let container = Arc::clone(registry.by_address.get(&address)?);
            let _held = container.readers.read().unwrap_or_else(PoisonError::into_inner);
            drop(registry);
            Some(read(&container))
        })
    }
}
