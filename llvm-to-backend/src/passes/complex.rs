//! Defines multiplication and division of complex numbers.
//!
//! In: calls of `__muldc3`, `__divdc3` and their `float` variants, which C++ compilers emit for `*`
//! and `/` on `std::complex` and get from their runtime library. Out: definitions. *Invariant:*
//! results are those of the C standard (C11, annex G.5.1): a product or quotient with an infinite
//! part is infinite even if its other part is a NaN. A function whose declared type differs from
//! that of 64-bit hosts is not defined, and is reported as unresolved.

use super::template::link_text;
use crate::{context::Context, device_module::DeviceModule, failure::Outcome};
use sinter_builtins::{COMPLEX_OPERATIONS, Precision};
use sinter_llvm::ir::Value;

/// `sinter.unit` maps infinities to 1 and other values to 0, `sinter.number` maps NaNs to 0; both
/// keep the sign.
const PARTS: &str = "\
declare {t} @llvm.fabs.{s}({t})
declare {t} @llvm.copysign.{s}({t}, {t})
declare {t} @llvm.maxnum.{s}({t}, {t})
declare {t} @llvm.ldexp.{s}.i32({t}, i32)
declare { {t}, i32 } @llvm.frexp.{s}.i32({t})
define i1 @sinter.infinite.{s}({t} %v) alwaysinline nounwind {
  %m = call {t} @llvm.fabs.{s}({t} %v)
  %i = fcmp oeq {t} %m, 0x7FF0000000000000
  ret i1 %i
}
define i1 @sinter.finite.{s}({t} %v) alwaysinline nounwind {
  %m = call {t} @llvm.fabs.{s}({t} %v)
  %f = fcmp olt {t} %m, 0x7FF0000000000000
  ret i1 %f
}
define {t} @sinter.unit.{s}({t} %v) alwaysinline nounwind {
  %i = call i1 @sinter.infinite.{s}({t} %v)
  %m = select i1 %i, {t} 1.0, {t} 0.0
  %r = call {t} @llvm.copysign.{s}({t} %m, {t} %v)
  ret {t} %r
}
define {t} @sinter.number.{s}({t} %v) alwaysinline nounwind {
  %z = call {t} @llvm.copysign.{s}({t} 0.0, {t} %v)
  %n = fcmp uno {t} %v, %v
  %r = select i1 %n, {t} %z, {t} %v
  ret {t} %r
}
";

const PRODUCT: &str = "\
  %ac = fmul {t} %a, %c
  %bd = fmul {t} %b, %d
  %ad = fmul {t} %a, %d
  %bc = fmul {t} %b, %c
  %x = fsub {t} %ac, %bd
  %y = fadd {t} %ad, %bc
  %x.none = fcmp uno {t} %x, %x
  %y.none = fcmp uno {t} %y, %y
  %none = and i1 %x.none, %y.none
  br i1 %none, label %recover, label %end
recover:
  %a.inf = call i1 @sinter.infinite.{s}({t} %a)
  %b.inf = call i1 @sinter.infinite.{s}({t} %b)
  %left = or i1 %a.inf, %b.inf
  %a.unit = call {t} @sinter.unit.{s}({t} %a)
  %b.unit = call {t} @sinter.unit.{s}({t} %b)
  %c.number = call {t} @sinter.number.{s}({t} %c)
  %d.number = call {t} @sinter.number.{s}({t} %d)
  %a.1 = select i1 %left, {t} %a.unit, {t} %a
  %b.1 = select i1 %left, {t} %b.unit, {t} %b
  %c.1 = select i1 %left, {t} %c.number, {t} %c
  %d.1 = select i1 %left, {t} %d.number, {t} %d
  %c.inf = call i1 @sinter.infinite.{s}({t} %c)
  %d.inf = call i1 @sinter.infinite.{s}({t} %d)
  %right = or i1 %c.inf, %d.inf
  %c.unit = call {t} @sinter.unit.{s}({t} %c.1)
  %d.unit = call {t} @sinter.unit.{s}({t} %d.1)
  %a.number = call {t} @sinter.number.{s}({t} %a.1)
  %b.number = call {t} @sinter.number.{s}({t} %b.1)
  %a.2 = select i1 %right, {t} %a.number, {t} %a.1
  %b.2 = select i1 %right, {t} %b.number, {t} %b.1
  %c.2 = select i1 %right, {t} %c.unit, {t} %c.1
  %d.2 = select i1 %right, {t} %d.unit, {t} %d.1
  %ac.inf = call i1 @sinter.infinite.{s}({t} %ac)
  %bd.inf = call i1 @sinter.infinite.{s}({t} %bd)
  %ad.inf = call i1 @sinter.infinite.{s}({t} %ad)
  %bc.inf = call i1 @sinter.infinite.{s}({t} %bc)
  %p.1 = or i1 %ac.inf, %bd.inf
  %p.2 = or i1 %ad.inf, %bc.inf
  %overflow = or i1 %p.1, %p.2
  %operand = or i1 %left, %right
  %a.3 = call {t} @sinter.number.{s}({t} %a.2)
  %b.3 = call {t} @sinter.number.{s}({t} %b.2)
  %c.3 = call {t} @sinter.number.{s}({t} %c.2)
  %d.3 = call {t} @sinter.number.{s}({t} %d.2)
  %a.4 = select i1 %operand, {t} %a.2, {t} %a.3
  %b.4 = select i1 %operand, {t} %b.2, {t} %b.3
  %c.4 = select i1 %operand, {t} %c.2, {t} %c.3
  %d.4 = select i1 %operand, {t} %d.2, {t} %d.3
  %ac.4 = fmul {t} %a.4, %c.4
  %bd.4 = fmul {t} %b.4, %d.4
  %ad.4 = fmul {t} %a.4, %d.4
  %bc.4 = fmul {t} %b.4, %c.4
  %x.4 = fsub {t} %ac.4, %bd.4
  %y.4 = fadd {t} %ad.4, %bc.4
  %x.5 = fmul {t} %x.4, 0x7FF0000000000000
  %y.5 = fmul {t} %y.4, 0x7FF0000000000000
  %any = or i1 %operand, %overflow
  %x.6 = select i1 %any, {t} %x.5, {t} %x
  %y.6 = select i1 %any, {t} %y.5, {t} %y
  br label %end
end:
  %re = phi {t} [ %x, %entry ], [ %x.6, %recover ]
  %im = phi {t} [ %y, %entry ], [ %y.6, %recover ]
";

/// Scales the divisor so that its square neither overflows nor underflows.
const QUOTIENT: &str = "\
  %c.abs = call {t} @llvm.fabs.{s}({t} %c)
  %d.abs = call {t} @llvm.fabs.{s}({t} %d)
  %m = call {t} @llvm.maxnum.{s}({t} %c.abs, {t} %d.abs)
  %m.some = fcmp ogt {t} %m, 0.0
  %m.less = fcmp olt {t} %m, 0x7FF0000000000000
  %scales = and i1 %m.some, %m.less
  %m.parts = call { {t}, i32 } @llvm.frexp.{s}.i32({t} %m)
  %m.exponent = extractvalue { {t}, i32 } %m.parts, 1
  %down = sub i32 1, %m.exponent
  %e = select i1 %scales, i32 %down, i32 0
  %c.1 = call {t} @llvm.ldexp.{s}.i32({t} %c, i32 %e)
  %d.1 = call {t} @llvm.ldexp.{s}.i32({t} %d, i32 %e)
  %cc = fmul {t} %c.1, %c.1
  %dd = fmul {t} %d.1, %d.1
  %den = fadd {t} %cc, %dd
  %ac = fmul {t} %a, %c.1
  %bd = fmul {t} %b, %d.1
  %bc = fmul {t} %b, %c.1
  %ad = fmul {t} %a, %d.1
  %x.sum = fadd {t} %ac, %bd
  %y.sum = fsub {t} %bc, %ad
  %x.quotient = fdiv {t} %x.sum, %den
  %y.quotient = fdiv {t} %y.sum, %den
  %x = call {t} @llvm.ldexp.{s}.i32({t} %x.quotient, i32 %e)
  %y = call {t} @llvm.ldexp.{s}.i32({t} %y.quotient, i32 %e)
  %x.none = fcmp uno {t} %x, %x
  %y.none = fcmp uno {t} %y, %y
  %none = and i1 %x.none, %y.none
  br i1 %none, label %recover, label %end
recover:
  %a.is = fcmp ord {t} %a, %a
  %b.is = fcmp ord {t} %b, %b
  %some = or i1 %a.is, %b.is
  %nought = fcmp oeq {t} %den, 0.0
  %pole = and i1 %nought, %some
  %c.sign = call {t} @llvm.copysign.{s}({t} 0x7FF0000000000000, {t} %c.1)
  %x.pole = fmul {t} %c.sign, %a
  %y.pole = fmul {t} %c.sign, %b
  %a.inf = call i1 @sinter.infinite.{s}({t} %a)
  %b.inf = call i1 @sinter.infinite.{s}({t} %b)
  %c.fin = call i1 @sinter.finite.{s}({t} %c)
  %d.fin = call i1 @sinter.finite.{s}({t} %d)
  %over = or i1 %a.inf, %b.inf
  %under = and i1 %c.fin, %d.fin
  %large = and i1 %over, %under
  %a.unit = call {t} @sinter.unit.{s}({t} %a)
  %b.unit = call {t} @sinter.unit.{s}({t} %b)
  %l.1 = fmul {t} %a.unit, %c.1
  %l.2 = fmul {t} %b.unit, %d.1
  %l.3 = fmul {t} %b.unit, %c.1
  %l.4 = fmul {t} %a.unit, %d.1
  %l.5 = fadd {t} %l.1, %l.2
  %l.6 = fsub {t} %l.3, %l.4
  %x.large = fmul {t} %l.5, 0x7FF0000000000000
  %y.large = fmul {t} %l.6, 0x7FF0000000000000
  %m.inf = call i1 @sinter.infinite.{s}({t} %m)
  %a.fin = call i1 @sinter.finite.{s}({t} %a)
  %b.fin = call i1 @sinter.finite.{s}({t} %b)
  %s.0 = and i1 %a.fin, %b.fin
  %small = and i1 %m.inf, %s.0
  %c.unit = call {t} @sinter.unit.{s}({t} %c)
  %d.unit = call {t} @sinter.unit.{s}({t} %d)
  %s.1 = fmul {t} %a, %c.unit
  %s.2 = fmul {t} %b, %d.unit
  %s.3 = fmul {t} %b, %c.unit
  %s.4 = fmul {t} %a, %d.unit
  %s.5 = fadd {t} %s.1, %s.2
  %s.6 = fsub {t} %s.3, %s.4
  %x.small = fmul {t} %s.5, 0.0
  %y.small = fmul {t} %s.6, 0.0
  %x.1 = select i1 %small, {t} %x.small, {t} %x
  %y.1 = select i1 %small, {t} %y.small, {t} %y
  %x.2 = select i1 %large, {t} %x.large, {t} %x.1
  %y.2 = select i1 %large, {t} %y.large, {t} %y.1
  %x.3 = select i1 %pole, {t} %x.pole, {t} %x.2
  %y.3 = select i1 %pole, {t} %y.pole, {t} %y.2
  br label %end
end:
  %re = phi {t} [ %x, %entry ], [ %x.3, %recover ]
  %im = phi {t} [ %y, %entry ], [ %y.3, %recover ]
";

const PACK_STRUCTURE: &str = "\
  %r.0 = insertvalue {r} poison, {t} %re, 0
  %r.1 = insertvalue {r} %r.0, {t} %im, 1
  ret {r} %r.1
";
const PACK_VECTOR: &str = "\
  %r.0 = insertelement {r} poison, {t} %re, i32 0
  %r.1 = insertelement {r} %r.0, {t} %im, i32 1
  ret {r} %r.1
";

pub(crate) fn define<S>(cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
    for operation in &COMPLEX_OPERATIONS {
        let function = m.module.function(operation.symbol).filter(|f| f.is_declaration() && f.is_used());
        let declared = function.map(|function| function.value_type().text());
        let (part, results) = types(operation.precision);
        let is_result = |result: &&&str| declared.as_ref() == Some(&format!("{result} ({})", [part; 4].join(", ")));
        if let Some(result) = results.iter().find(is_result) {
            let body = if operation.is_quotient { QUOTIENT } else { PRODUCT };
            let text = definition(operation.symbol, part, result, body);
            link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
        }
    }
    Ok(())
}

/// The type of the parts, and the types in which 64-bit hosts return both.
fn types(precision: Precision) -> (&'static str, &'static [&'static str]) {
    match precision {
        Precision::Single => ("float", &["<2 x float>", "{ float, float }"]),
        Precision::Double => ("double", &["{ double, double }"]),
    }
}

fn definition(name: &str, part: &str, result: &str, body: &str) -> String {
    let suffix = if part == "double" { "f64" } else { "f32" };
    let pack = if result.starts_with('<') { PACK_VECTOR } else { PACK_STRUCTURE };
    let head = format!("define {result} @{name}({{t}} %a, {{t}} %b, {{t}} %c, {{t}} %d) nounwind {{\nentry:\n");
    let text = format!("{PARTS}{head}{body}{pack}}}\n");
    text.replace("{t}", part).replace("{s}", suffix).replace("{r}", result)
}
