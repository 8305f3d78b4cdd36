//! Answers to the queries of builtins on the host, and the functions that it defines.
//!
//! *Invariant:* a name that is in none of these lists and has no definition is an error before code
//! generation.

use crate::{passes::inlining::LATE_PREFIX, targets::local_memory::DYNAMIC_LOCAL_MEMORY};
use sinter_builtins::{Precision, c_function};
use sinter_llvm::ir::Value;

/// Index queries: prefix, then `x`, `y` or `z`, in the order of the item function's extra
/// parameters.
pub(super) const INDEX_QUERIES: [&str; 4] = ["local_id", "group_id", "local_size", "num_groups"];
/// Position of the local ID in [`INDEX_QUERIES`], the only query that differs between work-items of
/// a group.
pub(super) const LOCAL_ID: usize = 0;
/// The dimensions, fastest-varying first.
pub(super) const DIMENSIONS: [&str; 3] = ["x", "y", "z"];

/// The query of the local ID along the rows.
pub(super) const LOCAL_ID_X: &str = "__acpp_sscp_get_local_id_x";
/// The query for the local ID along y.
pub(super) const LOCAL_ID_Y: &str = "__acpp_sscp_get_local_id_y";

/// The work-group barrier.
pub(super) const BARRIER: &str = "__acpp_sscp_work_group_barrier";
/// The primitives of sub-groups, which the vectoriser defines: the number of the lane, the value of
/// another one, the lanes for which something is true, a value with another one for lanes that do
/// not run it, and the barrier.
pub(super) const SUB_GROUP_LANE: &str = "__sinter_sub_group_lane";
pub(super) const SUB_GROUP_READ: [&str; 2] = ["__sinter_sub_group_read_u32", "__sinter_sub_group_read_u64"];
pub(super) const SUB_GROUP_BALLOT: &str = "__sinter_sub_group_ballot";
pub(super) const SUB_GROUP_FILL: [&str; 2] = ["__sinter_sub_group_fill_u32", "__sinter_sub_group_fill_u64"];
pub(super) const SUB_GROUP_BARRIER: &str = "__sinter_sub_group_barrier";

/// Names of the part of a row in collectives of the group, and of the facts about rows that it asks
/// for, begin with this.
const ROW_PREFIX: &str = "__sinter_row_";
pub(super) const ROW_IS_ALIGNED: &str = "__sinter_row_is_aligned";
pub(super) const ROW_IS_FULL: &str = "__sinter_row_is_full";
/// Names of the memory that the rows of a group share begin with this.
const GROUP_MEMORY_PREFIX: &str = "__sinter_group_";
/// Variables whose first word is, behind a barrier, a result for all work-items of the group.
pub(super) const RESULTS: [&str; 2] = ["__sinter_group_words", "__sinter_sent"];

/// Names of the library's updates of memory that no other thread has begin with this.
pub(super) const UPDATE_PREFIX: &str = LATE_PREFIX;

/// Numbers of AdaptiveCpp's `runtime_backend` and `compiler_backend` enumerations for host code.
const OMP_RUNTIME: u64 = 4;
const HOST_COMPILER: u64 = 3;

/// Functions of the C library that kernels and generated code may call, and `std::terminate`, which
/// a process without a C++ library does not have.
const LIBRARY: [&str; 15] = [
    "abort",
    "bcmp",
    "clock_gettime",
    "fputs",
    "fwrite",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "printf",
    "putchar",
    "puts",
    "write",
    "__assert_fail",
    "_ZSt9terminatev",
];

/// Name of an index query.
pub(super) fn index_query(query: usize, dimension: usize) -> String {
    format!("__acpp_sscp_get_{}_{}", INDEX_QUERIES[query], DIMENSIONS[dimension])
}

/// True if the work-item loops or the vectoriser define this: index queries, the barrier, local
/// memory, the primitives of sub-groups, the part of rows in collectives.
pub(super) fn is_answered(name: &str) -> bool {
    is_index_query(name)
        || is_sub_group_primitive(name)
        || is_of_row(name)
        || [BARRIER, DYNAMIC_LOCAL_MEMORY].contains(&name)
}

/// True for the part of a row in a collective of the group.
pub(super) fn is_of_row(name: &str) -> bool {
    name.starts_with(ROW_PREFIX)
}

/// True for a call of the part of a row in a collective.
pub(super) fn is_call_of_row(value: Value<'_>) -> bool {
    value.callee().is_some_and(|callee| is_of_row(&callee.name()))
}

/// True for a variable that the rows of a group share, and through which each sees what those
/// before it have done.
pub(super) fn is_group_memory(name: &str) -> bool {
    name.starts_with(GROUP_MEMORY_PREFIX)
}

/// True for a query of the launch that has the same answer for all work-items of a group.
pub(super) fn is_uniform_query(name: &str) -> bool {
    name == DYNAMIC_LOCAL_MEMORY || is_index_query(name) && !name.starts_with("__acpp_sscp_get_local_id_")
}

/// True for a function that lanes of a row run together.
pub(super) fn is_sub_group_primitive(name: &str) -> bool {
    [SUB_GROUP_LANE, SUB_GROUP_BALLOT, SUB_GROUP_BARRIER].contains(&name)
        || [SUB_GROUP_READ, SUB_GROUP_FILL].iter().any(|names| names.contains(&name))
}

/// True for an index query, which the work-item loops define.
pub(super) fn is_index_query(name: &str) -> bool {
    let Some((query, dimension)) = name.strip_prefix("__acpp_sscp_get_").and_then(|rest| rest.rsplit_once('_')) else {
        return false;
    };
    INDEX_QUERIES.contains(&query) && DIMENSIONS.contains(&dimension)
}

/// True for a function of the program's libraries that code may refer to.
pub(super) fn is_of_library(name: &str) -> bool {
    LIBRARY.contains(&name) || is_mathematical(name)
}

/// True for a function of libm that code may refer to.
pub(super) fn is_mathematical(name: &str) -> bool {
    // libm has `long double` variants of its functions.
    let long = name.strip_suffix('l').and_then(c_function).filter(|(_, precision)| *precision == Precision::Double);
    c_function(name).is_some() || long.is_some()
}

/// The value of a reflection query. `None` for an unknown one.
pub(super) fn reflect(query: &str) -> Option<u64> {
    match query {
        "target_is_cpu" => Some(1),
        // Work-items of a group run one after another, so none progresses independently.
        "target_is_gpu" | "target_has_independent_forward_progress" | "spirv_has_native_float_atomics" => Some(0),
        "runtime_backend" => Some(OMP_RUNTIME),
        "compiler_backend" => Some(HOST_COMPILER),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_index_query, is_of_library};

    #[test]
    fn knows_names_exactly() {
        assert!(is_index_query("__acpp_sscp_get_num_groups_z"));
        assert!(!is_index_query("__acpp_sscp_get_num_groups_w"));
        assert!(!is_index_query("__acpp_sscp_get_x"));
        assert!(["sinf", "sin", "fmaf", "erff", "lgammaf_r", "sinl", "drem", "memcpy"].into_iter().all(is_of_library));
        assert!(
            ["si", "mallocf", "malloc", "memcpyf", "sinx", "sinfl", "sincospi"]
                .into_iter()
                .all(|name| !is_of_library(name))
        );
    }
}
