//! Works out what has to be translated, without copying the kernel's own image.
//!
//! In: a descriptor, a device, a class of launches, values. Out: the key of the translation, and on demand its request.
//! *Invariant:* the key is that of the request that [`Plan::request`] gives.
#![forbid(unsafe_code)]

use super::descriptor::Descriptor;
use crate::{
    adapt::{self, ShapeClass},
    cache::DiskCache,
    devices::DeviceEntry,
    error::RuntimeError,
    libraries::DeviceLibrary,
    registry::{self, Registered},
    runtime::Runtime,
    system::is_passing,
};
use sinter_core::{
    CacheKey, Image, IrHash, KernelConfig, KeyFields, Specialization, Target, TranslateRequest,
    container::ContainerImage,
};
use std::sync::Arc;

/// One translation to be.
pub(crate) struct Plan {
    pub(super) key: CacheKey,
    pub(super) fields: KeyFields,
    image: (Option<IrHash>, &'static [u8]),
    /// Copies, because the libraries that they come from may be unloaded while this one is translated.
    imports: Vec<Arc<[u8]>>,
    libraries: Vec<DeviceLibrary>,
    pub(super) target: Target,
    pub(super) config: KernelConfig,
}

/// The image that defines the kernel of a descriptor.
fn image_of<'c>(
    container: &'c Registered,
    kernel: &Descriptor<'_>,
) -> Result<&'c ContainerImage<'static>, RuntimeError> {
    let parsed = container.open(kernel.symbol)?;
    let fail = |reason: &str| RuntimeError::Kernel { kernel: kernel.symbol.to_owned(), reason: reason.to_owned() };
    let record =
        parsed.kernel(kernel.symbol).ok_or_else(|| fail("its container does not list it; rebuild the program"))?;
    if record.ir_hash.is_some_and(|recorded| kernel.ir_hash.is_some_and(|expected| recorded != expected)) {
        return Err(fail("its descriptor and its container were not made together; rebuild the program"));
    }
    parsed.image_of(record).ok_or_else(|| fail("its container holds no image of it; rebuild the program"))
}

impl Runtime {
    /// The translation that a launch needs.
    pub(super) fn plan(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<Plan, RuntimeError> {
        let container = self.registry.find(kernel.container).unwrap_or_else(|| Arc::new(kernel.unannounced()));
        let image = image_of(&container, kernel)?;
        let imports = registry::resolve_imports(&self.registry, image, kernel.symbol);
        let target = self.code.target(device.device.target());
        let config = adapt::config(kernel, class, specialization, &self.code);
        let libraries = self.libraries.for_target(&target, || Some(self.disk()));
        let empty: Arc<[u8]> = Arc::from([]);
        let identity = kernel.ir_hash.unwrap_or_else(|| *blake3::hash(image.bytes).as_bytes());
        // Digests stand in for the bytes, so that a hit does not copy the kernel's image.
        let stand_in = |hash| Image { hash: Some(hash), bytes: Arc::clone(&empty) };
        let request = TranslateRequest {
            image: stand_in(identity),
            imports: imports.iter().map(|(hash, _)| stand_in(*hash)).collect(),
            libraries: libraries.iter().map(|library| stand_in(library.digest)).collect(),
            target,
            config,
        };
        let fields = request.key_fields(&self.translator.fingerprint()?);
        Ok(Plan {
            key: fields.key(),
            fields,
            image: (kernel.ir_hash, image.bytes),
            imports: imports.into_iter().map(|(_, bytes)| bytes).collect(),
            libraries,
            target: request.target,
            config: request.config,
        })
    }
}

/// The whole library for a request. One that cannot be read any more is forgotten, so that another process starts anew.
fn library_image(library: &DeviceLibrary, disk: &DiskCache) -> Result<Image, RuntimeError> {
    let bytes = library.bytes().map_err(|error| {
        let path = library.path.display();
        if is_passing(&error) {
            return RuntimeError::Translator { reason: format!("{path} cannot be read now: {error}") };
        }
        library.forget(disk);
        RuntimeError::Translator { reason: format!("{path} cannot be used any more: {error}; restart the program") }
    })?;
    Ok(Image { hash: None, bytes })
}

impl Plan {
    /// The request for the translator, with copies of the images.
    pub(super) fn request(&self, disk: &DiskCache) -> Result<TranslateRequest, RuntimeError> {
        let whole = |bytes: &Arc<[u8]>| Image { hash: None, bytes: Arc::clone(bytes) };
        Ok(TranslateRequest {
            image: Image { hash: self.image.0, bytes: Arc::from(self.image.1) },
            imports: self.imports.iter().map(whole).collect(),
            libraries: self.libraries.iter().map(|library| library_image(library, disk)).collect::<Result<_, _>>()?,
            target: self.target.clone(),
            config: self.config.clone(),
        })
    }
}
