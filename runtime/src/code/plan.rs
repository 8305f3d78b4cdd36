//! Works out what has to be translated, without reading or copying an image.
//!
//! In: a descriptor, a device, a class of launches, values. Out: the key of the translation, and on demand its request.
//! *Invariant:* the key is that of the request that [`Plan::request`] gives, and no image is in a request that has changed since
//! it was compiled: LLVM's reader of bitcode may end the process over damage.
#![forbid(unsafe_code)]

use crate::{
    cache::DiskCache,
    code::variant::{self, ShapeClass},
    devices::DeviceEntry,
    error::RuntimeError,
    registry::{Registered, Registry, descriptor::Descriptor},
    runtime::Runtime,
    system::is_passing,
    vendor::DeviceLibrary,
};
use sinter_core::{
    CacheKey, Image, IrHash, KernelConfig, KeyFields, Specialization, Target, TranslateRequest,
    container::ContainerImage,
};
use std::sync::Arc;

/// One translation to be.
pub(crate) struct Plan {
    pub(crate) key: CacheKey,
    pub(crate) fields: KeyFields,
    ir_hash: Option<IrHash>,
    image: ContainerImage<'static>,
    container: Arc<Registered>,
    registry: Arc<Registry>,
    /// Digests alone: the libraries that they come from may be unloaded at any time.
    imports: Vec<IrHash>,
    libraries: Arc<[DeviceLibrary]>,
    pub(crate) target: Target,
    pub(crate) config: KernelConfig,
}

/// The image that defines the kernel of a descriptor.
fn image_of(container: &Registered, kernel: &Descriptor<'_>) -> Result<ContainerImage<'static>, RuntimeError> {
    if let Some(number) = kernel.image {
        return container.image(number, kernel.symbol);
    }
    let parsed = container.open(kernel.symbol)?;
    let fail = |reason: &str| RuntimeError::Kernel { kernel: kernel.symbol.to_owned(), reason: reason.to_owned() };
    let record =
        parsed.kernel(kernel.symbol).ok_or_else(|| fail("its container does not list it; rebuild the program"))?;
    if record.ir_hash.is_some_and(|recorded| kernel.ir_hash.is_some_and(|expected| recorded != expected)) {
        return Err(fail("its descriptor and its container were not made together; rebuild the program"));
    }
    parsed.image_of(record).cloned().ok_or_else(|| fail("its container holds no image of it; rebuild the program"))
}

impl Runtime {
    /// The translation that a launch needs.
    pub(crate) fn plan(
        &self,
        device: &DeviceEntry,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<Plan, RuntimeError> {
        let container = self.registry.find(kernel.container).unwrap_or_else(|| Arc::new(kernel.unannounced()));
        let image = image_of(&container, kernel)?;
        let imports = self.registry.resolve_imports(&image, kernel.symbol);
        let target = self.code.target(device.device.target(), image.has_debug);
        let config = variant::config(kernel, class, specialization, &self.code);
        let libraries = self.libraries.for_target(&target, || Some(self.disk()));
        let empty: Arc<[u8]> = Arc::from([]);
        // Line tables follow from paths and lines, of which the kernel's own digest is free.
        let ir_hash = kernel.ir_hash.filter(|_| !target.line_tables());
        let identity = ir_hash.unwrap_or_else(|| image.identity());
        // Digests stand in for the bytes, so that a hit reads and copies no image.
        let stand_in = |hash| Image { hash: Some(hash), bytes: Arc::clone(&empty) };
        let request = TranslateRequest {
            image: stand_in(identity),
            imports: imports.iter().copied().map(stand_in).collect(),
            libraries: libraries.iter().map(|library| stand_in(library.digest)).collect(),
            target,
            config,
        };
        let fields = request.key_fields(&self.translator.fingerprint()?);
        Ok(Plan {
            key: fields.key(),
            fields,
            ir_hash,
            image,
            container,
            registry: Arc::clone(&self.registry),
            imports,
            libraries,
            target: request.target,
            config: request.config,
        })
    }
}

/// A whole import for a request.
fn import_image(registry: &Registry, digest: &IrHash, kernel: &str) -> Result<Image, RuntimeError> {
    let fail = |reason: &str| RuntimeError::Kernel { kernel: kernel.to_owned(), reason: reason.to_owned() };
    let bytes = registry.copy_import(digest, kernel).ok_or_else(|| {
        fail("a library that it imports code from was unloaded before it was compiled; keep it loaded, or launch again")
    })?;
    if blake3::hash(&bytes) == *digest {
        return Ok(Image { hash: None, bytes });
    }
    Err(fail(
        "the code that it imports from another file of the program, or from a library, is damaged there; \
         rebuild or reinstall the program and its libraries",
    ))
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
    /// Whether the kernel needs functions of other images.
    pub(crate) fn has_imports(&self) -> bool {
        !self.imports.is_empty()
    }

    /// The request for the translator, with copies of the images, which are checked.
    pub(crate) fn request(&self, disk: &DiskCache) -> Result<TranslateRequest, RuntimeError> {
        let kernel = &self.config.entry;
        self.container.verify(&self.image, kernel)?;
        let imports = self.imports.iter().map(|digest| import_image(&self.registry, digest, kernel));
        Ok(TranslateRequest {
            image: Image { hash: self.ir_hash, bytes: Arc::from(self.image.bytes) },
            imports: imports.collect::<Result<_, _>>()?,
            libraries: self.libraries.iter().map(|library| library_image(library, disk)).collect::<Result<_, _>>()?,
            target: self.target.clone(),
            config: self.config.clone(),
        })
    }
}
