//! Finds out if a device that reaches shared memory alone can run a launch.
//!
//! In: the pointers that a kernel uses, and an argument block. Out: the first one that leads
//! elsewhere. *Invariant:* without an obstacle the kernel touches nothing but shared memory of the
//! device, because a wrong guess ends the program: a GPU that faults takes its context with it.
//!
//! A pointer to the end of an array may be the start of what lies behind it. Memory for interposed
//! allocations starts with bytes that belong to no allocation, so that the start of such a piece
//! never is an object's address; the end of a piece may be the end of its last object.
#![forbid(unsafe_code)]

use crate::{devices::DeviceEntry, launch::Leads};
use std::{ffi::c_void, fmt, ptr::without_provenance};

/// The reason for which a device cannot run a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// The code follows pointers that lie in memory.
    Follows,
    /// A pointer leads to memory that the device does not reach.
    Foreign,
    /// The argument block has another size than the descriptor says.
    Block,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Obstacle::Follows => {
                "it follows pointers that lie in memory, and they may lead anywhere \
                 (SINTER_STDPAR_POINTERS=trusted promises that they lead to shared memory)"
            }
            Obstacle::Foreign => {
                "a pointer or reference leads to the stack, to a global variable or to memory that was not allocated \
                 in code compiled with --stdpar"
            }
            Obstacle::Block => "its argument block does not have the expected size",
        })
    }
}

/// The obstacle for a launch with this block. `trusts`: pointers in memory lead to shared memory.
pub(super) fn find(leads: &Leads, block: &[u8], device: &DeviceEntry, trusts: bool) -> Option<Obstacle> {
    if leads.follows && !trusts {
        return Some(Obstacle::Follows);
    }
    for offset in &leads.pointers {
        let Some(bytes) = block.get(*offset..).and_then(|rest| rest.first_chunk()) else {
            return Some(Obstacle::Block);
        };
        if !is_reached(usize::from_ne_bytes(*bytes), device) {
            return Some(Obstacle::Foreign);
        }
    }
    None
}

/// True for the null pointer, a pointer into shared memory of the device, and one to its end.
fn is_reached(address: usize, device: &DeviceEntry) -> bool {
    address == 0 || is_known(address, device) || is_known(address - 1, device)
}

/// Memory of the device that the program does not reach is fine too: the program passes it to
/// kernels alone.
fn is_known(address: usize, device: &DeviceEntry) -> bool {
    device.device.memory().query_own(without_provenance::<c_void>(address)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices;
    use sinter_driver::{Driver, MemoryKind, recording::RecordingDriver};

    #[test]
    fn pointers_lead_to_shared_memory_or_to_its_end() {
        let drivers: [Box<dyn Driver>; 1] = [Box::new(RecordingDriver::new())];
        let found = devices::discover(&drivers, None);
        let device = &found.visible[0];
        let shared = device.allocate(MemoryKind::Shared, 64, 64).expect("memory").addr();
        let own = device.allocate(MemoryKind::Device, 64, 64).expect("memory").addr();
        let local = [0u8; 8];
        let leads = Leads { follows: false, pointers: Box::new([0, 16]) };
        let of = |one: usize, other: usize| {
            let block = [one, 7, other].map(usize::to_ne_bytes).concat();
            find(&leads, &block, device, false)
        };
        assert_eq!([of(shared, 0), of(shared + 8, shared + 64), of(own, own)], [None; 3]);
        for foreign in [local.as_ptr().addr(), shared - 8, shared + 65, 1] {
            assert_eq!(of(shared, foreign), Some(Obstacle::Foreign), "{foreign:#x}");
        }
        assert_eq!(find(&leads, &[0; 20], device, false), Some(Obstacle::Block));
        let follows = Leads { follows: true, pointers: Box::new([]) };
        assert_eq!(find(&follows, &[], device, false), Some(Obstacle::Follows));
        assert_eq!(find(&follows, &[], device, true), None);
    }
}
