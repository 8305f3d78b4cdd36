//! Typed arguments of a launch.
//!
//! In: numbers, buffers, pointers. Out: types that are checked against the parameter records, and
//! bytes. *Invariant:* a buffer is borrowed until the launch has returned; from then on the buffer
//! itself tracks the command.
#![forbid(unsafe_code)]

use crate::{
    buffer::Buffer,
    element::Element,
    memory::Memory,
    parameter::{ArgumentType, ParameterKind},
    queue::Queue,
    uses::Access,
};

/// One argument of a launch, made with `From` or `arguments!`.
pub struct Argument<'a, Q: Queue> {
    kind: ParameterKind,
    bytes: Bytes<'a>,
    pub(crate) memory: Option<(&'a Memory<Q>, Access)>,
}

enum Bytes<'a> {
    Inline([u8; 8], u8),
    Borrowed(&'a [u8]),
}

impl<'a, Q: Queue> Argument<'a, Q> {
    /// An argument that is passed by its bytes, such as an array in the kernel's argument struct.
    pub fn bytes(bytes: &'a [u8]) -> Self {
        Argument { kind: ParameterKind::OtherByValue, bytes: Bytes::Borrowed(bytes), memory: None }
    }

    fn scalar(kind: ParameterKind, bytes: &[u8]) -> Self {
        let mut inline = [0; 8];
        inline[..bytes.len()].copy_from_slice(bytes);
        Argument { kind, bytes: Bytes::Inline(inline, bytes.len() as u8), memory: None }
    }

    fn memory(memory: &'a Memory<Q>, access: Access) -> Self {
        let pointer = Self::scalar(ParameterKind::Pointer, &memory.address().to_ne_bytes());
        Argument { memory: Some((memory, access)), ..pointer }
    }

    pub(crate) fn ty(&self) -> ArgumentType {
        // No parameter has a size of more than 32 bits, so a saturated one matches none.
        ArgumentType { kind: self.kind, size: u32::try_from(self.as_bytes().len()).unwrap_or(u32::MAX) }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Inline(bytes, size) => &bytes[..usize::from(*size)],
            Bytes::Borrowed(bytes) => bytes,
        }
    }
}

macro_rules! scalars {
    ($kind:ident: $($type:ty),*) => {
        $(impl<Q: Queue> From<$type> for Argument<'_, Q> {
            fn from(value: $type) -> Self {
                Argument::scalar(ParameterKind::$kind, &value.to_ne_bytes())
            }
        })*
    };
}
scalars!(Integer: u8, i8, u16, i16, u32, i32, u64, i64, usize, isize);
scalars!(FloatingPoint: f32, f64);

impl<Q: Queue> From<bool> for Argument<'_, Q> {
    fn from(value: bool) -> Self {
        Argument::from(u8::from(value))
    }
}

impl<T, Q: Queue> From<*const T> for Argument<'_, Q> {
    fn from(pointer: *const T) -> Self {
        Argument::scalar(ParameterKind::Pointer, &pointer.expose_provenance().to_ne_bytes())
    }
}

impl<T, Q: Queue> From<*mut T> for Argument<'_, Q> {
    fn from(pointer: *mut T) -> Self {
        Argument::from(pointer.cast_const())
    }
}

impl<'a, T: Element, Q: Queue> From<&'a Buffer<T, Q>> for Argument<'a, Q> {
    fn from(buffer: &'a Buffer<T, Q>) -> Self {
        Argument::memory(buffer.memory(), Access::Read)
    }
}

impl<'a, T: Element, Q: Queue> From<&'a mut Buffer<T, Q>> for Argument<'a, Q> {
    fn from(buffer: &'a mut Buffer<T, Q>) -> Self {
        Argument::memory(buffer.memory(), Access::Write)
    }
}
