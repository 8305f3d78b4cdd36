//! Everything that precedes a command: requirements, locks and the plan that follows from them.
//!
//! *Invariant:* the buffers of a command are locked in one order for all threads, from the plan to
//! the record of the command.
#![forbid(unsafe_code)]

use super::{
    bounds::{self, Bounds},
    cells::{Access, Place, Use},
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
    pub(crate) bytes: &'a ByteBox,
    pub(crate) access: Use,
    /// True if the bytes are needed in memory of the host, whatever the device.
    pub(crate) on_host: bool,
}

/// A box of a buffer, for the graph.
struct Accessed {
    /// Index of the buffer in the order of the locks.
    buffer: usize,
    /// Index of the box; `None` is the whole buffer.
    bounds: Option<usize>,
    access: Access,
}

/// A buffer of a command, locked.
struct Member<'a> {
    buffer: &'a Arc<Buffer>,
    state: MutexGuard<'a, State>,
}

/// The buffers of a command, locked, with what it does to them.
#[derive(Default)]
pub(super) struct Locked<'a> {
    members: SmallVec<[Member<'a>; FEW]>,
    accesses: SmallVec<[Accessed; FEW]>,
    /// Boxes that are not whole buffers, apart because they are large to move.
    bounds: Vec<Bounds>,
}

/// Everything that precedes a command.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) waits: Waits,
    /// Each with the index of its buffer.
    pub(super) transfers: Vec<(usize, Transfer)>,
}

impl<'a> Locked<'a> {
    /// Locks the buffers of a command, always in the same order, and plans it. Allocates the copies
    /// that it needs.
    pub(super) fn of(
        requirements: &'a [Requirement<'a>],
        place: Place,
        queue: Option<&Queue>,
    ) -> Result<(Self, Plan), RuntimeError> {
        let (mut locked, mut plan) = (Locked::default(), Plan::default());
        locked.lock(requirements, place)?;
        locked.plan(queue, &mut plan)?;
        Ok((locked, plan))
    }

    /// Locks the buffers. The list of them is made in place, because it is large to move.
    pub(super) fn lock(&mut self, requirements: &'a [Requirement<'a>], place: Place) -> Result<(), RuntimeError> {
        let mut buffers = SmallVec::<[_; FEW]>::new();
        for Requirement { buffer, .. } in requirements {
            buffers.push(*buffer);
        }
        if let [_, _, ..] = buffers[..] {
            buffers.sort_unstable_by_key(|buffer| Arc::as_ptr(buffer).addr());
            buffers.dedup_by(|one, other| Arc::ptr_eq(one, other));
        }
        for Requirement { buffer, bytes, access, on_host } in requirements {
            let place = if *on_host { Place::HOST } else { place };
            let found = buffers.iter().position(|known| Arc::ptr_eq(known, buffer)).unwrap_or_default();
            if bounds::is_whole(buffer.shape, bytes) {
                let access = Access { access: *access, place };
                self.accesses.push(Accessed { buffer: found, bounds: None, access });
                continue;
            }
            let cover = bounds::cover(buffer.shape, bytes)?;
            // Bytes outside of the accessor's box must keep their values.
            let reads = access.reads || (access.writes && !cover.is_exact);
            let access = Access { access: Use { reads, ..*access }, place };
            for bounds in cover.parts {
                self.accesses.push(Accessed { buffer: found, bounds: Some(self.bounds.len()), access });
                self.bounds.push(bounds);
            }
        }
        for buffer in buffers {
            self.members.push(Member { buffer, state: buffer.lock() });
        }
        Ok(())
    }

    /// Adds the waits and transfers of the command. Allocates the copies that it needs.
    pub(super) fn plan(&mut self, queue: Option<&Queue>, plan: &mut Plan) -> Result<(), RuntimeError> {
        let mut moves = Vec::new();
        for Accessed { buffer, bounds, access } in &self.accesses {
            let part = bounds.map(|index| &self.bounds[index]);
            self.members[*buffer].state.cells.plan(*buffer, part, *access, &mut plan.waits, &mut moves);
        }
        if moves.is_empty() {
            return Ok(());
        }
        let device = queue.map(Queue::device_handle);
        // Those of one buffer in turn, as the buffers are locked.
        moves.sort_by_key(|planned| planned.buffer);
        for planned in moves {
            let index = planned.buffer;
            let Member { buffer, state } = &mut self.members[index];
            let resolved = transfer::resolve(state, buffer.shape, planned, device)?;
            plan.transfers.extend(resolved.into_iter().map(|transfer| (index, transfer)));
        }
        Ok(())
    }

    /// Records a transfer of the plan.
    pub(super) fn moved(&mut self, buffer: usize, bounds: &Bounds, to: Place, event: Option<&Event>) {
        self.members[buffer].state.cells.moved(bounds, to, event);
    }

    /// Records an event that later writes wait for.
    pub(super) fn read(&mut self, event: &Event) {
        for Accessed { buffer, bounds, .. } in &self.accesses {
            let part = bounds.map(|index| &self.bounds[index]);
            self.members[*buffer].state.cells.read(part, event);
        }
        self.settle();
    }

    /// Records the accesses of the command.
    pub(super) fn used(&mut self, event: &Event) {
        for Accessed { buffer, bounds, access } in &self.accesses {
            let part = bounds.map(|index| &self.bounds[index]);
            self.members[*buffer].state.cells.used(part, *access, event);
        }
        self.settle();
    }

    fn settle(&mut self) {
        self.members.iter_mut().for_each(|member| member.state.cells.settle());
    }
}
