//! Checks an ELF shared object before the dynamic linker sees it.
//!
//! In: bytes. Out: the reason to refuse them, if there is one. The dynamic linker trusts the file it maps and crashes
//! on a damaged one. *Invariant:* whatever passes is a shared object for this machine whose segments, dynamic table
//! and relocations lie within the file and the memory they claim.

mod dynamic;

/// A load segment: where it is in the file and in memory.
#[derive(Debug, Clone, Copy)]
struct Segment {
    offset: u64,
    file_size: u64,
    address: u64,
    memory_size: u64,
}

const HEADER_SIZE: usize = 64;
const PROGRAM_HEADER_SIZE: u64 = 56;
const ET_DYN: u16 = 3;
const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const PT_GNU_RELRO: u32 = 0x6474_e552;
/// Larger shared objects are not kernels.
const MEMORY_LIMIT: u64 = 1 << 32;

#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = 183;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const MACHINE: u16 = 0;

type Check = Result<(), String>;

fn ensure(condition: bool, message: &str) -> Check {
    if condition { Ok(()) } else { Err(message.to_owned()) }
}

fn bytes_at<const N: usize>(bytes: &[u8], offset: u64) -> Result<[u8; N], String> {
    let start = usize::try_from(offset).ok();
    let slice = start.and_then(|start| bytes.get(start..start.checked_add(N)?));
    slice.and_then(|slice| slice.try_into().ok()).ok_or_else(|| format!("it ends before offset {offset}"))
}

fn u16_at(bytes: &[u8], offset: u64) -> Result<u16, String> {
    bytes_at(bytes, offset).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], offset: u64) -> Result<u32, String> {
    bytes_at(bytes, offset).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], offset: u64) -> Result<u64, String> {
    bytes_at(bytes, offset).map(u64::from_le_bytes)
}

/// Says why `bytes` is not a shared object that can be handed to the dynamic linker.
pub(crate) fn check(bytes: &[u8]) -> Check {
    check_header(bytes)?;
    let headers = program_headers(bytes)?;
    let mut segments = Vec::new();
    for &at in &headers {
        if u32_at(bytes, at)? == PT_LOAD {
            segments.push(load_segment(bytes, at)?);
        }
    }
    check_layout(bytes, &headers, &segments)?;
    for &at in &headers {
        if u32_at(bytes, at)? == PT_DYNAMIC {
            let Segment { offset, file_size, address, .. } = segment(bytes, at)?;
            ensure(file_offset(&segments, address, file_size) == Some(offset), "its dynamic table is not loaded")?;
            return dynamic::check(bytes, &segments, offset, file_size);
        }
    }
    Err("it has no dynamic table".to_owned())
}

/// The dynamic linker reserves memory from the first segment to the last and maps each where it says.
fn check_layout(bytes: &[u8], headers: &[u64], segments: &[Segment]) -> Check {
    ensure(!segments.is_empty(), "it has no load segment")?;
    let apart = |pair: &[Segment]| pair[0].address + pair[0].memory_size <= pair[1].address;
    ensure(segments.windows(2).all(apart), "its load segments overlap or are not in order")?;
    for &at in headers {
        if u32_at(bytes, at)? == PT_GNU_RELRO {
            let relro = segment(bytes, at)?;
            ensure(is_mapped(segments, relro.address, relro.memory_size), "its read-only part is not loaded")?;
        }
    }
    Ok(())
}

fn check_header(bytes: &[u8]) -> Check {
    ensure(bytes.starts_with(b"\x7fELF"), "it is not an ELF file")?;
    ensure(bytes.len() >= HEADER_SIZE, "its header is cut off")?;
    ensure(bytes[4..7] == [2, 1, 1], "it is not a 64-bit little-endian ELF file of version 1")?;
    ensure(u16_at(bytes, 16)? == ET_DYN, "it is not a shared object")?;
    let machine = u16_at(bytes, 18)?;
    ensure(machine == MACHINE, &format!("it is for machine {machine}, not {MACHINE}"))?;
    ensure(u64::from(u16_at(bytes, 54)?) == PROGRAM_HEADER_SIZE, "its program headers have an unknown size")
}

/// Offsets of the program headers.
fn program_headers(bytes: &[u8]) -> Result<Vec<u64>, String> {
    let (offset, count) = (u64_at(bytes, 32)?, u64::from(u16_at(bytes, 56)?));
    let end = offset.checked_add(count * PROGRAM_HEADER_SIZE);
    ensure(end.is_some_and(|end| end <= bytes.len() as u64), "its program headers are cut off")?;
    Ok((0..count).map(|i| offset + i * PROGRAM_HEADER_SIZE).collect())
}

/// Reads a program header and checks that its range lies in the file.
fn segment(bytes: &[u8], at: u64) -> Result<Segment, String> {
    let word = |offset| u64_at(bytes, at + offset);
    let segment = Segment { offset: word(8)?, address: word(16)?, file_size: word(32)?, memory_size: word(40)? };
    let end = segment.offset.checked_add(segment.file_size);
    ensure(end.is_some_and(|end| end <= bytes.len() as u64), "a segment is cut off")?;
    let end = segment.address.checked_add(segment.memory_size.max(segment.file_size));
    ensure(end.is_some_and(|end| end <= MEMORY_LIMIT), "a segment lies outside the address space")?;
    Ok(segment)
}

fn load_segment(bytes: &[u8], at: u64) -> Result<Segment, String> {
    let segment = segment(bytes, at)?;
    ensure(segment.file_size <= segment.memory_size, "a segment is larger in the file than in memory")?;
    let alignment = u64_at(bytes, at + 48)?.max(1);
    ensure(alignment.is_power_of_two() && alignment <= MEMORY_LIMIT, "a segment's alignment is not a power of two")?;
    let skew = segment.address.wrapping_sub(segment.offset) % alignment;
    ensure(skew == 0, "a segment is not aligned")?;
    Ok(segment)
}

/// Where the file holds `size` bytes of memory at `address`.
fn file_offset(segments: &[Segment], address: u64, size: u64) -> Option<u64> {
    let holds = |s: &&Segment| address >= s.address && size <= s.file_size && address - s.address <= s.file_size - size;
    segments.iter().find(holds).map(|s| s.offset + (address - s.address))
}

/// Whether `size` bytes of memory at `address` are loaded.
fn is_mapped(segments: &[Segment], address: u64, size: u64) -> bool {
    let holds =
        |s: &Segment| address >= s.address && size <= s.memory_size && address - s.address <= s.memory_size - size;
    segments.iter().any(holds)
}
