//! Reproducible random kernels of integer arithmetic.
//!
//! *Invariant:* every kernel is defined for all inputs: no shift is as wide as its operand, no
//! divisor is zero or minus one.

use std::fmt::Write;

/// Random numbers (xorshift, Marsaglia 2003).
pub(crate) struct Source(u64);

impl Source {
    pub(crate) fn new(seed: u64) -> Self {
        Source(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Extreme bytes are more frequent than others.
    pub(crate) fn byte(&mut self) -> u8 {
        match self.next() >> 33 & 7 {
            0 => 0,
            1 => 0xff,
            2 => 0x80,
            _ => (self.next() >> 40) as u8,
        }
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() >> 20) as usize % count
    }

    fn one_of<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }
}

const WIDTHS: [u32; 14] = [2, 5, 7, 8, 13, 16, 24, 32, 33, 48, 63, 64, 96, 128];

/// Loads an integer. In memory the bits beyond its width would have to be zeros, so it is truncated
/// from a wider one.
pub(crate) fn read(text: &mut String, name: &str, width: u32, from: &str) {
    let wide = width.next_multiple_of(8);
    let _ = match wide == width {
        true => writeln!(text, "  %{name} = load i{width}, ptr {from}, align 1"),
        false => writeln!(
            text,
            "  %{name}.w = load i{wide}, ptr {from}, align 1\n  %{name} = trunc i{wide} %{name}.w to i{width}"
        ),
    };
}

/// The body of a kernel that reads `%in` and writes `%out`.
pub(crate) fn body(source: &mut Source) -> String {
    let mut text = String::new();
    let mut values: Vec<(String, u32)> = Vec::new();
    for index in 0..4 {
        let width = *source.one_of(&WIDTHS);
        let _ = writeln!(text, "  %p{index} = getelementptr i8, ptr %in, i64 {}", index * 16);
        read(&mut text, &format!("v{index}"), width, &format!("%p{index}"));
        values.push((format!("%v{index}"), width));
    }
    for index in 4..28 {
        let width = *source.one_of(&WIDTHS);
        let [a, b] = [0, 1].map(|side| operand(source, &mut text, &values, width, &format!("{index}.{side}")));
        computed(source, &mut text, &format!("%v{index}"), width, &a, &b);
        values.push((format!("%v{index}"), width));
    }
    for (index, (value, width)) in values.iter().rev().take(8).enumerate() {
        let _ = write!(
            text,
            "  %o{index} = getelementptr i8, ptr %out, i64 {}\n  store i{width} {value}, ptr %o{index}, align 8\n",
            index * 16
        );
    }
    text
}

/// An earlier value, converted to this width, or a literal.
fn operand(source: &mut Source, text: &mut String, values: &[(String, u32)], width: u32, name: &str) -> String {
    if source.below(6) == 0 {
        return match source.below(3) {
            0 => "-1".to_owned(),
            1 => "1".to_owned(),
            _ => format!("{}", i128::from(source.next()) & ((1 << (width - 1).min(62)) - 1)),
        };
    }
    let (value, from) = source.one_of(values).clone();
    let cast = match from.cmp(&width) {
        std::cmp::Ordering::Equal => return value,
        std::cmp::Ordering::Less => *source.one_of(&["zext", "sext"]),
        std::cmp::Ordering::Greater => "trunc",
    };
    let _ = writeln!(text, "  %c{name} = {cast} i{from} {value} to i{width}");
    format!("%c{name}")
}

fn computed(source: &mut Source, text: &mut String, name: &str, width: u32, a: &str, b: &str) {
    let label = name.trim_start_matches('%');
    let _ = match source.below(9) {
        0..=2 => {
            let operation = source.one_of(&["add", "sub", "mul", "and", "or", "xor"]);
            writeln!(text, "  {name} = {operation} i{width} {a}, {b}")
        }
        3 | 4 => {
            let operation = source.one_of(&["shl", "lshr", "ashr"]);
            // The greatest power of two that is not above the width.
            let mask = (1u32 << width.ilog2()) - 1;
            writeln!(text, "  %n{label} = and i{width} {b}, {mask}\n  {name} = {operation} i{width} {a}, %n{label}")
        }
        5 => {
            let operation = source.one_of(&["udiv", "urem", "sdiv", "srem"]);
            // A positive odd number.
            let _ = writeln!(text, "  %m{label} = lshr i{width} {b}, 1\n  %n{label} = or i{width} %m{label}, 1");
            if width == 2 {
                // The one bit of an `i1` is its sign.
                let _ = writeln!(text, "  {name} = udiv i{width} {a}, %n{label}");
                return;
            }
            writeln!(text, "  {name} = {operation} i{width} {a}, %n{label}")
        }
        6 | 7 => {
            let predicate = source.one_of(&["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]);
            writeln!(
                text,
                "  %n{label} = icmp {predicate} i{width} {a}, {b}\n  {name} = select i1 %n{label}, i{width} {b}, i{width} {a}"
            )
        }
        _ => {
            let intrinsic = source.one_of(&["smin", "umax", "sadd.sat", "usub.sat", "fshl", "fshr"]);
            if intrinsic.starts_with("fsh") {
                writeln!(
                    text,
                    "  {name} = call i{width} @llvm.{intrinsic}.i{width}(i{width} {a}, i{width} {b}, i{width} {a})"
                )
            } else {
                writeln!(text, "  {name} = call i{width} @llvm.{intrinsic}.i{width}(i{width} {a}, i{width} {b})")
            }
        }
    };
}

/// Declarations of the functions that the bodies call.
pub(crate) fn declarations() -> String {
    let declare = |width: &u32| {
        let ty = format!("i{width}");
        let two = ["smin", "umax", "sadd.sat", "usub.sat"]
            .map(|name| format!("declare {ty} @llvm.{name}.{ty}({ty}, {ty})\n"));
        let three = ["fshl", "fshr"].map(|name| format!("declare {ty} @llvm.{name}.{ty}({ty}, {ty}, {ty})\n"));
        two.concat() + &three.concat()
    };
    WIDTHS.iter().map(declare).collect()
}
