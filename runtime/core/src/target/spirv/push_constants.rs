//! The interface between a launch and a module for Vulkan: push constants, specialization
//! constants, and properties in `OpModuleProcessed`.
//!
//! In: the record of an entry, or the words of a module. Out: offsets and sizes in bytes, and
//! properties. *Invariant:* translator and driver both use this file, so that they agree; the push
//! constants never exceed [`LIMIT`], the size that every device has.
//!
//! The block is the argument buffer, or the 64-bit address of one where it would not fit, and then
//! the numbers of [`Layout`] that no kernel names.

use crate::code_object::EntryInfo;

/// Size of push constants that every device has ("Required Limits"), in bytes.
pub const LIMIT: u32 = 128;
/// Size of the status buffer in bytes. Its first word is the number of a trap, 0 for none.
pub const STATUS_SIZE: u32 = 16;
/// Offset in the status buffer of the word with the number of units that were printed.
pub const PRINTED: u32 = 8;
/// Offset in the status buffer of the constant tables that the driver fills.
pub const TABLES: u32 = STATUS_SIZE;
/// Number of units of 8 bytes behind the tables of a kernel that prints. A print is the
/// number of its format and then its values, in a unit each; one without room is lost.
pub const PRINT_UNITS: u32 = 1 << 17;
/// Specialization constants of the work-group's size along x, y and z.
pub const GROUP_SIZE: [u32; 3] = [0, 1, 2];
/// Specialization constant of the size of local memory, in words of 32 bits.
pub const LOCAL_WORDS: u32 = 3;
/// Prefix of the processes (`OpModuleProcessed`) that state facts.
const FACT: &str = "sinter.";
const SUB_GROUP_SIZE: &str = "sub-group-size=";
const TRAP: &str = "trap=";
const PRINT: &str = "print=";
const TABLE: &str = "table=";
/// Bytes of a table in one fact, which has two digits for each and is shorter than a name may be.
const TABLE_PART: usize = 1 << 14;
const OP_MODULE_PROCESSED: u32 = 330;
/// Words before the first instruction.
const HEADER: usize = 5;
const ADDRESS: u32 = 8;
const HIDDEN: u32 = 32;

/// Longest name of an entry point that the validation layer (1.3.239) accepts, in bytes.
const LONGEST_NAME: usize = 255;

/// The name of the entry point of a kernel with this symbol.
pub fn entry_name(symbol: &str) -> &str {
    if symbol.len() > LONGEST_NAME { "kernel" } else { symbol }
}

/// Offsets in the push constants, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// True if the block starts with the address of the argument buffer instead of the buffer.
    pub takes_buffer: bool,
    /// The 64-bit address of the status buffer.
    pub status: u32,
    /// Three words: the first work-group of this dispatch, along x, y and z.
    pub first_group: u32,
    /// Three words: the numbers of work-groups of the whole launch.
    pub groups: u32,
    /// Size of the block.
    pub size: u32,
}

/// The push constants of an entry with an argument buffer of so many bytes.
pub fn layout(argument_size: u32) -> Layout {
    let inline = argument_size.next_multiple_of(ADDRESS);
    let takes_buffer = inline.saturating_add(HIDDEN) > LIMIT;
    let status = if takes_buffer { ADDRESS } else { inline };
    Layout { takes_buffer, status, first_group: status + 8, groups: status + 20, size: status + HIDDEN }
}

/// Size of the work-group's local memory in words, for a launch with so many bytes of dynamic local
/// memory; at least one.
pub fn local_words(entry: &EntryInfo, dynamic: u32) -> u32 {
    entry.local_memory.saturating_add(dynamic).div_ceil(4).max(1)
}

/// The fact that the kernel requires a sub-group size.
pub fn sub_group_size_fact(size: u32) -> String {
    format!("{FACT}{SUB_GROUP_SIZE}{size}")
}

/// The message of a trap.
pub fn trap_fact(number: u32, message: &str) -> String {
    format!("{FACT}{TRAP}{number}={message}")
}

/// The format of a print: a letter for the type of each value, and C's format. The types are `i`
/// and `l` for integers of up to 32 bits and of 64, `f` and `d` for floating-point numbers.
pub fn print_fact(number: u32, types: &str, format: &str) -> String {
    format!("{FACT}{PRINT}{number}={types}={format}")
}

/// The facts that have the bytes of the constant tables, in their order.
pub fn table_facts(bytes: &[u8]) -> impl Iterator<Item = String> {
    let digits = |part: &[u8]| part.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    bytes.chunks(TABLE_PART).map(move |part| format!("{FACT}{TABLE}{}", digits(part)))
}

/// Offset in the status buffer of the units that are printed, behind so many bytes of tables.
pub fn prints_at(tables: usize) -> u64 {
    u64::from(TABLES) + tables.next_multiple_of(8) as u64
}

/// A print of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Print {
    /// Its number.
    pub number: u32,
    /// The types of its values.
    pub types: String,
    /// C's format; each character stands for one byte.
    pub format: String,
}

/// Facts that a module states about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The sub-group size that the kernel requires.
    pub sub_group_size: Option<u32>,
    /// Numbers of traps and their messages.
    pub traps: Vec<(u32, String)>,
    /// Its calls of `printf`.
    pub prints: Vec<Print>,
    /// The bytes of the constant tables that the driver fills.
    pub tables: Vec<u8>,
}

/// Reads the facts of a module of SPIR-V, little endian. A damaged module has fewer facts.
pub fn facts(module: &[u8]) -> Facts {
    let words: Vec<u32> = module.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let (mut facts, mut rest) = (Facts::default(), words.get(HEADER..).unwrap_or_default());
    while let Some(first) = rest.first() {
        let Some((instruction, next)) = rest.split_at_checked((first >> 16) as usize) else { break };
        if instruction.is_empty() {
            break;
        }
        if first & 0xffff == OP_MODULE_PROCESSED {
            let bytes = instruction[1..].iter().flat_map(|word| word.to_le_bytes());
            let text: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
            facts.read(&String::from_utf8_lossy(&text));
        }
        rest = next;
    }
    facts
}

/// A byte as it is written in a fact.
fn byte(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

impl Facts {
    fn read(&mut self, text: &str) {
        let Some(fact) = text.strip_prefix(FACT) else { return };
        if let Some(size) = fact.strip_prefix(SUB_GROUP_SIZE) {
            self.sub_group_size = size.parse().ok();
        } else if let Some((number, message)) = fact.strip_prefix(TRAP).and_then(|trap| trap.split_once('=')) {
            self.traps.extend(number.parse().ok().map(|number| (number, message.to_owned())));
        } else if let Some(digits) = fact.strip_prefix(TABLE) {
            self.tables.extend(digits.as_bytes().chunks(2).map_while(byte));
        } else if let Some((number, rest)) = fact.strip_prefix(PRINT).and_then(|print| print.split_once('=')) {
            let parts = number.parse().ok().zip(rest.split_once('='));
            self.prints.extend(parts.map(|(number, (types, format))| Print {
                number,
                types: types.to_owned(),
                format: format.to_owned(),
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_fits() {
        let inline = Layout { takes_buffer: false, status: 96, first_group: 104, groups: 116, size: 128 };
        assert_eq!(layout(89), inline);
        assert_eq!(layout(96), inline);
        let buffer = Layout { takes_buffer: true, status: 8, first_group: 16, groups: 28, size: 40 };
        assert_eq!(layout(97), buffer);
        assert_eq!(layout(u32::MAX - 8), buffer);
        assert_eq!(layout(0).size, HIDDEN);
    }

    #[test]
    fn facts_are_read_as_they_are_stated() {
        let mut module = vec![0; HEADER];
        let printed = print_fact(2, "id", "%d=%g\n");
        let tables: Vec<u8> = (0..TABLE_PART as u32 + 3).map(|byte| byte as u8).collect();
        let others = [sub_group_size_fact(32), trap_fact(1, "a.cpp:1: k: a=b"), printed, "another".to_owned()];
        for text in others.into_iter().chain(table_facts(&tables)) {
            let mut bytes = text.into_bytes();
            bytes.resize((bytes.len() / 4 + 1) * 4, 0);
            module.push(((bytes.len() as u32 / 4 + 1) << 16) | OP_MODULE_PROCESSED);
            module.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        }
        let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
        let traps = vec![(1, "a.cpp:1: k: a=b".to_owned())];
        let prints = vec![Print { number: 2, types: "id".to_owned(), format: "%d=%g\n".to_owned() }];
        assert_eq!(facts(&bytes), Facts { sub_group_size: Some(32), traps, prints, tables });
        assert_eq!(facts(&bytes[..30]), Facts::default());
    }
}
