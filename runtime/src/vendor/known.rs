//! Remembers the digests of libraries by the metadata of their files.
//!
//! In: a file, and a note that the cache folder keeps between processes. Out: the digest of the
//! file's bytes without reading them. *Invariant:* a digest is stored only for bytes that were read
//! while the file's metadata did not change, and only once its last change is older than the
//! resolution of file system timestamps. Any later change gives the file another identity. A
//! damaged note is treated as empty.
#![forbid(unsafe_code)]

use sinter_core::IrHash;
use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// File name of the note in the cache folder.
pub(super) const NOTE: &str = "libraries";
const MAGIC: &[u8; 8] = b"SINTERLD";
/// Maximum number of files in a note: the toolkits that one user switches between, on the machines
/// that share a folder.
const MOST: usize = 16;
/// Time within which two changes may leave the same timestamps; FAT, the coarsest file system, has
/// steps of 2 s.
const COARSE: Duration = Duration::from_secs(4);
const IDENTITY_SIZE: usize = 7 * 8;
const RECORD_SIZE: usize = IDENTITY_SIZE + size_of::<IrHash>();
const SUM_SIZE: usize = 32;

/// Serialised metadata of a file. It includes the time of the last inode change, which only the
/// system can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity([u8; IDENTITY_SIZE]);

impl Identity {
    pub(super) fn of(file: &Metadata) -> Self {
        let (modified, changed) = ([file.mtime(), file.mtime_nsec()], [file.ctime(), file.ctime_nsec()]);
        let times = modified.into_iter().chain(changed).map(i64::cast_unsigned);
        let mut bytes = [0; IDENTITY_SIZE];
        for (place, number) in
            bytes.as_chunks_mut::<8>().0.iter_mut().zip([file.dev(), file.ino(), file.len()].into_iter().chain(times))
        {
            *place = number.to_le_bytes();
        }
        Identity(bytes)
    }
}

/// True if the last change is old enough for the next one to change the timestamps.
pub(super) fn is_settled(file: &Metadata, now: SystemTime) -> bool {
    let last = u64::try_from(file.mtime().max(file.ctime())).unwrap_or(u64::MAX);
    UNIX_EPOCH.checked_add(Duration::from_secs(last)).is_some_and(|last| {
        let age = now.duration_since(last);
        age.is_ok_and(|age| age > COARSE)
    })
}

/// Records of a note; empty if its checksum does not match.
fn records(note: &[u8]) -> &[[u8; RECORD_SIZE]] {
    let Some((content, sum)) = note.split_last_chunk::<SUM_SIZE>() else { return &[] };
    if blake3::hash(content) != *sum {
        return &[];
    }
    content.strip_prefix(MAGIC).map_or(&[], |records| records.as_chunks().0)
}

fn is_of(record: &[u8; RECORD_SIZE], identity: &Identity) -> bool {
    record.starts_with(&identity.0)
}

/// Digest of a file, if the note has it.
pub(super) fn digest(note: &[u8], identity: &Identity) -> Option<IrHash> {
    records(note).iter().find(|record| is_of(record, identity))?.last_chunk().copied()
}

/// The note with the digest of a file replaced, or removed if `None`.
pub(super) fn with(note: &[u8], identity: &Identity, digest: Option<&IrHash>) -> Vec<u8> {
    let mut content = MAGIC.to_vec();
    if let Some(digest) = digest {
        content.extend(identity.0.iter().chain(digest));
    }
    let others = records(note).iter().filter(|record| !is_of(record, identity)).take(MOST - 1);
    others.for_each(|record| content.extend_from_slice(record));
    let sum = blake3::hash(&content);
    content.extend_from_slice(sum.as_bytes());
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn identity(number: u8) -> Identity {
        Identity([number; IDENTITY_SIZE])
    }

    #[test]
    fn a_note_knows_the_last_files_and_forgets_those_that_are_taken_out() {
        let mut note = Vec::new();
        for number in 0..20 {
            note = with(&note, &identity(number), Some(&[number; 32]));
        }
        assert_eq!(digest(&note, &identity(19)), Some([19; 32]));
        assert_eq!(digest(&note, &identity(4)), Some([4; 32]));
        assert_eq!(digest(&note, &identity(3)), None);
        let note = with(&note, &identity(19), Some(&[1; 32]));
        assert_eq!((digest(&note, &identity(19)), records(&note).len()), (Some([1; 32]), MOST));
        assert_eq!(digest(&with(&note, &identity(19), None), &identity(19)), None);
    }

    #[test]
    fn a_damaged_note_knows_nothing() {
        let mut note = with(&[], &identity(1), Some(&[2; 32]));
        for index in 0..note.len() {
            note[index] ^= 1;
            assert_eq!(digest(&note, &identity(1)), None, "byte {index}");
            note[index] ^= 1;
        }
        assert!((0..note.len()).all(|length| digest(&note[..length], &identity(1)).is_none()));
        assert_eq!(digest(&note, &identity(1)), Some([2; 32]));
    }

    #[test]
    fn a_file_that_changes_is_another_one_and_a_new_one_is_not_settled() {
        let root = tempfile::tempdir().expect("folder");
        let path = root.path().join("file");
        let about = |text: &str| {
            fs::write(&path, text).expect("write");
            fs::metadata(&path).expect("metadata")
        };
        let (first, second) = (about("a"), about("ab"));
        assert_ne!(Identity::of(&first), Identity::of(&second));
        assert_eq!(Identity::of(&second), Identity::of(&fs::metadata(&path).expect("metadata")));
        let now = SystemTime::now();
        assert!(!is_settled(&second, now) && is_settled(&second, now + 2 * COARSE));
    }
}
