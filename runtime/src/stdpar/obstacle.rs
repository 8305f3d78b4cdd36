//! Finds out if a device that reaches shared memory alone can run a launch.
//!
//! In: the pointers of an argument block, and those that its kernel follows. Out: the first one
//! that leads elsewhere. *Invariant:* without an obstacle the kernel touches nothing but shared
//! memory of the device, because a wrong guess ends the program: a GPU that faults takes its
//! context with it.
//!
//! A pointer to the end of an array may be the start of what lies behind it, and the start of
//! memory the end of what lies before it. Memory for interposed allocations starts and ends with
//! bytes that belong to no allocation, so that neither is a pointer of an object in it.
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
    /// So does one that lies in memory.
    FollowsForeign,
    /// Pointers that it follows may be others when it does.
    Changes,
    /// The argument block has another size than the descriptor says.
    Block,
    /// A work-item may wait for another one, which then stands still.
    Waits,
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
            Obstacle::FollowsForeign => {
                "a pointer that lies in memory leads to the stack, to a global variable or to memory that was not \
                 allocated in code compiled with --stdpar, or lies there"
            }
            Obstacle::Changes => {
                "it follows pointers that lie in memory, and they may change meanwhile \
                 (SINTER_STDPAR_POINTERS=trusted promises that they lead to shared memory)"
            }
            Obstacle::Block => "its argument block does not have the expected size",
            Obstacle::Waits => {
                "`par` permits it to wait for a lock, and the device promises no progress to the work-item that has it"
            }
        })
    }
}

/// Where a pointer leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// Nowhere.
    Null,
    /// Into memory of the device that starts there.
    Inside(usize),
    /// To the end of such memory, or to what lies behind it.
    End(usize),
    /// To memory that the device may not reach.
    Elsewhere,
}

/// The pointers of an argument block.
pub(super) fn arguments(leads: &Leads, block: &[u8]) -> Result<Vec<usize>, Obstacle> {
    leads.pointers.iter().map(|offset| pointer(block, *offset).ok_or(Obstacle::Block)).collect()
}

/// The obstacle for a launch with these pointers in its argument block, and those that it follows.
/// `is_piece`: memory for interposed allocations starts there.
pub(super) fn find(
    arguments: &[usize],
    followed: &[usize],
    device: &DeviceEntry,
    is_piece: &dyn Fn(usize) -> bool,
) -> Option<Obstacle> {
    let goals: Vec<Goal> = arguments.iter().chain(followed).map(|address| goal(*address, device, is_piece)).collect();
    let is_reached = |goal: &Goal| match goal {
        Goal::Null | Goal::Inside(_) => true,
        // A pointer to the end is of use beside one to the elements.
        Goal::End(start) => goals.contains(&Goal::Inside(*start)),
        Goal::Elsewhere => false,
    };
    let missed = goals.iter().position(|goal| !is_reached(goal))?;
    Some(if missed < arguments.len() { Obstacle::Foreign } else { Obstacle::FollowsForeign })
}

/// The pointer at an offset of an argument block; `None` behind its end.
pub(super) fn pointer(block: &[u8], offset: usize) -> Option<usize> {
    block.get(offset..)?.first_chunk().map(|bytes| usize::from_ne_bytes(*bytes))
}

/// Memory of the device that the program does not reach counts too: the program passes it to
/// kernels alone.
fn goal(address: usize, device: &DeviceEntry, is_piece: &dyn Fn(usize) -> bool) -> Goal {
    let around = |address| {
        let info = device.device.memory().query_own(without_provenance::<c_void>(address))?;
        Some(info.base.addr())
    };
    if address == 0 {
        return Goal::Null;
    }
    match (around(address), around(address - 1)) {
        // Nobody has the first bytes of a piece: they are the end of what lies before it.
        (Some(start), _) if start == address && is_piece(start) => Goal::Elsewhere,
        (Some(start), _) => Goal::Inside(start),
        (None, Some(start)) if !is_piece(start) => Goal::End(start),
        (None, _) => Goal::Elsewhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices;
    use sinter_core::Followed;
    use sinter_driver::{Driver, MemoryKind, recording::RecordingDriver};

    #[test]
    fn pointers_lead_to_shared_memory_or_to_its_end() {
        let drivers: [Box<dyn Driver>; 1] = [Box::new(RecordingDriver::new())];
        let found = devices::discover(&drivers, None);
        let device = &found.visible[0];
        let shared = device.allocate(MemoryKind::Shared, 64, 64).expect("memory").addr();
        let own = device.allocate(MemoryKind::Device, 64, 64).expect("memory").addr();
        let piece = device.allocate(MemoryKind::Shared, 64, 64).expect("memory").addr();
        let local = [0u8; 8];
        let of = |one, other| find(&[one, other], &[], device, &|start| start == piece);
        assert_eq!([of(shared, 0), of(shared + 8, shared + 64), of(own, own), of(piece + 8, piece + 63)], [None; 4]);
        for foreign in [local.as_ptr().addr(), shared - 8, shared + 65, 1, own + 64, piece, piece + 64] {
            assert_eq!(of(shared, foreign), Some(Obstacle::Foreign), "{foreign:#x}");
        }
        let of = |followed| find(&[shared], &[followed], device, &|start| start == piece);
        assert_eq!([of(0), of(own), of(shared + 64)], [None; 3]);
        assert_eq!(of(own + 64), Some(Obstacle::FollowsForeign));
    }

    #[test]
    fn pointers_lie_in_the_block() {
        let leads = Leads {
            followed: Followed::Nothing,
            may_wait: false,
            pointers: Box::new([0, 16]),
            parameters: Box::default(),
        };
        let block = [1usize, 7, 2].map(usize::to_ne_bytes).concat();
        assert_eq!(arguments(&leads, &block), Ok(vec![1, 2]));
        assert_eq!(arguments(&leads, &block[..20]), Err(Obstacle::Block));
    }
}
