//! Memory with addresses.
//!
//! In: sizes and addresses. Out: addresses for kernels, and the buffer at an address. *Invariant:*
//! a live allocation is in the table, so that an address leads to its buffer; another address is
//! the program's own memory.
//!
//! Devices allow few allocations (4096 are usual), so small ones share buffers.

use crate::{block::Block, exit::Unfinished, failure::failure, logical::Logical, reservation::Kept};
use ash::vk;
use sinter_driver::MemoryKind;
use sinter_driver_common::{Failure, Known, error::code};
use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

/// Marks memory that belongs to no device in [`Known`].
const NO_DEVICE: i32 = -1;
/// Largest allocation that shares a buffer, and the smallest piece, in bytes.
const SMALL: usize = 32 << 10;
const SMALLEST: usize = 256;
/// Size of a shared buffer.
const SHARED: u64 = 1 << 20;

/// A part of a buffer.
#[derive(Clone)]
struct Piece {
    block: Arc<Block>,
    offset: u64,
    kind: MemoryKind,
    size: usize,
}

/// A range inside a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) buffer: vk::Buffer,
    pub(crate) offset: u64,
    /// Address for kernels.
    pub(crate) address: u64,
}

impl Unfinished for Allocator {
    fn keep(&self, budget: &mut usize) -> Vec<Kept> {
        // A thread that has the lock may have been stopped by the exit.
        let Ok(table) = self.table.try_read() else { return Vec::new() };
        let shared = table.pieces.values().filter(|piece| piece.kind != MemoryKind::Device);
        let blocks: BTreeMap<_, _> = shared.map(|piece| (piece.block.address, &piece.block)).collect();
        blocks.values().filter_map(|block| block.keep(budget)).collect()
    }
}

#[derive(Default)]
struct Table {
    /// Live allocations, by address.
    pieces: BTreeMap<usize, Piece>,
    /// Free pieces of shared buffers, by kind and size.
    free: BTreeMap<(u32, usize), Vec<Piece>>,
}

/// The allocations of one device.
#[derive(Default)]
pub(crate) struct Allocator {
    table: RwLock<Table>,
}

/// A buffer for a kind, whose memory has one address if the host accesses it as well.
fn block(logical: &Arc<Logical>, kind: MemoryKind, size: u64) -> Result<Arc<Block>, Failure> {
    let block = match kind {
        MemoryKind::Device => Block::create(logical, size, logical.chosen.device_memory)?,
        _ => Block::create_shared(logical, size)?,
    };
    if kind != MemoryKind::Device && block.mapped.addr() as u64 != block.address {
        return Err(failure("vkMapMemory", code::NOT_SUPPORTED));
    }
    // Kernels get the address as a number; the host may use it as well.
    block.mapped.expose_provenance();
    Ok(Arc::new(block))
}

impl Piece {
    fn address(&self) -> usize {
        (self.block.address + self.offset) as usize
    }
}

impl Table {
    /// A piece of a shared buffer.
    fn take(&mut self, logical: &Arc<Logical>, kind: MemoryKind, size: usize) -> Result<Piece, Failure> {
        let class = size.next_power_of_two().max(SMALLEST);
        let free = self.free.entry((kind as u32, class)).or_default();
        if free.is_empty() {
            let block = block(logical, kind, SHARED)?;
            let offsets = (0..SHARED).step_by(class);
            free.extend(offsets.map(|offset| Piece { block: Arc::clone(&block), offset, kind, size: class }));
        }
        let piece = free.pop().ok_or(failure("vkAllocateMemory", code::OUT_OF_MEMORY))?;
        Ok(Piece { size, ..piece })
    }
}

impl Allocator {
    pub(crate) fn allocate(&self, logical: &Arc<Logical>, kind: MemoryKind, size: usize) -> Result<usize, Failure> {
        let piece = match size {
            ..=SMALL => self.table.write().unwrap_or_else(PoisonError::into_inner).take(logical, kind, size)?,
            _ => Piece { block: block(logical, kind, size as u64)?, offset: 0, kind, size },
        };
        let address = piece.address();
        self.table.write().unwrap_or_else(PoisonError::into_inner).pieces.insert(address, piece);
        Ok(address)
    }

    pub(crate) fn free(&self, address: usize) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let Some(piece) = table.pieces.remove(&address) else { return };
        if piece.size <= SMALL {
            let class = piece.size.next_power_of_two().max(SMALLEST);
            table.free.entry((piece.kind as u32, class)).or_default().push(piece);
        }
    }

    fn find(&self, address: usize) -> Option<Piece> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let (start, piece) = table.pieces.range(..=address).next_back()?;
        (address - start < piece.size).then(|| piece.clone())
    }

    /// Pointer attributes; `number` is that of the device.
    pub(crate) fn about(&self, pointer: usize, number: i32) -> Option<Known> {
        let piece = self.find(pointer)?;
        let device = if piece.kind == MemoryKind::Device { number } else { NO_DEVICE };
        Some(Known { kind: piece.kind, start: piece.address(), size: piece.size, device })
    }

    /// The place of a range; `None` for memory of the program. A range that leaves its allocation
    /// is a failure of the call that was asked to access it.
    pub(crate) fn place(&self, call: &'static str, address: usize, size: usize) -> Result<Option<Place>, Failure> {
        let Some(piece) = self.find(address) else { return Ok(None) };
        let inside = address - piece.address();
        if size > piece.size - inside {
            return Err(failure(call, code::INVALID_VALUE));
        }
        let offset = piece.offset + inside as u64;
        Ok(Some(Place { buffer: piece.block.buffer, offset, address: piece.block.address + offset }))
    }
}
