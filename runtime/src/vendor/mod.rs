//! Finds the device functions that vendors ship: NVIDIA's libdevice and AMD's ROCm device libraries.
//!
//! In: settings, places that the environment names, the target of a device. Out: the digests of libraries, which enter the key, and for
//! a translation their bytes. *Invariant:* nothing is looked for before a target that can use it is translated for, and then
//! once, unless the system was short of something; a library that is not found, or cannot be used, never fails a launch, because the translator has substitutes.
//!
//! Reading and hashing half a megabyte is most of what a launch from the disk cache costs, so the cache folder remembers the
//! digest (`known`). Then the bytes are read when a translation needs them, and must still have that digest.
#![forbid(unsafe_code)]

pub mod families;
mod known;

pub use families::{COUNT, Choice, FAMILIES, Family, FamilyIndex};

use crate::{cache::DiskCache, system::is_passing};
use known::Identity;
use sinter_core::{IrHash, Target};
use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, Once, OnceLock},
    time::SystemTime,
};

/// How LLVM bitcode starts, and how it does with a wrapper.
const MAGICS: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
/// No library is larger; libdevice has half a megabyte.
const MAX_SIZE: u64 = 64 << 20;

/// What is known about the libraries of one family on this machine.
#[derive(Debug, Clone, Default)]
pub struct FamilyOptions {
    /// Which to use.
    pub choice: Choice,
    /// Places that the environment names, which are searched first.
    pub named: Vec<PathBuf>,
}

/// What is known about the libraries of this machine, by [`FamilyIndex`].
#[derive(Debug, Clone, Default)]
pub struct LibraryOptions {
    /// For each family.
    pub families: [FamilyOptions; COUNT],
}

/// A library that can be used.
#[derive(Debug, Clone)]
pub struct DeviceLibrary {
    /// Where it is.
    pub path: PathBuf,
    /// Digest of its bytes.
    pub digest: IrHash,
    /// LLVM bitcode, once it was read.
    content: Arc<OnceLock<Arc<[u8]>>>,
}

/// Libraries that were asked for and cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryProblem {
    /// The setting that asked for them.
    pub setting: &'static str,
    /// The place that it names.
    pub place: PathBuf,
    /// Why.
    pub reason: String,
    /// What it should name.
    pub wanted: &'static str,
}

impl fmt::Display for LibraryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LibraryProblem { setting, place, reason, wanted } = self;
        write!(f, "{setting}={} is not used: {reason}; {wanted}", place.display())
    }
}

/// The libraries of a family, and what was wrong with those that were asked for.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// None where the substitute is used.
    pub libraries: Vec<DeviceLibrary>,
    /// Why the place of the setting has none.
    pub problem: Option<LibraryProblem>,
    /// Whether the system was short of something, so that libraries that are there may be missing here.
    pub is_short: bool,
}

/// The libraries, looked for when a target first needs them.
pub struct DeviceLibraries {
    options: LibraryOptions,
    found: [OnceLock<Arc<[DeviceLibrary]>>; COUNT],
    /// A search that is repeated does not repeat what it says.
    warned: [Once; COUNT],
}

/// The bytes of a library, and who their file is if nothing changed it in the meantime and the next change will show.
fn read(path: &Path) -> io::Result<(Vec<u8>, Option<Identity>)> {
    let mut file = File::open(path)?;
    let before = checked(file.metadata()?)?;
    let mut bytes = Vec::with_capacity(before.len() as usize + 1);
    (&mut file).take(MAX_SIZE).read_to_end(&mut bytes)?;
    if !MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(io::Error::other("it is not LLVM bitcode"));
    }
    let (identity, after) = (Identity::of(&before), Identity::of(&file.metadata()?));
    let lasts = identity == after && known::is_settled(&before, SystemTime::now());
    Ok((bytes, lasts.then_some(identity)))
}

fn checked(about: fs::Metadata) -> io::Result<fs::Metadata> {
    if about.is_file() && about.len() <= MAX_SIZE {
        Ok(about)
    } else {
        Err(io::Error::other("it is no file of a library's size"))
    }
}

impl DeviceLibrary {
    /// The library at `path`, whose digest `notes` may know.
    fn open(path: &Path, notes: Option<&DiskCache>) -> io::Result<Self> {
        // Before it is opened, because opening a pipe waits.
        let identity = Identity::of(&checked(fs::metadata(path)?)?);
        let note = notes.and_then(|notes| notes.note(known::NOTE)).unwrap_or_default();
        let path = path.to_owned();
        if let Some(digest) = known::digest(&note, &identity) {
            return Ok(DeviceLibrary { path, digest, content: Arc::default() });
        }
        let (bytes, identity) = read(&path)?;
        let digest = *blake3::hash(&bytes).as_bytes();
        if let (Some(notes), Some(identity)) = (notes, identity) {
            notes.set_note(known::NOTE, &known::with(&note, &identity, Some(&digest)));
        }
        Ok(DeviceLibrary { path, digest, content: Arc::new(OnceLock::from(Arc::from(bytes))) })
    }

    /// LLVM bitcode that has the digest.
    pub fn bytes(&self) -> io::Result<Arc<[u8]>> {
        if let Some(bytes) = self.content.get() {
            return Ok(Arc::clone(bytes));
        }
        let (bytes, _) = read(&self.path)?;
        if blake3::hash(&bytes) != self.digest {
            return Err(io::Error::other("it changed after its digest was taken"));
        }
        Ok(Arc::clone(self.content.get_or_init(|| bytes.into())))
    }

    /// Lets the next process take the digest anew.
    pub(crate) fn forget(&self, notes: &DiskCache) {
        if let (Some(note), Ok(about)) = (notes.note(known::NOTE), fs::metadata(&self.path)) {
            notes.set_note(known::NOTE, &known::with(&note, &Identity::of(&about), None));
        }
    }
}

impl Family {
    /// The libraries of a place, all of which must be usable.
    fn open(&self, place: &Path, notes: Option<&DiskCache>) -> io::Result<Vec<DeviceLibrary>> {
        self.files_of(place).iter().map(|path| DeviceLibrary::open(path, notes)).collect()
    }

    fn search(&self, named: &[PathBuf], notes: Option<&DiskCache>) -> Found {
        let mut found = Found::default();
        for place in named.iter().cloned().chain((self.usual)()) {
            match self.open(&place, notes) {
                Ok(libraries) => return Found { libraries, ..found },
                Err(error) => found.is_short |= is_passing(&error),
            }
        }
        found
    }

    fn find(&self, options: &FamilyOptions, notes: Option<&DiskCache>) -> Found {
        let FamilyOptions { choice, named } = options;
        let place = match choice {
            Choice::Search => return self.search(named, notes),
            Choice::Substitute => return Found::default(),
            Choice::Place(place) => place,
        };
        match self.open(place, notes) {
            Ok(libraries) => Found { libraries, ..Found::default() },
            Err(error) => {
                let (setting, wanted) = (self.setting, self.wanted);
                let problem = LibraryProblem { setting, place: place.clone(), reason: error.to_string(), wanted };
                let other = self.search(named, notes);
                Found { problem: Some(problem), is_short: other.is_short || is_passing(&error), ..other }
            }
        }
    }
}

impl LibraryOptions {
    /// The translator's own functions for every target.
    pub fn substitutes() -> Self {
        let substitute = |_| FamilyOptions { choice: Choice::Substitute, named: Vec::new() };
        LibraryOptions { families: std::array::from_fn(substitute) }
    }

    /// The same with another choice for one family.
    pub fn with(mut self, family: FamilyIndex, choice: Choice) -> Self {
        self.families[family as usize].choice = choice;
        self
    }

    /// The libraries to use, each family with its own.
    pub fn find(&self) -> impl Iterator<Item = (&'static Family, Found)> {
        FAMILIES.iter().zip(&self.families).map(|(family, options)| (family, family.find(options, None)))
    }
}

impl DeviceLibraries {
    /// Those that `options` describe, none of which is looked for yet.
    pub fn new(options: LibraryOptions) -> Self {
        DeviceLibraries { options, found: Default::default(), warned: [const { Once::new() }; COUNT] }
    }

    /// The libraries for code for `target`. The cache of `notes` remembers digests.
    pub fn for_target<'n>(
        &self,
        target: &Target,
        notes: impl FnOnce() -> Option<&'n DiskCache>,
    ) -> Arc<[DeviceLibrary]> {
        let Some(index) = FAMILIES.iter().position(|family| (family.serves)(target)) else { return Arc::default() };
        if let Some(found) = self.found[index].get() {
            return Arc::clone(found);
        }
        let found = FAMILIES[index].find(&self.options.families[index], notes());
        if let Some(problem) = &found.problem {
            self.warned[index].call_once(|| tracing::warn!("{problem}"));
        }
        if found.is_short {
            // For this kernel alone.
            return found.libraries.into();
        }
        Arc::clone(self.found[index].get_or_init(|| found.libraries.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::{HostTarget, PtxTarget};
    use std::array;

    const BITCODE: &[u8] = b"BC\xc0\xde and more";

    fn write(file: &Path, bytes: &[u8]) -> PathBuf {
        fs::create_dir_all(file.parent().expect("folder")).expect("folders");
        fs::write(file, bytes).expect("write");
        file.to_owned()
    }

    /// A folder with ROCm's libraries.
    fn rocm(folder: &Path, bytes: &[u8]) -> PathBuf {
        write(&folder.join("amdgcn/bitcode/ocml.bc"), bytes).parent().expect("folder").to_owned()
    }

    fn find(family: FamilyIndex, choice: Choice, named: Vec<PathBuf>) -> Found {
        FAMILIES[family as usize].find(&FamilyOptions { choice, named }, None)
    }

    fn gpu() -> Target {
        Target::Amdgcn("gfx90a".parse().expect("a target"))
    }

    #[test]
    fn the_first_place_with_usable_files_counts() {
        let (a, b) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
        let bad = write(&a.path().join("libdevice.10.bc"), b"not bitcode");
        let good = write(&b.path().join("libdevice.10.bc"), BITCODE);
        let found = find(FamilyIndex::Libdevice, Choice::Search, vec!["/absent".into(), bad, good.clone()]);
        let [library] = &found.libraries[..] else { panic!("{found:?}") };
        assert_eq!((&library.path, &library.bytes().expect("bytes")[..]), (&good, BITCODE));
        assert_eq!(library.digest, *blake3::hash(BITCODE).as_bytes());
        let places = vec![rocm(a.path(), b"not bitcode"), rocm(b.path(), BITCODE)];
        let found = find(FamilyIndex::Rocm, Choice::Search, places.clone());
        assert_eq!(found.libraries[0].path, places[1].join("ocml.bc"));
    }

    fn cache(folder: PathBuf) -> DiskCache {
        let location = crate::cache::CacheLocation::explicit(folder);
        let options = crate::cache::DiskCacheOptions::new(location, &crate::settings::Tunables::default());
        DiskCache::open(&options, Arc::default())
    }

    #[test]
    fn a_remembered_library_is_read_when_it_is_needed_and_must_be_the_same() {
        let root = tempfile::tempdir().expect("folder");
        let (file, notes) = (write(&root.path().join("ocml.bc"), BITCODE), cache(root.path().join("cache")));
        let open = || DeviceLibrary::open(&file, Some(&notes)).expect("library");
        let remember = |digest: &IrHash| {
            let identity = Identity::of(&fs::metadata(&file).expect("metadata"));
            notes.set_note(known::NOTE, &known::with(&[], &identity, Some(digest)));
        };
        let fresh = open();
        assert!(fresh.content.get().is_some() && notes.note(known::NOTE).is_none(), "too new to be remembered");
        remember(&fresh.digest);
        let known = open();
        assert!(known.content.get().is_none() && known.digest == fresh.digest);
        assert_eq!(known.bytes().expect("bytes")[..], *BITCODE);
        remember(&[1; 32]);
        let wrong = open();
        assert!(wrong.bytes().is_err());
        wrong.forget(&notes);
        assert_eq!(open().digest, fresh.digest);
        remember(&fresh.digest);
        fs::write(&file, [BITCODE, b"more"].concat()).expect("write");
        assert_ne!(open().digest, fresh.digest);
    }

    #[test]
    fn a_place_that_cannot_be_used_is_a_problem_and_the_search_goes_on() {
        let root = tempfile::tempdir().expect("folder");
        let file = write(&root.path().join("libdevice.10.bc"), BITCODE);
        for bad in [PathBuf::from("/absent/libdevice.10.bc"), root.path().to_owned(), PathBuf::from("/dev/zero")] {
            let found = find(FamilyIndex::Libdevice, Choice::Place(bad.clone()), vec![file.clone()]);
            assert_eq!(found.problem.expect("problem").place, bad);
            assert_eq!(found.libraries[0].path, file);
        }
        let found = find(FamilyIndex::Rocm, Choice::Place(root.path().to_owned()), vec![rocm(root.path(), BITCODE)]);
        let text = found.problem.expect("problem").to_string();
        assert!(text.starts_with("SINTER_ROCM_DEVICE_LIB_PATH=") && text.ends_with("which holds ocml.bc"), "{text}");
        assert_eq!(found.libraries.len(), 1);
    }

    #[test]
    fn only_targets_that_use_a_library_read_it_and_only_once() {
        let root = tempfile::tempdir().expect("folder");
        let file = write(&root.path().join("libdevice.10.bc"), BITCODE);
        let folder = rocm(root.path(), BITCODE);
        let choices = LibraryOptions::default().with(FamilyIndex::Libdevice, Choice::Place(file.clone()));
        let libraries = DeviceLibraries::new(choices.with(FamilyIndex::Rocm, Choice::Place(folder.clone())));
        let looked = |libraries: &DeviceLibraries| array::from_fn(|index| libraries.found[index].get().is_some());
        let host = Target::Host(HostTarget {
            triple: "t".into(),
            cpu: "c".into(),
            features: String::new(),
            line_tables: false,
        });
        assert!(libraries.for_target(&host, || None).is_empty());
        assert_eq!(looked(&libraries), [false; COUNT]);
        let ptx = Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false });
        assert_eq!(libraries.for_target(&ptx, || None).len(), 1);
        assert_eq!(looked(&libraries), [true, false]);
        fs::remove_file(&file).expect("remove");
        assert_eq!(libraries.for_target(&ptx, || None)[0].path, file);
        assert_eq!(libraries.for_target(&gpu(), || None)[0].path, folder.join("ocml.bc"));
        let none = DeviceLibraries::new(LibraryOptions::substitutes());
        assert!([ptx, gpu()].iter().all(|target| none.for_target(target, || None).is_empty()));
    }
}
