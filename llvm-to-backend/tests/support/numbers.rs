//! Values that exercise rounding, and the results of conversions to short formats, found by search.

/// A 16-bit floating-point format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Short {
    pub(crate) name: &'static str,
    /// Bits of the fraction, and the exponent of the least significant one in the smallest number.
    fraction: u32,
    least: i32,
}

pub(crate) const HALF: Short = Short { name: "half", fraction: 10, least: -24 };
pub(crate) const BFLOAT: Short = Short { name: "bfloat", fraction: 7, least: -133 };

impl Short {
    /// The bits of infinity.
    pub(crate) fn infinity(self) -> u16 {
        0x7fff >> self.fraction << self.fraction
    }

    /// The value of a bit pattern other than NaN, exact in `double`. Infinity is the next power of
    /// two.
    pub(crate) fn value(self, bits: u16) -> f64 {
        let (size, exponent) = (bits & 0x7fff, i32::from((bits & 0x7fff) >> self.fraction));
        let fraction = f64::from(size & ((1 << self.fraction) - 1));
        let implicit = if exponent > 0 { f64::from(1 << self.fraction) } else { 0.0 };
        let value = (fraction + implicit) * 2f64.powi(self.least + (exponent - 1).max(0));
        if bits & 0x8000 == 0 { value } else { -value }
    }

    /// The value of a bit pattern, infinities and NaN included.
    pub(crate) fn number(self, bits: u16) -> f64 {
        let infinity = self.infinity();
        match bits & 0x7fff {
            size if size < infinity => self.value(bits),
            size if size > infinity => f64::NAN,
            _ if bits & 0x8000 == 0 => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        }
    }

    /// The nearest number, ties to even; `None` for NaN. `order` compares a value of the format
    /// with the number to be rounded.
    fn nearest(self, negative: bool, order: impl Fn(f64) -> std::cmp::Ordering) -> u16 {
        use std::cmp::Ordering::{Greater, Less};
        let (mut low, mut high) = (0u16, self.infinity());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if order(self.value(middle)) == Greater { high = middle } else { low = middle }
        }
        let halfway = f64::midpoint(self.value(low), self.value(high));
        let up = match order(halfway) {
            Less => true,
            Greater => false,
            _ => low % 2 == 1,
        };
        (if up { high } else { low }) | if negative { 0x8000 } else { 0 }
    }

    pub(crate) fn of_double(self, value: f64) -> Option<u16> {
        let size = value.abs();
        (!value.is_nan())
            .then(|| self.nearest(value.is_sign_negative(), |known| known.partial_cmp(&size).expect("numbers")))
    }

    pub(crate) fn of_integer(self, negative: bool, size: u128) -> u16 {
        // Values of the formats and midpoints between two of them are 128-bit integers, or less
        // than 2^20 and exact.
        let order = |known: f64| match known < 1e15 {
            true if size >= 1 << 52 => std::cmp::Ordering::Less,
            true => known.partial_cmp(&(size as f64)).expect("numbers"),
            false if known >= 2f64.powi(128) => std::cmp::Ordering::Greater,
            false => (known as u128).cmp(&size),
        };
        self.nearest(negative, order)
    }
}

/// Reproducible pseudorandom numbers (Vigna, "splitmix64").
pub(crate) fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Integers of all lengths: neighbours of powers of two, runs of ones, random bits. Their number is
/// a multiple of 8.
pub(crate) fn wide_integers() -> Vec<u128> {
    let mut next = random(1);
    let mut all = vec![0, 1, 2, 3, u128::MAX, u128::MAX - 1, 1 << 127, (1 << 127) - 1];
    for bit in 0..128 {
        let power = 1u128 << bit;
        let noise = (u128::from(next()) << 64 | u128::from(next())) >> (127 - bit);
        all.extend([power, power.wrapping_add(1), power.wrapping_sub(1), power.wrapping_neg(), noise, noise & 0xffff]);
        // Midpoints between two numbers with 8, 11, 24 and 53 bits, and their neighbours.
        for kept in [8, 11, 24, 53] {
            let tie =
                if bit >= kept { power | power >> kept | u128::from(next() & 1) << (bit - kept + 1) } else { noise };
            all.extend([tie, tie.wrapping_add(1), tie.wrapping_sub(1), tie.wrapping_neg()]);
        }
        all.extend([noise.wrapping_neg(), noise | power]);
    }
    all.truncate(all.len() / 8 * 8);
    all
}

/// Numbers of all magnitudes: around those of short formats and their midpoints, and random bits.
/// Their number is a multiple of 8.
pub(crate) fn doubles() -> Vec<f64> {
    let mut next = random(2);
    let mut all = vec![0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE];
    all.extend([5e-324, -5e-324, 65504.0, 65519.999, 65520.0, -65520.0, f64::from(f32::MAX), 3.4e38]);
    for format in [HALF, BFLOAT] {
        for _ in 0..2000 {
            let bits = (next() as u16 & 0x7fff) % format.infinity();
            let middle = f64::midpoint(format.value(bits), format.value(bits + 1));
            let sign = if next() & 1 == 0 { 1.0 } else { -1.0 };
            all.extend([middle, middle.next_up(), middle.next_down(), format.value(bits)].map(|value| value * sign));
            // Values that `float` rounds to the midpoint.
            all.extend([middle * (1.0 + 2f64.powi(-40)), middle * (1.0 - 2f64.powi(-40))].map(|value| value * sign));
        }
    }
    all.extend((0..4000).map(|_| f64::from_bits(next())));
    all.extend((0..4000).map(|_| f64::from_bits(next() & 0x807f_ffff_ffff_ffff | (next() % 260 + 890) << 52)));
    all.truncate(all.len() / 8 * 8);
    all
}
