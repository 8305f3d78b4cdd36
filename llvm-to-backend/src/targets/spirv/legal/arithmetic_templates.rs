//! Expands integer intrinsics to instructions.
//!
//! In: an intrinsic on scalars. Out: IR that computes `%r` from `%a`, `%b` and `%c`. *Invariant:*
//! the IR is valid for integers of every width, so that those of odd and large widths can be
//! legalised afterwards.

use super::{
    accepted::width,
    intrinsic_call::IntrinsicCall,
    shapes::{LIMB, computed},
};
use std::fmt::Write;

/// Intrinsics and their IR: `{t}` is the type of the first operand, `{n}` its width, `{m}` one
/// less, `{r}` the type of the result, `{w}` the accepted width that holds it, `{g}` the
/// difference, `{d}` twice the width.
const BODIES: [(&str, &str); 26] = [
    ("abs", "  %c = icmp slt {t} %a, 0\n  %m = sub {t} 0, %a\n  %r = select i1 %c, {t} %m, {t} %a"),
    ("smin", "  %c = icmp slt {t} %a, %b\n  %r = select i1 %c, {t} %a, {t} %b"),
    ("smax", "  %c = icmp sgt {t} %a, %b\n  %r = select i1 %c, {t} %a, {t} %b"),
    ("umin", "  %c = icmp ult {t} %a, %b\n  %r = select i1 %c, {t} %a, {t} %b"),
    ("umax", "  %c = icmp ugt {t} %a, %b\n  %r = select i1 %c, {t} %a, {t} %b"),
    (
        "scmp",
        "  %l = icmp slt {t} %a, %b\n  %g = icmp sgt {t} %a, %b\n  %x = select i1 %l, {r} -1, {r} 0\n  %r = select i1 %g, {r} 1, {r} %x",
    ),
    (
        "ucmp",
        "  %l = icmp ult {t} %a, %b\n  %g = icmp ugt {t} %a, %b\n  %x = select i1 %l, {r} -1, {r} 0\n  %r = select i1 %g, {r} 1, {r} %x",
    ),
    ("uadd.sat", "  %s = add {t} %a, %b\n  %c = icmp ult {t} %s, %a\n  %r = select i1 %c, {t} -1, {t} %s"),
    ("usub.sat", "  %s = sub {t} %a, %b\n  %c = icmp ult {t} %a, %b\n  %r = select i1 %c, {t} 0, {t} %s"),
    (
        "sadd.sat",
        "  %s = add {t} %a, %b\n  %x = xor {t} %s, %a\n  %y = xor {t} %s, %b\n  %z = and {t} %x, %y\n  %c = icmp slt {t} %z, 0\n  \
         %q = ashr {t} %a, {m}\n  %o = shl {t} 1, {m}\n  %h = xor {t} %o, -1\n  %l = xor {t} %q, %h\n  %r = select i1 %c, {t} %l, {t} %s",
    ),
    (
        "ssub.sat",
        "  %s = sub {t} %a, %b\n  %x = xor {t} %s, %a\n  %y = xor {t} %a, %b\n  %z = and {t} %x, %y\n  %c = icmp slt {t} %z, 0\n  \
         %q = ashr {t} %a, {m}\n  %o = shl {t} 1, {m}\n  %h = xor {t} %o, -1\n  %l = xor {t} %q, %h\n  %r = select i1 %c, {t} %l, {t} %s",
    ),
    (
        "ushl.sat",
        "  %s = shl {t} %a, %b\n  %k = lshr {t} %s, %b\n  %c = icmp ne {t} %k, %a\n  %r = select i1 %c, {t} -1, {t} %s",
    ),
    (
        "sshl.sat",
        "  %s = shl {t} %a, %b\n  %k = ashr {t} %s, %b\n  %c = icmp ne {t} %k, %a\n  %q = ashr {t} %a, {m}\n  %o = shl {t} 1, {m}\n  %h = xor {t} %o, -1\n  \
         %l = xor {t} %q, %h\n  %r = select i1 %c, {t} %l, {t} %s",
    ),
    (
        "fshl",
        "  %s = {modulo}\n  %h = shl {t} %a, %s\n  %u = lshr {t} %b, 1\n  %k = sub {t} {m}, %s\n  %l = lshr {t} %u, %k\n  \
         %r = or {t} %h, %l",
    ),
    (
        "fshr",
        "  %s = {modulo}\n  %l = lshr {t} %b, %s\n  %u = shl {t} %a, 1\n  %k = sub {t} {m}, %s\n  %h = shl {t} %u, %k\n  \
         %r = or {t} %h, %l",
    ),
    ("uadd.with.overflow", "  %s = add {t} %a, %b\n  %c = icmp ult {t} %s, %a"),
    ("usub.with.overflow", "  %s = sub {t} %a, %b\n  %c = icmp ult {t} %a, %b"),
    (
        "sadd.with.overflow",
        "  %s = add {t} %a, %b\n  %x = xor {t} %s, %a\n  %y = xor {t} %s, %b\n  %z = and {t} %x, %y\n  %c = icmp slt {t} %z, 0",
    ),
    (
        "ssub.with.overflow",
        "  %s = sub {t} %a, %b\n  %x = xor {t} %s, %a\n  %y = xor {t} %a, %b\n  %z = and {t} %x, %y\n  %c = icmp slt {t} %z, 0",
    ),
    (
        "umul.with.overflow",
        "  %x = zext {t} %a to {d}\n  %y = zext {t} %b to {d}\n  %p = mul {d} %x, %y\n  %s = trunc {d} %p to {t}\n  \
         %h = lshr {d} %p, {n}\n  %c = icmp ne {d} %h, 0",
    ),
    (
        "smul.with.overflow",
        "  %x = sext {t} %a to {d}\n  %y = sext {t} %b to {d}\n  %p = mul {d} %x, %y\n  %s = trunc {d} %p to {t}\n  \
         %h = sext {t} %s to {d}\n  %c = icmp ne {d} %h, %p",
    ),
    ("lrint", "  %w = call {t} @llvm.rint.{s}({t} %a)\n  %i = fptosi {t} %w to {r}\n  %r = freeze {r} %i"),
    ("llrint", "  %w = call {t} @llvm.rint.{s}({t} %a)\n  %i = fptosi {t} %w to {r}\n  %r = freeze {r} %i"),
    ("lround", "  %w = call {t} @llvm.round.{s}({t} %a)\n  %i = fptosi {t} %w to {r}\n  %r = freeze {r} %i"),
    ("llround", "  %w = call {t} @llvm.round.{s}({t} %a)\n  %i = fptosi {t} %w to {r}\n  %r = freeze {r} %i"),
    (
        "ptrmask",
        "  %i = ptrtoint {t} %a to {u}\n  %m = and {u} %i, %b\n  %d = sub {u} %m, %i\n  %r = getelementptr i8, {t} %a, {u} %d",
    ),
];

/// Steps of a bit reversal: the distance of the exchanged bits, and the mask of the lower ones.
const STEPS: [(u32, u64); 6] = [
    (1, 0x5555_5555_5555_5555),
    (2, 0x3333_3333_3333_3333),
    (4, 0x0f0f_0f0f_0f0f_0f0f),
    (8, 0x00ff_00ff_00ff_00ff),
    (16, 0x0000_ffff_0000_ffff),
    (32, 0x0000_0000_ffff_ffff),
];

pub(super) fn body(call: &IntrinsicCall<'_, '_>) -> Option<String> {
    let ty = call.ty(0);
    let bits = call.arguments.first().and_then(|value| width(value.ty())).unwrap_or(0);
    if let Some(body) = counted(call, bits).or_else(|| reversed(call, bits)) {
        return Some(filled(&body, call, &ty, bits));
    }
    if bits == 1 && (call.is("fshl") || call.is("fshr")) {
        // The distance is zero.
        let kept = if call.is("fshl") { "%a" } else { "%b" };
        return Some(format!("  %r = or i1 {kept}, {kept}"));
    }
    let (family, body) = BODIES.iter().find(|(family, _)| call.is(family))?;
    let mut body = (*body).to_owned();
    if family.ends_with("with.overflow") {
        body += "\n  %v = insertvalue {r} poison, {t} %s, 0\n  %r = insertvalue {r} %v, i1 %c, 1";
    }
    Some(filled(&body, call, &ty, bits))
}

fn filled(body: &str, call: &IntrinsicCall<'_, '_>, ty: &str, bits: u32) -> String {
    let (held, single) = (
        computed(bits),
        if ty == "double" {
            "f64"
        } else if ty == "half" {
            "f16"
        } else {
            "f32"
        },
    );
    let modulo = match bits.is_power_of_two() {
        true => format!("and {ty} %c, {}", bits - 1),
        false => format!("urem {ty} %c, {bits}"),
    };
    let parts = [
        ("{modulo}", modulo),
        ("{t}", ty.to_owned()),
        ("{s}", single.to_owned()),
        ("{u}", call.ty(1)),
        ("{r}", call.returned()),
        ("{n}", bits.to_string()),
        ("{m}", bits.saturating_sub(1).to_string()),
        ("{w}", format!("i{held}")),
        ("{g}", held.saturating_sub(bits).to_string()),
        ("{d}", format!("i{}", 2 * bits)),
    ];
    parts.iter().fold(body.to_owned(), |body, (name, part)| body.replace(name, part))
}

/// Bit counts. The result for zero is defined, even if the last operand allows poison.
fn counted(call: &IntrinsicCall<'_, '_>, bits: u32) -> Option<String> {
    let family = ["ctpop", "ctlz", "cttz"].into_iter().find(|family| call.is(family))?;
    if bits > 2 * LIMB {
        return None;
    }
    let halves = format!(
        "  %l = trunc {{t}} %a to i64\n  %u = lshr {{t}} %a, 64\n  %h = trunc {{t}} %u to i64\n{}",
        ["l", "h"].map(|part| count(family, "i64", part)).concat()
    );
    let rest = bits.saturating_sub(LIMB);
    Some(match family {
        "ctpop" if bits > LIMB => halves + "  %s = add i64 %n.l, %n.h\n  %r = zext i64 %s to {t}",
        "ctlz" if bits > LIMB => {
            let gap = 2 * LIMB - bits;
            halves
                + &format!("  %c = icmp eq i64 %h, 0\n  %x = add i64 %n.l, {rest}\n  %y = sub i64 %n.h, {gap}\n  ")
                + "%s = select i1 %c, i64 %x, i64 %y\n  %r = zext i64 %s to {t}"
        }
        "cttz" if bits > LIMB => {
            halves
                + "  %c = icmp eq i64 %l, 0\n  %y = add i64 %n.h, 64\n  %s = select i1 %c, i64 %y, i64 %n.l\n  "
                + &format!(
                    "%t = icmp ugt i64 %s, {bits}\n  %v = select i1 %t, i64 {bits}, i64 %s\n  %r = zext i64 %v to {{t}}"
                )
        }
        "ctpop" => {
            "  %x = zext {t} %a to {w}\n".to_owned() + &count(family, "{w}", "x") + "  %r = trunc {w} %n.x to {t}"
        }
        "ctlz" => {
            "  %x = zext {t} %a to {w}\n".to_owned()
                + &count(family, "{w}", "x")
                + "  %y = sub {w} %n.x, {g}\n  %r = trunc {w} %y to {t}"
        }
        _ => {
            "  %z = zext {t} %a to {w}\n  %o = shl {w} 1, {n}\n  %x = or {w} %z, %o\n".to_owned()
                + &count(family, "{w}", "x")
                + "  %r = trunc {w} %n.x to {t}"
        }
    })
}

fn count(family: &str, ty: &str, part: &str) -> String {
    let flag = if family == "ctpop" { "" } else { ", i1 false" };
    format!("  %n.{part} = call {ty} @llvm.{family}.{ty}({ty} %{part}{flag})\n")
}

/// Byte or bit reversal.
fn reversed(call: &IntrinsicCall<'_, '_>, bits: u32) -> Option<String> {
    let family = ["bitreverse", "bswap"].into_iter().find(|family| call.is(family))?;
    if bits == 1 {
        return Some("  %r = or {t} %a, %a".to_owned());
    }
    if bits > LIMB && bits != 2 * LIMB {
        return (bits < 2 * LIMB).then(|| widened(family, "i128", 2 * LIMB - bits));
    }
    if bits == 2 * LIMB {
        let halves = "  %l = trunc {t} %a to i64\n  %u = lshr {t} %a, 64\n  %h = trunc {t} %u to i64\n";
        let calls = ["l", "h"].map(|part| format!("  %n.{part} = call i64 @llvm.{family}.i64(i64 %{part})\n")).concat();
        return Some(
            halves.to_owned()
                + &calls
                + "  %x = zext i64 %n.l to {t}\n  %y = zext i64 %n.h to {t}\n  %z = shl {t} %x, 64\n  %r = or {t} %y, %z",
        );
    }
    if !bits.is_power_of_two() || bits < 8 {
        return Some(widened(family, "{w}", computed(bits) - bits));
    }
    let first = if family == "bswap" { 8 } else { 1 };
    let mut body = "  %v.0 = or {t} %a, 0\n".to_owned();
    let steps = STEPS.iter().filter(|(distance, _)| (first..bits).contains(distance));
    let mut last = 0;
    for (distance, lower) in steps {
        let lower = if bits == LIMB { lower.cast_signed() } else { (lower & ((1 << bits) - 1)).cast_signed() };
        let next = last + 1;
        let _ = write!(
            body,
            "  %x.{next} = lshr {{t}} %v.{last}, {distance}\n  %y.{next} = and {{t}} %x.{next}, {lower}\n  \
             %z.{next} = and {{t}} %v.{last}, {lower}\n  %s.{next} = shl {{t}} %z.{next}, {distance}\n  \
             %v.{next} = or {{t}} %y.{next}, %s.{next}\n"
        );
        last = next;
    }
    Some(body + &format!("  %r = or {{t}} %v.{last}, 0"))
}

fn widened(family: &str, ty: &str, gap: u32) -> String {
    format!(
        "  %x = zext {{t}} %a to {ty}\n  %y = call {ty} @llvm.{family}.{ty}({ty} %x)\n  %z = lshr {ty} %y, {gap}\n  \
         %r = trunc {ty} %z to {{t}}"
    )
}
