//! Sizes of local accessors on a command line.
//!
//! In: `BYTES:X[,Y[,Z]]` for each accessor. Out: the values that a launch compiles in.
//! *Invariant:* the offsets equal those that `handler::sinter_place` of the SYCL headers assigns to
//! accessors constructed in the same order.

use sinter_core::ConstantValue;
use std::{iter, str::FromStr};

/// Smallest alignment of an accessor in bytes: a GPU then loads several elements at once.
const NARROWEST: u64 = 16;
/// Alignment of the local memory of a work-group in bytes.
const WIDEST: u64 = 64;
/// Limit of the 32-bit offsets into local memory.
const END: u64 = u32::MAX as u64;

/// Size of a local accessor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalAccessor {
    bytes: u64,
    counts: Vec<u64>,
}

impl LocalAccessor {
    /// Number of dimensions, 1 to 3.
    pub fn dimensions(&self) -> usize {
        self.counts.len()
    }

    /// Places the accessor after `end`. Returns its offset and sizes in the order of the
    /// parameters, and the end of the accessor; `None` if it does not fit.
    pub fn place(&self, end: u64) -> Option<(Vec<ConstantValue>, u64)> {
        let start = end.checked_next_multiple_of(self.alignment())?;
        let size = self.counts.iter().try_fold(self.bytes, |size, count| size.checked_mul(*count))?;
        let end = start.checked_add(size).filter(|end| *end <= END)?;
        let offset = u32::try_from(start).ok()?;
        let sizes = self.counts.iter().map(|count| ConstantValue::I64(*count));
        Some((iter::once(ConstantValue::I32(offset)).chain(sizes).collect(), end))
    }

    /// Largest power of two that divides the size of an element, clamped to the limits. No element
    /// needs a larger one.
    fn alignment(&self) -> u64 {
        (1 << self.bytes.trailing_zeros()).clamp(NARROWEST, WIDEST)
    }
}

impl FromStr for LocalAccessor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || {
            format!(
                "`{text}` is not of the form BYTES:X[,Y[,Z]] with numbers from 1 on, for example 4:16,16 for 16 times \
                 16 floats"
            )
        };
        let number = |text: &str| text.parse().ok().filter(|number| *number > 0).ok_or_else(form);
        let (bytes, counts) = text.split_once(':').ok_or_else(form)?;
        let counts = counts.split(',').map(number).collect::<Result<Vec<u64>, _>>()?;
        if counts.len() > 3 { Err(form()) } else { Ok(LocalAccessor { bytes: number(bytes)?, counts }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConstantValue::{I32, I64};

    fn accessor(text: &str) -> LocalAccessor {
        text.parse().expect("an accessor")
    }

    #[test]
    fn accessors_lie_behind_each_other() {
        assert_eq!(accessor("4:5").place(0), Some((vec![I32(0), I64(5)], 20)));
        assert_eq!(accessor("1:3,7").place(20), Some((vec![I32(32), I64(3), I64(7)], 53)));
        assert_eq!(accessor("96:1,1,2").place(53), Some((vec![I32(64), I64(1), I64(1), I64(2)], 256)));
        assert_eq!(accessor("256:1").place(65), Some((vec![I32(128), I64(1)], 384)));
    }

    #[test]
    fn what_has_no_room_has_no_place() {
        assert_eq!(accessor("4:4294967295").place(0), None);
        assert_eq!(accessor("8:18446744073709551615,18446744073709551615").place(0), None);
        assert_eq!(accessor("1:1").place(u64::MAX), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "4", "4:", ":4", "0:4", "4:0", "4:1,2,3,4", "x:1", "4:1,", "-4:1"] {
            assert!(text.parse::<LocalAccessor>().is_err(), "{text}");
        }
    }
}
