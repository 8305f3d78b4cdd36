//! Reads the value of one argument from the argument block of a launch.
//!
//! In: a parameter record; later argument blocks. Out: values as bits and as literals.
//! *Invariant:* a leaf lies inside each block of its kernel's size.
#![forbid(unsafe_code)]

use crate::{abi, registry::descriptor};
use sinter_core::{ConstantValue, ParameterKind};

/// An argument that can be a literal in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Index of its parameter record.
    pub(super) parameter: u32,
    offset: usize,
    size: usize,
    pub(super) kind: ParameterKind,
}

impl Leaf {
    /// The leaf of a record, if a literal can have its type.
    pub(super) fn of(parameter: u32, record: &abi::Parameter) -> Option<Self> {
        let kind = descriptor::kind(record)?;
        let is_literal = match kind {
            ParameterKind::Pointer => record.byte_size == 8,
            ParameterKind::Integer => matches!(record.byte_size, 1 | 2 | 4 | 8),
            ParameterKind::FloatingPoint => matches!(record.byte_size, 4 | 8),
            ParameterKind::OtherByValue => false,
        };
        let [offset, size] = [record.byte_offset, record.byte_size].map(|n| n as usize);
        is_literal.then_some(Leaf { parameter, offset, size, kind })
    }

    #[inline]
    pub(super) fn bytes<'b>(&self, block: &'b [u8]) -> &'b [u8] {
        &block[self.offset..self.offset + self.size]
    }

    /// Its value in a block, with zeros in front.
    #[inline]
    pub(super) fn bits(&self, block: &[u8]) -> u64 {
        match *self.bytes(block) {
            [a] => a.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => 0,
        }
    }

    /// The literal with these bits.
    pub(super) fn literal(&self, bits: u64) -> ConstantValue {
        match (self.kind, self.size) {
            (ParameterKind::FloatingPoint, 4) => ConstantValue::F32(bits as u32),
            (ParameterKind::FloatingPoint, _) => ConstantValue::F64(bits),
            (_, 1) => ConstantValue::I8(bits as u8),
            (_, 2) => ConstantValue::I16(bits as u16),
            (_, 4) => ConstantValue::I32(bits as u32),
            _ => ConstantValue::I64(bits),
        }
    }

    /// Its value in a block as a literal.
    pub(super) fn value(&self, block: &[u8]) -> ConstantValue {
        self.literal(self.bits(block))
    }
}
