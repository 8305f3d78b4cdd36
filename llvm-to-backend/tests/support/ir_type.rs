//! IR types for the types in the table of builtins.
//!
//! *Invariant:* an unknown type fails the test.

/// The IR type for a type word of the table, as the builtins' interface passes it.
pub(crate) fn ir_type(word: &str) -> &str {
    match word {
        "void" => "void",
        "bool" => "i1",
        "i8" | "u8" => "i8",
        "i16" | "u16" => "i16",
        "i32" | "u32" | "operation" | "order" | "scope" | "space" => "i32",
        "i64" | "u64" => "i64",
        "f16" => "half",
        "f32" => "float",
        "f64" => "double",
        "local*" => "ptr addrspace(3)",
        pointer if pointer.ends_with('*') => "ptr",
        other => panic!("a new type of the table: {other}"),
    }
}
