//! Finds the device functions that vendors ship: NVIDIA's libdevice.
//!
//! In: a setting, folders of toolkits, the target of a device. Out: the digest of a library, which enters the key, and for a
//! translation its bytes. *Invariant:* nothing is looked for before a target that can use it is translated for, and then
//! once; a library that is not found, or cannot be used, never fails a launch, because the translator has substitutes.
//!
//! Reading and hashing half a megabyte is most of what a launch from the disk cache costs, so the cache folder remembers the
//! digest (`known`). Then the bytes are read when a translation needs them, and must still have that digest.
#![forbid(unsafe_code)]

mod known;

use crate::cache::DiskCache;
use known::Identity;
use sinter_core::{IrHash, Target};
use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::SystemTime,
};

/// Where a toolkit has libdevice.
const IN_TOOLKIT: &str = "nvvm/libdevice/libdevice.10.bc";
/// Toolkits in their usual places.
const TOOLKITS: [&str; 3] = ["/usr/local/cuda", "/usr/lib/cuda", "/opt/cuda"];
/// Where toolkits with a version in their name are.
const VERSIONED: &str = "/usr/local";
/// Where Debian and Ubuntu have the file itself.
const OF_DISTRIBUTIONS: &str = "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc";
/// How LLVM bitcode starts, and how it does with a wrapper.
const MAGICS: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
/// No library is larger; libdevice has half a megabyte.
const MAX_SIZE: u64 = 64 << 20;

/// Which libdevice to use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Libdevice {
    /// That of a toolkit, where one is found.
    #[default]
    Search,
    /// The substitute of the translator.
    Substitute,
    /// This file, if it can be used.
    File(PathBuf),
}

/// What is known about the libraries of this machine.
#[derive(Debug, Clone, Default)]
pub struct LibraryOptions {
    /// Which libdevice to use.
    pub libdevice: Libdevice,
    /// Folders of toolkits that the environment names, which are searched first.
    pub toolkits: Vec<PathBuf>,
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

/// A library that was asked for and cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryProblem {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl fmt::Display for LibraryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LibraryProblem { path, reason } = self;
        write!(
            f,
            "SINTER_LIBDEVICE={} is not used: {reason}; name the libdevice.10.bc of a CUDA toolkit",
            path.display()
        )
    }
}

/// The library of NVIDIA GPUs, and what was wrong with the one that was asked for.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Nothing where the substitute is used.
    pub library: Option<DeviceLibrary>,
    /// Why the file of the setting is not it.
    pub problem: Option<LibraryProblem>,
}

/// The libraries, looked for when a target first needs them.
pub struct DeviceLibraries {
    options: LibraryOptions,
    libdevice: OnceLock<Found>,
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

/// The version in the name of a toolkit's folder, such as `cuda-12.4`.
fn version(folder: &Path) -> Option<Vec<u32>> {
    let name = folder.file_name()?.to_str()?.strip_prefix("cuda-")?;
    name.split('.').map(|part| part.parse().ok()).collect()
}

/// Toolkits with a version in their name, the newest first.
fn versioned(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries.filter_map(|entry| Some((version(&entry.path())?, entry.path()))).collect();
    found.sort_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}

impl LibraryOptions {
    /// Where libdevice may be, in order.
    fn candidates(&self) -> impl Iterator<Item = PathBuf> {
        let usual = TOOLKITS.into_iter().map(PathBuf::from);
        let toolkits = self.toolkits.iter().cloned().chain(usual).chain(versioned(Path::new(VERSIONED)));
        toolkits.map(|toolkit| toolkit.join(IN_TOOLKIT)).chain([PathBuf::from(OF_DISTRIBUTIONS)])
    }

    fn search(&self, notes: Option<&DiskCache>) -> Option<DeviceLibrary> {
        self.candidates().find_map(|path| DeviceLibrary::open(&path, notes).ok())
    }

    /// The libdevice to use.
    pub fn find(&self) -> Found {
        self.find_with(None)
    }

    fn find_with(&self, notes: Option<&DiskCache>) -> Found {
        let path = match &self.libdevice {
            Libdevice::Search => return Found { library: self.search(notes), problem: None },
            Libdevice::Substitute => return Found::default(),
            Libdevice::File(path) => path,
        };
        match DeviceLibrary::open(path, notes) {
            Ok(library) => Found { library: Some(library), problem: None },
            Err(error) => {
                let problem = LibraryProblem { path: path.clone(), reason: error.to_string() };
                Found { library: self.search(notes), problem: Some(problem) }
            }
        }
    }
}

impl DeviceLibraries {
    /// Those that `options` describe, none of which is looked for yet.
    pub fn new(options: LibraryOptions) -> Self {
        DeviceLibraries { options, libdevice: OnceLock::new() }
    }

    fn libdevice<'n>(&self, notes: impl FnOnce() -> Option<&'n DiskCache>) -> &Found {
        self.libdevice.get_or_init(|| {
            let found = self.options.find_with(notes());
            found.problem.iter().for_each(|problem| tracing::warn!("{problem}"));
            found
        })
    }

    /// The libraries for code for `target`. The cache of `notes` remembers digests.
    pub fn for_target<'n>(&self, target: &Target, notes: impl FnOnce() -> Option<&'n DiskCache>) -> &[DeviceLibrary] {
        match target {
            Target::Ptx(_) => self.libdevice(notes).library.as_slice(),
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::{HostTarget, PtxTarget};

    const BITCODE: &[u8] = b"BC\xc0\xde and more";

    /// A toolkit whose libdevice holds `bytes`.
    fn toolkit(folder: &Path, bytes: &[u8]) -> PathBuf {
        let file = folder.join(IN_TOOLKIT);
        fs::create_dir_all(file.parent().expect("folder")).expect("folders");
        fs::write(&file, bytes).expect("write");
        file
    }

    #[test]
    fn the_first_toolkit_with_a_usable_file_counts() {
        let (a, b) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
        toolkit(a.path(), b"not bitcode");
        let file = toolkit(b.path(), BITCODE);
        let toolkits = vec![PathBuf::from("/absent"), a.path().to_owned(), b.path().to_owned()];
        let found = LibraryOptions { libdevice: Libdevice::Search, toolkits }.find();
        let library = found.library.expect("library");
        assert_eq!((&library.path, &library.bytes().expect("bytes")[..]), (&file, BITCODE));
        assert_eq!(library.digest, *blake3::hash(BITCODE).as_bytes());
    }

    fn cache(folder: PathBuf) -> DiskCache {
        let location = crate::cache::CacheLocation::explicit(folder);
        let options = crate::cache::DiskCacheOptions::new(location, &crate::tunables::Tunables::default());
        DiskCache::open(&options, Arc::default())
    }

    #[test]
    fn a_remembered_library_is_read_when_it_is_needed_and_must_be_the_same() {
        let root = tempfile::tempdir().expect("folder");
        let (file, notes) = (toolkit(root.path(), BITCODE), cache(root.path().join("cache")));
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
    fn a_file_that_cannot_be_used_is_a_problem_and_the_search_goes_on() {
        let root = tempfile::tempdir().expect("folder");
        let file = toolkit(root.path(), BITCODE);
        for bad in [PathBuf::from("/absent/libdevice.10.bc"), root.path().to_owned(), PathBuf::from("/dev/zero")] {
            let libdevice = Libdevice::File(bad.clone());
            let found = LibraryOptions { libdevice, toolkits: vec![root.path().to_owned()] }.find();
            assert_eq!(found.problem.expect("problem").path, bad);
            assert_eq!(found.library.expect("library").path, file);
        }
    }

    #[test]
    fn only_targets_that_use_a_library_read_it_and_only_once() {
        let root = tempfile::tempdir().expect("folder");
        let file = toolkit(root.path(), BITCODE);
        let libraries =
            DeviceLibraries::new(LibraryOptions { libdevice: Libdevice::File(file.clone()), toolkits: vec![] });
        let host = Target::Host(HostTarget { triple: "t".into(), cpu: "c".into(), features: String::new() });
        assert!(libraries.for_target(&host, || None).is_empty() && libraries.libdevice.get().is_none());
        let ptx = Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false });
        assert_eq!(libraries.for_target(&ptx, || None).len(), 1);
        fs::remove_file(&file).expect("remove");
        assert_eq!(libraries.for_target(&ptx, || None)[0].path, file);
        let none = DeviceLibraries::new(LibraryOptions { libdevice: Libdevice::Substitute, toolkits: vec![file] });
        assert!(none.for_target(&ptx, || None).is_empty());
    }

    #[test]
    fn the_newest_of_several_toolkits_comes_first() {
        let root = tempfile::tempdir().expect("folder");
        for name in ["cuda-9.2", "cuda-12.4", "cuda-12.10", "cuda", "cuda-old", "other"] {
            fs::create_dir(root.path().join(name)).expect("folder");
        }
        let expected = ["cuda-12.10", "cuda-12.4", "cuda-9.2"].map(|name| root.path().join(name));
        assert_eq!(versioned(root.path()), expected);
    }
}
