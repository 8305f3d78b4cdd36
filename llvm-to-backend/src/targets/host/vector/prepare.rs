//! Brings a kernel into the form from which rows are emitted.
//!
//! In: a checked kernel. Out: the same kernel without vectors and irreducible loops, with one
//! return, and with loops that have a preheader, one latch and exits of their own, and phis for
//! every value that leaves them; private memory is set and copied word by word where its words can
//! lie side by side. What the launch says about local IDs is assumed, so that
//! conversions to fewer bits and back disappear. *Invariant:* what the kernel computes does not
//! change.

use super::words;
use crate::{
    context::Context,
    failure::Outcome,
    passes::entries::enter_once,
    targets::host::builtins::{LOCAL_ID, index_query},
};
use sinter_llvm::{Module, ir::Value, operation::IntegerPredicate};

/// The scalariser runs again behind `instcombine`, which makes phis of vectors of phis of
/// structures with vectors.
const PREPARE: &str = "function(scalarize-accesses,sroa<modify-cfg>,early-cse,instcombine<no-verify-fixpoint>,\
    simplifycfg,correlated-propagation,scalarize-accesses,instcombine<no-verify-fixpoint>,mergereturn)";
const LOOPS: &str = "function(loop-simplify,lcssa)";

/// Assumes that local IDs are below the size of the group.
pub(super) fn bound_local_ids<'s>(cx: &Context<'s, '_>, module: &Module<'s>) {
    let sizes = cx.config().group_size.unwrap_or([LARGEST; 3]);
    for (dimension, size) in sizes.into_iter().enumerate() {
        let calls = module.function(&index_query(LOCAL_ID, dimension)).map(Value::users).unwrap_or_default();
        for (call, next) in calls.into_iter().filter_map(|call| Some((call, call.next()?))) {
            next.insert_before(|insert| {
                let limit = cx.session.literal(size.into());
                let below = insert.compare(IntegerPredicate::LLVMIntULT, call, limit);
                insert.intrinsic(module, "llvm.assume", &[], &[below]);
            });
        }
    }
}

/// The limit of local IDs in groups of an unknown size.
const LARGEST: u32 = 1 << 31;

pub(super) fn prepare<'s>(cx: &Context<'s, '_>, module: &Module<'s>) -> Outcome<()> {
    module.run_passes(PREPARE, Some(cx.machine))?;
    let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
    enter_once(module, defined, cx.machine)?;
    module.run_passes(LOOPS, Some(cx.machine))?;
    module.functions().into_iter().for_each(|function| words::write_out(cx, function));
    Ok(())
}
