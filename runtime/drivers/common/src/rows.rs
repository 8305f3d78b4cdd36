//! Rectangles.
//!
//! In: two places and a rectangle. Out: one command of the driver, or one for each row. *Invariant:* whatever pitches the program
//! chose, the rows arrive; the driver takes only those that are at least a row wide and below 2^31.

use sinter_driver::Rows;

/// `CU_DEVICE_ATTRIBUTE_MAX_PITCH` of every GPU; HIP's is larger, or as large.
const MOST: usize = i32::MAX as usize;

/// Whether the driver takes the rectangle as one command.
pub(crate) fn is_one_command(rows: &Rows) -> bool {
    let fits = |pitch: usize| (rows.width..=MOST).contains(&pitch);
    fits(rows.destination_pitch) && fits(rows.source_pitch)
}
