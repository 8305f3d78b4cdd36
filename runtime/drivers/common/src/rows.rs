//! Copies of rectangles.
//!
//! In: two addresses and a rectangle. Out: one command of the driver, or one for each row.
//! *Invariant:* all rows are copied whatever pitches the program chose; the driver accepts only
//! pitches that are at least a row wide and below 2^31.

use sinter_driver::Rows;

/// `CU_DEVICE_ATTRIBUTE_MAX_PITCH` of every GPU; HIP's is at least as large.
const MOST: usize = i32::MAX as usize;

/// True if the driver accepts the rectangle as one command.
pub(crate) fn is_one_command(rows: &Rows) -> bool {
    let fits = |pitch: usize| (rows.width..=MOST).contains(&pitch);
    fits(rows.destination_pitch) && fits(rows.source_pitch)
}
