//! A folder held by its descriptor, so that later changes of its path have no effect.
//!
//! In: a path, once. Out: files and folders in it. *Invariant:* every name is looked up in the
//! folder that was opened. No symbolic link is followed, neither in the place of the folder nor of
//! a subfolder or file.
//!
//! A program may close descriptors that it did not open (`closefrom` in a daemon) and get the same
//! number again for a file of its own. `Folder::is_intact` detects this; a folder that is not
//! intact is neither used nor closed.
#![forbid(unsafe_code)]

use rustix::fs::{self as at, AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::{
        fd::{AsFd, IntoRawFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// An open folder, used for all accesses to files in it.
#[derive(Debug)]
pub struct Folder {
    /// `None` once the folder was given up.
    descriptor: Option<OwnedFd>,
    identity: (u64, u64),
    /// Path at the time of opening, for messages.
    path: PathBuf,
}

/// Metadata of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    pub(super) size: u64,
    pub(super) modified: SystemTime,
    /// Time of the last change of the inode (ctime), by the clock of the file system.
    pub(super) changed: SystemTime,
    pub(super) is_file: bool,
    pub(super) is_link: bool,
    pub(super) owner: u32,
    /// Permission bits.
    pub(super) mode: u32,
    /// Device and inode number.
    pub(super) identity: (u64, u64),
    /// True if the inode has no name any more.
    pub(super) is_removed: bool,
}

/// Converts a timestamp of a file; the epoch if it cannot be represented.
fn time(seconds: i64, nanoseconds: u32) -> SystemTime {
    let since = Duration::new(u64::try_from(seconds).unwrap_or_default(), nanoseconds);
    UNIX_EPOCH.checked_add(since).unwrap_or(UNIX_EPOCH)
}

impl From<Stat> for About {
    fn from(stat: Stat) -> Self {
        let kind = FileType::from_raw_mode(stat.st_mode);
        About {
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            modified: time(stat.st_mtime, stat.st_mtime_nsec as u32),
            changed: time(stat.st_ctime, stat.st_ctime_nsec as u32),
            is_file: kind == FileType::RegularFile,
            is_link: kind == FileType::Symlink,
            owner: stat.st_uid,
            mode: stat.st_mode & 0o7777,
            identity: (stat.st_dev, stat.st_ino),
            is_removed: stat.st_nlink == 0,
        }
    }
}

/// Flags for lookup only (`O_PATH`): search permission on the folder suffices.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::CLOEXEC);
const PRIVATE_FOLDER: Mode = Mode::RWXU;

/// Splits a path into subfolder and file name. A cache has one level of subfolders.
fn split(place: &Path) -> io::Result<(Option<&OsStr>, &OsStr)> {
    let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    Ok((place.parent().map(Path::as_os_str).filter(|folder| !folder.is_empty()), name))
}

impl Folder {
    /// Opens the folder at `path`. A symbolic link is an error.
    pub fn open(path: &Path) -> io::Result<Self> {
        Folder::open_at(CWD, path, FOLDER, path.to_owned())
    }

    /// Opens the folder at `path` and follows a symbolic link: for paths that the user named
    /// explicitly.
    pub fn open_named(path: &Path) -> io::Result<Self> {
        Folder::open_at(CWD, path, FOLDER.difference(OFlags::NOFOLLOW), path.to_owned())
    }

    fn open_at(parent: impl AsFd, name: &Path, flags: OFlags, path: PathBuf) -> io::Result<Self> {
        let descriptor = at::openat(parent, name, flags, Mode::empty())?;
        let identity = About::from(at::fstat(&descriptor)?).identity;
        Ok(Folder { descriptor: Some(descriptor), identity, path })
    }

    /// The same folder with a second descriptor.
    pub(super) fn duplicate(&self) -> io::Result<Self> {
        let descriptor = Some(self.descriptor()?.try_clone()?);
        Ok(Folder { descriptor, identity: self.identity, path: self.path.clone() })
    }

    /// Path at the time of opening. The folder may have moved since.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn descriptor(&self) -> io::Result<&OwnedFd> {
        self.descriptor.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Metadata of the folder.
    pub(super) fn about(&self) -> io::Result<About> {
        Ok(at::fstat(self.descriptor()?)?.into())
    }

    /// True if the descriptor still refers to this folder and the folder was not removed.
    pub(super) fn is_intact(&self) -> bool {
        self.about().is_ok_and(|about| about.identity == self.identity && !about.is_removed)
    }

    /// Opens a subfolder.
    pub(super) fn folder(&self, name: &OsStr) -> io::Result<Self> {
        Folder::open_at(self.descriptor()?, Path::new(name), FOLDER, self.path.join(name))
    }

    /// Opens a subfolder; creates it with mode 0700 if it is missing.
    pub(super) fn make_folder(&self, name: &OsStr) -> io::Result<Self> {
        match self.folder(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => return result,
        }
        match at::mkdirat(self.descriptor()?, name, PRIVATE_FOLDER) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error.into()),
            _ => self.folder(name),
        }
    }

    /// Opens a file for reading. Does not block on a pipe.
    pub(super) fn read(&self, name: &OsStr) -> io::Result<File> {
        self.file(name, OFlags::RDONLY | OFlags::NONBLOCK)
    }

    /// Opens a file with `flags`; a new one gets mode 0600.
    pub(super) fn file(&self, name: &OsStr, flags: OFlags) -> io::Result<File> {
        let opened = at::openat(self.descriptor()?, name, FILE | flags, Mode::RUSR | Mode::WUSR)?;
        Ok(opened.into())
    }

    /// Metadata of a file, or of the link in its place.
    pub(super) fn about_file(&self, name: &OsStr) -> io::Result<About> {
        Ok(at::statat(self.descriptor()?, name, AtFlags::SYMLINK_NOFOLLOW)?.into())
    }

    /// Renames a file within this folder, replacing `to` if it exists.
    pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let folder = self.descriptor()?;
        Ok(at::renameat(folder, from, folder, to)?)
    }

    /// Removes a file of this folder.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(at::unlinkat(self.descriptor()?, name, AtFlags::empty())?)
    }

    /// Calls `act` with the folder that holds `place`, a path relative to this folder, and with the
    /// file's name there.
    pub(super) fn within<R>(&self, place: &Path, act: impl FnOnce(&Folder, &OsStr) -> io::Result<R>) -> io::Result<R> {
        match split(place)? {
            (Some(folder), name) => act(&self.folder(folder)?, name),
            (None, name) => act(self, name),
        }
    }

    /// As [`Folder::within`], but creates a missing subfolder.
    pub(super) fn make_within<R>(
        &self,
        place: &Path,
        act: impl FnOnce(&Folder, &OsStr) -> io::Result<R>,
    ) -> io::Result<R> {
        match split(place)? {
            (Some(folder), name) => act(&self.make_folder(folder)?, name),
            (None, name) => act(self, name),
        }
    }

    /// Names in this folder.
    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = at::openat(self.descriptor()?, c".", flags, Mode::empty())?;
        let names = Dir::new(opened)?.map(|item| Ok(OsStr::from_bytes(item?.file_name().to_bytes()).to_owned()));
        let is_other = |name: &io::Result<OsString>| !matches!(name, Ok(name) if name == "." || name == "..");
        names.filter(is_other).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let is_ours = self.about().is_ok_and(|about| about.identity == self.identity);
        if let Some(descriptor) = self.descriptor.take().filter(|_| !is_ours) {
            // Another file has the descriptor's number by now, so it must not be closed.
            let _ = descriptor.into_raw_fd();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::symlink};

    fn name(text: &str) -> &OsStr {
        OsStr::new(text)
    }

    #[test]
    fn a_folder_is_itself_wherever_it_goes() {
        let root = tempfile::tempdir().expect("folder");
        let [place, elsewhere] = ["place", "elsewhere"].map(|name| root.path().join(name));
        fs::create_dir(&place).expect("folder");
        let folder = Folder::open(&place).expect("open");
        fs::rename(&place, &elsewhere).expect("rename");
        fs::create_dir(&place).expect("folder");
        folder.make_folder(name("ab")).expect("folder");
        assert!(elsewhere.join("ab").is_dir() && !place.join("ab").exists() && folder.is_intact());
        fs::remove_dir_all(&elsewhere).expect("remove");
        assert!(!folder.is_intact());
        assert_eq!(folder.make_folder(name("ab")).expect_err("removed").kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn links_are_not_followed() {
        let root = tempfile::tempdir().expect("folder");
        fs::create_dir(root.path().join("real")).expect("folder");
        fs::write(root.path().join("file"), "").expect("write");
        symlink("real", root.path().join("folder-link")).expect("link");
        symlink("file", root.path().join("file-link")).expect("link");
        let folder = Folder::open(root.path()).expect("open");
        assert!(Folder::open(&root.path().join("folder-link")).is_err());
        assert!(folder.folder(name("folder-link")).is_err() && folder.make_folder(name("folder-link")).is_err());
        assert!(folder.read(name("file-link")).is_err() && folder.read(name("file")).is_ok());
        let mut names = folder.names().expect("names");
        names.sort();
        assert_eq!(names, ["file", "file-link", "folder-link", "real"]);
    }
}
