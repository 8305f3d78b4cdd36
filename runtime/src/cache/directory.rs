//! Chooses the folder of the disk cache and checks that nobody else can put code into it.
//!
//! In: what the environment says. Out: a folder that exists, or why there is none. *Invariant:* the folder belongs to the
//! user whose rights the process has, is no symbolic link, and no other user can write to it.
#![forbid(unsafe_code)]

use crate::{system, tunables::Environment};
use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

/// Where the cache may be, in order of preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheLocation {
    /// Folders to try. None of them: the cache is not wanted on disk.
    pub candidates: Vec<PathBuf>,
    /// Why these.
    pub reason: &'static str,
}

impl CacheLocation {
    /// Only this folder.
    pub fn explicit(path: PathBuf) -> Self {
        CacheLocation { candidates: vec![path], reason: "SINTER_CACHE_DIR" }
    }

    /// The folder asked for, or the user's cache folder with a private folder of the temporary folder behind it. Nowhere
    /// for a process with raised privileges.
    pub fn choose(asked: Option<PathBuf>, environment: &Environment) -> Self {
        if environment.privileged {
            // Whoever chose these folders has fewer rights than code that is run from them.
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

/// Whose files are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owners {
    /// Those of the user whose rights the process has.
    User,
    /// Those of that user and of root: for caches that are only read.
    UserAndRoot,
}

impl Owners {
    /// Whether files of this user are trusted.
    pub fn include(self, owner: u32) -> bool {
        owner == system::effective_user() || (self == Owners::UserAndRoot && owner == 0)
    }
}

/// Why a folder cannot hold the cache.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DirectoryProblem {
    /// It could not be made or looked at.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// It is a symbolic link.
    #[error("{path} is a symbolic link; name the folder itself", path = path.display())]
    Link {
        /// The folder.
        path: PathBuf,
    },
    /// It is a file.
    #[error("{path} is not a folder", path = path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// It belongs to another user.
    #[error("{path} belongs to user {owner}, not to user {user}; name a folder of your own", path = path.display())]
    Owner {
        /// The folder.
        path: PathBuf,
        /// Its owner.
        owner: u32,
        /// The user whose rights the process has.
        user: u32,
    },
    /// Others can write to it.
    #[error("{path} can be written by other users (mode {mode:03o}); use a folder of your own, or take the permission away: chmod go-w {path}", path = path.display())]
    Shared {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
}

/// Makes `path` with mode 0700 if it does not exist.
pub fn create_private(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        result => result,
    }
}

/// Checks that `path` is a folder that only its owner, one of `owners`, can write to.
pub fn check(path: &Path, owners: Owners) -> Result<(), DirectoryProblem> {
    let own = || path.to_owned();
    let metadata = fs::symlink_metadata(path).map_err(|source| DirectoryProblem::Io { path: own(), source })?;
    let (owner, user, mode) = (metadata.uid(), system::effective_user(), metadata.mode() & 0o777);
    if metadata.is_symlink() {
        Err(DirectoryProblem::Link { path: own() })
    } else if !metadata.is_dir() {
        Err(DirectoryProblem::NotAFolder { path: own() })
    } else if !owners.include(owner) {
        Err(DirectoryProblem::Owner { path: own(), owner, user })
    } else if mode & 0o022 != 0 {
        Err(DirectoryProblem::Shared { path: own(), mode })
    } else {
        Ok(())
    }
}

/// Makes the folder if need be and checks it.
pub(super) fn prepare(path: &Path) -> Result<(), DirectoryProblem> {
    let parents = path.parent().map_or(Ok(()), fs::create_dir_all);
    let created = parents.and_then(|()| create_private(path));
    created.map_err(|source| DirectoryProblem::Io { path: path.to_owned(), source })?;
    check(path, Owners::User)
}

/// The folder that [`open`] would choose, without making it; the first where it would choose none.
pub fn find(location: &CacheLocation) -> Option<&PathBuf> {
    let usable = location.candidates.iter().find(|path| would_open(path));
    usable.or(location.candidates.first())
}

fn would_open(path: &Path) -> bool {
    match check(path, Owners::User) {
        Ok(()) => true,
        Err(DirectoryProblem::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            let parent = path.ancestors().skip(1).find(|folder| folder.symlink_metadata().is_ok());
            parent.is_some_and(|folder| folder.is_dir() && system::may_write(folder))
        }
        Err(_) => false,
    }
}

/// The first usable folder, with the problems of those before it.
pub fn open(location: &CacheLocation) -> (Option<PathBuf>, Vec<DirectoryProblem>) {
    let mut problems = Vec::new();
    for candidate in &location.candidates {
        match prepare(candidate) {
            Ok(()) => return (Some(candidate.clone()), problems),
            Err(problem) => problems.push(problem),
        }
    }
    (None, problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn only(path: &Path) -> CacheLocation {
        CacheLocation::explicit(path.to_owned())
    }

    #[test]
    fn a_new_folder_is_private() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("a/b");
        assert_eq!(open(&only(&path)).0.as_deref(), Some(path.as_path()));
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
        let problem = |path: &Path| open(&only(path)).1.pop().expect("a problem");
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
            assert_eq!(open(&location).0, found, "{unusable}");
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
        let (path, problems) = open(&location);
        assert_eq!(path, Some(root.path().join(format!("sinter-{}", system::effective_user()))));
        assert!(problems.is_empty());
    }

    #[test]
    fn an_unusable_home_falls_back_and_says_why() {
        let root = tempfile::tempdir().expect("folder");
        let home = Some(PathBuf::from("/proc/1/no-such-home"));
        let environment = Environment { home, temp: root.path().to_owned(), ..Environment::default() };
        let (path, problems) = open(&CacheLocation::choose(None, &environment));
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
        let (path, problems) = open(&CacheLocation::choose(folder, &environment));
        assert!(path.is_none() && problems.is_empty());
        assert_eq!(fs::read_dir(root.path()).expect("list").count(), 0);
    }
}
