//! The sizes of small blocks.
//!
//! In: bytes and an alignment. Out: the class of the smallest block that has both. *Invariant:* the
//! start of a block is a multiple of every power of two that divides its size, because slabs are
//! aligned to their own size.
#![forbid(unsafe_code)]

use crate::unit::UNIT;

/// Number of classes: steps of 16 bytes up to 128, then four for each doubling up to [`LARGEST`].
pub(crate) const CLASSES: usize = 40;
/// Bytes of the largest small block.
pub(crate) const LARGEST: usize = 32 << 10;
const STEP: usize = 16;
const FINE: usize = 128;

/// Bytes of the blocks of a class.
pub(crate) const fn size_of(class: usize) -> usize {
    if class < FINE / STEP {
        return (class + 1) * STEP;
    }
    let (doubling, quarter) = ((class - FINE / STEP) / 4, (class - FINE / STEP) % 4);
    (FINE << doubling) / 4 * (5 + quarter)
}

const SIZES: [usize; CLASSES] = {
    let (mut sizes, mut class) = ([0; CLASSES], 0);
    while class < CLASSES {
        sizes[class] = size_of(class);
        class += 1;
    }
    sizes
};

const _: () = assert!(SIZES[CLASSES - 1] == LARGEST);

/// The class of the smallest blocks of `bytes`, at most [`LARGEST`].
fn of_size(bytes: usize) -> usize {
    if bytes <= FINE {
        return (bytes.max(1) - 1) / STEP;
    }
    let doubling = (bytes - 1).ilog2() as usize - FINE.ilog2() as usize;
    let quarter = (bytes - 1) / ((FINE << doubling) / 4) - 4;
    FINE / STEP + doubling * 4 + quarter
}

/// The class for a block; `None` if it is a large one. `alignment` is a power of two.
pub(crate) fn of(bytes: usize, alignment: usize) -> Option<usize> {
    if bytes > LARGEST || alignment > UNIT {
        return None;
    }
    let first = of_size(bytes);
    if alignment <= STEP {
        return Some(first);
    }
    (first..CLASSES).find(|class| SIZES[*class].is_multiple_of(alignment))
}

/// Bytes of the blocks of a class, looked up.
pub(crate) fn bytes(class: usize) -> usize {
    SIZES[class]
}
