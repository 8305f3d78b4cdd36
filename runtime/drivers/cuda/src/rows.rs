//! Copies rectangles.
//!
//! In: two places and a rectangle. Out: one command of the driver, or one for each row. *Invariant:* whatever pitches the program
//! chose, the rows arrive; the driver takes only those that are at least a row wide and below 2^31.

use crate::{context::Context, memory::Known};
use cudarc::driver::sys::{CUDA_MEMCPY2D, CUdeviceptr, CUmemorytype_enum as Kind};
use sinter_driver::Rows;
use std::ptr;

/// `CU_DEVICE_ATTRIBUTE_MAX_PITCH` of every GPU.
const MOST: usize = i32::MAX as usize;

/// Whether the driver takes the rectangle as one command.
pub(crate) fn is_one_command(rows: &Rows) -> bool {
    let fits = |pitch: usize| (rows.width..=MOST).contains(&pitch);
    fits(rows.destination_pitch) && fits(rows.source_pitch)
}

/// How the driver must be told about a pointer: memory that it does not know is ordinary memory of the host.
fn kind(context: &Context, pointer: CUdeviceptr) -> Kind {
    match Known::about(&context.api, pointer) {
        Some(_) => Kind::CU_MEMORYTYPE_UNIFIED,
        None => Kind::CU_MEMORYTYPE_HOST,
    }
}

/// The driver's form of a copy. The context is current.
pub(crate) fn describe(context: &Context, to: CUdeviceptr, from: CUdeviceptr, rows: &Rows) -> CUDA_MEMCPY2D {
    CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: kind(context, from),
        srcHost: ptr::without_provenance(from as usize),
        srcDevice: from,
        srcArray: ptr::null_mut(),
        srcPitch: rows.source_pitch,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: kind(context, to),
        dstHost: ptr::without_provenance_mut(to as usize),
        dstDevice: to,
        dstArray: ptr::null_mut(),
        dstPitch: rows.destination_pitch,
        WidthInBytes: rows.width,
        Height: rows.height,
    }
}
