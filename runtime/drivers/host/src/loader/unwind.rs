//! Registers the unwind tables of code.
//!
//! In: the unwind tables of a published object. Out: frames that `_Unwind_Backtrace` finds, for
//! crash reports and sanitizers that walk the stack within the process. Debuggers read the tables
//! of the object itself (`debugger`). *Invariant:* tables are deregistered before their memory is
//! freed.
//!
//! Unwinders of GCC 12 and earlier search the registered tables linearly whenever the process
//! throws an exception, so their number is limited. A program with more kernels has complete
//! backtraces only in a debugger.

use super::{arena::Span, error::LoadError};
use std::{
    ffi::c_void,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Largest number of objects whose tables are registered at the same time.
const MOST: usize = 512;

static REGISTERED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    fn __register_frame(begin: *const c_void);
    fn __deregister_frame(begin: *const c_void);
}

/// Unwind tables, deregistered when dropped.
#[derive(Debug)]
pub(super) struct Frames(u64);

impl Frames {
    /// Registers the tables at an address in `span`. `None` if the limit is reached.
    pub(super) fn register(span: &Span, (address, size): (u64, u64)) -> Result<Option<Self>, LoadError> {
        let table = span.bytes(address, size).ok_or_else(|| LoadError::malformed("its unwind tables are cut off"))?;
        if !is_whole(table) {
            return Err(LoadError::malformed("its unwind tables are malformed"));
        }
        if REGISTERED.fetch_add(1, Ordering::Relaxed) >= MOST {
            REGISTERED.fetch_sub(1, Ordering::Relaxed);
            return Ok(None);
        }
        // SAFETY: the table has complete records and a zero word at its end, and stays until
        // `drop`.
        unsafe { __register_frame(address as *const c_void) };
        Ok(Some(Frames(address)))
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        // SAFETY: registered once with this address.
        unsafe { __deregister_frame(self.0 as *const c_void) };
        REGISTERED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Contents of the common records (CIEs) of LLVM and GCC for x86-64 after their length and zeros:
/// version 1, "zR", return address in register 16, relative 32-bit addresses. Unwinders abort the
/// process on others.
const COMMON: [u8; 9] = [1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b];

/// True if the lengths of the records are consistent, because the unwinder follows them. Each
/// record that is not a CIE refers back to one.
fn is_whole(table: &[u8]) -> bool {
    let mut at = 0;
    let mut starts = Vec::new();
    while let Some((length, reference)) = word(table, at).zip(word(table, at + 4)) {
        let end = at + 4 + length;
        // 0 terminates a table; the largest number announces a 64-bit length.
        let is_known = |cie: usize| starts.contains(&cie);
        let refers = reference == 0 || (at + 4).checked_sub(reference).is_some_and(is_known);
        if !(4..0xffff_fff0).contains(&length) || end > table.len() || !refers {
            return false;
        }
        if reference == 0 {
            if table.get(at + 8..at + 8 + COMMON.len()) != Some(&COMMON[..]) {
                return false;
            }
            starts.push(at);
        }
        at = end;
    }
    at == table.len() && at > 0
}

fn word(table: &[u8], at: usize) -> Option<usize> {
    let bytes = table.get(at..at.checked_add(4)?)?;
    bytes.try_into().ok().map(|bytes| u32::from_le_bytes(bytes) as usize)
}

#[cfg(test)]
mod tests {
    use super::{COMMON, is_whole};

    #[test]
    fn lengths_and_references_are_followed() {
        let record = |length: u32, reference: u32| {
            let mut bytes = [length.to_le_bytes(), reference.to_le_bytes()].concat();
            bytes.extend(if reference == 0 { &COMMON[..] } else { &[] });
            bytes.resize(4 + length as usize, 0);
            bytes
        };
        let table = [record(20, 0), record(20, 28), record(8, 52)].concat();
        assert!(is_whole(&table));
        assert!(!is_whole(&table[..table.len() - 1]));
        assert!(!is_whole(&[record(20, 0), record(20, 24)].concat()));
        let mut other = table.clone();
        other[10] = b'P';
        assert!(!is_whole(&other));
        assert!(!is_whole(&[0; 16]));
        assert!(!is_whole(&[]));
    }
}
