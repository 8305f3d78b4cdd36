//! The containers of the program and its shared libraries.
//!
//! In: pointers from constructors. Out: the images of kernels. A container's text is parsed only
//! for programs that were compiled before tables of images existed, and to list kernels.
//! *Invariant:* registering only stores a pointer, so that the start time of a program does not
//! depend on its number of kernels.
#![expect(unsafe_code, reason = "reads containers in the program's memory")]

pub mod descriptor;
pub(crate) mod globals;
mod imports;
mod index;
mod kernels;

use crate::{abi, error::RuntimeError, forks::ForkSafe};
use index::Index;
pub(crate) use kernels::ListedKernel;
use sinter_core::{
    container::{Container, ContainerError, ContainerImage},
    imports::Exports,
    names::readable,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

/// A container that a constructor registered, or that a kernel descriptor points to.
pub struct Registered {
    address: usize,
    index: OnceLock<Result<Option<Index>, RuntimeError>>,
    parsed: OnceLock<Result<Container<'static>, RuntimeError>>,
    /// Read-locked while the program's memory is read without the registry's lock. Unregistering
    /// the container waits for it.
    readers: RwLock<()>,
}

impl Registered {
    /// A container that is not registered (yet).
    ///
    /// # Safety
    /// As for [`Registry::register`], for as long as the value is used.
    pub unsafe fn new(container: *const abi::Container) -> Self {
        let (index, parsed) = (OnceLock::new(), OnceLock::new());
        Registered { address: container as usize, index, parsed, readers: RwLock::new(()) }
    }

    /// Its record in the program's memory.
    pub(crate) fn container(&self) -> *const abi::Container {
        std::ptr::with_exposed_provenance(self.address)
    }

    /// Parses the container on the first call. `kernel` is named in errors.
    pub fn open(&self, kernel: &str) -> Result<&Container<'static>, RuntimeError> {
        self.parsed.get_or_init(|| self.parse(kernel)).as_ref().map_err(Clone::clone)
    }

    /// True if the container's text was parsed, which takes time and memory for each of its
    /// kernels.
    pub fn is_parsed(&self) -> bool {
        self.parsed.get().is_some()
    }

    /// Its table of images; `None` if its program was compiled without one.
    fn index(&self, kernel: &str) -> Result<Option<&Index>, RuntimeError> {
        let index = self.index.get_or_init(|| {
            // SAFETY: registration promises a valid record until the container is unregistered.
            check(unsafe { &*self.container() }, kernel)?;
            // SAFETY: as above.
            unsafe { Index::read(self.container()) }.map_err(|source| self.damaged(kernel, source))
        });
        index.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// True if [`Registered::image`] can find images.
    pub(crate) fn has_table(&self, kernel: &str) -> Result<bool, RuntimeError> {
        Ok(self.index(kernel)?.is_some())
    }

    /// The image at an index. `kernel` is named in errors.
    pub(crate) fn image(&self, number: u32, kernel: &str) -> Result<ContainerImage<'static>, RuntimeError> {
        let index = self.index(kernel)?.ok_or_else(|| {
            let reason = "its container has no table of images; rebuild the program".to_owned();
            RuntimeError::Kernel { kernel: kernel.to_owned(), reason }
        })?;
        index.image(number).map_err(|source| self.damaged(kernel, source))
    }

    /// Images that export functions to kernels of other containers.
    pub(crate) fn exporting(&self, kernel: &str) -> Result<Vec<ContainerImage<'static>>, RuntimeError> {
        if let Some(index) = self.index(kernel)? {
            return Ok(index.exporting().collect());
        }
        let images = self.open(kernel)?.images().iter();
        Ok(images.filter(|image| !image.exported_symbols.is_empty()).cloned().collect())
    }

    /// Checks that an image of this container has not changed since it was compiled, before a
    /// compiler reads it.
    pub(crate) fn verify(&self, image: &ContainerImage<'_>, kernel: &str) -> Result<(), RuntimeError> {
        let result = match image.digest {
            Some(_) => image.verify(),
            None => self.verify_whole(self.open(kernel)?),
        };
        result.map_err(|source| self.damaged(kernel, source))
    }

    /// Checks a container without digests of images. Older ones have one digest over everything, in
    /// the text and in the record; foreign ones have none.
    fn verify_whole(&self, parsed: &Container<'_>) -> Result<(), ContainerError> {
        // SAFETY: registration promises a valid record until the container is unregistered.
        let recorded = unsafe { &*self.container() }.object_id;
        if recorded == [0; 32] { parsed.verify_content() } else { parsed.verify_content_is(&recorded) }
    }

    /// Identity that its record has: a digest of its content in containers that stage 1 wrote.
    pub(crate) fn object_id(&self) -> [u8; 32] {
        // SAFETY: registration promises a valid record until the container is unregistered.
        unsafe { &*self.container() }.object_id
    }

    fn damaged(&self, kernel: &str, source: ContainerError) -> RuntimeError {
        let id = self.object_id();
        RuntimeError::Container {
            kernel: kernel.to_owned(),
            container: id[..8].iter().map(|byte| format!("{byte:02x}")).collect(),
            source: Arc::new(source),
        }
    }

    fn parse(&self, kernel: &str) -> Result<Container<'static>, RuntimeError> {
        self.index(kernel)?;
        // SAFETY: registration promises a valid record until the container is unregistered.
        let record = unsafe { &*self.container() };
        // SAFETY: the record is valid, so `size` bytes at `data` are readable until the container
        // is unregistered, which drops this value; reading the table has checked the size, with its
        // seal where there is one.
        let bytes = unsafe { std::slice::from_raw_parts(record.data.cast::<u8>(), record.size as usize) };
        Container::parse(bytes).map_err(|source| self.damaged(kernel, source))
    }
}

/// Performs the checks that do not read the payload.
fn check(record: &abi::Container, kernel: &str) -> Result<(), RuntimeError> {
    let reason = if (record.struct_size as usize) < size_of::<abi::Container>() {
        let (found, ours) = (record.struct_size, size_of::<abi::Container>());
        format!("its container record has {found} bytes instead of {ours}: rebuild or reinstall the program")
    } else if record.abi_version != abi::ABI_VERSION {
        let (found, ours) = (record.abi_version, abi::ABI_VERSION);
        format!("it was compiled for interface version {found}, this runtime has {ours}: rebuild the program")
    } else if record.data.is_null() || record.size > isize::MAX as u64 {
        "its container record points nowhere: rebuild or reinstall the program".to_owned()
    } else {
        return Ok(());
    };
    Err(RuntimeError::invalid("container", format!("kernel `{}`: {reason}", readable(kernel))))
}

/// The registered containers at one time.
#[derive(Default)]
struct Containers {
    by_address: BTreeMap<usize, Arc<Registered>>,
    /// Their exports, listed when a kernel first imports a function. Dropped when a container is
    /// registered or unregistered, because they borrow from all containers.
    exports: OnceLock<Exports<'static>>,
}

/// The containers of the program and its shared libraries.
#[derive(Default)]
pub struct Registry {
    containers: ForkSafe<RwLock<Containers>>,
    globals: ForkSafe<RwLock<globals::Tables>>,
}

impl Registry {
    /// An empty registry.
    pub const fn new() -> Self {
        let containers = Containers { by_address: BTreeMap::new(), exports: OnceLock::new() };
        let globals = ForkSafe::new(RwLock::new(globals::Tables::new()));
        Registry { containers: ForkSafe::new(RwLock::new(containers)), globals }
    }

    /// Registers a table of device globals.
    ///
    /// # Safety
    /// The table, and all that it points to, stays valid and unchanged until
    /// [`Registry::unregister_globals`].
    pub unsafe fn register_globals(&self, table: *const abi::DeviceGlobals) {
        // SAFETY: the same contract, upheld by the caller.
        change(&self.globals, |globals| unsafe { globals.add(table) });
    }

    /// Unregisters a table of device globals.
    pub fn unregister_globals(&self, table: *const abi::DeviceGlobals) {
        change(&self.globals, |globals| globals.remove(table));
    }

    /// The device global that code of a container knows under a name.
    pub(crate) fn find_global(&self, container: *const abi::Container, name: &str) -> Option<globals::Object> {
        look_at(&self.globals, |globals| globals.find(container, name))
    }

    /// The device global whose value an address points into, the offset in its object, and the
    /// bytes from there to the end.
    pub(crate) fn global_around(&self, address: usize) -> Option<(globals::Object, usize, usize)> {
        look_at(&self.globals, |globals| globals.around(address))
    }

    /// The device global whose object has this address.
    pub(crate) fn global_at(&self, address: usize) -> globals::Object {
        look_at(&self.globals, |globals| globals.object(address))
    }

    /// Registers a container. Returns true if another one was registered at this address before.
    ///
    /// # Safety
    /// The record, and the bytes it points to, stay valid and unchanged until
    /// [`Registry::unregister`].
    pub unsafe fn register(&self, container: *const abi::Container) -> bool {
        // SAFETY: the same contract, upheld by the caller.
        let registered = Arc::new(unsafe { Registered::new(container) });
        change(&self.containers, |containers| {
            containers.exports = OnceLock::new();
            containers.by_address.insert(container.expose_provenance(), registered).is_some()
        })
    }

    /// Unregisters a container, after waiting for its readers. Returns the number of remaining
    /// ones.
    pub fn unregister(&self, container: *const abi::Container) -> usize {
        let (gone, left) = change(&self.containers, |containers| {
            containers.exports = OnceLock::new();
            (containers.by_address.remove(&container.addr()), containers.by_address.len())
        });
        gone.iter().for_each(|gone| drop(gone.readers.write().unwrap_or_else(PoisonError::into_inner)));
        left
    }

    /// The container registered at an address.
    pub fn find(&self, container: *const abi::Container) -> Option<Arc<Registered>> {
        look_at(&self.containers, |containers| containers.by_address.get(&container.addr()).cloned())
    }

    /// Calls `read` with every container. This takes long for one whose text has to be parsed, and
    /// blocks only threads that unregister a container that has not been read yet.
    fn read_all(&self, read: impl Fn(&Registered)) {
        self.containers.with(|registry| {
            let registry = registry.read().unwrap_or_else(PoisonError::into_inner);
            let containers: Vec<_> = registry.by_address.values().cloned().collect();
            let held = containers.iter().map(|one| one.readers.read().unwrap_or_else(PoisonError::into_inner));
            let held: Vec<_> = held.collect();
            drop(registry);
            containers.iter().zip(held).for_each(|(container, _held)| read(container));
        });
    }

    /// Calls `look` with every container, after `read` was called with each as in
    /// [`Registry::read_all`]. No container is unregistered, and thus unmapped, before `look`
    /// returns: it must be brief, must not register a container and must copy what it keeps.
    pub(crate) fn with_all<R>(
        &self,
        read: impl Fn(&Registered),
        look: impl FnOnce(&mut dyn Iterator<Item = &Registered>) -> R,
    ) -> R {
        self.read_all(read);
        look_at(&self.containers, |containers| look(&mut containers.by_address.values().map(|container| &**container)))
    }

    /// Calls `look` with the exports of all containers, as in [`Registry::with_all`]. Listing them
    /// again is fast, because containers cache what was read.
    fn with_exports<R>(&self, kernel: &str, look: impl for<'e> FnOnce(&Exports<'e>) -> R) -> R {
        if !self.has_exports() {
            self.read_all(|container| drop(container.exporting(kernel)));
        }
        look_at(&self.containers, |containers| {
            let all = || containers.by_address.values().map(|container| &**container);
            look(containers.exports.get_or_init(|| exports(all(), kernel)))
        })
    }

    fn has_exports(&self) -> bool {
        look_at(&self.containers, |containers| containers.exports.get().is_some())
    }
}

fn look_at<T, R>(lock: &ForkSafe<RwLock<T>>, look: impl FnOnce(&T) -> R) -> R {
    lock.with(|lock| look(&lock.read().unwrap_or_else(PoisonError::into_inner)))
}

fn change<T, R>(lock: &ForkSafe<RwLock<T>>, change: impl FnOnce(&mut T) -> R) -> R {
    lock.with(|lock| change(&mut lock.write().unwrap_or_else(PoisonError::into_inner)))
}

/// Exports of containers. A damaged container of another library must not fail this kernel, so it
/// exports nothing and its symbols are reported as unresolved.
fn exports<'r>(containers: impl Iterator<Item = &'r Registered>, kernel: &str) -> Exports<'static> {
    let images: Vec<_> = containers.filter_map(|container| container.exporting(kernel).ok()).flatten().collect();
    Exports::of(&images)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::container::{ContainerBuilder, ImageRecord, KernelRecord};
    use std::{ptr, sync::mpsc, thread, time::Duration};

    #[test]
    fn a_container_that_is_looked_at_is_not_unregistered() {
        let (registry, (sender, receiver)) = (Registry::new(), mpsc::channel());
        let container = ptr::without_provenance::<abi::Container>(0x1000);
        // SAFETY: the container is never read.
        unsafe { registry.register(container) };
        thread::scope(|scope| {
            registry.with_all(
                |_| (),
                |containers| {
                    assert_eq!(containers.count(), 1);
                    let (registry, address) = (&registry, container.addr());
                    scope.spawn(move || sender.send(registry.unregister(ptr::without_provenance(address))));
                    assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
                },
            );
            assert_eq!(receiver.recv(), Ok(0));
        });
    }

    #[test]
    fn kernels_are_listed_without_keeping_the_text() {
        let (registry, mut builder) = (Registry::new(), ContainerBuilder::new());
        builder.image(ImageRecord { name: "image".into(), bytes: b"F".to_vec(), ..ImageRecord::default() });
        for symbol in ["b", "a"] {
            let (symbol, image_providers) = (symbol.to_owned(), vec!["image".to_owned()]);
            builder.kernel(KernelRecord { symbol, image_providers, ..KernelRecord::default() });
        }
        let record = record_of(&builder);
        // SAFETY: the payload is leaked, and the record outlives the registry's last access.
        unsafe { registry.register(&record) };
        let address = (&raw const record).addr();
        let listed = registry.kernels_of(address);
        let symbols: Vec<_> = listed.iter().map(|kernel| &kernel.symbol[..]).collect();
        assert_eq!(symbols, ["a", "b"]);
        assert!(!registry.find(&record).expect("it is there").is_parsed());
        assert!(registry.kernels_of(address + 1).is_empty());
    }

    #[test]
    fn one_container_that_is_read_is_not_unregistered() {
        let (registry, (sender, receiver)) = (Registry::new(), mpsc::channel());
        let container = ptr::without_provenance::<abi::Container>(0x1000);
        // SAFETY: the container is never read.
        unsafe { registry.register(container) };
        thread::scope(|scope| {
            let registry = &registry;
            registry.while_registered(0x1000, |_| {
                scope.spawn(move || sender.send(registry.unregister(ptr::without_provenance(0x1000))));
                assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err(), "it is read");
            });
            assert_eq!(receiver.recv(), Ok(0));
        });
        assert_eq!(registry.while_registered(0x1000, |_| ()), None);
    }

    #[test]
    fn only_unregistering_a_container_waits_while_it_is_read() {
        let (registry, (sender, receiver)) = (Registry::new(), mpsc::channel());
        let [slow, other] = [0x1000, 0x2000].map(ptr::without_provenance::<abi::Container>);
        // SAFETY: the container is never read.
        unsafe { registry.register(slow) };
        thread::scope(|scope| {
            let (registry, address, sender) = (&registry, slow.addr(), &sender);
            registry.read_all(|_| {
                // SAFETY: the container is never read.
                let register =
                    || sender.send(usize::from(unsafe { registry.register(ptr::without_provenance(0x2000)) }));
                scope.spawn(register);
                assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(0), "registering does not wait");
                assert!(registry.find(other).is_some());
                scope.spawn(move || sender.send(registry.unregister(ptr::without_provenance(address))));
                assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err(), "it is read");
            });
            assert_eq!(receiver.recv(), Ok(1));
        });
    }

    /// A container without a table, with an image that exports `f`.
    fn container() -> abi::Container {
        let mut builder = ContainerBuilder::new();
        let (name, bytes, exported_symbols) = ("image".into(), b"F".to_vec(), vec!["f".into()]);
        builder.image(ImageRecord { name, bytes, exported_symbols, ..ImageRecord::default() });
        record_of(&builder)
    }

    /// The record of a container, whose payload is leaked.
    fn record_of(builder: &ContainerBuilder) -> abi::Container {
        let payload = builder.build().expect("container").leak();
        let (data, size, object_id) = (payload.as_ptr().cast(), payload.len() as u64, [0; 32]);
        let struct_size = size_of::<abi::Container>() as u32;
        abi::Container { struct_size, abi_version: abi::ABI_VERSION, data, size, object_id }
    }

    fn wanting(symbol: &'static str) -> ContainerImage<'static> {
        let (exported_symbols, imported_symbols) = (vec![], vec![symbol]);
        let (name, variant, format) = ("k", "", "");
        let (has_debug, digest, bytes) = (false, None, &[][..]);
        ContainerImage { name, variant, format, exported_symbols, imported_symbols, has_debug, digest, bytes }
    }

    #[test]
    fn exports_are_listed_once_until_a_container_comes_or_goes() {
        let (registry, first, second) = (Registry::new(), container(), container());
        let place = || registry.with_exports("k", |exports| ptr::from_ref(exports).addr());
        let is_listed = || registry.has_exports();
        // SAFETY: the payloads are leaked, and the records outlive the registry's last access.
        unsafe { registry.register(&first) };
        assert!(registry.resolve_imports(&wanting("nobody"), "k").is_empty() && is_listed());
        assert_eq!(registry.resolve_imports(&wanting("f"), "k"), [*blake3::hash(b"F").as_bytes()]);
        assert_eq!(place(), place());
        // SAFETY: as above.
        unsafe { registry.register(&second) };
        assert!(!is_listed());
        place();
        registry.unregister(&second);
        assert!(!is_listed());
    }

    #[test]
    fn bytes_are_copied_only_while_a_container_has_them() {
        let (registry, first) = (Registry::new(), container());
        // SAFETY: the payload is leaked, and the record outlives the registry's last access.
        unsafe { registry.register(&first) };
        let [digest] = registry.resolve_imports(&wanting("f"), "k")[..] else { panic!("one import") };
        assert_eq!(registry.copy_import(&digest, "k").as_deref(), Some(&b"F"[..]));
        registry.unregister(&first);
        assert_eq!(registry.copy_import(&digest, "k"), None);
    }
}
