//! The status of a kernel: a word that says which trap happened, its constant tables, and what it
//! printed.
//!
//! In: memory that host and kernels access, and the messages and tables that a module states. Out:
//! the message of a trap that happened, and the output. *Invariant:* only the kernel writes the
//! word after it was zeroed; launches of a kernel that prints are one after the other.

use crate::{block::Block, prints, trap::Trapping};
use sinter_core::{
    names::readable,
    spirv::push_constants::{Facts, PRINT_UNITS, PRINTED, Print, TABLES, prints_at},
};
use sinter_driver_common::lock;
use std::sync::{
    Arc, Mutex, MutexGuard,
    atomic::{AtomicU32, Ordering},
};

/// The status of one kernel.
pub(crate) struct Status {
    block: Block,
    symbol: String,
    messages: Vec<(u32, String)>,
    prints: Vec<Print>,
    /// Offset of what is printed.
    prints_at: u64,
    printing: Mutex<()>,
}

impl Status {
    /// The status of a kernel whose module states facts. The memory is zeroed but for the tables.
    pub(crate) fn new(block: Block, symbol: &str, facts: Facts) -> Arc<Self> {
        // SAFETY: the block has that size, and the host can access it.
        unsafe { block.mapped.write_bytes(0, Self::size(&facts) as usize) };
        let tables = facts.tables.as_slice();
        // SAFETY: the tables are within that size.
        unsafe { block.mapped.add(TABLES as usize).copy_from_nonoverlapping(tables.as_ptr(), tables.len()) };
        Arc::new(Status {
            prints_at: prints_at(tables.len()),
            block,
            symbol: symbol.to_owned(),
            messages: facts.traps,
            prints: facts.prints,
            printing: Mutex::default(),
        })
    }

    /// Size of the status of a kernel in bytes.
    pub(crate) fn size(facts: &Facts) -> u64 {
        let printed = if facts.prints.is_empty() { 0 } else { u64::from(PRINT_UNITS) * 8 };
        prints_at(facts.tables.len()) + printed
    }

    /// The turn of a launch, if the kernel prints: no other one may be under way until it printed.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        (!self.prints.is_empty()).then(|| lock(&self.printing))
    }

    /// Prints what a complete launch left, whose turn it is.
    pub(crate) fn print(&self, _turn: &MutexGuard<'_, ()>) {
        // SAFETY: the block has the word, aligned, and no kernel runs that writes it.
        let used = unsafe { AtomicU32::from_ptr(self.block.mapped.add(PRINTED as usize).cast()) };
        let count = used.swap(0, Ordering::AcqRel);
        // SAFETY: so many units follow, aligned to 8 bytes; only this turn uses them.
        let units = unsafe {
            let first = self.block.mapped.add(self.prints_at as usize).cast::<u64>();
            std::slice::from_raw_parts_mut(first, count.min(PRINT_UNITS) as usize)
        };
        prints::take(&self.prints, units);
        if count > PRINT_UNITS {
            let kernel = readable(&self.symbol);
            tracing::warn!("{kernel}: output of the kernel is lost: it printed more than the buffer holds");
        }
    }

    /// A message that names the kernel once: reports of traps name it already.
    fn named(&self, text: String) -> String {
        let kernel = readable(&self.symbol);
        if text.contains(&kernel) { text } else { format!("{kernel}: {text}") }
    }

    /// Address for kernels.
    pub(crate) fn address(&self) -> u64 {
        self.block.address
    }
}

impl Trapping for Status {
    fn message(&self) -> Option<String> {
        // SAFETY: the word is alive, aligned, and written by the device as a whole.
        let number = unsafe { AtomicU32::from_ptr(self.block.mapped.cast()) }.load(Ordering::Acquire);
        let known = self.messages.iter().find(|(known, _)| *known == number);
        let text = known.map_or_else(|| format!("trap {number}"), |(_, message)| message.clone());
        (number != 0).then(|| self.named(text))
    }
}
