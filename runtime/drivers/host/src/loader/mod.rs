//! Publishes machine code in the process.
//!
//! In: the bytes of a relocatable ELF object and the name of its entry. Out: the entry's address,
//! valid while the [`Image`] lives. The object is placed in an [`Arena`](arena::Arena) that all
//! objects share, its relocations are applied, and it is registered with unwinders and debuggers.
//! *Invariant:* the cost of loading does not depend on the number of loaded objects, memory is
//! never both writable and executable, no file is left behind, and code that cannot be placed
//! changes nothing.

mod arena;
mod debugger;
mod error;
mod object;
mod perf;
mod relocate;
mod symbols;
mod unwind;

use arena::{Arena, Span};
use debugger::Registration;
use object::Object;
use std::{ffi::c_void, ptr::NonNull, sync::Arc};
use symbols::Symbols;
use unwind::Frames;

pub use error::LoadError;
pub use perf::PerfMap;

/// Publishes machine code in the process.
pub trait Loader: Send + Sync {
    /// Publishes an object and finds its entry `symbol`.
    fn load(&self, symbol: &str, bytes: &[u8]) -> Result<Box<dyn Image>, LoadError>;
}

/// Published code, unloaded when dropped.
pub trait Image: Send + Sync {
    /// Address of the entry.
    fn entry(&self) -> NonNull<c_void>;
}

/// Loads relocatable objects into an arena of its own.
#[derive(Debug, Default)]
pub struct ObjectLoader {
    arena: Arc<Arena>,
    symbols: Symbols,
    perf: Option<PerfMap>,
}

impl ObjectLoader {
    /// Creates a loader that also reports its functions' names to `perf`.
    pub fn with_perf_map(perf: PerfMap) -> Self {
        ObjectLoader { perf: Some(perf), ..ObjectLoader::default() }
    }
}

/// A loaded object. Fields are dropped in declaration order: the memory goes last.
struct Placed {
    entry: NonNull<c_void>,
    _debugger: Registration,
    _frames: Option<Frames>,
    _span: Span,
}

// SAFETY: the entry is an address of code that does not change; the other fields are `Send` and
// `Sync`.
unsafe impl Send for Placed {}
// SAFETY: as above.
unsafe impl Sync for Placed {}

impl Image for Placed {
    fn entry(&self) -> NonNull<c_void> {
        self.entry
    }
}

impl Loader for ObjectLoader {
    fn load(&self, symbol: &str, bytes: &[u8]) -> Result<Box<dyn Image>, LoadError> {
        let object = Object::read(bytes)?;
        let (code, data) = object.sizes();
        let span = Arena::reserve(&self.arena, code, data)?;
        let layout = object.place(span.code(), span.data());
        let contents = relocate::contents(&object, &layout, &|name| self.symbols.address(name))?;
        let entry = layout.function(&object, symbol).ok_or(LoadError::NoEntry)?;
        span.publish(&contents.code, &contents.data)?;
        let frames = layout.frames(&object).map(|at| Frames::register(&span, at)).transpose()?;
        if let Some(perf) = &self.perf {
            perf.add(&layout.functions(&object));
        }
        let registration = Registration::new(layout.described(&object));
        let entry = NonNull::new(entry as *mut c_void).ok_or(LoadError::NoEntry)?;
        Ok(Box::new(Placed { entry, _debugger: registration, _frames: frames.flatten(), _span: span }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, process::Command};

    /// An object compiled from C.
    fn object(source: &str) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (c, o) = (folder.path().join("a.c"), folder.path().join("a.o"));
        fs::write(&c, source).expect("write");
        let options = ["-c", "-O1", "-fPIC", "-fno-builtin", "-fasynchronous-unwind-tables", "-o"];
        let status = Command::new("cc").args(options).arg(&o).arg(&c).status();
        assert!(status.expect("a C compiler named cc").success());
        fs::read(&o).expect("read")
    }

    fn load(source: &str) -> Result<Box<dyn Image>, LoadError> {
        ObjectLoader::default().load("answer", &object(source))
    }

    fn answer(image: &dyn Image) -> i32 {
        // SAFETY: the objects of these tests define this function.
        let function = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> i32>(image.entry().as_ptr()) };
        function()
    }

    #[test]
    fn every_object_has_its_own_variables() {
        let bytes = object("static int zero, one = 1; int answer(void) { return zero++ + 10 * one++; }");
        let loader = ObjectLoader::default();
        let images: Vec<_> = (0..3).map(|_| loader.load("answer", &bytes).expect("load")).collect();
        for image in &images {
            assert_eq!([answer(image.as_ref()), answer(image.as_ref())], [10, 21]);
        }
    }

    #[test]
    fn functions_of_the_c_libraries_and_addresses_in_constants_are_found() {
        let source = "
            double cos(double); void *memset(void *, int, unsigned long);
            static int three(void) { return 3; }
            static int (*const table[])(void) = {three};
            double (*chosen)(double) = cos;
            int answer(void) {
                char bytes[3]; memset(bytes, 5, sizeof bytes);
                int (*const *volatile at)(void) = table;
                return (int)cos(0) + 10 * (*at)() + 100 * bytes[2] + 1000 * (int)chosen(0);
            }";
        assert_eq!(answer(load(source).expect("load").as_ref()), 1531);
    }

    #[test]
    fn what_is_missing_is_named() {
        let missing = load("int nowhere_at_all(void); int answer(void) { return nowhere_at_all(); }");
        assert!(matches!(missing, Err(LoadError::Unresolved { symbol }) if symbol == "nowhere_at_all"));
        assert!(matches!(load("int other(void) { return 1; }"), Err(LoadError::NoEntry)));
        let threads = load("__thread int mine; int answer(void) { return mine; }");
        assert!(matches!(threads, Err(LoadError::Malformed { .. })));
        let starts = load("__attribute__((constructor)) void start(void) {} int answer(void) { return 1; }");
        assert!(matches!(starts, Err(LoadError::Malformed { reason }) if reason.contains("init_array")));
    }

    #[test]
    fn unwinders_pass_through() {
        let source = "
            int backtrace(void **, int);
            int answer(void) { void *frames[64]; return backtrace(frames, 64); }";
        let direct = {
            let mut frames = [std::ptr::null_mut(); 64];
            // SAFETY: the array has this number of pointers.
            unsafe { libc::backtrace(frames.as_mut_ptr(), 64) }
        };
        let image = load(source).expect("load");
        assert!(answer(image.as_ref()) > direct, "the stack ends at the object");
    }

    #[test]
    fn garbage_is_refused() {
        let good = object("int answer(void) { return 1; }");
        let loader = ObjectLoader::default();
        for length in 0..good.len() {
            assert!(loader.load("answer", &good[..length]).is_err(), "{length}");
        }
        assert!(matches!(loader.load("a\0b", &good), Err(LoadError::NoEntry)));
        assert_eq!(answer(loader.load("answer", &good).expect("load").as_ref()), 1);
    }

    #[test]
    fn objects_come_and_go() {
        let loader = ObjectLoader::default();
        let bytes: Vec<_> = (0..4).map(|n| object(&format!("int answer(void) {{ return {n}; }}"))).collect();
        let mut images = Vec::new();
        for round in 0..2000 {
            images.push((round % 4, loader.load("answer", &bytes[round % 4]).expect("load")));
            if round % 3 == 0 {
                images.swap_remove(round / 3 % images.len());
            }
        }
        assert!(images.iter().all(|(number, image)| answer(image.as_ref()) == *number as i32));
    }
}
