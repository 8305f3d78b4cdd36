//! Numbers the work-items of a group one by one.
//!
//! In: a kernel for a group of known size. Out: the same kernel for a group of one dimension with
//! as many work-items: the ID along x is the linear ID, from which the kernel computes its own.
//! *Invariant:* a work-item with the same linear ID has the same IDs as before.

use crate::targets::host::builtins::{DIMENSIONS, LOCAL_ID, LOCAL_ID_X, index_query};
use sinter_llvm::{
    Module, Session,
    ir::{Opcode, Value},
};

/// Numbers the work-items of groups of this size.
pub(super) fn linearise<'s>(session: &'s Session, module: &Module<'s>, [x, y, _]: [u32; 3]) {
    let ty = session.integer(64);
    let users = |name: &str| module.function(name).map(Value::users).unwrap_or_default();
    let calls: Vec<Vec<Value<'s>>> =
        (0..DIMENSIONS.len()).map(|dimension| users(&index_query(LOCAL_ID, dimension))).collect();
    let linear = module.function(LOCAL_ID_X).unwrap_or_else(|| module.declare(LOCAL_ID_X, ty, &[]));
    let steps = [(1, u64::from(x)), (u64::from(x), u64::from(y)), (u64::from(x) * u64::from(y), 0)];
    for (calls, (below, size)) in calls.into_iter().zip(steps) {
        for call in calls {
            let id = call.insert_before(|insert| {
                let above = insert.binary(Opcode::LLVMUDiv, insert.call(linear, &[]), session.literal(below));
                match size {
                    0 => above,
                    size => insert.binary(Opcode::LLVMURem, above, session.literal(size)),
                }
            });
            call.replace_uses(id);
            call.erase();
        }
    }
}
