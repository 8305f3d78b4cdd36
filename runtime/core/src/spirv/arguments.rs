//! How an entry in SPIR-V takes its arguments.
//!
//! *Invariant:* translator and drivers agree, because both ask here.

use crate::code_object::{Argument, EntryInfo};

/// Parameters that a function has at most (SPIR-V specification, "Universal Limits").
pub const PARAMETERS: usize = 255;

/// Whether so many arguments are too many, so that the entry takes the whole argument buffer as one structure. Dynamic local memory is always
/// left room.
pub fn takes_buffer(arguments: usize) -> bool {
    arguments >= PARAMETERS
}

/// What an entry takes, in the order of its parameters. Local memory comes behind.
pub fn passed(entry: &EntryInfo) -> Vec<Argument> {
    if !takes_buffer(entry.arguments.len()) {
        return entry.arguments.clone();
    }
    vec![Argument { parameter: 0, offset: 0, size: entry.argument_size, is_pointer: false }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_arguments_are_one() {
        let argument = |parameter: u32| Argument { parameter, offset: parameter * 4, size: 4, is_pointer: false };
        let entry = |count: u32| EntryInfo {
            symbol: "k".to_owned(),
            arguments: (0..count).map(argument).collect(),
            argument_size: count * 4,
            argument_align: 4,
            local_memory: 0,
            item_memory: 0,
            takes_local_memory: true,
            depends_on_allocations: false,
        };
        assert_eq!(passed(&entry(254)).len(), 254);
        assert_eq!(passed(&entry(255)), [Argument { parameter: 0, offset: 0, size: 1020, is_pointer: false }]);
    }
}
