//! Argument blocks.
//!
//! In: arguments, and where a kernel's parameters lie. Out: the block, and a launch. *Invariant:*
//! number, size and kind of the arguments are those of the parameters, or nothing is submitted.
#![forbid(unsafe_code)]

use crate::{
    argument::Argument, event::Event, memory::Memory, mistake::Misfit, parameter::ArgumentType, queue::Queue,
    uses::Access,
};

/// Argument blocks up to this size are made on the stack.
const INLINE_BLOCK: usize = 256;

/// Offset and type of a parameter in the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Offset in bytes.
    pub offset: u32,
    /// Its type.
    pub ty: ArgumentType,
}

/// The argument block of a kernel.
pub struct Layout<P> {
    /// Its parameters, in the order of the arguments.
    pub places: P,
    /// The size of the block in bytes, which no parameter exceeds.
    pub size: usize,
}

/// The memory that arguments refer to.
fn memories<'a, Q: Queue>(arguments: &[Argument<'a, Q>]) -> impl Iterator<Item = (&'a Memory<Q>, Access)> {
    arguments.iter().filter_map(|argument| argument.memory)
}

impl<P: ExactSizeIterator<Item = Place> + Clone> Layout<P> {
    /// Submits a launch behind the commands of other queues that use the same buffers. `submit`
    /// gets the block; `refuse` gives the error for arguments that do not fit.
    pub fn launch<Q: Queue>(
        &self,
        queue: &Q,
        arguments: &[Argument<'_, Q>],
        refuse: impl FnOnce(Misfit) -> Q::Error,
        submit: impl FnOnce(&[u8]) -> Result<Q::Ticket, Q::Error>,
    ) -> Result<Event<Q>, Q::Error> {
        self.check(arguments).map_err(refuse)?;
        memories(arguments).try_for_each(|(memory, _)| memory.check_queue(queue))?;
        memories(arguments).try_for_each(|(memory, access)| memory.uses.order(queue, access))?;
        let event = Event::new(queue, self.with_block(arguments, submit)?);
        memories(arguments).for_each(|(memory, access)| memory.uses.add(event.clone(), access));
        Ok(event)
    }

    fn check<Q: Queue>(&self, arguments: &[Argument<'_, Q>]) -> Result<(), Misfit> {
        let (expected, given) = (self.places.len(), arguments.len());
        if expected != given {
            let signature = self.places.clone().map(|place| place.ty.to_string()).collect::<Vec<_>>().join(", ");
            return Err(Misfit::Count { expected, given, signature });
        }
        for (index, (place, argument)) in self.places.clone().zip(arguments).enumerate() {
            let (expected, given) = (place.ty, argument.ty());
            if expected != given {
                return Err(Misfit::Type { index, expected, given });
            }
        }
        Ok(())
    }

    /// Calls `submit` with the block that holds the arguments, which were checked.
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
