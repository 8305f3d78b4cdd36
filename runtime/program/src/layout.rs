//! Argument blocks.
//!
//! In: arguments, and the layout of a kernel's parameters. Out: the block, and a launch.
//! *Invariant:* nothing is submitted unless number, size and kind of the arguments match the
//! parameters.
#![forbid(unsafe_code)]

use crate::{
    argument::Argument, event::Event, memory::Memory, mistake::ArgumentMismatch, parameter::ArgumentType, queue::Queue,
    uses::Access,
};

/// Maximum size in bytes of an argument block on the stack; larger ones are allocated.
const INLINE_BLOCK: usize = 256;

/// Place of a parameter in the argument block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset in bytes.
    pub offset: u32,
    /// Type of the parameter.
    pub ty: ArgumentType,
}

/// Layout of a kernel's argument block.
pub struct Layout<P> {
    /// Parameters, in the order of the arguments.
    pub places: P,
    /// Size of the block in bytes; every parameter lies inside.
    pub size: usize,
}

/// Memory of the buffers among the arguments, with its access.
fn memories<'a, Q: Queue>(arguments: &[Argument<'a, Q>]) -> impl Iterator<Item = (&'a Memory<Q>, Access)> {
    arguments.iter().filter_map(|argument| argument.memory)
}

impl<P: ExactSizeIterator<Item = Place> + Clone> Layout<P> {
    /// Submits a launch after the commands of other queues that use the same buffers. `submit`
    /// receives the block; `refuse` makes the error for arguments that do not match.
    pub fn launch<Q: Queue>(
        &self,
        queue: &Q,
        arguments: &[Argument<'_, Q>],
        refuse: impl FnOnce(ArgumentMismatch) -> Q::Error,
        submit: impl FnOnce(&[u8]) -> Result<Q::Ticket, Q::Error>,
    ) -> Result<Event<Q>, Q::Error> {
        self.check(arguments).map_err(refuse)?;
        memories(arguments).try_for_each(|(memory, _)| memory.check_queue(queue))?;
        memories(arguments).try_for_each(|(memory, access)| memory.uses.order(queue, access))?;
        let event = Event::new(queue, self.with_block(arguments, submit)?);
        memories(arguments).for_each(|(memory, access)| memory.uses.add(event.clone(), access));
        Ok(event)
    }

    fn check<Q: Queue>(&self, arguments: &[Argument<'_, Q>]) -> Result<(), ArgumentMismatch> {
        let (expected, given) = (self.places.len(), arguments.len());
        if expected != given {
            let signature = self.places.clone().map(|place| place.ty.to_string()).collect::<Vec<_>>().join(", ");
            return Err(ArgumentMismatch::Count { expected, given, signature });
        }
        for (index, (place, argument)) in self.places.clone().zip(arguments).enumerate() {
            let (expected, given) = (place.ty, argument.ty());
            if expected != given {
                return Err(ArgumentMismatch::Type { index, expected, given });
            }
        }
        Ok(())
    }

    /// Calls `submit` with the argument block. The arguments must have been checked.
    fn with_block<Q: Queue, R>(&self, arguments: &[Argument<'_, Q>], submit: impl FnOnce(&[u8]) -> R) -> R {
        if self.size > INLINE_BLOCK {
            return self.fill(&mut vec![0; self.size], arguments, submit);
        }
        self.fill(&mut [0; INLINE_BLOCK][..self.size], arguments, submit)
    }

    fn fill<Q: Queue, R>(&self, block: &mut [u8], arguments: &[Argument<'_, Q>], submit: impl FnOnce(&[u8]) -> R) -> R {
        for (place, argument) in self.places.clone().zip(arguments) {
            let (start, bytes) = (place.offset as usize, argument.as_bytes());
            block[start..start + bytes.len()].copy_from_slice(bytes);
        }
        submit(block)
    }
}
