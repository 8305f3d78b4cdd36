//! Passing of arguments to SPIR-V entry points.
//!
//! *Invariant:* translator and drivers both use this file, so that they agree.

use crate::code_object::{Argument, EntryInfo};

/// Maximum number of parameters of a function (SPIR-V specification, "Universal Limits").
pub const PARAMETERS: usize = 255;

/// True if the entry takes the whole argument buffer as one structure, because there are more
/// arguments than parameters allowed. One parameter is always reserved for dynamic local memory.
pub fn takes_buffer(arguments: usize) -> bool {
    arguments >= PARAMETERS
}

/// Arguments of an entry, in the order of its parameters. Local memory follows them.
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
            followed: Default::default(),
            may_wait: false,
            candidates: Vec::new(),
            device_globals: Vec::new(),
            constants: Vec::new(),
            remarks: Vec::new(),
        };
        assert_eq!(passed(&entry(254)).len(), 254);
        assert_eq!(passed(&entry(255)), [Argument { parameter: 0, offset: 0, size: 1020, is_pointer: false }]);
    }
}
