//! Boxes of bytes in the shape of a buffer.
//!
//! In: a strided box of bytes, as an accessor of any view of the buffer describes it. Out: boxes in
//! the buffer's own shape, planes of rows of bytes. *Invariant:* together they cover all bytes of
//! the strided box, and nothing else if the result says that it is exact. A reinterpreted view may
//! have rows of another length; its box is covered by the interval from its first to its last byte.
#![forbid(unsafe_code)]

use crate::{abi::ByteBox, error::RuntimeError};
use smallvec::{SmallVec, smallvec};

/// Lengths of a buffer: bytes in a row, rows in a plane, planes.
pub(super) type Shape = [usize; 3];

/// A box of bytes; index 0 counts bytes in a row, index 1 rows, index 2 planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Bounds {
    pub(super) low: [usize; 3],
    pub(super) high: [usize; 3],
}

impl Bounds {
    /// The whole of a buffer.
    pub(super) fn whole(shape: Shape) -> Self {
        Bounds { low: [0; 3], high: shape }
    }

    fn is_empty(&self) -> bool {
        (0..3).any(|d| self.low[d] >= self.high[d])
    }

    /// The common part, unless it is empty.
    pub(super) fn common(&self, other: &Bounds) -> Option<Bounds> {
        let low = std::array::from_fn(|d| self.low[d].max(other.low[d]));
        let high = std::array::from_fn(|d| self.high[d].min(other.high[d]));
        let common = Bounds { low, high };
        (!common.is_empty()).then_some(common)
    }

    /// True if all of `other` lies inside.
    pub(super) fn contains(&self, other: &Bounds) -> bool {
        (0..3).all(|d| self.low[d] <= other.low[d] && other.high[d] <= self.high[d])
    }

    /// The parts outside of `other`, which lies inside: at most two for each dimension.
    pub(super) fn without(&self, other: &Bounds) -> Vec<Bounds> {
        let mut rest = *self;
        let mut parts = Vec::new();
        for d in (0..3).rev() {
            let (mut below, mut above) = (rest, rest);
            below.high[d] = other.low[d];
            above.low[d] = other.high[d];
            parts.extend([below, above].into_iter().filter(|part| !part.is_empty()));
            (rest.low[d], rest.high[d]) = (other.low[d], other.high[d]);
        }
        parts
    }

    /// The union, if it is a box.
    pub(super) fn joined(&self, other: &Bounds) -> Option<Bounds> {
        let mut differing = (0..3).filter(|&d| (self.low[d], self.high[d]) != (other.low[d], other.high[d]));
        let d = differing.next()?;
        let touches = self.high[d] == other.low[d] || other.high[d] == self.low[d];
        let mut union = *self;
        union.low[d] = self.low[d].min(other.low[d]);
        union.high[d] = self.high[d].max(other.high[d]);
        (touches && differing.next().is_none()).then_some(union)
    }

    /// Lengths in each dimension.
    pub(super) fn lengths(&self) -> [usize; 3] {
        std::array::from_fn(|d| self.high[d] - self.low[d])
    }
}

/// Offset of a byte of a buffer from its first one.
pub(super) fn offset(shape: Shape, place: [usize; 3]) -> usize {
    (place[2] * shape[1] + place[1]) * shape[0] + place[0]
}

/// Place of the byte at `offset`.
fn place(shape: Shape, offset: usize) -> [usize; 3] {
    [offset % shape[0], offset / shape[0] % shape[1], offset / shape[0] / shape[1]]
}

/// An accessor to a whole buffer has one part.
type Parts = SmallVec<[Bounds; 1]>;

/// Boxes of an accessor in the shape of its buffer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cover {
    pub(super) parts: Parts,
    /// False if the parts have bytes that the accessor's box has not.
    pub(super) is_exact: bool,
}

/// Offset behind the last byte of a strided box; an error if it exceeds the address space.
fn end(bytes: &ByteBox) -> Option<u64> {
    let rows = (bytes.height - 1).checked_mul(bytes.row_pitch)?;
    let planes = (bytes.depth - 1).checked_mul(bytes.plane_pitch)?;
    bytes.start.checked_add(rows)?.checked_add(planes)?.checked_add(bytes.width)
}

/// True if the box is all of the buffer in its own shape, and not empty.
pub(super) fn is_whole(shape: Shape, bytes: &ByteBox) -> bool {
    let ByteBox { start, width, height, depth, row_pitch, plane_pitch } = *bytes;
    let has_lengths = width as usize == shape[0] && height as usize == shape[1] && depth as usize == shape[2];
    let is_dense = (height == 1 || row_pitch == width) && (depth == 1 || plane_pitch == width * height);
    start == 0 && has_lengths && is_dense && width != 0 && height != 0 && depth != 0
}

/// Covers a strided box.
pub(super) fn cover(shape: Shape, bytes: &ByteBox) -> Result<Cover, RuntimeError> {
    if [bytes.width, bytes.height, bytes.depth].contains(&0) {
        return Ok(Cover { parts: Parts::new(), is_exact: true });
    }
    let size = shape.iter().product::<usize>();
    let end = end(bytes).filter(|end| *end <= size as u64);
    let beyond = || RuntimeError::invalid("requirements[].box", format!("{bytes:?} exceeds the buffer's {size} bytes"));
    let end = end.ok_or_else(beyond)? as usize;
    if let Some(part) = same_shape(shape, bytes) {
        return Ok(Cover { parts: smallvec![part], is_exact: true });
    }
    let is_exact = end as u64 - bytes.start == bytes.width * bytes.height * bytes.depth;
    Ok(Cover { parts: interval(shape, bytes.start as usize, end), is_exact })
}

/// The box, if its rows and planes are those of the buffer.
fn same_shape(shape: Shape, bytes: &ByteBox) -> Option<Bounds> {
    let lengths = [bytes.width, bytes.height, bytes.depth].map(|length| length as usize);
    let same_rows = lengths[1] == 1 || bytes.row_pitch as usize == shape[0];
    let same_planes = lengths[2] == 1 || bytes.plane_pitch as usize == shape[0] * shape[1];
    let low = place(shape, bytes.start as usize);
    let high = std::array::from_fn(|d| low[d] + lengths[d]);
    let fits = (0..3).all(|d| high[d] <= shape[d]);
    (same_rows && same_planes && fits).then_some(Bounds { low, high })
}

/// Boxes that make up an interval of bytes: a part of a row, rows, planes, rows, a part of a row.
fn interval(shape: Shape, start: usize, end: usize) -> Parts {
    let mut parts = Parts::new();
    let (row, plane) = (shape[0], shape[0] * shape[1]);
    let mut from = start;
    while from < end {
        let low = place(shape, from);
        let left = end - from;
        let lengths = if low[0] != 0 || left < row {
            [left.min(row - low[0]), 1, 1]
        } else if low[1] != 0 || left < plane {
            [row, (left / row).min(shape[1] - low[1]), 1]
        } else {
            [row, shape[1], left / plane]
        };
        parts.push(Bounds { low, high: std::array::from_fn(|d| low[d] + lengths[d]) });
        from += lengths.iter().product::<usize>();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(start: u64, [width, height, depth]: [u64; 3], row_pitch: u64, plane_pitch: u64) -> ByteBox {
        ByteBox { start, width, height, depth, row_pitch, plane_pitch }
    }

    fn set(parts: &[Bounds], shape: Shape) -> Vec<usize> {
        let all = (0..shape.iter().product::<usize>()).filter(|&at| {
            let at = place(shape, at);
            parts.iter().any(|part| (0..3).all(|d| part.low[d] <= at[d] && at[d] < part.high[d]))
        });
        all.collect()
    }

    #[test]
    fn intervals_are_covered_exactly() {
        let shape = [5, 3, 4];
        for start in 0..60 {
            for end in start + 1..=60 {
                let cover = cover(shape, &bytes(start, [end - start, 1, 1], 0, 0)).expect("cover");
                assert!(cover.is_exact && cover.parts.len() <= 5);
                assert_eq!(set(&cover.parts, shape), (start as usize..end as usize).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn boxes_of_the_same_shape_are_one_box_and_others_an_interval() {
        let shape = [8, 4, 3];
        let own = cover(shape, &bytes(8 + 2, [4, 2, 2], 8, 32)).expect("cover");
        assert_eq!(own, Cover { parts: smallvec![Bounds { low: [2, 1, 0], high: [6, 3, 2] }], is_exact: true });
        let other = cover(shape, &bytes(3, [4, 2, 1], 6, 0)).expect("cover");
        assert!(!other.is_exact);
        assert_eq!(set(&other.parts, shape), (3..13).collect::<Vec<_>>());
        let all = bytes(0, [8, 4, 3], 8, 32);
        assert!(is_whole(shape, &all));
        assert_eq!(cover(shape, &all).expect("cover").parts[..], [Bounds::whole(shape)]);
        for part in [bytes(0, [8, 4, 2], 8, 32), bytes(8, [8, 4, 3], 8, 32), bytes(0, [8, 4, 3], 9, 32)] {
            assert!(!is_whole(shape, &part));
        }
        assert!(!is_whole([0, 1, 1], &bytes(0, [0, 1, 1], 0, 0)));
        assert!(cover(shape, &bytes(90, [7, 1, 1], 0, 0)).is_err());
        assert!(cover(shape, &bytes(0, [1, 3, 2], u64::MAX / 2, 8)).is_err());
        assert_eq!(cover(shape, &bytes(0, [0, 1, 1], 0, 0)).expect("cover").parts, Parts::new());
    }

    #[test]
    fn a_box_and_the_parts_without_it_are_the_whole() {
        let shape = [4, 3, 3];
        let whole = Bounds::whole(shape);
        let inside = Bounds { low: [1, 1, 0], high: [3, 2, 2] };
        let mut parts = whole.without(&inside);
        let count = |parts: &[Bounds]| parts.iter().map(|part| part.lengths().iter().product::<usize>()).sum::<usize>();
        assert!(parts.iter().all(|part| part.common(&inside).is_none()));
        parts.push(inside);
        assert_eq!((count(&parts), set(&parts, shape).len()), (36, 36));
        let (left, right) = (Bounds { low: [0; 3], high: [2, 3, 3] }, Bounds { low: [2, 0, 0], high: [4, 3, 3] });
        assert_eq!(left.joined(&right), Some(whole));
        assert_eq!(left.joined(&inside), None);
    }
}
