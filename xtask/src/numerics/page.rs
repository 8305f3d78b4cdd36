//! Writes docs/numerics.md.
//!
//! In: the results of each target. Out: the page, with a table for each type. *Invariant:* a target
//! without results has a column that says so.

use super::results::{Results, Row};
use std::fmt::Write;

/// A target: the name of its file of results, the head of its column, and how it is measured.
pub(super) struct Target {
    pub(super) file: &'static str,
    pub(super) head: &'static str,
    pub(super) what: &'static str,
}

pub(super) const TARGETS: [Target; 7] = [
    Target { file: "host", head: "host", what: "the host CPU, one work-item at a time (`SINTER_ROWS=off`)" },
    Target { file: "host-rows", head: "host, rows", what: "the host CPU, 16 work-items at a time (`SINTER_ROWS=16`)" },
    Target { file: "host-code", head: "host code", what: "functions outside of kernels, on the host CPU" },
    Target { file: "opencl", head: "SPIR-V", what: "Intel's OpenCL for CPUs, which vectorises" },
    Target { file: "ptx-libdevice", head: "PTX, libdevice", what: "an NVIDIA GPU with NVIDIA's libdevice" },
    Target { file: "ptx", head: "PTX", what: "an NVIDIA GPU without libdevice (`SINTER_LIBDEVICE=none`)" },
    Target { file: "vulkan", head: "Vulkan", what: "shaders for Vulkan" },
];

/// A type and the heading of its table.
const TYPES: [(&str, &str); 4] = [("f32", "float"), ("f64", "double"), ("half", "half"), ("bfloat16", "bfloat16")];

const HEAD: &str = "# How accurate are functions?

The largest error found of each function, in units in the last place (ulp) of the exact result, and
the arguments that gave it. `bound` is the limit of SYCL 2020, which is that of OpenCL 3.0's full
profile (section 7.4), or a stricter one of ours: 0 is correctly rounded, shown as an error of at
most 0.5. A function without a bound is implementation-defined. The table of
[builtins.md](builtins.md) has the same bounds.

The page is written by `cargo xtask numerics`, which measures the host and, if it was fetched,
OpenCL for CPUs; `./numerics.sh` in the archive of `cargo xtask gpu-test` measures a GPU, and
`./numerics.sh vulkan` a device of Vulkan. Both write a line for each function and type to
`tests/numerics/results`, and the page is made of those files.

    cargo xtask numerics                          # 2^24 arguments of f32
    cargo xtask numerics --count 26               # a full run, about 20 minutes on two cores
    cargo xtask numerics --count 32 --seconds 60  # all of f32, or as many as a minute allows
    cargo xtask numerics --only sin,cos --types f32 --targets host
    cargo xtask numerics --page                   # only the page, from the files

Functions of one f32 number get bit patterns spread evenly over all 2^32, up to all of them; those
of f64, and of several numbers, get patterns, numbers of the interval that matters, numbers near 1
with large exponents, and all combinations of 48 special numbers (zeros, the smallest and largest
numbers, infinities, NaN, powers of 2). half and bfloat16 are tried completely for one number.

References are glibc's functions in a wider type: double for f32 and narrower, long double for f64.
The largest error is computed again with 128-bit numbers. Exact functions are compared with the C
library's of the same type. Zeros must have the right sign, except those of `fmax`, `fmin`, `maxmag`
and `minmag`. Subnormal results must not become 0, except in `native` and `half_precision` (shown as
*flushes*), unless the device does not have such numbers. There a result may also be that of zeros
in place of subnormal arguments.

Special arguments are also a test: `tests/programs/numerics/special_values.hpp` has the results that
Annex F of C and section 7.5.1 of OpenCL 3.0 give, for float, double and half; beside it are tests
of integer functions (all of 8 bits), of geometric functions and of fused multiplications.
";

/// The page of all targets' results.
pub(super) fn page(results: &[Option<Results>]) -> String {
    let mut text = HEAD.to_owned() + &summary(results);
    for (ty, name) in TYPES {
        text += &table(ty, name, results);
    }
    text
}

/// Devices and samples of the targets.
fn summary(results: &[Option<Results>]) -> String {
    let mut text =
        "\n## What was measured?\n\n| column | target | device | f32 of one number | results beyond the bound |\n\
                    |---|---|---|---|--:|\n"
            .to_owned();
    for (target, results) in TARGETS.iter().zip(results) {
        let Target { head, what, .. } = target;
        let rest = results.as_ref().map_or("not measured | | ".to_owned(), |results| {
            let beyond: u64 = results.rows.iter().map(|row| row.beyond).sum();
            format!("{} | {} | {beyond}", results.device.trim(), sample(results))
        });
        let _ = writeln!(text, "| {head} | {what} | {rest} |");
    }
    text
}

/// The smallest sample of a function of one f32 number, as a power of 2.
fn sample(results: &Results) -> String {
    let unary = results.rows.iter().filter(|row| row.ty == "f32" && !row.at[0].contains(','));
    match unary.map(|row| row.tried).min() {
        Some(tried) if tried >= 1 << 32 => "all".to_owned(),
        Some(tried) => format!("2^{}", tried.ilog2()),
        None => "none".to_owned(),
    }
}

fn table(ty: &str, name: &str, results: &[Option<Results>]) -> String {
    let columns: Vec<&[Row]> =
        results.iter().map(|results| results.as_ref().map_or(&[][..], |r| &r.rows[..])).collect();
    let heads: String = TARGETS.iter().map(|target| format!(" {} |", target.head)).collect();
    let mut text = format!("\n## {name}\n\n| function | bound |{heads}\n|---|--:|{}\n", "---|".repeat(TARGETS.len()));
    for row in rows(ty, &columns) {
        let cells: String = columns.iter().map(|column| format!(" {} |", cell(row, column))).collect();
        let space = if row.family == "sycl" || row.family == "arithmetic" {
            String::new()
        } else {
            format!("{}::", row.family)
        };
        let _ = writeln!(text, "| `{space}{}` | {} |{cells}", row.name, row.bound.replace('-', ""));
    }
    text
}

/// The functions of a type that any target has, by the order of the first that has them.
fn rows<'r>(ty: &str, columns: &[&'r [Row]]) -> Vec<&'r Row> {
    let mut rows: Vec<&Row> = Vec::new();
    for row in columns.iter().copied().flatten().filter(|row| row.ty == ty) {
        if !rows.iter().any(|known| known.is_of(row)) {
            rows.push(row);
        }
    }
    rows
}

/// The error of one function on one target, and where it is.
fn cell(of: &Row, column: &[Row]) -> String {
    let Some(row) = column.iter().find(|row| row.is_of(of)) else { return "-".to_owned() };
    let error: f64 = row.error.parse().unwrap_or(f64::INFINITY);
    let mark = if row.beyond > 0 { " **above**" } else { "" };
    let flushed = if row.flushed > 0 { ", flushes" } else { "" };
    match error {
        _ if error <= 0.5 => format!("0.5{flushed}"),
        _ if error < 1e6 => format!("{error:.2}{mark} at `{}`{flushed}", row.at[0]),
        _ => format!("{error:.1e}{mark} at `{}`{flushed}", row.at[0]),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
mod tests {
    use super::*;
    use crate::numerics::results::tests::TEXT;

    #[test]
    fn each_target_has_a_column() {
        let text = page(&[Results::parse(TEXT), None, None, None, None, None, None]);
        assert!(
            text.contains("| host | the host CPU, one work-item at a time (`SINTER_ROWS=off`) | A CPU | 2^6 | 3 |\n"),
            "{text}"
        );
        assert!(text.contains("| not measured | | "), "{text}");
        assert!(text.contains("| `sin` | 4 | 0.51 at `0x1p+0` | - | - | - | - | - | - |\n"), "{text}");
        assert!(
            text.contains("| `pow` | 16 | 17.00 **above** at `0x1p+0, 0x1p+1` | - | - | - | - | - | - |\n"),
            "{text}"
        );
    }
}
