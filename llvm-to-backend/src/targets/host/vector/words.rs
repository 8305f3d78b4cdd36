//! Finds private memory of which the lanes of a row have each word side by side.
//!
//! In: a function. Out: the bytes of a word of each `alloca` that is accessed in words of one size
//! alone, and of each address made from it. *Invariant:* where an access may be of another size, at
//! an offset that no word has, or through an address that is not seen here, each lane has a copy of
//! the memory.

use crate::context::Context;
use sinter_llvm::{
    ir::{Opcode, Shape, Type, Value},
    types::TypeView,
};
use std::collections::{HashMap, HashSet};

/// Words of a copy or of memory that is set at once, beyond which it stays one call.
const MOST: u64 = 64;
const FILLS: [&str; 2] = ["llvm.memset.", "llvm.memcpy."];
const LIFETIME: &str = "llvm.lifetime.";

/// The bytes of a word, by the `alloca` and by the addresses made from it.
pub(super) type Words<'s> = HashMap<Value<'s>, u64>;

/// A part of an address computation.
pub(super) enum Step<'s> {
    /// So many elements of this size.
    Elements(Value<'s>, u64),
    Bytes(u64),
}

/// The memory of a function.
pub(super) fn words<'s>(cx: &Context<'s, '_>, function: Value<'s>) -> Words<'s> {
    let walks = allocas(function).filter_map(|alloca| Walk::of(cx, alloca).filter(|walk| walk.fills.is_empty()));
    walks.flat_map(|walk| walk.addresses.into_iter().map(move |address| (address, walk.word))).collect()
}

/// Replaces calls that set or copy such memory by an access of each word.
pub(super) fn write_out<'s>(cx: &Context<'s, '_>, function: Value<'s>) {
    let mut seen = HashSet::new();
    for walk in allocas(function).filter_map(|alloca| Walk::of(cx, alloca)).collect::<Vec<_>>() {
        walk.fills.into_iter().filter(|fill| seen.insert(*fill)).for_each(|fill| write_out_fill(cx, fill, walk.word));
    }
}

/// Replaces a call; one of too many words, or that sets an unknown value, stays.
fn write_out_fill<'s>(cx: &Context<'s, '_>, call: Value<'s>, word: u64) {
    let arguments = call.arguments();
    let (to, from) = (arguments[0], arguments[1]);
    let ty = cx.session.integer(word as u32 * 8);
    let is_copy = from.ty().shape() == Shape::Pointer;
    let repeated = from.integer().and_then(|byte| ty.constant((byte & 0xff) * (u64::MAX / 0xff)));
    let length = arguments[2].integer().unwrap_or(0);
    if length > MOST * word || !(is_copy || repeated.is_some()) {
        return;
    }
    call.insert_before(|insert| {
        for offset in (0..length).step_by(word as usize) {
            let offset = cx.session.literal(offset);
            let copied = || insert.load_aligned(ty, insert.offset(from, offset), 1, false);
            let value = repeated.filter(|_| !is_copy).unwrap_or_else(copied);
            insert.store_aligned(value, insert.offset(to, offset), 1, false);
        }
    });
    call.erase();
}

fn allocas<'s>(function: Value<'s>) -> impl Iterator<Item = Value<'s>> {
    function.instructions().into_iter().filter(|one| one.opcode() == Opcode::LLVMAlloca)
}

/// The parts of a `getelementptr`; `None` for types that have no such parts.
pub(super) fn steps<'s>(cx: &Context<'s, '_>, address: Value<'s>) -> Option<Vec<Step<'s>>> {
    let mut ty = address.stepped_type();
    let mut steps = Vec::new();
    for (position, index) in address.operands()[1..].iter().enumerate() {
        let element = match ty.view() {
            _ if position == 0 => ty,
            TypeView::Array(element, _) | TypeView::Vector(element, _) => element,
            TypeView::Structure(members, _) => {
                let number = u32::try_from(index.integer()?).ok()?;
                steps.push(Step::Bytes(ty.member_offset(number, cx.machine)));
                ty = *members.get(number as usize)?;
                continue;
            }
            _ => return None,
        };
        steps.push(Step::Elements(*index, element.alloc_size(cx.machine)));
        ty = element;
    }
    Some(steps)
}

/// The uses of an `alloca`.
struct Walk<'s> {
    word: u64,
    /// It and the addresses made from it.
    addresses: Vec<Value<'s>>,
    /// Calls that set the memory, or copy from or to it.
    fills: Vec<Value<'s>>,
    /// Lengths and offsets in bytes.
    lengths: Vec<u64>,
}

impl<'s> Walk<'s> {
    /// The uses, if all are of words.
    fn of(cx: &Context<'s, '_>, alloca: Value<'s>) -> Option<Self> {
        alloca.allocated_size(cx.machine)?;
        let mut walk = Self { word: 0, addresses: vec![alloca], fills: vec![], lengths: vec![] };
        let mut next = 0;
        while let Some(&address) = walk.addresses.get(next) {
            address.users().into_iter().try_for_each(|user| walk.follow(cx, address, user))?;
            next += 1;
        }
        let of_words = walk.word > 0 && walk.lengths.iter().all(|length| length.is_multiple_of(walk.word));
        of_words.then_some(walk)
    }

    fn follow(&mut self, cx: &Context<'s, '_>, address: Value<'s>, user: Value<'s>) -> Option<()> {
        let is_plain = || !user.is_volatile() && !user.is_atomic();
        match user.opcode() {
            Opcode::LLVMLoad if is_plain() => self.access(cx, user.ty()),
            Opcode::LLVMStore if is_plain() && user.operands()[0] != address => {
                self.access(cx, user.operands()[0].ty())
            }
            Opcode::LLVMGetElementPtr if user.ty().shape() == Shape::Pointer => {
                self.lengths.extend(steps(cx, user)?.iter().map(Step::length));
                self.addresses.push(user);
                Some(())
            }
            Opcode::LLVMCall => self.follow_call(user),
            _ => None,
        }
    }

    fn access(&mut self, cx: &Context<'s, '_>, ty: Type<'s>) -> Option<()> {
        let size = ty.alloc_size(cx.machine);
        let is_scalar =
            matches!(ty.view(), TypeView::Integer(8 | 16 | 32 | 64) | TypeView::Float(_) | TypeView::Pointer(_));
        let fits = is_scalar && (self.word == 0 || self.word == size);
        self.word = size;
        fits.then_some(())
    }

    fn follow_call(&mut self, call: Value<'s>) -> Option<()> {
        let name = call.callee()?.name();
        if name.starts_with(LIFETIME) {
            return Some(());
        }
        let arguments = call.arguments();
        let [_, _, length, volatile] = arguments.get(..4)? else { return None };
        let is_known = FILLS.iter().any(|fill| name.starts_with(fill)) && volatile.integer() == Some(0);
        self.lengths.push(length.integer().filter(|_| is_known)?);
        self.fills.push(call);
        Some(())
    }
}

impl Step<'_> {
    /// Bytes of which the step is a multiple.
    fn length(&self) -> u64 {
        match self {
            Step::Elements(index, size) => index.integer().map_or(*size, |number| number.wrapping_mul(*size)),
            Step::Bytes(bytes) => *bytes,
        }
    }
}
