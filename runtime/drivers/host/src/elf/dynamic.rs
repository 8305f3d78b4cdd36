//! Checks what the dynamic linker follows: the dynamic table, symbols, hash table and relocations.
//!
//! In: the dynamic table of a file whose segments were checked. Out: the reason to refuse it, if there is one.
//! *Invariant:* no index or address in these tables leads outside the file or the memory that it claims.

use super::{Check, Segment, bytes_at, ensure, file_offset, is_mapped, u16_at, u32_at, u64_at};

/// Values of the dynamic table that are checked, by tag.
#[derive(Default)]
struct Dynamic {
    values: Vec<(u64, u64)>,
}

const DT_PLTRELSZ: u64 = 2;
const DT_HASH: u64 = 4;
const DT_STRTAB: u64 = 5;
const DT_SYMTAB: u64 = 6;
const DT_RELA: u64 = 7;
const DT_RELASZ: u64 = 8;
const DT_STRSZ: u64 = 10;
const DT_INIT: u64 = 12;
const DT_FINI: u64 = 13;
const DT_REL: u64 = 17;
const DT_PLTREL: u64 = 20;
const DT_JMPREL: u64 = 23;
const DT_INIT_ARRAY: u64 = 25;
const DT_FINI_ARRAY: u64 = 26;
const DT_RELR: u64 = 36;
const DT_GNU_HASH: u64 = 0x6fff_fef5;
const DT_VERSYM: u64 = 0x6fff_fff0;
const DT_VERDEF: u64 = 0x6fff_fffc;
const DT_VERNEED: u64 = 0x6fff_fffe;
const POINTERS: [u64; 10] =
    [DT_HASH, DT_SYMTAB, DT_INIT, DT_FINI, DT_INIT_ARRAY, DT_FINI_ARRAY, DT_GNU_HASH, DT_VERSYM, DT_VERDEF, DT_VERNEED];
const SYMBOL_SIZE: u64 = 24;
const RELA_SIZE: u64 = 24;

impl Dynamic {
    fn read(bytes: &[u8], offset: u64, size: u64) -> Result<Self, String> {
        let mut dynamic = Dynamic::default();
        for at in (offset..offset + size / 16 * 16).step_by(16) {
            let (tag, value) = (u64_at(bytes, at)?, u64_at(bytes, at + 8)?);
            if tag == 0 {
                return Ok(dynamic);
            }
            dynamic.values.push((tag, value));
        }
        Err("its dynamic table does not end".to_owned())
    }

    fn get(&self, tag: u64) -> Option<u64> {
        self.values.iter().find(|value| value.0 == tag).map(|value| value.1)
    }
}

/// Checks the dynamic table of `size` bytes at `offset` and what it refers to.
pub(super) fn check(bytes: &[u8], segments: &[Segment], offset: u64, size: u64) -> Check {
    let dynamic = Dynamic::read(bytes, offset, size)?;
    for tag in POINTERS {
        let held = dynamic.get(tag).is_none_or(|address| file_offset(segments, address, 8).is_some());
        ensure(held, "its dynamic table points outside the file")?;
    }
    ensure(dynamic.get(DT_REL).is_none() && dynamic.get(DT_RELR).is_none(), "it has relocations of an unknown form")?;
    ensure(dynamic.get(DT_PLTREL).is_none_or(|form| form == DT_RELA), "it has relocations of an unknown form")?;
    let symbols = Symbols::read(bytes, segments, &dynamic)?;
    symbols.check_hash(segments, &dynamic)?;
    for (table, size) in [(DT_RELA, DT_RELASZ), (DT_JMPREL, DT_PLTRELSZ)] {
        if let Some(address) = dynamic.get(table) {
            check_relocations(&symbols, segments, address, dynamic.get(size).unwrap_or(0))?;
        }
    }
    Ok(())
}

fn check_relocations(symbols: &Symbols, segments: &[Segment], address: u64, size: u64) -> Check {
    let offset = file_offset(segments, address, size).ok_or("its relocations are not in the file")?;
    for at in (offset..offset + size / RELA_SIZE * RELA_SIZE).step_by(RELA_SIZE as usize) {
        let (target, info) = (u64_at(symbols.bytes, at)?, u64_at(symbols.bytes, at + 8)?);
        ensure(is_mapped(segments, target, 8), "a relocation points outside its segments")?;
        symbols.check(segments, info >> 32)?;
    }
    Ok(())
}

/// The symbol table. Its length is written nowhere; every index is checked where it is found.
struct Symbols<'a> {
    bytes: &'a [u8],
    /// Where the table starts in the file.
    offset: u64,
    /// Length of the string table.
    strings: u64,
}

impl<'a> Symbols<'a> {
    fn read(bytes: &'a [u8], segments: &[Segment], dynamic: &Dynamic) -> Result<Self, String> {
        let offset = dynamic.get(DT_SYMTAB).and_then(|address| file_offset(segments, address, SYMBOL_SIZE));
        let strings = dynamic.get(DT_STRSZ).filter(|&size| size > 0);
        let names = dynamic.get(DT_STRTAB).zip(strings).and_then(|(at, size)| file_offset(segments, at, size));
        let ((offset, strings), names) = offset.zip(strings).zip(names).ok_or("its symbol table is incomplete")?;
        ensure(bytes_at(bytes, names + strings - 1)? == [0], "its string table does not end")?;
        Ok(Symbols { bytes, offset, strings })
    }

    fn check(&self, segments: &[Segment], index: u64) -> Check {
        let at = self.offset + index * SYMBOL_SIZE;
        ensure(u64::from(u32_at(self.bytes, at)?) < self.strings, "a symbol's name is outside the string table")?;
        let (section, value) = (u16_at(self.bytes, at + 6)?, u64_at(self.bytes, at + 8)?);
        ensure(section == 0 || is_mapped(segments, value, 0), "a symbol lies outside its segments")
    }

    /// Checks the table by which the dynamic linker finds symbols. It prefers GNU's form.
    fn check_hash(&self, segments: &[Segment], dynamic: &Dynamic) -> Check {
        let offset = |tag, size| dynamic.get(tag).and_then(|address| file_offset(segments, address, size));
        match (offset(DT_GNU_HASH, 16), offset(DT_HASH, 8)) {
            (Some(at), _) => self.check_gnu_hash(segments, at),
            (None, Some(at)) => self.check_plain_hash(segments, at),
            (None, None) => Err("it has no hash table".to_owned()),
        }
    }

    /// Header of four words, then bloom words of 8 bytes, buckets and chains of 4 bytes; a chain ends with an odd hash.
    fn check_gnu_hash(&self, segments: &[Segment], at: u64) -> Check {
        let word = |index: u64| u32_at(self.bytes, at + 4 * index).map(u64::from);
        let (buckets, first, bloom) = (word(0)?, word(1)?, word(2)?);
        ensure(buckets > 0 && bloom.is_power_of_two() && word(3)? < 64, "its hash table is malformed")?;
        let bucket_at = 4 + 2 * bloom;
        for bucket in 0..buckets {
            let start = word(bucket_at + bucket)?;
            ensure(start == 0 || start >= first, "its hash table is malformed")?;
            let mut symbol = start;
            while symbol > 0 {
                self.check(segments, symbol)?;
                let ends = word(bucket_at + buckets + symbol - first)? & 1 == 1;
                symbol = if ends { 0 } else { symbol + 1 };
            }
        }
        Ok(())
    }

    /// Two counts, then buckets and chains, each an index of a symbol.
    fn check_plain_hash(&self, segments: &[Segment], at: u64) -> Check {
        let word = |index: u64| u32_at(self.bytes, at + 4 * index).map(u64::from);
        let (buckets, chains) = (word(0)?, word(1)?);
        ensure(buckets > 0, "its hash table is malformed")?;
        for bucket in 0..buckets {
            let (mut symbol, mut steps) = (word(2 + bucket)?, 0);
            while symbol > 0 {
                steps += 1;
                ensure(symbol < chains && steps <= chains, "its hash table is malformed")?;
                self.check(segments, symbol)?;
                symbol = word(2 + buckets + symbol)?;
            }
        }
        Ok(())
    }
}
