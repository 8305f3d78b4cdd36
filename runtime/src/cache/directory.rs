//! Chooses the folder of the disk cache and checks that no other user can put code into it.
//!
//! In: the environment. Out: an open folder, or the reason why there is none. *Invariant:* the
//! folder belongs to the effective user, is not a symbolic link, and no other user can write to it.
//! It is opened first and then checked, so that the checked folder is the one that is used. Parent
//! folders that others can write to cause a warning: others cannot change the open folder, but they
//! can replace the one that the next process finds.
#![forbid(unsafe_code)]

use super::folder::Folder;
use crate::{
    settings::{CacheMode, Environment},
    system,
};
use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

/// Candidate folders for the cache, in order of preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheLocation {
    /// Folders to try; empty if the cache stays in memory.
    pub candidates: Vec<PathBuf>,
    /// Source of this choice, for messages.
    pub reason: &'static str,
}

impl CacheLocation {
    /// Tries only this folder.
    pub fn explicit(path: PathBuf) -> Self {
        CacheLocation { candidates: vec![path], reason: "SINTER_CACHE_DIR" }
    }

    /// The requested folder, or else the user's cache folder, with a private folder below the
    /// temporary folder as fallback. Empty for a process with raised privileges.
    pub fn choose(asked: Option<PathBuf>, environment: &Environment) -> Self {
        if environment.privileged {
            // The user who sets these variables has fewer rights than the code that would be loaded
            // from the folders.
            return CacheLocation { candidates: Vec::new(), reason: "raised privileges: memory only" };
        }
        if let Some(path) = asked {
            return CacheLocation::explicit(path);
        }
        let fallback = environment.temp.join(format!("sinter-{}", system::effective_user()));
        let (preferred, reason) = match (&environment.cache_home, &environment.home) {
            (Some(folder), _) => (Some(folder.join("sinter")), "XDG_CACHE_HOME"),
            (None, Some(home)) => (Some(home.join(".cache").join("sinter")), "HOME"),
            (None, None) => (None, "no HOME: temporary folder"),
        };
        CacheLocation { candidates: preferred.into_iter().chain([fallback]).collect(), reason }
    }
}

/// Users whose files are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owners {
    /// The effective user.
    User,
    /// The effective user and root: for read-only caches.
    UserAndRoot,
}

impl Owners {
    /// True if files of this user are trusted.
    pub fn include(self, owner: u32) -> bool {
        owner == system::effective_user() || (self == Owners::UserAndRoot && owner == 0)
    }
}

/// Reason why a folder cannot hold the cache.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DirectoryProblem {
    /// It could not be created or inspected.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Path of the folder.
        path: PathBuf,
        /// Error of the system call.
        source: io::Error,
    },
    /// It is a symbolic link.
    #[error("{path} is a symbolic link; name the folder itself", path = path.display())]
    Link {
        /// Path of the link.
        path: PathBuf,
    },
    /// It is not a folder.
    #[error("{path} is not a folder", path = path.display())]
    NotAFolder {
        /// Path of the file.
        path: PathBuf,
    },
    /// It belongs to another user.
    #[error("{path} belongs to user {owner}, not to user {user}; name a folder of your own", path = path.display())]
    Owner {
        /// Path of the folder.
        path: PathBuf,
        /// User ID of its owner.
        owner: u32,
        /// Effective user ID of the process.
        user: u32,
    },
    /// Others can write to it.
    #[error("{path} can be written by other users (mode {mode:03o}); use a folder of your own, or take the permission away: chmod go-w {path}", path = path.display())]
    Shared {
        /// Path of the folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
}

impl DirectoryProblem {
    /// True if there is no such folder.
    fn is_missing(&self) -> bool {
        matches!(self, DirectoryProblem::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

/// A parent folder of the cache in which other users can replace the cache by another folder.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "other users can put a cache of theirs into the place of {path}: {above} {reason}; use a folder of your own, or take the permission away",
    path = path.display(), above = above.display()
)]
pub struct Exposure {
    path: PathBuf,
    above: PathBuf,
    reason: String,
}

/// User ID that a user namespace shows for owners without a mapping, such as root of the machine
/// (`user_namespaces(7)`).
const UNMAPPED: u32 = 65_534;
/// Only owners may remove and rename files in a folder with this permission bit.
const STICKY: u32 = 0o1000;

/// Describes why other users can rename the content of a folder with this owner, group and mode;
/// `None` if they cannot.
fn weakness(owner: u32, group: u32, mode: u32) -> Option<String> {
    let user = system::effective_user();
    // Where each user has a private group, its ID is that of the user.
    let others = if group == user { 0o002 } else { 0o022 };
    if ![0, user, UNMAPPED].contains(&owner) {
        Some(format!("belongs to user {owner}"))
    } else if mode & others != 0 && mode & STICKY == 0 {
        Some(format!("can be written by other users (mode {:03o})", mode & 0o777))
    } else {
        None
    }
}

/// The nearest parent of `path` that other users can change, searched for both in the path as
/// written and with its links resolved. Missing folders are skipped.
pub fn exposure(path: &Path) -> Option<Exposure> {
    let real = fs::canonicalize(path).ok().filter(|real| real != path);
    let above = path.ancestors().skip(1).chain(real.iter().flat_map(|real| real.ancestors().skip(1)));
    let weak = |above: &Path| {
        let metadata = fs::metadata(if above.as_os_str().is_empty() { Path::new(".") } else { above }).ok()?;
        let reason = weakness(metadata.uid(), metadata.gid(), metadata.mode())?;
        Some(Exposure { path: path.to_owned(), above: above.to_owned(), reason })
    };
    above.into_iter().find_map(weak)
}

/// Creates `path` with mode 0700 if it does not exist.
fn create_private(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

/// Describes a path that could not be opened as a folder: a link, a file or an I/O error.
fn not_opened(path: &Path, source: io::Error) -> DirectoryProblem {
    let own = || path.to_owned();
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => DirectoryProblem::Link { path: own() },
        Ok(metadata) if !metadata.is_dir() => DirectoryProblem::NotAFolder { path: own() },
        _ => DirectoryProblem::Io { path: own(), source },
    }
}

/// Opens a folder. Fails unless its owner is one of `owners` and nobody else can write to it.
pub(super) fn open_checked(path: &Path, owners: Owners) -> Result<Folder, DirectoryProblem> {
    let own = || path.to_owned();
    let folder = Folder::open(path).map_err(|source| not_opened(path, source))?;
    let about = folder.about().map_err(|source| DirectoryProblem::Io { path: own(), source })?;
    let (owner, user, mode) = (about.owner, system::effective_user(), about.mode & 0o777);
    if !owners.include(owner) {
        Err(DirectoryProblem::Owner { path: own(), owner, user })
    } else if mode & 0o022 != 0 {
        Err(DirectoryProblem::Shared { path: own(), mode })
    } else {
        Ok(folder)
    }
}

/// Checks that `path` is a folder, that its owner is one of `owners` and that nobody else can write
/// to it.
pub fn check(path: &Path, owners: Owners) -> Result<(), DirectoryProblem> {
    open_checked(path, owners).map(drop)
}

/// Opens the folder, and creates it first if it is missing.
fn prepare(path: &Path) -> Result<Folder, DirectoryProblem> {
    let parents = path.parent().map_or(Ok(()), fs::create_dir_all);
    let created = parents.and_then(|()| create_private(path));
    created.map_err(|source| DirectoryProblem::Io { path: path.to_owned(), source })?;
    open_checked(path, Owners::User)
}

/// The folder that [`open`] would choose, without creating it; the first candidate if it would
/// choose none.
pub fn find(location: &CacheLocation) -> Option<&PathBuf> {
    let usable = location.candidates.iter().find(|path| would_open(path));
    usable.or(location.candidates.first())
}

fn would_open(path: &Path) -> bool {
    match check(path, Owners::User) {
        Ok(()) => true,
        Err(problem) if problem.is_missing() => {
            let parent = path.ancestors().skip(1).find(|folder| folder.symlink_metadata().is_ok());
            parent.is_some_and(|folder| folder.is_dir() && system::may_write(folder))
        }
        Err(_) => false,
    }
}

/// Opens the first usable folder, which is created if it is missing and `mode` permits that. Also
/// returns the problems of the candidates before it.
pub fn open(location: &CacheLocation, mode: CacheMode) -> (Option<Folder>, Vec<DirectoryProblem>) {
    let mut problems = Vec::new();
    for candidate in &location.candidates {
        let opened = match mode {
            CacheMode::On => prepare(candidate),
            CacheMode::ReadOnly => open_checked(candidate, Owners::User),
            CacheMode::Off => break,
        };
        match opened {
            Ok(folder) => return (Some(folder), problems),
            Err(problem) if mode == CacheMode::ReadOnly && problem.is_missing() => {}
            Err(problem) => problems.push(problem),
        }
    }
    (None, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Path of the opened folder, and the problems of the other candidates.
    fn opened(location: &CacheLocation) -> (Option<PathBuf>, Vec<DirectoryProblem>) {
        let (folder, problems) = open(location, CacheMode::On);
        (folder.map(|folder| folder.path().to_owned()), problems)
    }

    fn only(path: &Path) -> CacheLocation {
        CacheLocation::explicit(path.to_owned())
    }

    #[test]
    fn a_cache_that_is_only_read_is_not_created() {
        let root = tempfile::tempdir().expect("folder");
        let location = only(&root.path().join("a/b"));
        let (folder, problems) = open(&location, CacheMode::ReadOnly);
        assert!(folder.is_none() && problems.is_empty() && !root.path().join("a").exists());
        assert!(open(&location, CacheMode::On).0.is_some() && open(&location, CacheMode::ReadOnly).0.is_some());
    }

    #[test]
    fn a_new_folder_is_private() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("a/b");
        assert_eq!(opened(&only(&path)).0.as_deref(), Some(path.as_path()));
        assert_eq!(fs::metadata(&path).expect("metadata").mode() & 0o777, 0o700);
    }

    #[test]
    fn a_link_a_file_and_a_shared_folder_are_refused() {
        let root = tempfile::tempdir().expect("folder");
        let (link, file, shared) = (root.path().join("link"), root.path().join("file"), root.path().join("shared"));
        symlink(root.path(), &link).expect("link");
        fs::write(&file, "").expect("file");
        fs::create_dir(&shared).expect("folder");
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).expect("mode");
        let problem = |path: &Path| opened(&only(path)).1.pop().expect("a problem");
        assert!(matches!(problem(&link), DirectoryProblem::Link { .. }));
        assert!(matches!(problem(&file), DirectoryProblem::NotAFolder { .. }));
        assert!(matches!(problem(&shared), DirectoryProblem::Shared { mode: 0o777, .. }));
        assert!(matches!(problem(&file.join("below")), DirectoryProblem::Io { .. }));
    }

    #[test]
    fn finding_a_folder_does_not_make_it() {
        let root = tempfile::tempdir().expect("folder");
        let (first, second) = (root.path().join("first"), root.path().join("second"));
        let location = CacheLocation { candidates: vec![first.clone(), second.clone()], reason: "test" };
        assert_eq!(find(&location), Some(&first));
        assert!(!first.exists());
        fs::create_dir(&second).expect("folder");
        assert_eq!(find(&location), Some(&first), "programs would make it");
    }

    #[test]
    fn the_folder_that_is_found_is_the_one_that_is_opened() {
        let root = tempfile::tempdir().expect("folder");
        let path = |name: &str| root.path().join(name);
        fs::create_dir(path("shared")).expect("folder");
        fs::set_permissions(path("shared"), fs::Permissions::from_mode(0o777)).expect("mode");
        fs::write(path("file"), "").expect("file");
        symlink(root.path(), path("link")).expect("link");
        for unusable in ["shared", "file", "link", "file/below"] {
            let candidates = vec![path(unusable), path(&format!("made/for {}", unusable.len()))];
            let location = CacheLocation { candidates, reason: "test" };
            let found = find(&location).cloned();
            assert!(found == Some(location.candidates[1].clone()) && !path("made").exists(), "{unusable}");
            assert_eq!(opened(&location).0, found, "{unusable}");
            fs::remove_dir_all(path("made")).expect("remove");
        }
        assert_eq!(find(&only(&path("shared"))), Some(&path("shared")), "there is no other");
    }

    #[test]
    fn files_of_root_are_trusted_where_they_are_only_read() {
        let (user, other) = (system::effective_user(), system::effective_user() + 1);
        assert!(Owners::User.include(user) && !Owners::User.include(other));
        assert!(Owners::UserAndRoot.include(user) && Owners::UserAndRoot.include(0));
        assert!(!Owners::UserAndRoot.include(other));
        assert_eq!(Owners::User.include(0), user == 0);
    }

    #[test]
    fn without_a_home_the_temporary_folder_is_used() {
        let root = tempfile::tempdir().expect("folder");
        let environment = Environment { temp: root.path().to_owned(), ..Environment::default() };
        let location = CacheLocation::choose(None, &environment);
        let (path, problems) = opened(&location);
        assert_eq!(path, Some(root.path().join(format!("sinter-{}", system::effective_user()))));
        assert!(problems.is_empty());
    }

    #[test]
    fn an_unusable_home_falls_back_and_says_why() {
        let root = tempfile::tempdir().expect("folder");
        let home = Some(PathBuf::from("/proc/1/no-such-home"));
        let environment = Environment { home, temp: root.path().to_owned(), ..Environment::default() };
        let (path, problems) = opened(&CacheLocation::choose(None, &environment));
        assert!(path.is_some_and(|path| path.starts_with(root.path())));
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn raised_privileges_use_no_folder_of_the_caller() {
        let root = tempfile::tempdir().expect("folder");
        let folder = Some(root.path().to_owned());
        let environment = Environment {
            privileged: true,
            home: folder.clone(),
            cache_home: folder.clone(),
            temp: root.path().to_owned(),
            ..Environment::default()
        };
        let (path, problems) = opened(&CacheLocation::choose(folder, &environment));
        assert!(path.is_none() && problems.is_empty());
        assert_eq!(fs::read_dir(root.path()).expect("list").count(), 0);
    }

    #[test]
    fn folders_above_are_judged_like_those_of_a_login() {
        let user = system::effective_user();
        let [own_group, other_group] = [user, user + 7];
        for (owner, group, mode) in [(0, 0, 0o755), (user, own_group, 0o775), (0, 0, 0o1777), (UNMAPPED, 0, 0o755)] {
            assert_eq!(weakness(owner, group, mode), None, "{owner} {group} {mode:o}");
        }
        for (owner, group, mode) in [
            (user + 1, own_group, 0o755),
            (user + 1, own_group, 0o1777),
            (user, other_group, 0o775),
            (user, own_group, 0o777),
        ] {
            assert!(weakness(owner, group, mode).is_some(), "{owner} {group} {mode:o}");
        }
    }

    #[test]
    fn a_folder_above_that_others_can_write_to_is_named() {
        let root = tempfile::tempdir().expect("folder");
        let (shared, link) = (root.path().join("shared"), root.path().join("link"));
        fs::create_dir_all(shared.join("a/cache")).expect("folder");
        assert_eq!(exposure(&shared.join("a/cache")), None);
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o777)).expect("mode");
        symlink(shared.join("a"), &link).expect("link");
        for path in [shared.join("a/cache"), link.join("cache")] {
            let text = exposure(&path).expect("exposed").to_string();
            assert!(text.contains(&format!("{} can be written", shared.display())), "{text}");
        }
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).expect("mode");
        assert_eq!(exposure(&shared.join("a/cache")), None);
    }
}
