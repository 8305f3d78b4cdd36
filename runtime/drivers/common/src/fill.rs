//! Fills memory with a pattern, from the driver's fills of one unit and copies.
//!
//! In: a destination, a pattern and a count. Out: steps in order. *Invariant:* after the last step
//! exactly the range holds the pattern; no step copies from the host, because the driver may make
//! such a copy wait for everything before it.
//!
//! A pattern that repeats a unit of 1, 2 or 4 bytes is one fill. Any other is first written unit by
//! unit with strided fills, up to [`SEED`](crate::Vendor::SEED) bytes; then the filled part is
//! copied behind itself, doubling each time.

use crate::vendor::Unit;

/// One command of a fill. Offsets are in bytes from the destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Fills `count` units.
    Fill { unit: Unit, count: usize },
    /// Strided fill: writes a unit at `offset` and at each multiple of `pitch` after it, `rows` in
    /// all.
    Rows { unit: Unit, offset: usize, pitch: usize, rows: usize },
    /// Copies the first `size` bytes to `offset`.
    Repeat { offset: usize, size: usize },
}

/// The shortest pattern whose repetition is `pattern`.
fn period(pattern: &[u8]) -> &[u8] {
    let repeats = |length: &usize| {
        pattern.len().is_multiple_of(*length) && pattern.iter().skip(*length).zip(pattern).all(|(a, b)| a == b)
    };
    let shortest = (1..pattern.len()).find(repeats).unwrap_or(pattern.len());
    &pattern[..shortest]
}

/// The largest unit, in bytes, that divides the address and the length.
fn unit_size(address: usize, length: usize) -> usize {
    [4, 2].into_iter().find(|size| address.is_multiple_of(*size) && length.is_multiple_of(*size)).unwrap_or(1)
}

fn unit(bytes: &[u8]) -> Unit {
    match *bytes {
        [a, b] => Unit::Two(u16::from_ne_bytes([a, b])),
        [a, b, c, d] => Unit::Four(u32::from_ne_bytes([a, b, c, d])),
        _ => Unit::One(bytes.first().copied().unwrap_or(0)),
    }
}

/// Plans the steps that fill `count` patterns from `address` on, the first `seed` bytes unit by
/// unit. All sizes fit a `usize`.
pub(crate) fn plan<E>(
    address: usize,
    pattern: &[u8],
    count: usize,
    seed: usize,
    mut emit: impl FnMut(Step) -> Result<(), E>,
) -> Result<(), E> {
    let size = pattern.len() * count;
    if size == 0 {
        return Ok(());
    }
    let pattern = period(pattern);
    let (length, unit_size) = (pattern.len(), unit_size(address, pattern.len()));
    if length == unit_size {
        return emit(Step::Fill { unit: unit(pattern), count: size / length });
    }
    let rows = seed.div_ceil(length).clamp(1, size / length);
    for (index, bytes) in pattern.chunks(unit_size).enumerate() {
        emit(Step::Rows { unit: unit(bytes), offset: index * unit_size, pitch: length, rows })?;
    }
    let mut done = rows * length;
    while done < size {
        let next = done.min(size - done);
        emit(Step::Repeat { offset: done, size: next })?;
        done += next;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: usize = 64 << 10;

    fn steps(address: usize, pattern: &[u8], count: usize) -> Vec<Step> {
        steps_from(address, pattern, count, SEED)
    }

    fn steps_from(address: usize, pattern: &[u8], count: usize, seed: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let planned = plan(address, pattern, count, seed, |step| {
            steps.push(step);
            Ok::<(), ()>(())
        });
        planned.expect("no step fails");
        steps
    }

    fn write(memory: &mut [u8], offset: usize, unit: Unit) {
        match unit {
            Unit::One(value) => memory[offset] = value,
            Unit::Two(value) => memory[offset..offset + 2].copy_from_slice(&value.to_ne_bytes()),
            Unit::Four(value) => memory[offset..offset + 4].copy_from_slice(&value.to_ne_bytes()),
        }
    }

    fn size(unit: Unit) -> usize {
        match unit {
            Unit::One(_) => 1,
            Unit::Two(_) => 2,
            Unit::Four(_) => 4,
        }
    }

    fn run(memory: &mut [u8], step: Step) {
        match step {
            Step::Fill { unit, count } => (0..count).for_each(|i| write(memory, i * size(unit), unit)),
            Step::Rows { unit, offset, pitch, rows } => {
                (0..rows).for_each(|row| write(memory, offset + row * pitch, unit));
            }
            Step::Repeat { offset, size } => memory.copy_within(..size, offset),
        }
    }

    #[test]
    fn steps_make_the_pattern() {
        for address in [0, 1, 2, 4] {
            for length in [1, 2, 3, 4, 6, 8, 12, 16, 31, 128] {
                for count in [0, 1, 2, 5, 70_001] {
                    let pattern: Vec<u8> = (1..=length).collect();
                    let mut memory = vec![0; pattern.len() * count];
                    for seed in [0, SEED] {
                        memory.fill(0);
                        let steps = steps_from(address, &pattern, count, seed);
                        steps.into_iter().for_each(|step| run(&mut memory, step));
                        assert!(
                            memory.chunks(pattern.len()).all(|chunk| chunk == pattern),
                            "{address} {length} {count}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn simple_patterns_are_one_fill() {
        let zeros = Step::Fill { unit: Unit::One(0), count: 800 };
        assert_eq!(steps(3, &[0; 8], 100), [zeros]);
        assert_eq!(steps(8, &[1, 2, 1, 2], 10), [Step::Fill { unit: unit(&[1, 2]), count: 20 }]);
        assert_eq!(steps(8, &[1, 2, 3, 4], 10), [Step::Fill { unit: unit(&[1, 2, 3, 4]), count: 10 }]);
    }

    #[test]
    fn without_a_seed_each_unit_is_filled_once() {
        let steps = steps_from(8, &7u64.to_ne_bytes(), 512, 0);
        let row = |offset, unit| Step::Rows { unit, offset, pitch: 8, rows: 1 };
        assert_eq!(steps[..3], [row(0, Unit::Four(7)), row(4, Unit::Four(0)), Step::Repeat { offset: 8, size: 8 }]);
        assert_eq!(steps.len(), 2 + 9);
    }

    #[test]
    fn rows_are_few_enough_for_the_driver() {
        let long = steps(1, &[1, 2], 1 << 30);
        let rows = |step: &Step| matches!(step, Step::Rows { rows, .. } if *rows > 65_535);
        assert!(!long.iter().any(rows) && long.len() < 32, "{long:?}");
    }
}
