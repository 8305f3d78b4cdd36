//! LLVM's optimiser for host code.
//!
//! The passes are those of LLVM 19's `default<O3>` in their order
//! (`opt -passes='default<O3>' -print-pipeline-passes`), without those for coroutines, OpenMP,
//! profiles, annotations and link-time optimisation and those that only pay in whole programs
//! (callsite-splitting, called-value-propagation), and in two halves. Between them divisions are
//! hoisted out of loops, which no pass may undo before the vectoriser has run, and operations that
//! would become calls of a compiler's runtime library are replaced. *Invariant:* every remaining
//! function has been through both halves, and no operation that the second half creates calls such
//! a library. Quick code goes through neither half, but through a few passes that remove what the
//! earlier steps leave for the optimiser.

use super::{divisions, fuse, quick, roots};
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule, Optimised},
    failure::Outcome,
    passes::library_calls::{Missing, before_vectoriser, library_calls},
};

/// Passes without optimisation. Calls of functions marked `alwaysinline` must not remain.
const NONE: &str = "always-inline,globaldce";

/// Passes for quick code: the work-item becomes part of its loops, and values that were spilled at
/// barriers or moved into mask slots become registers again.
const QUICK: &str = "always-inline,globaldce,function(sroa<modify-cfg>,early-cse<>,simplifycfg)";

/// Bodies marked `alwaysinline` are inlined first, so that the first simplification sees loops.
const SIMPLIFY: &str = concat!(
    "inferattrs,always-inline,globaldce,",
    "function<eager-inv>(lower-expect,simplifycfg<speculate-blocks>,sroa<modify-cfg>,early-cse<>),ipsccp,globalopt,",
    "function<eager-inv>(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg<switch-range-to-icmp>),",
    "require<globals-aa>,function(invalidate<aa>),cgscc(devirt<4>(limit-inlining,inline,",
    "function-attrs<skip-non-recursive-function-attrs>,argpromotion,function<eager-inv;no-rerun>(",
    "sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg<switch-range-to-icmp>,",
    "instcombine<no-verify-fixpoint>,aggressive-instcombine,libcalls-shrinkwrap,tailcallelim,",
    "simplifycfg<switch-range-to-icmp>,reassociate,constraint-elimination,",
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,",
    "loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>,",
    "simple-loop-unswitch<nontrivial;trivial>),simplifycfg<switch-range-to-icmp>,instcombine<no-verify-fixpoint>,",
    "loop(loop-idiom,indvars,simple-loop-unswitch<nontrivial;trivial>,",
    "limit-full-unrolling,loop-deletion,loop-unroll-full),",
    "sroa<modify-cfg>,vector-combine,mldst-motion<no-split-footer-bb>,gvn<>,sccp,bdce,",
    "instcombine<no-verify-fixpoint>,jump-threading,correlated-propagation,adce,memcpyopt,dse,move-auto-init,",
    "loop-mssa(licm<allowspeculation>),",
    "simplifycfg<switch-range-to-icmp;hoist-common-insts;sink-common-insts>,instcombine<no-verify-fixpoint>),",
    "function-attrs)),deadargelim,globalopt,globaldce,rpo-function-attrs,recompute-globalsaa,",
    "function<eager-inv>(float2int,lower-constant-intrinsics,",
    "loop(loop-rotate<header-duplication;no-prepare-for-lto>,loop-deletion),loop-simplify)",
);

const VECTORISE: &str = concat!(
    "require<globals-aa>,function<eager-inv>(loop-distribute,inject-tli-mappings,",
    "loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only;>,infer-alignment,loop-load-elim,",
    "instcombine<no-verify-fixpoint>,simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;",
    "no-keep-loops;hoist-common-insts;sink-common-insts>,slp-vectorizer,vector-combine,",
    "instcombine<no-verify-fixpoint>,limit-unrolling,loop-unroll<O3>,sroa<preserve-cfg>,infer-alignment,",
    "instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),alignment-from-assumptions,loop-sink,",
    "instsimplify,div-rem-pairs,tailcallelim,simplifycfg<speculate-unpredictables>),globaldce,constmerge",
);

/// Cleans up after the replacement of such operations.
const POLISH: &str = "function(early-cse<>,simplifycfg)";

pub(super) fn optimise<'s>(
    cx: &Context<'s, '_>,
    mut m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Optimised>> {
    let missing = missing(cx);
    if cx.optimise() {
        fuse::fuse(cx, &m);
    }
    roots::estimate(cx, &m)?;
    m.facts.is_quick = cx.is_quick() && quick::is_possible(&m);
    if m.facts.is_quick {
        m.module.run_passes(QUICK, Some(cx.machine))?;
    } else if cx.optimise() {
        m.module.run_passes(SIMPLIFY, Some(cx.machine))?;
        m.defined().into_iter().for_each(divisions::hoist);
        if before_vectoriser(cx, &missing, &m)? {
            m.module.run_passes(POLISH, Some(cx.machine))?;
        }
        m.module.run_passes(VECTORISE, Some(cx.machine))?;
    } else {
        m.module.run_passes(NONE, Some(cx.machine))?;
    }
    if library_calls(cx, &missing, &m)? && cx.optimise() {
        m.module.run_passes(POLISH, Some(cx.machine))?;
    }
    Ok(m.advance())
}

/// No x86 supports `bfloat` completely: the instruction of AVX512-BF16 flushes subnormals to zero.
fn missing(cx: &Context<'_, '_>) -> Missing {
    let has = |feature| cx.machine.has_feature(feature);
    Missing { half: !has("f16c"), half_of_double: !has("avx512fp16"), bfloat: true, wide_parameters: false }
}
