//! Types of the table of builtins, in IR.
//!
//! *Invariant:* a type that the table gets later is a failed test, not a guess.

/// A type of the table, as the interface of the builtins has it in IR.
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
