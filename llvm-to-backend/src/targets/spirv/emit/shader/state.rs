//! State of a shader that is being emitted.
//!
//! *Invariant:* plain values: nothing here emits anything.

use super::{comparisons::Comparisons, homes::Homes};
use rspirv::spirv::{StorageClass, Word};
use sinter_core::spirv::push_constants::Layout;
use sinter_llvm::ir::Value;
use std::collections::{HashMap, HashSet};

/// The address of the first word of such memory: none of its objects has the address 0.
pub(super) const BIAS: u64 = 64;

/// An array of words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words {
    pub(super) variable: Word,
    pub(super) class: StorageClass,
    /// True if the array is the only member of a structure.
    pub(super) in_block: bool,
    /// The address of the first word.
    pub(super) bias: u64,
    /// True if it is an array of integers of 64 bits instead, for atomic operations on those.
    pub(super) is_wide: bool,
    /// True for accesses that must happen, and in their order.
    pub(super) is_volatile: bool,
}

impl Words {
    /// Width of an element of the array.
    pub(super) fn element(self) -> u32 {
        if self.is_wide { 64 } else { 32 }
    }
}

/// The memory that a pointer leads to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Home {
    Global,
    Words(Words),
    /// Constant tables that the driver fills, from this offset on.
    Table(u64),
    /// The argument buffer.
    Arguments,
    /// Memory of several kinds, by the class of the pointer.
    Any(usize),
}

/// Where arguments are.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) layout: Option<Layout>,
    pub(super) block: Option<Words>,
    /// Classes of pointers to arguments that stay in the argument buffer.
    pub(super) read_only: HashSet<usize>,
}

/// A count of the loops of a function that ended without having been left.
#[derive(Debug)]
pub(in super::super) struct Rounds {
    /// The merge blocks of the loops.
    pub(super) merges: HashSet<usize>,
    /// The pointer to the count.
    pub(super) place: Word,
}

/// State of a shader that is being emitted.
#[derive(Debug, Default)]
pub(in super::super) struct Shader<'s> {
    pub(super) homes: Homes<'s>,
    pub(super) arguments: Arguments,
    /// The variables of private memory, by the class of their pointers.
    pub(super) objects: HashMap<usize, Words>,
    /// Constant tables, by the class of their pointers.
    pub(super) tables: HashMap<usize, Home>,
    /// Those that the driver fills.
    pub(super) filled: Vec<u8>,
    /// Addresses of variables in local memory, private objects and tables.
    pub(super) addresses: HashMap<Value<'s>, u64>,
    /// The array of local memory, and its static size in bytes.
    pub(super) local: Option<Words>,
    pub(super) local_size: u32,
    /// True if 64-bit integers in local memory are accessed atomically.
    pub(super) local_is_wide: bool,
    /// Variables of phis.
    pub(super) phis: HashMap<Value<'s>, Word>,
    /// True if the module has functions beside the kernel, which share its private objects.
    pub(super) has_functions: bool,
    /// True if the items of a group are in one line for Vulkan, as sub-groups need them.
    pub(super) is_linear: bool,
    /// The specialization constants of the group's size.
    pub(super) group_size: Option<[Word; 3]>,
    /// Messages of traps, in the order of their numbers.
    pub(super) traps: Vec<String>,
    /// Types and formats of prints, in the order of their numbers.
    pub(super) prints: Vec<String>,
    /// The comparisons of the function that is being emitted.
    pub(super) comparisons: Comparisons<'s>,
    /// The phis by which values leave loops, where the driver would lose those values.
    pub(super) leaving: HashSet<Value<'s>>,
}
