//! Makes reciprocal square roots of rows from the CPU's estimate.
//!
//! In: divisions of 1 by a square root of `float` that may use a reciprocal (`arcp`). Out: for rows
//! on a CPU with AVX-512 the estimate of 14 bits and one Newton step, whose error is below 2 units
//! in the last place; all others divide and have no such flag. *Invariant:* quick code and
//! optimised code have the same roots, because both are made after this. Zeros, infinities and NaN
//! give what the division gives. Operations that may also be reassociated are left to LLVM.

use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
    passes::template::link_text,
};
use sinter_llvm::{
    ir::{Opcode, Value},
    types::TypeView,
};
use std::{collections::BTreeSet, fmt::Write};

/// Lanes of the widest register.
const WIDEST: u32 = 16;

/// Bits of `1.0f`.
const ONE: u64 = 0x3f80_0000;

/// `{n}` lanes in a register of `{w}` bits, with a mask of `{m}` bits. The product of root and
/// estimate is NaN for zeros and infinities, whose estimates are exact: 1 in its place, by an
/// instruction for the minimum, makes them one and a half times as large.
const STEP: &str = "
  %e = call <{n} x float> @llvm.x86.avx512.rsqrt14.ps.{w}(<{n} x float> %x, <{n} x float> poison, i{m} -1)
  %s = fmul <{n} x float> %x, %e
  %i = fneg <{n} x float> %s
  %d = call <{n} x float> @llvm.fma.v{n}f32(<{n} x float> %i, <{n} x float> %e, <{n} x float> splat (float 1.0))
  %o = fcmp olt <{n} x float> %d, splat (float 1.0)
  %c = select <{n} x i1> %o, <{n} x float> %d, <{n} x float> splat (float 1.0)
  %h = fmul <{n} x float> %e, splat (float 0.5)
  %r = call <{n} x float> @llvm.fma.v{n}f32(<{n} x float> %h, <{n} x float> %c, <{n} x float> %e)
  ret <{n} x float> %r
}
declare <{n} x float> @llvm.x86.avx512.rsqrt14.ps.{w}(<{n} x float>, <{n} x float>, i{m})
declare <{n} x float> @llvm.fma.v{n}f32(<{n} x float>, <{n} x float>, <{n} x float>)
";

pub(super) fn estimate(cx: &Context<'_, '_>, m: &DeviceModule<'_, Checked>) -> Outcome<()> {
    let instructions = m.defined().into_iter().flat_map(Value::instructions);
    let (rows, others): (Vec<_>, Vec<_>) =
        instructions.filter_map(reciprocal_root).partition(|root| has_estimate(cx, root.lanes));
    others.iter().for_each(|root| root.division.forbid_reciprocal());
    if rows.is_empty() {
        return Ok(());
    }
    for Root { division, lanes, .. } in &rows {
        if m.module.function(&symbol(*lanes)).is_none() {
            m.module.declare(&symbol(*lanes), division.ty(), &[division.ty()]);
        }
    }
    let text = definitions(rows.iter().map(|root| root.lanes));
    link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
    for Root { division, radicand, lanes } in rows {
        let function = m.module.function(&symbol(lanes));
        let function = function.ok_or_else(|| Failure::internal("the reciprocal root was not linked"))?;
        division.replace_uses(division.insert_before(|insert| insert.call(function, &[radicand])));
        division.erase();
    }
    Ok(())
}

/// A division of 1 by a square root.
struct Root<'s> {
    division: Value<'s>,
    radicand: Value<'s>,
    lanes: u32,
}

fn reciprocal_root(division: Value<'_>) -> Option<Root<'_>> {
    let flags = division.fast_math_flags();
    if division.opcode() != Opcode::LLVMFDiv || !flags.reciprocal || flags.reassociate {
        return None;
    }
    let (scalar, lanes) = match division.ty().view() {
        TypeView::Vector(element, lanes) => (element, lanes),
        _ => (division.ty(), 1),
    };
    let [dividend, divisor] = [0, 1].map(|index| division.operands()[index]);
    let one = scalar.constant(ONE).filter(|_| matches!(scalar.view(), TypeView::Float(32)))?;
    let is_one = dividend == if lanes == 1 { one } else { Value::vector_of(&vec![one; lanes as usize]) };
    let is_root = divisor.callee().is_some_and(|callee| callee.name().starts_with("llvm.sqrt."));
    (is_one && is_root).then(|| Root { division, radicand: divisor.arguments()[0], lanes })
}

fn has_estimate(cx: &Context<'_, '_>, lanes: u32) -> bool {
    let has = |feature| cx.machine.has_feature(feature);
    lanes >= 4 && lanes.is_power_of_two() && has("avx512f") && (lanes >= WIDEST || has("avx512vl"))
}

fn symbol(lanes: u32) -> String {
    format!("sinter.reciprocal_root.{lanes}")
}

/// The functions for these numbers of lanes; wide ones are made of their halves.
fn definitions(lanes: impl Iterator<Item = u32>) -> String {
    let mut needed: BTreeSet<u32> = lanes.collect();
    while let Some(lanes) = needed.iter().copied().find(|lanes| *lanes > WIDEST && !needed.contains(&(lanes / 2))) {
        needed.insert(lanes / 2);
    }
    needed.into_iter().fold(String::new(), |text, lanes| text + &definition(lanes))
}

fn definition(lanes: u32) -> String {
    let head = format!("define <{lanes} x float> @{}(<{lanes} x float> %x) alwaysinline nounwind {{", symbol(lanes));
    let body = if lanes > WIDEST { halves(lanes) } else { STEP.to_owned() };
    let (bits, mask) = (lanes * 32, lanes.max(8));
    let parts = [("{n}", lanes), ("{w}", bits), ("{m}", mask)];
    parts.iter().fold(head + &body, |text, (name, part)| text.replace(name, &part.to_string()))
}

fn halves(lanes: u32) -> String {
    let (half, name) = (lanes / 2, symbol(lanes / 2));
    let list = |range: std::ops::Range<u32>| range.map(|lane| format!("i32 {lane}")).collect::<Vec<_>>().join(", ");
    let mut text = String::from("\n");
    for (part, range) in [0..half, half..lanes].into_iter().enumerate() {
        let list = list(range);
        let _ = writeln!(
            text,
            "  %x{part} = shufflevector <{lanes} x float> %x, <{lanes} x float> poison, <{half} x i32> <{list}>\n  \
             %r{part} = call <{half} x float> @{name}(<{half} x float> %x{part})"
        );
    }
    let list = list(0..lanes);
    let _ = writeln!(
        text,
        "  %r = shufflevector <{half} x float> %r0, <{half} x float> %r1, <{lanes} x i32> <{list}>\n  \
         ret <{lanes} x float> %r\n}}"
    );
    text
}
