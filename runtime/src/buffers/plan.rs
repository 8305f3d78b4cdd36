//! Everything that precedes a command: requirements, locks and the plan that follows from them.
//!
//! *Invariant:* the buffers of a command are locked in one order for all threads, from the plan to
//! the record of the command.
#![forbid(unsafe_code)]

use super::{
    bounds::{self, Bounds},
    cells::{Move, Place, Use},
    event::{Event, Waits},
    record::{Buffer, State},
    transfer::{self, Transfer},
};
use crate::{abi::ByteBox, error::RuntimeError, queue::Queue};
use smallvec::SmallVec;
use std::{
    mem,
    sync::{Arc, MutexGuard},
};

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

/// A buffer of a command, locked.
struct Member<'a> {
    buffer: &'a Arc<Buffer>,
    state: MutexGuard<'a, State>,
    moves: Vec<Move>,
}

/// The buffers of a command, locked, with what it does to them.
#[derive(Default)]
pub(super) struct Locked<'a> {
    members: SmallVec<[Member<'a>; FEW]>,
    accesses: SmallVec<[Access; FEW]>,
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
            if let Some(bounds) = bounds::whole(buffer.shape, bytes) {
                self.accesses.push(Access { buffer: found, bounds, access: *access, place });
                continue;
            }
            let cover = bounds::cover(buffer.shape, bytes)?;
            // Bytes outside of the accessor's box must keep their values.
            let reads = access.reads || (access.writes && !cover.is_exact);
            let access = Use { reads, ..*access };
            self.accesses.extend(cover.parts.into_iter().map(|bounds| Access { buffer: found, bounds, access, place }));
        }
        for buffer in buffers {
            self.members.push(Member { buffer, state: buffer.lock(), moves: Vec::new() });
        }
        Ok(())
    }

    /// Adds the waits and transfers of the command. Allocates the copies that it needs.
    pub(super) fn plan(&mut self, queue: Option<&Queue>, plan: &mut Plan) -> Result<(), RuntimeError> {
        for Access { buffer, bounds, access, place } in &self.accesses {
            let Member { state, moves, .. } = &mut self.members[*buffer];
            state.cells.plan(bounds, *access, *place, &mut plan.waits, moves);
        }
        let device = queue.map(Queue::device_handle);
        for (index, Member { buffer, state, moves }) in self.members.iter_mut().enumerate() {
            for planned in mem::take(moves) {
                let resolved = transfer::resolve(state, buffer.shape, planned, device)?;
                plan.transfers.extend(resolved.into_iter().map(|transfer| (index, transfer)));
            }
        }
        Ok(())
    }

    /// Records a transfer of the plan.
    pub(super) fn moved(&mut self, buffer: usize, bounds: &Bounds, to: Place, event: Option<&Event>) {
        self.members[buffer].state.cells.moved(bounds, to, event);
    }

    /// Records an event that later writes wait for.
    pub(super) fn read(&mut self, event: &Event) {
        for Access { buffer, bounds, .. } in &self.accesses {
            self.members[*buffer].state.cells.read(bounds, event);
        }
        self.settle();
    }

    /// Records the accesses of the command.
    pub(super) fn used(&mut self, event: &Event) {
        for Access { buffer, bounds, access, place } in &self.accesses {
            self.members[*buffer].state.cells.used(bounds, *access, *place, event);
        }
        self.settle();
    }

    fn settle(&mut self) {
        self.members.iter_mut().for_each(|member| member.state.cells.settle());
    }
}
