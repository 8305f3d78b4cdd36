//! A potential translation: its keys, and its request on demand.
//!
//! In: a descriptor, a device, a shape class, values. Out: keys for lookups, without reading or
//! copying an image. *Invariant:* `key` is the key of the request that [`Translation::request`]
//! returns. An image that has changed since it was compiled never enters a request, because LLVM's
//! bitcode reader may abort the process on damaged input.
#![forbid(unsafe_code)]

use super::{
    translator::LazyTranslator,
    variant::{self, CodeOptions, ShapeClass},
};
use crate::{
    cache::DiskCache,
    error::RuntimeError,
    registry::{Registered, Registry, descriptor::Descriptor},
    system::is_transient,
    vendor::{DeviceLibraries, DeviceLibrary},
};
use sinter_core::{
    CacheKey, EntryInfo, Image, IrHash, KernelConfig, KeyFields, Specialization, Target, TranslateRequest,
    container::ContainerImage,
};
use std::sync::Arc;

/// A cache key with the fields that it is a digest of.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) digest: CacheKey,
    pub(super) fields: KeyFields,
}

/// A translation that is done only if no cache has its code.
pub(crate) struct Translation {
    /// Key of code for this launch and similar ones.
    pub(super) key: Key,
    /// Key of code that is valid for all pointers; present if `key` assumes facts about
    /// allocations.
    general: Option<Key>,
    ir_hash: Option<IrHash>,
    image: ContainerImage<'static>,
    container: Arc<Registered>,
    registry: Arc<Registry>,
    /// Digests only, because the containers that they come from may be unloaded at any time.
    imports: Vec<IrHash>,
    libraries: Arc<[DeviceLibrary]>,
    pub(super) target: Target,
    pub(super) config: KernelConfig,
}

/// Plans the translations of launches.
pub(crate) struct Planner {
    pub(crate) registry: Arc<Registry>,
    pub(crate) translator: Arc<LazyTranslator>,
    pub(crate) libraries: DeviceLibraries,
    pub(crate) options: CodeOptions,
    pub(crate) cache: Arc<DiskCache>,
}

impl Key {
    fn of(request: &TranslateRequest, translator: &LazyTranslator) -> Result<Self, RuntimeError> {
        let fields = request.key_fields(&translator.fingerprint()?);
        Ok(Key { digest: fields.key(), fields })
    }
}

/// Image that defines the kernel of a descriptor.
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

impl Planner {
    /// The translation for a launch on a device with this target.
    pub(super) fn plan(
        &self,
        device: &Target,
        kernel: &Descriptor<'_>,
        class: &ShapeClass,
        specialization: Specialization,
    ) -> Result<Translation, RuntimeError> {
        let container = self.registry.find(kernel.container).unwrap_or_else(|| Arc::new(kernel.unannounced()));
        let image = image_of(&container, kernel)?;
        let imports = self.registry.resolve_imports(&image, kernel.symbol);
        let target = self.options.target(device, image.has_debug);
        let config = variant::config(kernel, class, specialization, &self.options);
        let libraries = self.libraries.for_target(&target, || Some(&self.cache));
        let empty: Arc<[u8]> = Arc::from([]);
        // Line tables depend on paths and lines, which are not part of the kernel's own digest.
        let ir_hash = kernel.ir_hash.filter(|_| !target.line_tables());
        let identity = ir_hash.unwrap_or_else(|| image.identity());
        // Images with a digest but without bytes, so that a hit reads and copies no image.
        let stand_in = |hash| Image { hash: Some(hash), bytes: Arc::clone(&empty) };
        let mut request = TranslateRequest {
            image: stand_in(identity),
            imports: imports.iter().copied().map(stand_in).collect(),
            libraries: libraries.iter().map(|library| stand_in(library.digest)).collect(),
            target,
            config,
        };
        let key = Key::of(&request, &self.translator)?;
        let allocations = std::mem::take(&mut request.config.specialization.allocations);
        let general = (!allocations.is_empty()).then(|| Key::of(&request, &self.translator)).transpose()?;
        request.config.specialization.allocations = allocations;
        let (registry, TranslateRequest { target, config, .. }) = (Arc::clone(&self.registry), request);
        Ok(Translation { key, general, ir_hash, image, container, registry, imports, libraries, target, config })
    }
}

/// An import with its bytes, checked against its digest.
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

/// A vendor library with its bytes. One that can no longer be read is removed from the note, so
/// that the next process searches again.
fn library_image(library: &DeviceLibrary, disk: &DiskCache) -> Result<Image, RuntimeError> {
    let bytes = library.bytes().map_err(|error| {
        let path = library.path.display();
        if is_transient(&error) {
            return RuntimeError::Translator { reason: format!("{path} cannot be read now: {error}") };
        }
        library.forget(disk);
        RuntimeError::Translator { reason: format!("{path} cannot be used any more: {error}; restart the program") }
    })?;
    Ok(Image { hash: None, bytes })
}

impl Translation {
    /// Keys under which code for this launch may be stored, the more likely first.
    pub(super) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.general.iter().chain([&self.key])
    }

    /// Key to store code under: the general one if the code does not depend on allocations.
    pub(super) fn key_of(&self, entry: &EntryInfo) -> &Key {
        self.general.as_ref().filter(|_| !entry.depends_on_allocations).unwrap_or(&self.key)
    }

    /// True if code found under `key` is valid for this launch.
    pub(super) fn accepts(&self, key: &Key, entry: &EntryInfo) -> bool {
        self.key_of(entry).digest == key.digest || key.digest == self.key.digest
    }

    /// True if the kernel uses functions of other images.
    pub(crate) fn has_imports(&self) -> bool {
        !self.imports.is_empty()
    }

    /// The complete request, with copies of the images after checking their digests.
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
