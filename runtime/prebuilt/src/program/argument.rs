//! Typed arguments of a launch.
//!
//! *Invariant:* a buffer is borrowed until the launch returns; from then on the buffer itself keeps
//! the command's event.
#![forbid(unsafe_code)]

use super::{
    buffer::{Buffer, Element, Memory},
    uses::Access,
};

/// The names in messages of the kinds in `sinter_parameter.kind`.
const KINDS: [&str; 4] = ["pointer", "integer", "floating-point number", "value"];
const POINTER: u32 = 0;
const INTEGER: u32 = 1;
const FLOATING_POINT: u32 = 2;
const OTHER: u32 = 3;

/// A kind and a size in bytes, for a message.
pub(super) fn shown(kind: u32, size: usize) -> String {
    let kind = KINDS.get(kind as usize).copied().unwrap_or("parameter of a later version");
    format!("{kind} of {size} bytes")
}

/// One argument of a launch; made with `From`, or by [`arguments!`](crate::arguments).
pub struct Argument<'a> {
    pub(super) kind: u32,
    bytes: Bytes<'a>,
    pub(super) memory: Option<(&'a Memory, Access)>,
}

enum Bytes<'a> {
    Inline([u8; 8], usize),
    Borrowed(&'a [u8]),
}

impl<'a> Argument<'a> {
    /// An argument passed as bytes, such as an array in the kernel's argument struct.
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Argument { kind: OTHER, bytes: Bytes::Borrowed(bytes), memory: None }
    }

    fn scalar(kind: u32, bytes: &[u8]) -> Self {
        let mut inline = [0; 8];
        inline[..bytes.len()].copy_from_slice(bytes);
        Argument { kind, bytes: Bytes::Inline(inline, bytes.len()), memory: None }
    }

    fn memory(memory: &'a Memory, access: Access) -> Self {
        let address = memory.pointer().expose_provenance();
        Argument { memory: Some((memory, access)), ..Self::scalar(POINTER, &address.to_ne_bytes()) }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Inline(bytes, size) => &bytes[..*size],
            Bytes::Borrowed(bytes) => bytes,
        }
    }
}

macro_rules! scalars {
    ($kind:ident: $($type:ty),*) => {
        $(impl From<$type> for Argument<'_> {
            fn from(value: $type) -> Self {
                Argument::scalar($kind, &value.to_ne_bytes())
            }
        })*
    };
}
scalars!(INTEGER: u8, i8, u16, i16, u32, i32, u64, i64, usize, isize);
scalars!(FLOATING_POINT: f32, f64);

impl From<bool> for Argument<'_> {
    fn from(value: bool) -> Self {
        Argument::from(u8::from(value))
    }
}

impl<T> From<*const T> for Argument<'_> {
    fn from(pointer: *const T) -> Self {
        Argument::scalar(POINTER, &pointer.expose_provenance().to_ne_bytes())
    }
}

impl<T> From<*mut T> for Argument<'_> {
    fn from(pointer: *mut T) -> Self {
        Argument::from(pointer.cast_const())
    }
}

impl<'a, T: Element> From<&'a Buffer<T>> for Argument<'a> {
    fn from(buffer: &'a Buffer<T>) -> Self {
        Argument::memory(buffer.memory(), Access::Read)
    }
}

impl<'a, T: Element> From<&'a mut Buffer<T>> for Argument<'a> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        Argument::memory(buffer.memory(), Access::Write)
    }
}
