//! The intrinsics that LLVM's PTX back end selects.
//!
//! *Invariant:* a name that is not in the list is an error with its place, because instruction
//! selection would abort the translator. The list was found by trying each with LLVM 19.1.7;
//! `tests/ptx.rs` verifies it.

use crate::device_module::DeviceModule;

/// Names without `llvm.`, up to a dot or the end.
pub(super) const SELECTED: [&str; 106] = [
    "abs",
    "annotation",
    "arithmetic.fence",
    "assume",
    "bitreverse",
    "bswap",
    "ceil",
    "convert.from.fp16",
    "convert.to.fp16",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "dbg",
    "debugtrap",
    "donothing",
    "expect",
    "experimental.noalias.scope.decl",
    "experimental.vector.reverse",
    "fabs",
    "floor",
    "fma",
    "fmuladd",
    "fptosi.sat",
    "fptoui.sat",
    "frameaddress",
    "frexp",
    "fshl",
    "fshr",
    "get.active.lane.mask",
    "get.rounding",
    "invariant.end",
    "invariant.start",
    "is.constant",
    "is.fpclass",
    "launder.invariant.group",
    "ldexp",
    "lifetime.end",
    "lifetime.start",
    "load.relative",
    "masked.compressstore",
    "masked.expandload",
    "masked.gather",
    "masked.load",
    "masked.scatter",
    "masked.store",
    "maximum",
    "maxnum",
    "memcpy.inline",
    "memcpy.p0",
    "memcpy.p1",
    "memcpy.p3",
    "memcpy.p5",
    "memmove.p0",
    "memmove.p1",
    "memmove.p3",
    "memmove.p5",
    "memset.p0",
    "memset.p1",
    "memset.p3",
    "memset.p5",
    "minimum",
    "minnum",
    "nearbyint",
    "nvvm",
    "objectsize",
    "prefetch",
    "ptr.annotation",
    "ptrmask",
    "public.type.test",
    "readcyclecounter",
    "readsteadycounter",
    "returnaddress",
    "rint",
    "round",
    "roundeven",
    "sadd.sat",
    "sadd.with.overflow",
    "scmp",
    "sideeffect",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "sshl.sat",
    "ssub.sat",
    "ssub.with.overflow",
    "strip.invariant.group",
    "trap",
    "trunc",
    "type.test",
    "uadd.sat",
    "uadd.with.overflow",
    "ubsantrap",
    "ucmp",
    "umax",
    "umin",
    "umul.with.overflow",
    "ushl.sat",
    "usub.sat",
    "usub.with.overflow",
    "va_copy",
    "va_end",
    "va_start",
    "var.annotation",
    "vector",
];

/// Turns `memmove` between different state spaces, which cannot overlap, into `memcpy`: LLVM would
/// compare the addresses.
pub(super) fn copy_between_spaces<S>(m: &DeviceModule<'_, S>) {
    for function in m.module.functions() {
        let name = function.name();
        let Some(rest) = name.strip_prefix("llvm.memmove.") else { continue };
        let mut spaces = rest.split('.').map(|part| part.trim_start_matches('p')).take(2);
        let (Some(to), Some(from)) = (spaces.next(), spaces.next()) else { continue };
        if to == from || to == "0" || from == "0" || !function.is_used() {
            continue;
        }
        let copy = format!("llvm.memcpy.{rest}");
        let copy = m.module.function(&copy).unwrap_or_else(|| m.module.declare_like(&copy, function));
        function
            .users()
            .into_iter()
            .filter(|user| user.callee() == Some(function))
            .for_each(|call| call.set_callee(copy));
    }
}

#[cfg(test)]
mod tests {
    use crate::targets::{gpu::intrinsics::is_selected, ptx::math::DIALECT};

    #[test]
    fn names_end_where_their_types_start() {
        let is_selected = |name: &str| is_selected(&DIALECT, name);
        assert!(["llvm.fma.f32", "llvm.trap", "llvm.nvvm.barrier0", "llvm.sin.v2f16"].into_iter().all(is_selected));
        assert!(
            ![
                "llvm.set.rounding",
                "llvm.fmax",
                "llvm.memcpy.element.unordered.atomic.p0.p0.i64",
                "llvm.memset.element.unordered.atomic.p0.i64",
                "sin"
            ]
            .into_iter()
            .any(is_selected)
        );
    }
}
