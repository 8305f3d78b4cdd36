//! Operations that code generators lower to runtime library calls: their results on CPUs with and
//! without matching instructions, for scalars and vectors, with and without the optimiser.
//!
//! Results are compared with those of rustc, which has 128-bit integers, and with a search for the
//! nearest number.

#[path = "support/numbers.rs"]
mod numbers;
mod support;

use numbers::{BFLOAT, HALF, Short, doubles, random, wide_integers};
use sinter_core::{HostTarget, KernelConfig, Observer, OptLevel, Target, TranslateRequest, Translator};
use sinter_translate::{LinkedTranslator, native_target};
use std::fmt::Debug;
use support::{address, request, run};

/// Elements per iteration of a kernel, and its optimisation level.
const SHAPES: [(usize, OptLevel); 4] = [(1, OptLevel::O0), (1, OptLevel::O3), (4, OptLevel::O3), (8, OptLevel::O0)];

/// An operation from elements of one type, and perhaps a second, to elements of another.
struct Operation {
    /// Computes `%r` from `%a` and `%b`. `[ty]` is a scalar or a vector, `[vN.ty]` its name in
    /// intrinsics.
    body: String,
    /// Types of the operands and of the result, and their types in memory.
    from: [&'static str; 2],
    to: &'static str,
    /// The maximum vector length of the operation.
    lanes: usize,
}

fn unary(from: &'static str, to: &'static str, body: impl Into<String>) -> Operation {
    Operation { body: body.into(), from: [from, from], to, lanes: usize::MAX }
}

/// The type of an element in memory.
fn stored(ty: &str) -> &str {
    match ty {
        "i65" | "i100" | "i127" => "i128",
        "i33" => "i64",
        "i1" => "i8",
        ty => ty,
    }
}

impl Operation {
    fn kernel(&self, lanes: usize) -> String {
        let shaped = |ty: &str| if lanes == 1 { ty.to_owned() } else { format!("<{lanes} x {ty}>") };
        let suffix = |ty: &str| if lanes == 1 { ty.to_owned() } else { format!("v{lanes}{ty}") };
        let mut body = String::new();
        let mut pieces = self.body.split('[');
        body += pieces.next().unwrap_or_default();
        for piece in pieces {
            let (word, rest) = piece.split_once(']').expect("a bracket");
            body += &word.strip_prefix("vN.").map_or_else(|| shaped(word), suffix);
            body += rest;
        }
        let load = |name: &str, ty: &str| match stored(ty) {
            same if same == ty => format!("  %{name} = load {}, ptr %p{name}, align 2\n", shaped(ty)),
            wide => format!(
                "  %{name}.m = load {}, ptr %p{name}, align 2\n  %{name} = trunc {} %{name}.m to {}\n",
                shaped(wide),
                shaped(wide),
                shaped(ty)
            ),
        };
        let store = match stored(self.to) {
            same if same == self.to => format!("  store {} %r, ptr %pr, align 1\n", shaped(same)),
            wide => format!(
                "  %r.m = sext {} %r to {}\n  store {} %r.m, ptr %pr, align 1\n",
                shaped(self.to),
                shaped(wide),
                shaped(wide)
            ),
        };
        format!(
            "define void @k(ptr %x, ptr %y, ptr %o, i64 %n) {{\nentry:\n  br label %loop\nloop:\n  \
             %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n  %pa = getelementptr {a}, ptr %x, i64 %i\n  \
             %pb = getelementptr {b}, ptr %y, i64 %i\n  %pr = getelementptr {r}, ptr %o, i64 %i\n{}{}{body}{store}  \
             %next = add i64 %i, {lanes}\n  %more = icmp ult i64 %next, %n\n  br i1 %more, label %loop, label %end\nend:\n  ret void\n}}\n",
            load("a", self.from[0]),
            load("b", self.from[1]),
            a = stored(self.from[0]),
            b = stored(self.from[1]),
            r = stored(self.to),
        )
    }

    /// Compares all results. `expected` is `None` if any result is correct.
    fn check<A, B, R: PartialEq + Debug + Default + Copy>(
        &self,
        (x, y): (&[A], &[B]),
        expected: impl Fn(&A, &B) -> Option<R>,
    ) where
        A: Debug,
        B: Debug,
    {
        for (name, target) in targets() {
            for (lanes, level) in SHAPES.into_iter().filter(|(lanes, _)| *lanes <= self.lanes) {
                let config = KernelConfig { opt_level: level, ..KernelConfig::generic("k") };
                let text = self.kernel(lanes);
                let request = TranslateRequest { target: Target::Host(target.clone()), config, ..request(&text, "k") };
                let results = vec![R::default(); x.len()];
                let count = (x.len() as u64).to_le_bytes();
                let code = LinkedTranslator.translate(&request, &Observer::default());
                let code = code.unwrap_or_else(|error| panic!("{}, {lanes}, {level:?}: {error}", self.body));
                run(&code, &[&address(x), &address(y), &address(&results), &count], [1; 3], [1; 3]);
                for ((x, y), result) in x.iter().zip(y).zip(&results) {
                    if let Some(expected) = expected(x, y) {
                        assert_eq!(*result, expected, "{} of {x:?} and {y:?} on {name}, {lanes}, {level:?}", self.body);
                    }
                }
            }
        }
    }
}

/// CPUs that this machine can run code for: without F16C, with it, and its own.
fn targets() -> Vec<(&'static str, HostTarget)> {
    let native = native_target();
    let older = |cpu: &str| HostTarget { cpu: cpu.to_owned(), features: String::new(), ..native.clone() };
    let mut all = vec![("x86-64", older("x86-64"))];
    if std::is_x86_feature_detected!("f16c") {
        all.push(("x86-64-v3", older("x86-64-v3")));
    }
    all.push(("this CPU", native));
    all
}

/// Truncates to an integer of this many bits.
fn cut(value: u128, bits: u32, signed: bool) -> i128 {
    let unused = 128 - bits;
    match signed {
        true => (value << unused).cast_signed() >> unused,
        false => (value << unused >> unused).cast_signed(),
    }
}

fn bits_of(ty: &str) -> u32 {
    ty[1..].parse().expect("a width")
}

#[test]
fn wide_integers_become_floating_point_numbers() {
    let values = wide_integers();
    for ty in ["i128", "i65"] {
        for (signed, word) in [(true, "sitofp"), (false, "uitofp")] {
            let number = |value: u128| cut(value, bits_of(ty), signed);
            let size = |value: u128| if signed { number(value).unsigned_abs() } else { number(value).cast_unsigned() };
            let sign = |value: u128| signed && number(value) < 0;
            let operation = |to: &'static str| unary(ty, to, format!("  %r = {word} [{ty}] %a to [{to}]\n"));
            let signed_double = |value: u128| if sign(value) { -(size(value) as f64) } else { size(value) as f64 };
            let signed_float = |value: u128| if sign(value) { -(size(value) as f32) } else { size(value) as f32 };
            operation("double").check((&values, &values), |x, _| Some(signed_double(*x).to_bits()));
            operation("float").check((&values, &values), |x, _| Some(signed_float(*x).to_bits()));
            operation("half").check((&values, &values), |x, _| Some(HALF.of_integer(sign(*x), size(*x))));
            operation("bfloat").check((&values, &values), |x, _| Some(BFLOAT.of_integer(sign(*x), size(*x))));
        }
    }
}

#[test]
fn short_integers_become_short_numbers_with_one_rounding() {
    let values: Vec<u64> = wide_integers().into_iter().map(|value| value as u64).collect();
    for ty in ["i64", "i33"] {
        for (signed, word) in [(true, "sitofp"), (false, "uitofp")] {
            let number = |value: u64| cut(value.into(), bits_of(ty), signed);
            let operation = |to: &'static str| unary(ty, to, format!("  %r = {word} [{ty}] %a to [{to}]\n"));
            let expected =
                |format: Short, value: u64| format.of_integer(number(value) < 0, number(value).unsigned_abs());
            operation("half").check((&values, &values), |x, _| Some(expected(HALF, *x)));
            operation("bfloat").check((&values, &values), |x, _| Some(expected(BFLOAT, *x)));
        }
    }
    let values: Vec<u32> = values.into_iter().map(|value| value as u32).collect();
    let operation = unary("i32", "bfloat", "  %r = sitofp [i32] %a to [bfloat]\n");
    let expected = |x: &u32| BFLOAT.of_integer(x.cast_signed() < 0, x.cast_signed().unsigned_abs().into());
    operation.check((&values, &values), |x, _| Some(expected(x)));
}

/// The integer that C++ converts to; `None` if the conversion is undefined.
fn truncated(value: f64, bits: u32, signed: bool) -> Option<i128> {
    let limit = 2f64.powi((if signed { bits - 1 } else { bits }).cast_signed());
    let whole = value.trunc();
    let fits = whole < limit && if signed { whole >= -limit } else { whole >= 0.0 };
    let wide = || if whole < 0.0 { whole as i128 } else { (whole as u128).cast_signed() };
    fits.then(|| cut(wide().cast_unsigned(), bits, true))
}

fn saturated(value: f64, bits: u32, signed: bool) -> i128 {
    let (least, most) = match signed {
        true => (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits)),
        false => (0, cut(u128::MAX, bits, true)),
    };
    match truncated(value, bits, signed) {
        Some(value) => value,
        None if value.is_nan() => 0,
        None if value < 0.0 => least,
        None => most,
    }
}

#[test]
fn floating_point_numbers_become_wide_integers() {
    let mut next = random(3);
    let mut values = doubles();
    values.extend((0..2000).map(|_| f64::from_bits(next() & 0x800f_ffff_ffff_ffff | (next() % 140 + 1015) << 52)));
    for ty in ["i128", "i100"] {
        for (signed, word) in [(true, "fptosi"), (false, "fptoui")] {
            let bits = bits_of(ty);
            let operation = |from: &'static str| unary(from, ty, format!("  %r = {word} [{from}] %a to [{ty}]\n"));
            let saturating = |from: &'static str, suffix: &str| {
                let body = format!("  %r = call [{ty}] @llvm.{word}.sat.[vN.{ty}].[vN.{suffix}]([{from}] %a)\n");
                unary(from, ty, body)
            };
            operation("double").check((&values, &values), |x, _| truncated(*x, bits, signed));
            saturating("double", "f64").check((&values, &values), |x, _| Some(saturated(*x, bits, signed)));
            let floats: Vec<f32> = values.iter().map(|value| *value as f32).collect();
            operation("float").check((&floats, &floats), |x, _| truncated((*x).into(), bits, signed));
            saturating("float", "f32").check((&floats, &floats), |x, _| Some(saturated((*x).into(), bits, signed)));
            let all: Vec<u16> = (0..=u16::MAX).step_by(7).take(9360).collect();
            for (format, suffix) in [(HALF, "f16"), (BFLOAT, "bf16")] {
                operation(format.name).check((&all, &all), |x, _| truncated(format.number(*x), bits, signed));
                let expected = |x: &u16| saturated(format.number(*x), bits, signed);
                saturating(format.name, suffix).check((&all, &all), |x, _| Some(expected(x)));
            }
        }
    }
}

#[test]
fn wide_integers_are_divided() {
    let values = wide_integers();
    let mut next = random(4);
    let mut x: Vec<u128> = values.iter().chain(&values).chain(&values).copied().collect();
    let y = |_: &u128| values[next() as usize % values.len()].max(1) >> (next() % 128);
    let mut y: Vec<u128> = x.iter().map(y).map(|divisor| divisor.max(1)).collect();
    // Multiples and their neighbours, where an estimate is off by one.
    for index in 0..2000 {
        let (a, b) = (x[index], y[index + 1].max(1));
        let product = (a >> (b.ilog2() + 1)).wrapping_mul(b);
        x.extend([product, product.wrapping_sub(1), product.wrapping_add(1), product.wrapping_add(b - 1)]);
        y.extend([b; 4]);
    }
    for ty in ["i128", "i65"] {
        let bits = bits_of(ty);
        for (signed, remainder, word) in
            [(false, false, "udiv"), (false, true, "urem"), (true, false, "sdiv"), (true, true, "srem")]
        {
            let operation =
                Operation { body: format!("  %r = {word} [{ty}] %a, %s\n"), ..unary(ty, ty, String::new()) };
            // A divisor that is zero after truncation is replaced by one; in the kernel, so that
            // the optimiser sees it.
            let nonzero = format!(
                "  %z = icmp eq [{ty}] %b, zeroinitializer\n  %zx = zext [i1] %z to [{ty}]\n  %s = or [{ty}] %b, %zx\n"
            );
            let operation = Operation { body: nonzero + &operation.body, ..operation };
            let expected = |x: &u128, y: &u128| {
                let divisor = if cut(*y, bits, false) == 0 { *y | 1 } else { *y };
                let (x, y) = (cut(*x, bits, signed), cut(divisor, bits, signed));
                let result = match (signed, remainder) {
                    (true, false) => x.checked_div(y)?,
                    (true, true) => x.checked_rem(y)?,
                    (false, false) => (x.cast_unsigned() / y.cast_unsigned()).cast_signed(),
                    (false, true) => (x.cast_unsigned() % y.cast_unsigned()).cast_signed(),
                };
                let overflows = signed && x == i128::MIN >> (128 - bits) && y == -1;
                (!overflows).then(|| cut(result.cast_unsigned(), bits, true))
            };
            operation.check((&x, &y), expected);
        }
    }
}

#[test]
fn overflow_of_wide_products_is_seen() {
    let values = wide_integers();
    let others: Vec<u128> = values.iter().rev().copied().collect();
    for (signed, word) in [(true, "smul"), (false, "umul")] {
        let body = format!(
            "  %p = call {{ [i128], [i1] }} @llvm.{word}.with.overflow.[vN.i128]([i128] %a, [i128] %b)\n  \
             %r = extractvalue {{ [i128], [i1] }} %p, 1\n"
        );
        let operation = unary("i128", "i1", body);
        let expected = |x: &u128, y: &u128| match signed {
            true => x.cast_signed().checked_mul(y.cast_signed()).is_none(),
            false => x.checked_mul(*y).is_none(),
        };
        operation.check((&values, &others), |x, y| Some(-i8::from(expected(x, y))));
    }
}

#[test]
fn doubles_become_short_numbers_with_one_rounding() {
    let values = doubles();
    for format in [HALF, BFLOAT] {
        let body = format!("  %r = fptrunc [double] %a to [{}]\n", format.name);
        unary("double", format.name, body).check((&values, &values), |x, _| format.of_double(*x));
        let floats: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        let body = format!("  %r = fptrunc [float] %a to [{}]\n", format.name);
        unary("float", format.name, body).check((&floats, &floats), |x, _| format.of_double((*x).into()));
    }
    let body = "  %r = call [i16] @llvm.convert.to.fp16.[vN.f64]([double] %a)\n";
    let operation = Operation { lanes: 1, ..unary("double", "i16", body) };
    operation.check((&values, &values), |x, _| HALF.of_double(*x));
}

/// The nearest integer with at most 64 significant bits, ties to even.
fn of_64_bits(size: u128) -> u128 {
    let unused = (u128::BITS - size.leading_zeros()).saturating_sub(64);
    let (kept, rest) = (size >> unused, size & ((1 << unused) - 1));
    let half = (1u128 << unused) / 2;
    let up = unused > 0 && (rest > half || (rest == half && kept & 1 == 1));
    (kept + u128::from(up)).checked_shl(unused).unwrap_or(0)
}

#[test]
fn the_format_of_x87_is_converted() {
    let doubles = doubles();
    for format in [HALF, BFLOAT] {
        let body =
            format!("  %l = fpext [double] %a to [x86_fp80]\n  %r = fptrunc [x86_fp80] %l to [{}]\n", format.name);
        unary("double", format.name, body).check((&doubles, &doubles), |x, _| format.of_double(*x));
        let body =
            format!("  %l = fpext [{}] %a to [x86_fp80]\n  %r = fptrunc [x86_fp80] %l to [double]\n", format.name);
        let all: Vec<u16> = (0..format.infinity() / 8 * 8).collect();
        unary(format.name, "double", body).check((&all, &all), |x, _| Some(format.number(*x).to_bits()));
    }
    // Round trip. A value that rounds out of range cannot be converted back.
    let values: Vec<u128> = wide_integers().into_iter().filter(|value| value.leading_ones() < 60).collect();
    let values = &values[..values.len() / 8 * 8];
    let body = "  %l = uitofp [i128] %a to [x86_fp80]\n  %r = fptoui [x86_fp80] %l to [i128]\n";
    unary("i128", "i128", body).check((values, values), |x, _| Some(of_64_bits(*x)));
    let body = "  %l = sitofp [i128] %a to [x86_fp80]\n  %r = fptosi [x86_fp80] %l to [i128]\n";
    let signed = |value: u128| {
        let size = of_64_bits(value.cast_signed().unsigned_abs());
        if value >> 127 == 0 { size } else { size.wrapping_neg() }
    };
    unary("i128", "i128", body).check((values, values), |x, _| Some(signed(*x)).filter(|_| *x != 1 << 127));
}

#[test]
fn what_is_no_number_stays_none() {
    let (all, is_nan) = ([f64::NAN; 8], |bits: u16, format: Short| bits & 0x7fff > format.infinity());
    for format in [HALF, BFLOAT] {
        let body = format!(
            "  %s = fptrunc [double] %a to [{0}]\n  %u = fcmp uno [{0}] %s, %s\n  %r = zext [i1] %u to [i8]\n",
            format.name
        );
        unary("double", "i8", body).check((&all, &all), |_, _| Some(1u8));
        assert!(is_nan(format.infinity() + 1, format));
    }
}

#[test]
fn short_numbers_become_longer_ones() {
    let all: Vec<u16> = (0..=u16::MAX).collect();
    for format in [HALF, BFLOAT] {
        let body = |to: &str| format!("  %r = fpext [{}] %a to [{to}]\n", format.name);
        let number = |x: &u16| Some(format.number(*x)).filter(|value| !value.is_nan());
        unary(format.name, "double", body("double")).check((&all, &all), |x, _| number(x).map(f64::to_bits));
        unary(format.name, "float", body("float")).check((&all, &all), |x, _| number(x).map(|x| (x as f32).to_bits()));
    }
}

#[test]
fn short_numbers_are_computed_with() {
    let mut next = random(5);
    let x: Vec<u16> = (0..8192).map(|_| next() as u16).collect();
    let y: Vec<u16> = (0..8192).map(|_| next() as u16).collect();
    for format in [HALF, BFLOAT] {
        let number = |bits: &u16| format.number(*bits) as f32;
        let rounded = |value: f32| format.of_double(value.into());
        // A NaN may become another NaN.
        let number_of = |bits: &u16| (!number(bits).is_nan()).then_some(*bits);
        type Function = fn(f32, f32) -> f32;
        let binary: [(&str, Function); 5] = [
            ("fadd", |x, y| x + y),
            ("fsub", |x, y| x - y),
            ("fmul", |x, y| x * y),
            ("fdiv", |x, y| x / y),
            ("frem", |x, y| x % y),
        ];
        for (word, function) in binary {
            let body = format!("  %r = {word} [{}] %a, %b\n", format.name);
            unary(format.name, format.name, body).check((&x, &y), |x, y| rounded(function(number(x), number(y))));
        }
        let suffix = if format == HALF { "f16" } else { "bf16" };
        let unaries: [(&str, Function); 7] = [
            ("sqrt", |x, _| x.sqrt()),
            ("floor", |x, _| x.floor()),
            ("ceil", |x, _| x.ceil()),
            ("trunc", |x, _| x.trunc()),
            ("rint", |x, _| x.round_ties_even()),
            ("round", |x, _| x.round()),
            ("fabs", |x, _| x.abs()),
        ];
        for (word, function) in unaries {
            let body = format!("  %r = call [{0}] @llvm.{word}.[vN.{suffix}]([{0}] %a)\n", format.name);
            unary(format.name, format.name, body).check((&x, &y), |x, _| rounded(function(number(x), 0.0)));
        }
        let body = format!("  %r = fneg [{}] %a\n", format.name);
        unary(format.name, format.name, body).check((&x, &y), |x, _| number_of(x).map(|x| x ^ 0x8000));
        let body = format!("  %r = call [{0}] @llvm.copysign.[vN.{suffix}]([{0}] %a, [{0}] %b)\n", format.name);
        unary(format.name, format.name, body).check((&x, &y), |x, y| number_of(x).map(|x| x & 0x7fff | y & 0x8000));
        let body = format!("  %c = fcmp olt [{0}] %a, %b\n  %r = zext [i1] %c to [i8]\n", format.name);
        unary(format.name, "i8", body).check((&x, &y), |x, y| Some(u8::from(number(x) < number(y))));
        let body = format!("  %r = fptosi [{}] %a to [i64]\n", format.name);
        let whole = |x: f32| (x.abs() < 2f32.powi(62)).then_some(x as i64);
        unary(format.name, "i64", body).check((&x, &y), |x, _| whole(number(x)));
    }
}

/// So many remainders that they call one function, before the vectoriser; the quotient gets its own
/// behind it, which was given the same name.
#[test]
fn a_quotient_beside_many_remainders() {
    const REMAINDERS: u32 = 30;
    let mut body = "  %d = or i128 %b, 1\n  %m0 = add i128 %a, 0\n".to_owned();
    for k in 0..REMAINDERS {
        body += &format!("  %x{k} = xor i128 %m{k}, %a\n  %m{} = urem i128 %x{k}, %d\n", k + 1);
    }
    body += &format!("  %q = udiv i128 %a, %d\n  %r = xor i128 %q, %m{REMAINDERS}\n");
    let numbers = wide_integers();
    let x: Vec<u128> = numbers.iter().rev().step_by(13).take(64).copied().collect();
    let y: Vec<u128> = numbers.iter().step_by(7).take(64).copied().collect();
    let expected = |x: &u128, y: &u128| {
        let divisor = y | 1;
        (0..REMAINDERS).fold(*x, |rest, _| (rest ^ x) % divisor) ^ (x / divisor)
    };
    Operation { body, from: ["i128", "i128"], to: "i128", lanes: 1 }.check((&x, &y), |x, y| Some(expected(x, y)));
}

/// Repeated multiplication in the order of compiler-rt's `__powidf2`.
fn power(x: f64, exponent: i64) -> f64 {
    let (mut power, mut product, mut left) = (x, 1.0, exponent.unsigned_abs());
    loop {
        if left & 1 == 1 {
            product *= power;
        }
        left >>= 1;
        if left == 0 {
            return if exponent < 0 { 1.0 / product } else { product };
        }
        power *= power;
    }
}

#[test]
fn numbers_are_raised_to_whole_powers() {
    let mut next = random(6);
    let x: Vec<f64> = (0..512).map(|_| (next() >> 11) as f64 / 2f64.powi(52) - 1.0).collect();
    let y: Vec<i64> =
        (0..512u64).map(|index| ((next() % 200).cast_signed() - 100) * i64::from(index % 5 != 0)).collect();
    let scalars = |body| Operation { body, from: ["double", "i64"], to: "double", lanes: 1 };
    for ty in ["i64", "i32", "i16", "i8", "i128"] {
        // Vectors share one exponent, so the kernel uses one element.
        let cast = match ty {
            "i64" => "  %e = add i64 %b, 0\n".to_owned(),
            "i128" => "  %e = sext i64 %b to i128\n".to_owned(),
            _ => format!("  %e = trunc i64 %b to {ty}\n"),
        };
        let body = format!("{cast}  %r = call double @llvm.powi.f64.{ty}(double %a, {ty} %e)\n");
        scalars(body).check((&x, &y), |x, y| Some(power(*x, *y).to_bits()));
        let body = format!(
            "{cast}  %s = fptrunc double %a to half\n  %p = call half @llvm.powi.f16.{ty}(half %s, {ty} %e)\n  %r = fpext half %p to double\n"
        );
        let short = |x: f64| HALF.number(HALF.of_double(x).expect("a number")) as f32;
        let expected =
            |x: f64, y: i64| HALF.number(HALF.of_double(f64::from(power_of_float(short(x), y))).expect("a number"));
        scalars(body).check((&x, &y), |x, y| Some(expected(*x, *y).to_bits()));
    }
    for exponent in [-7, -1, 0, 1, 2, 3, 10, 63, i64::from(i32::MIN)] {
        let body = format!("  %r = call [double] @llvm.powi.[vN.f64].i32([double] %a, i32 {exponent})\n");
        unary("double", "double", body).check((&x, &x), |x, _| Some(power(*x, exponent).to_bits()));
    }
}

fn power_of_float(x: f32, exponent: i64) -> f32 {
    let (mut power, mut product, mut left) = (x, 1.0, exponent.unsigned_abs());
    loop {
        if left & 1 == 1 {
            product *= power;
        }
        left >>= 1;
        if left == 0 {
            return if exponent < 0 { 1.0 / product } else { product };
        }
        power *= power;
    }
}
