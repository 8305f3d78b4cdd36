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
    device_globals::constants::Knowledge,
    error::RuntimeError,
    registry::{ListedKernel, Registered, Registry, descriptor::Descriptor},
    system::is_transient,
    vendor::{DeviceLibraries, DeviceLibrary},
};
use sinter_core::{
    CacheKey, CodeObject, EntryInfo, Image, IrHash, KernelConfig, KeyFields, OptLevel, Specialization, Target,
    TranslateRequest, container::ContainerImage,
};
use std::sync::Arc;

/// A cache key with the fields that it is a digest of.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) digest: CacheKey,
    pub(super) fields: KeyFields,
}

/// Images in the memory of the program and its libraries.
#[derive(Clone)]
struct ProgramImages {
    ir_hash: Option<IrHash>,
    image: ContainerImage<'static>,
    container: Arc<Registered>,
    registry: Arc<Registry>,
    /// Digests only, because the containers that they come from may be unloaded at any time.
    imports: Vec<IrHash>,
    libraries: Arc<[DeviceLibrary]>,
}

/// Source of a translation's images.
#[expect(clippy::large_enum_variant, reason = "one lives during a translation only, so a box would save nothing")]
enum Images {
    /// They are copied when a request is made.
    Program(ProgramImages),
    /// They were copied, so that all containers may be unloaded.
    Copied(Arc<TranslateRequest>),
}

/// A translation that is done only if no cache has its code.
pub(crate) struct Translation {
    /// Key of code for this launch and similar ones.
    pub(super) key: Key,
    /// Key of code that is valid for all pointers; present if `key` assumes facts about
    /// allocations.
    general: Option<Key>,
    images: Images,
    pub(super) target: Target,
    pub(super) config: KernelConfig,
    /// For quick code: the translation to full code of the same kernel.
    full: Option<Arc<Translation>>,
}

/// Plans the translations of launches.
pub(crate) struct Planner {
    pub(crate) registry: Arc<Registry>,
    pub(crate) translator: Arc<LazyTranslator>,
    pub(crate) libraries: DeviceLibraries,
    pub(crate) options: CodeOptions,
    pub(crate) cache: Arc<DiskCache>,
    /// The variables that kernels may get by value.
    pub(crate) constants: Arc<Knowledge>,
}

impl Key {
    fn of(request: &TranslateRequest, translator: &LazyTranslator) -> Result<Self, RuntimeError> {
        let fields = request.key_fields(&translator.fingerprint()?);
        Ok(Key { digest: fields.key(), fields })
    }

    /// Key of machine code that an assembler made, which is kept beside that of another one.
    pub(super) fn assembled_by(&self, assembler: &str) -> Key {
        let mut fields = self.fields.clone();
        fields.add_text("assembler", assembler);
        Key { digest: fields.key(), fields }
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
        let config = variant::config(kernel, class, specialization, &self.options);
        self.plan_image(device, container, image, kernel.ir_hash, config)
    }

    fn plan_image(
        &self,
        device: &Target,
        container: Arc<Registered>,
        image: ContainerImage<'static>,
        ir_hash: Option<IrHash>,
        config: KernelConfig,
    ) -> Result<Translation, RuntimeError> {
        let constants_by_value = device.has_constant_arguments() && self.constants.are_known();
        let config = KernelConfig { constants_by_value, ..config };
        let imports = self.registry.resolve_imports(&image, &config.entry);
        let target = self.options.target(device, image.has_debug);
        let libraries = self.libraries.for_target(&target, || Some(&self.cache));
        // Line tables depend on paths and lines, which are not part of the kernel's own digest.
        let ir_hash = ir_hash.filter(|_| !target.line_tables());
        let registry = Arc::clone(&self.registry);
        let images = ProgramImages { ir_hash, image, container, registry, imports, libraries };
        let (key, general) = images.keys(&target, &config, &self.translator)?;
        Ok(Translation { key, general, images: Images::Program(images), target, config, full: None })
    }

    /// The translation to the full code of a variant, with copies of its images. `None` if its
    /// container is gone.
    pub(super) fn plan_listed(
        &self,
        device: &Target,
        kernel: &ListedKernel,
        variant: KernelConfig,
    ) -> Result<Option<Translation>, RuntimeError> {
        let plan = |container: &Arc<Registered>| self.plan_in(device, container, kernel, variant)?.copied(&self.cache);
        self.registry.while_registered(kernel.container, plan).transpose()
    }

    /// The translation to the code that the first launch of a variant would wait for, with copies
    /// of its images. `None` if its container is gone, or the translation is not wanted.
    pub(super) fn plan_ahead(
        &self,
        device: &Target,
        kernel: &ListedKernel,
        variant: KernelConfig,
        is_quick: bool,
        wants: impl FnOnce(&Translation) -> bool,
    ) -> Result<Option<Translation>, RuntimeError> {
        let plan = |container: &Arc<Registered>| {
            let full = self.plan_in(device, container, kernel, variant)?;
            let first = if is_quick && full.has_quick_code() { self.quick(&Arc::new(full))? } else { full };
            if wants(&first) { first.copied(&self.cache).map(Some) } else { Ok(None) }
        };
        self.registry.while_registered(kernel.container, plan).unwrap_or(Ok(None))
    }

    fn plan_in(
        &self,
        device: &Target,
        container: &Arc<Registered>,
        kernel: &ListedKernel,
        variant: KernelConfig,
    ) -> Result<Translation, RuntimeError> {
        let image = container.listed_image(kernel)?;
        let config = self.options.applied_to(variant);
        self.plan_image(device, Arc::clone(container), image, kernel.ir_hash, config)
    }

    /// The translation to quick code of the kernel of `full`.
    pub(super) fn quick(&self, full: &Arc<Translation>) -> Result<Translation, RuntimeError> {
        let Images::Program(images) = &full.images else {
            return Err(RuntimeError::Internal { message: "quick code was asked for twice".to_owned() });
        };
        let (target, config) = (full.target.clone(), KernelConfig { opt_level: OptLevel::O1, ..full.config.clone() });
        let (key, general) = images.keys(&target, &config, &self.translator)?;
        let (images, full) = (Images::Program(images.clone()), Some(Arc::clone(full)));
        Ok(Translation { key, general, images, target, config, full })
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

impl ProgramImages {
    /// Key of the code, and that of the general code. Made of digests: no image is read or copied.
    fn keys(
        &self,
        target: &Target,
        config: &KernelConfig,
        translator: &LazyTranslator,
    ) -> Result<(Key, Option<Key>), RuntimeError> {
        let empty: Arc<[u8]> = Arc::from([]);
        let stand_in = |hash| Image { hash: Some(hash), bytes: Arc::clone(&empty) };
        let mut request = TranslateRequest {
            image: stand_in(self.ir_hash.unwrap_or_else(|| self.image.identity())),
            imports: self.imports.iter().copied().map(stand_in).collect(),
            libraries: self.libraries.iter().map(|library| stand_in(library.digest)).collect(),
            target: target.clone(),
            config: config.clone(),
        };
        let key = Key::of(&request, translator)?;
        let allocations = std::mem::take(&mut request.config.specialization.allocations);
        let general = (!allocations.is_empty()).then(|| Key::of(&request, translator)).transpose()?;
        Ok((key, general))
    }

    /// The complete request, with copies of the images after checking their digests.
    fn request(
        &self,
        target: &Target,
        config: &KernelConfig,
        disk: &DiskCache,
    ) -> Result<TranslateRequest, RuntimeError> {
        let kernel = &config.entry;
        self.container.verify(&self.image, kernel)?;
        let imports = self.imports.iter().map(|digest| import_image(&self.registry, digest, kernel));
        Ok(TranslateRequest {
            image: Image { hash: self.ir_hash, bytes: Arc::from(self.image.bytes) },
            imports: imports.collect::<Result<_, _>>()?,
            libraries: self.libraries.iter().map(|library| library_image(library, disk)).collect::<Result<_, _>>()?,
            target: target.clone(),
            config: config.clone(),
        })
    }
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

    /// True if the translator may have quick code for the kernel. On other targets the time goes
    /// into the driver's assembler, which a quick translation does not make faster.
    pub(super) fn has_quick_code(&self) -> bool {
        self.target.runs_in_process() && self.config.opt_level == OptLevel::O3
    }

    /// The translations whose code is a result of this one, the better first.
    pub(super) fn results(&self) -> impl Iterator<Item = &Translation> {
        self.full.as_deref().into_iter().chain([self])
    }

    /// The translation whose result this code is: where quick code was wanted and there is none,
    /// the one to full code.
    pub(super) fn owner(&self, code: &CodeObject) -> &Translation {
        self.full.as_deref().filter(|full| full.config.opt_level == code.level).unwrap_or(self)
    }

    /// True if the kernel uses functions of other images.
    pub(crate) fn has_imports(&self) -> bool {
        match &self.images {
            Images::Program(images) => !images.imports.is_empty(),
            Images::Copied(request) => !request.imports.is_empty(),
        }
    }

    /// The complete request, with copies of the images after checking their digests.
    pub(crate) fn request(&self, disk: &DiskCache) -> Result<TranslateRequest, RuntimeError> {
        match &self.images {
            Images::Program(images) => images.request(&self.target, &self.config, disk),
            Images::Copied(request) => Ok(TranslateRequest::clone(request)),
        }
    }

    /// The same translation with copies of the images, for later than the launch.
    pub(super) fn copied(&self, disk: &DiskCache) -> Result<Translation, RuntimeError> {
        Ok(self.with_copies(self.request(disk)?))
    }

    /// The same translation with the images of a request.
    fn with_copies(&self, request: TranslateRequest) -> Translation {
        let full = self.full.as_ref().map(|full| {
            Arc::new(full.with_copies(TranslateRequest { config: full.config.clone(), ..request.clone() }))
        });
        Translation {
            key: self.key.clone(),
            general: self.general.clone(),
            images: Images::Copied(Arc::new(request)),
            target: self.target.clone(),
            config: self.config.clone(),
            full,
        }
    }
}
