//! Finds vendor libraries: NVIDIA's libdevice and AMD's ROCm device libraries.
//!
//! In: settings, paths from the environment, the target of a device. Out: the digests of libraries,
//! which are part of the key, and for a translation their bytes. *Invariant:* libraries are
//! searched for only when a target that can use them is translated for, and only once unless the
//! system was short of resources. A library that is missing or unusable never fails a launch,
//! because the translator has substitutes.
//!
//! Reading and hashing half a megabyte is most of the cost of a launch from the disk cache, so the
//! cache folder stores the digest (`known`). The bytes are then read when a translation needs them,
//! and must still have that digest.
#![forbid(unsafe_code)]

pub mod families;
mod known;

pub use families::{COUNT, Choice, FAMILIES, Family, FamilyIndex};

use crate::{cache::DiskCache, system::is_transient};
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

/// Magic numbers of LLVM bitcode, raw and with a wrapper.
const MAGICS: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
/// Maximum size in bytes; libdevice has half a megabyte.
const MAX_SIZE: u64 = 64 << 20;

/// Search options for one family.
#[derive(Debug, Clone, Default)]
pub struct FamilyOptions {
    /// Choice of the user.
    pub choice: Choice,
    /// Paths from the environment, which are searched first.
    pub named: Vec<PathBuf>,
}

/// Search options for all families.
#[derive(Debug, Clone, Default)]
pub struct LibraryOptions {
    /// Indexed by [`FamilyIndex`].
    pub families: [FamilyOptions; COUNT],
}

/// A usable vendor library.
#[derive(Debug, Clone)]
pub struct DeviceLibrary {
    /// Path of the file.
    pub path: PathBuf,
    /// Digest of its bytes.
    pub digest: IrHash,
    /// LLVM bitcode, once it was read.
    content: Arc<OnceLock<Arc<[u8]>>>,
}

/// A requested library that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryProblem {
    /// Name of the setting that requests it.
    pub setting: &'static str,
    /// Path that the setting names.
    pub place: PathBuf,
    /// Message of the error.
    pub reason: String,
    /// Description of valid values.
    pub wanted: &'static str,
}

impl fmt::Display for LibraryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LibraryProblem { setting, place, reason, wanted } = self;
        write!(f, "{setting}={} is not used: {reason}; {wanted}", place.display())
    }
}

/// Result of a search for the libraries of one family.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Empty if the substitute is used.
    pub libraries: Vec<DeviceLibrary>,
    /// Reason why the requested path cannot be used.
    pub problem: Option<LibraryProblem>,
    /// True if the system was short of resources, so that existing libraries may be missing here.
    pub is_short: bool,
}

/// Vendor libraries, searched for when a target first needs them.
pub struct DeviceLibraries {
    options: LibraryOptions,
    found: [OnceLock<Arc<[DeviceLibrary]>>; COUNT],
    /// A repeated search does not repeat its warning.
    warned: [Once; COUNT],
}

/// Bytes of a library, with the identity of the file if it did not change meanwhile and its next
/// change will be detectable.
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
        Err(io::Error::other("it is not a regular file, or too large for a library"))
    }
}

impl DeviceLibrary {
    /// Opens the library at `path`, with the digest from `notes` if they have it.
    fn open(path: &Path, notes: Option<&DiskCache>) -> io::Result<Self> {
        // Checked before the file is opened, because opening a pipe blocks.
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

    /// The LLVM bitcode; fails if the file no longer has the digest.
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

    /// Removes the digest from the notes, so that the next process computes it again.
    pub(crate) fn forget(&self, notes: &DiskCache) {
        if let (Some(note), Ok(about)) = (notes.note(known::NOTE), fs::metadata(&self.path)) {
            notes.set_note(known::NOTE, &known::with(&note, &Identity::of(&about), None));
        }
    }
}

impl Family {
    /// Opens the libraries at a path, all of which must be usable.
    fn open(&self, place: &Path, notes: Option<&DiskCache>) -> io::Result<Vec<DeviceLibrary>> {
        self.files_of(place).iter().map(|path| DeviceLibrary::open(path, notes)).collect()
    }

    fn search(&self, named: &[PathBuf], notes: Option<&DiskCache>) -> Found {
        let mut found = Found::default();
        for place in named.iter().cloned().chain((self.usual)()) {
            match self.open(&place, notes) {
                Ok(libraries) => return Found { libraries, ..found },
                Err(error) => found.is_short |= is_transient(&error),
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
                Found { problem: Some(problem), is_short: other.is_short || is_transient(&error), ..other }
            }
        }
    }
}

impl LibraryOptions {
    /// The translator's substitutes for every target.
    pub fn substitutes() -> Self {
        let substitute = |_| FamilyOptions { choice: Choice::Substitute, named: Vec::new() };
        LibraryOptions { families: std::array::from_fn(substitute) }
    }

    /// Replaces the choice for one family.
    pub fn with(mut self, family: FamilyIndex, choice: Choice) -> Self {
        self.families[family as usize].choice = choice;
        self
    }

    /// Searches for the libraries of each family.
    pub fn find(&self) -> impl Iterator<Item = (&'static Family, Found)> {
        FAMILIES.iter().zip(&self.families).map(|(family, options)| (family, family.find(options, None)))
    }
}

impl DeviceLibraries {
    /// Defers the search.
    pub fn new(options: LibraryOptions) -> Self {
        DeviceLibraries { options, found: Default::default(), warned: [const { Once::new() }; COUNT] }
    }

    /// Libraries for code for `target`. `notes` is the cache that stores digests.
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
            // Not remembered, because the system was short of resources.
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

    /// A folder with ROCm's device libraries.
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
