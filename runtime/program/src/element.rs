//! Types that kernels and programs share.
//!
//! In: values. Out: their bytes. *Invariant:* all bytes of an element are initialised, and any
//! bytes are a valid element.
#![expect(unsafe_code, reason = "says which types are plain bytes, and reads those bytes")]

use std::slice;

/// Types of plain bytes, into which a kernel may write any bits.
///
/// # Safety
/// Every bit pattern is a value, there is no padding, and it means the same in C++.
pub unsafe trait Element: Copy + Send + Sync + 'static {}

macro_rules! elements {
    ($($type:ty),*) => {
        $(
            // SAFETY: a number has no padding, every bit pattern is valid, and C++ has the same
            // type.
            unsafe impl Element for $type {}
        )*
    };
}
elements!(u8, i8, u16, i16, u32, i32, u64, i64, usize, isize, f32, f64);

// SAFETY: an array has no padding between its elements.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// Borrows the bytes of values.
pub(crate) fn bytes_of<T: Element>(values: &[T]) -> &[u8] {
    // SAFETY: elements have no padding, so all their bytes are initialised.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}
