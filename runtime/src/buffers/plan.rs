//! Everything that precedes a command: requirements, locks and the plan that follows from them.
//!
//! *Invariant:* the buffers of a command are locked in one order for all threads, from the plan to
//! the record of the command.
#![forbid(unsafe_code)]

use super::{
    bounds::{self, Bounds},
    cells::{Place, Use},
    event::{Event, Waits},
    record::{Buffer, State},
    transfer::{self, Transfer},
};
use crate::{abi::ByteBox, error::RuntimeError, queue::Queue};
use smallvec::SmallVec;
use std::sync::{Arc, MutexGuard};

/// As many buffers as most commands have at most.
const FEW: usize = 4;

/// A box of a buffer that a command accesses.
pub(crate) struct Requirement<'a> {
    pub(crate) buffer: &'a Arc<Buffer>,
    pub(crate) bytes: ByteBox,
    pub(crate) access: Use,
    /// True if the bytes are needed in memory of the host, whatever the device.
    pub(crate) on_host: bool,
}

/// A box of a buffer, for the graph.
pub(super) struct Access {
    /// Index of the buffer in the order of the locks.
    buffer: usize,
    bounds: Bounds,
    access: Use,
    place: Place,
}

/// The buffers of a command, locked, with what it does to them.
pub(super) struct Locked<'a> {
    buffers: SmallVec<[&'a Arc<Buffer>; FEW]>,
    states: SmallVec<[MutexGuard<'a, State>; FEW]>,
    accesses: SmallVec<[Access; FEW]>,
}

/// Everything that precedes a command.
pub(super) struct Plan {
    pub(super) waits: Waits,
    /// Each with the index of its buffer.
    pub(super) transfers: Vec<(usize, Transfer)>,
}

impl<'a> Locked<'a> {
    /// Locks the buffers, always in the same order.
    pub(super) fn new(requirements: &'a [Requirement<'a>], place: Place) -> Result<Self, RuntimeError> {
        let mut buffers: SmallVec<[_; FEW]> = requirements.iter().map(|one| one.buffer).collect();
        buffers.sort_unstable_by_key(|buffer| Arc::as_ptr(buffer).addr());
        buffers.dedup_by(|one, other| Arc::ptr_eq(one, other));
        let mut accesses = SmallVec::<[Access; FEW]>::with_capacity(requirements.len());
        for Requirement { buffer, bytes, access, on_host } in requirements {
            let place = if *on_host { Place::HOST } else { place };
            let found = buffers.iter().position(|known| Arc::ptr_eq(known, buffer)).unwrap_or_default();
            let cover = bounds::cover(buffer.shape, bytes)?;
            // Bytes outside of the accessor's box must keep their values.
            let reads = access.reads || (access.writes && !cover.is_exact);
            let access = Use { reads, ..*access };
            accesses.extend(cover.parts.into_iter().map(|bounds| Access { buffer: found, bounds, access, place }));
        }
        let states = buffers.iter().map(|buffer| buffer.lock()).collect();
        Ok(Locked { buffers, states, accesses })
    }

    /// The waits and transfers of the command. Allocates the copies that it needs.
    pub(super) fn plan(&mut self, queue: Option<&Queue>) -> Result<Plan, RuntimeError> {
        let device = queue.map(Queue::device_handle);
        let mut plan = Plan { waits: Waits::default(), transfers: Vec::new() };
        let mut moves: SmallVec<[Vec<_>; FEW]> = self.buffers.iter().map(|_| Vec::new()).collect();
        for Access { buffer, bounds, access, place } in &self.accesses {
            self.states[*buffer].cells.plan(bounds, *access, *place, &mut plan.waits, &mut moves[*buffer]);
        }
        for (index, moves) in moves.iter().enumerate() {
            for planned in moves {
                let resolved = transfer::resolve(&mut self.states[index], self.buffers[index].shape, planned, device)?;
                plan.transfers.extend(resolved.into_iter().map(|transfer| (index, transfer)));
            }
        }
        Ok(plan)
    }

    /// Records a transfer of the plan.
    pub(super) fn moved(&mut self, buffer: usize, bounds: &Bounds, to: Place, event: Option<&Event>) {
        self.states[buffer].cells.moved(bounds, to, event);
    }

    /// Records an event that later writes wait for.
    pub(super) fn read(&mut self, event: &Event) {
        for Access { buffer, bounds, .. } in &self.accesses {
            self.states[*buffer].cells.read(bounds, event);
        }
        self.settle();
    }

    /// Records the accesses of the command.
    pub(super) fn used(&mut self, event: &Event) {
        for Access { buffer, bounds, access, place } in &self.accesses {
            self.states[*buffer].cells.used(bounds, *access, *place, event);
        }
        self.settle();
    }

    fn settle(&mut self) {
        self.states.iter_mut().for_each(|state| state.cells.settle());
    }
}
