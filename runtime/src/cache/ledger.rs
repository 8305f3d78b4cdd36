//! Tracks the size of the cache without walking it.
//!
//! A file beside the entries holds the bytes that the last sweep left, the time of that sweep, and
//! the size of each file written since; numbers are 64-bit little endian. *Invariant:* a write
//! costs one append and one read of a small file, however many entries there are. Records that are
//! lost when two processes sweep or write at once are made up for by the next sweep, which is never
//! more than [`PERIOD`] and [`MAX_RECORDS`] writes away.
#![forbid(unsafe_code)]

use super::folder::Folder;
use rustix::fs::OFlags;
use std::{
    ffi::OsStr,
    io::{self, Read, Seek, Write},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// File name of the ledger.
pub(super) const LEDGER: &str = "usage";
/// Maximum time between two sweeps, so that old entries are removed from a small cache too.
const PERIOD: Duration = Duration::from_secs(24 * 3600);
/// Maximum number of writes between two sweeps. The file then has 32 KiB.
const MAX_RECORDS: usize = 4096;
const WORD: usize = size_of::<u64>();

/// Content of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Usage {
    bytes: u64,
    swept: u64,
    records: usize,
}

fn seconds(now: SystemTime) -> u64 {
    now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Parses a ledger; `None` if it is truncated.
fn parse(content: &[u8]) -> Option<Usage> {
    let (words, rest) = content.as_chunks::<WORD>();
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    let (left, swept) = (words.next()?, words.next()?);
    let records = words.len();
    let bytes = words.fold(left, u64::saturating_add);
    rest.is_empty().then_some(Usage { bytes, swept, records })
}

impl Usage {
    fn is_due(&self, limit: u64, now: SystemTime) -> bool {
        // A time before the last sweep means that the clock was set back, so the difference is
        // meaningless.
        let elapsed = seconds(now).checked_sub(self.swept);
        self.bytes > limit || self.records > MAX_RECORDS || elapsed.is_none_or(|elapsed| elapsed > PERIOD.as_secs())
    }
}

fn append(folder: &Folder, added: u64) -> io::Result<Option<Usage>> {
    let mut file = folder.file(OsStr::new(LEDGER), OFlags::RDWR | OFlags::APPEND)?;
    file.write_all(&added.to_le_bytes())?;
    file.rewind()?;
    let mut content = Vec::new();
    file.take((WORD * (MAX_RECORDS + 8)) as u64).read_to_end(&mut content)?;
    Ok(parse(&content))
}

/// Records a write of `added` bytes. Returns true if a sweep is due.
pub(super) fn add(folder: &Folder, added: u64, limit: u64, now: SystemTime) -> bool {
    append(folder, added).ok().flatten().is_none_or(|usage| usage.is_due(limit, now))
}

/// Content of the ledger after a sweep that left `bytes`.
pub(super) fn after_sweep(bytes: u64, now: SystemTime) -> [u8; 2 * WORD] {
    let mut content = [0; 2 * WORD];
    content[..WORD].copy_from_slice(&bytes.to_le_bytes());
    content[WORD..].copy_from_slice(&seconds(now).to_le_bytes());
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_sweep_is_due_when_the_sum_is_over_the_limit() {
        let (root, now) = (tempfile::tempdir().expect("folder"), SystemTime::now());
        let folder = &Folder::open(root.path()).expect("open");
        assert!(add(folder, 1, 100, now), "nobody swept yet");
        fs::write(root.path().join(LEDGER), after_sweep(40, now)).expect("write");
        assert!(!add(folder, 30, 100, now));
        assert!(!add(folder, 30, 100, now));
        assert!(add(folder, 1, 100, now));
    }

    #[test]
    fn a_sweep_is_due_after_a_day_and_when_the_clock_was_set_back() {
        let (root, now) = (tempfile::tempdir().expect("folder"), SystemTime::now());
        let folder = &Folder::open(root.path()).expect("open");
        fs::write(root.path().join(LEDGER), after_sweep(0, now)).expect("write");
        assert!(!add(folder, 1, 100, now + PERIOD / 2));
        assert!(add(folder, 1, 100, now + PERIOD * 2));
        assert!(add(folder, 1, 100, now - PERIOD));
    }

    #[test]
    fn a_damaged_or_endless_file_makes_a_sweep_due() {
        let (root, now) = (tempfile::tempdir().expect("folder"), SystemTime::now());
        let folder = &Folder::open(root.path()).expect("open");
        for content in [vec![], vec![0; 7], vec![1; 21], vec![0; WORD * (MAX_RECORDS + 100)]] {
            fs::write(root.path().join(LEDGER), &content).expect("write");
            assert!(add(folder, 1, u64::MAX, now), "{} bytes", content.len());
        }
    }
}
