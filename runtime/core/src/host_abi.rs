//! The calling convention of kernels compiled for the host CPU.
//!
//! The translator emits one function per code object, `void entry(const uint8_t *arguments, const
//! HostLaunch *launch, uint64_t first, uint64_t last)`, which runs every work-item of the
//! work-groups `first..last`. Groups are numbered with x fastest:
//! `group = x + group_count[0] * (y + group_count[1] * z)`. The last group of a dimension may be
//! smaller than `group_size`: work-items at or beyond `global_size` are not run. Both sides of the
//! convention use this file.

use std::ffi::c_void;

/// Launch parameters in the layout that compiled host code reads. Index 0 is x, the fastest
/// dimension.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct HostLaunch {
    /// Work-items per dimension.
    pub global_size: [u64; 3],
    /// Work-items per work-group in each dimension.
    pub group_size: [u64; 3],
    /// Work-groups per dimension: `global_size` over `group_size`, rounded up.
    pub group_count: [u64; 3],
    /// Local memory of the current work-group; null if the kernel uses none.
    pub local_memory: *mut c_void,
    /// Storage for values that are live across barriers, for the work-items of the current group:
    /// [`crate::EntryInfo::item_memory`] bytes each; null if the kernel has none. Like local
    /// memory, it is aligned to 64 bytes and uninitialised.
    pub item_memory: *mut c_void,
}

/// Offset of [`HostLaunch::global_size`] in bytes.
pub const GLOBAL_SIZE_OFFSET: u64 = 0;
/// Offset of [`HostLaunch::group_size`] in bytes.
pub const GROUP_SIZE_OFFSET: u64 = 24;
/// Offset of [`HostLaunch::group_count`] in bytes.
pub const GROUP_COUNT_OFFSET: u64 = 48;
/// Offset of [`HostLaunch::local_memory`] in bytes.
pub const LOCAL_MEMORY_OFFSET: u64 = 72;
/// Offset of [`HostLaunch::item_memory`] in bytes.
pub const ITEM_MEMORY_OFFSET: u64 = 80;

/// Type of a compiled entry point. [`crate::EntryInfo`] gives the layout of `arguments`.
pub type HostEntry = extern "C" fn(arguments: *const u8, launch: *const HostLaunch, first: u64, last: u64);

const _: () = {
    assert!(std::mem::offset_of!(HostLaunch, global_size) as u64 == GLOBAL_SIZE_OFFSET);
    assert!(std::mem::offset_of!(HostLaunch, group_size) as u64 == GROUP_SIZE_OFFSET);
    assert!(std::mem::offset_of!(HostLaunch, group_count) as u64 == GROUP_COUNT_OFFSET);
    assert!(std::mem::offset_of!(HostLaunch, local_memory) as u64 == LOCAL_MEMORY_OFFSET);
    assert!(std::mem::offset_of!(HostLaunch, item_memory) as u64 == ITEM_MEMORY_OFFSET);
};
