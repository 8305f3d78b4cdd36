//! Reads a kernel descriptor.
//!
//! In: the `sinter_kernel` that host code passes. Out: a checked, borrowed view. *Invariant:* every
//! parameter record lies inside the argument block, so that packing needs to check only the size of
//! the block. Where a descriptor has a seal, its sizes are trusted only after the seal was checked.
#![expect(unsafe_code, reason = "reads descriptors in the program's memory")]

use crate::{abi, error::RuntimeError, registry::Registered};
use sinter_core::{IrHash, ParameterKind, container::seal_of_content, names::readable};
use std::{ffi::CStr, mem::offset_of};

/// No closure has more parameters; a larger number means a damaged record.
const MAX_PARAMETERS: u32 = 1 << 16;
/// No closure is larger, in bytes; a larger number means a damaged record.
const MAX_BLOCK: u64 = 1 << 24;

/// A checked kernel descriptor.
#[derive(Debug, Clone, Copy)]
pub struct Descriptor<'a> {
    /// Symbol of the kernel in its container.
    pub symbol: &'a str,
    /// Parameter records, in the order of the parameters.
    pub parameters: &'a [abi::Parameter],
    /// Container that defines the kernel.
    pub container: *const abi::Container,
    /// Index of its image in the container's table; `None` for programs that were compiled before
    /// such tables existed.
    pub image: Option<u32>,
    /// Size of the argument block in bytes.
    pub block_size: usize,
    /// Digest of the kernel's own IR closure, if stage 1 recorded one.
    pub ir_hash: Option<IrHash>,
    /// Requirements on launches.
    pub requirements: abi::KernelRequirements,
    /// Aspects that the device must have: a bit for each, by its number.
    pub aspects: u64,
}

impl Descriptor<'_> {
    /// Container of a kernel that is launched before its constructor or after its destructor ran.
    /// It is not registered, because it would never be unregistered.
    pub(crate) fn unannounced(&self) -> Registered {
        // SAFETY: the creator of this view promised that everything the descriptor points to is
        // valid while it is used.
        unsafe { Registered::new(self.container) }
    }
}

/// The parts of a descriptor that say how arguments are passed, for later than its container.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    symbol: String,
    parameters: Box<[abi::Parameter]>,
    block_size: usize,
    requirements: abi::KernelRequirements,
}

impl Records {
    pub(crate) fn of(kernel: &Descriptor<'_>) -> Self {
        Records {
            symbol: kernel.symbol.to_owned(),
            parameters: kernel.parameters.into(),
            block_size: kernel.block_size,
            requirements: kernel.requirements,
        }
    }

    /// A descriptor without a container and an image.
    pub(crate) fn descriptor(&self) -> Descriptor<'_> {
        Descriptor {
            symbol: &self.symbol,
            parameters: &self.parameters,
            container: std::ptr::null(),
            image: None,
            block_size: self.block_size,
            ir_hash: None,
            requirements: self.requirements,
            aspects: 0,
        }
    }
}

fn bad(reason: impl Into<String>) -> RuntimeError {
    RuntimeError::invalid("kernel descriptor", reason)
}

/// Copies a descriptor; parts beyond its size are zero. The second value is true if it has all
/// parts, which programs that were compiled before those parts existed do not have.
///
/// # Safety
/// `kernel` points to as many bytes as its `struct_size` says.
unsafe fn copy(kernel: *const abi::Kernel) -> Result<(abi::WholeKernel, bool), RuntimeError> {
    const FIRST: usize = size_of::<abi::Kernel>();
    const SECOND: usize = offset_of!(abi::WholeKernel, image);
    const WHOLE: usize = size_of::<abi::WholeKernel>();
    // SAFETY: the caller promises at least a first part.
    let first = unsafe { *kernel };
    let mut copy = abi::WholeKernel { kernel: first, requirements: Default::default(), image: Default::default() };
    match first.struct_size as usize {
        FIRST => Ok((copy, false)),
        SECOND => {
            // SAFETY: the size says that the second part is there.
            copy.requirements = unsafe { (&raw const (*kernel.cast::<abi::WholeKernel>()).requirements).read() };
            Ok((copy, false))
        }
        // SAFETY: the size says that all parts are there.
        size if size >= WHOLE => Ok((unsafe { *kernel.cast::<abi::WholeKernel>() }, true)),
        found => Err(bad(format!("its struct_size is {found}, this runtime knows {FIRST}, {SECOND} and {WHOLE}"))),
    }
}

/// Aspects that the kernel requires; none in a descriptor that ends before them.
///
/// # Safety
/// `kernel` points to as many bytes as `whole`, a copy of its start, says.
unsafe fn aspects(kernel: *const abi::Kernel, whole: &abi::WholeKernel, symbol: &str) -> Result<u64, RuntimeError> {
    const START: usize = size_of::<abi::WholeKernel>();
    if (whole.kernel.struct_size as usize) < START + size_of::<abi::KernelAspects>() {
        return Ok(0);
    }
    // SAFETY: the size says that the part is there, behind a part of the same alignment.
    let found = unsafe { kernel.byte_add(START).cast::<abi::KernelAspects>().read() };
    let is_intact = whole.require(found.required_aspects).is_some_and(|aspects| aspects == found);
    if is_intact { Ok(found.required_aspects) } else { Err(broken(symbol.as_bytes())) }
}

/// Bytes of the symbol: as many as an intact seal says, otherwise up to the terminating zero.
///
/// # Safety
/// As for [`read`], with a symbol that is not null.
unsafe fn symbol<'a>(kernel: &abi::WholeKernel, is_intact: bool) -> &'a [u8] {
    let (start, size) = (kernel.kernel.symbol, kernel.image.symbol_size as usize);
    match is_intact {
        // SAFETY: the seal says that stage 1 made a symbol of this size.
        true => unsafe { std::slice::from_raw_parts(start.cast(), size) },
        // SAFETY: the caller promises a string that ends in a zero byte and lives as long as the
        // descriptor.
        false => unsafe { CStr::from_ptr(start) }.to_bytes(),
    }
}

/// Borrows the parameter records. Fails if their number is implausible.
///
/// # Safety
/// As for [`read`].
unsafe fn parameters<'a>(kernel: &abi::Kernel, symbol: &str) -> Result<&'a [abi::Parameter], RuntimeError> {
    let count = kernel.parameter_count;
    if count > MAX_PARAMETERS || kernel.block_size > MAX_BLOCK || (count > 0 && kernel.parameters.is_null()) {
        return Err(bad(format!("that of `{}` has impossible sizes or no parameter records", readable(symbol))));
    }
    match count {
        0 => Ok(&[]),
        // SAFETY: not null, and the caller promises `count` records that live as long as the
        // descriptor.
        count => Ok(unsafe { std::slice::from_raw_parts(kernel.parameters, count as usize) }),
    }
}

/// Error for a descriptor with a broken seal.
fn broken(symbol: &[u8]) -> RuntimeError {
    let reason = "its descriptor does not have its checksum: the program's file is damaged; rebuild or reinstall it";
    RuntimeError::Kernel { kernel: String::from_utf8_lossy(symbol).into_owned(), reason: reason.to_owned() }
}

/// Checks symbol and parameter records against their seal, which is itself covered by the seal of
/// the descriptor.
fn check_content(kernel: &abi::WholeKernel, symbol: &str, parameters: &[abi::Parameter]) -> Result<(), RuntimeError> {
    let content = seal_of_content(symbol.as_bytes(), parameters.iter().map(abi::Parameter::words));
    if content == kernel.image.content_seal { Ok(()) } else { Err(broken(symbol.as_bytes())) }
}

/// Kind of the parameter that a record describes; `None` if unknown.
pub(crate) fn kind(record: &abi::Parameter) -> Option<ParameterKind> {
    ParameterKind::from_number(record.kind & !abi::PARAMETER_SPECIALIZED)
}

/// Checks that one record has a known kind and lies inside the block.
fn check(symbol: &str, index: usize, record: &abi::Parameter, block_size: u64) -> Result<(), RuntimeError> {
    let end = u64::from(record.byte_offset) + u64::from(record.byte_size);
    let reason = if end > block_size {
        format!("parameter {index} ends at byte {end} of a block of {block_size} bytes")
    } else if kind(record).is_none() {
        format!("parameter {index} has the unknown kind {}", record.kind)
    } else {
        return Ok(());
    };
    Err(RuntimeError::Kernel { kernel: symbol.to_owned(), reason })
}

/// Reads and checks a descriptor.
///
/// # Safety
/// `kernel` and everything it points to is valid and unchanged while the view is used.
pub unsafe fn read<'a>(address: *const abi::Kernel) -> Result<Descriptor<'a>, RuntimeError> {
    // SAFETY: the same contract, upheld by the caller.
    let (whole, is_sealed) = unsafe { copy(address) }?;
    let abi::WholeKernel { kernel, requirements, image } = whole;
    if kernel.symbol.is_null() || kernel.container.is_null() {
        return Err(bad("its symbol or container is null"));
    }
    let is_intact = is_sealed && whole.checksum() == image.seal;
    // SAFETY: the same contract, upheld by the caller; not null.
    let symbol = unsafe { symbol(&whole, is_intact) };
    let name = std::str::from_utf8(symbol).map_err(|_| broken(symbol));
    let symbol = if is_intact == is_sealed { name } else { Err(broken(symbol)) }?;
    let group = requirements.required_group_size;
    if group != [0; 3] && group.contains(&0) {
        return Err(bad(format!(
            "that of `{}` requires work-groups of {group:?} items, where only some are 0",
            readable(symbol)
        )));
    }
    // SAFETY: the same contract, upheld by the caller.
    let parameters = unsafe { parameters(&kernel, symbol) }?;
    if is_sealed {
        check_content(&whole, symbol, parameters)?;
    }
    // SAFETY: the same contract, upheld by the caller.
    let aspects = unsafe { aspects(address, &whole, symbol) }?;
    let mut records = parameters.iter().enumerate();
    records.try_for_each(|(index, record)| check(symbol, index, record, kernel.block_size))?;
    let (container, block_size) = (kernel.container, kernel.block_size as usize);
    let ir_hash = (kernel.ir_hash != [0; 32]).then_some(kernel.ir_hash);
    let image = is_sealed.then_some(image.image);
    Ok(Descriptor { symbol, parameters, container, image, block_size, ir_hash, requirements, aspects })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr;

    #[repr(C)]
    struct Sealed {
        whole: abi::WholeKernel,
        aspects: abi::KernelAspects,
    }

    /// A descriptor without parameters whose `struct_size` is `size`.
    fn descriptor(size: u32, aspects: u64) -> Sealed {
        let kernel = abi::Kernel {
            struct_size: size,
            parameter_count: 0,
            container: ptr::null(),
            symbol: ptr::null(),
            parameters: ptr::null(),
            block_size: 0,
            ir_hash: [0; 32],
            slot: ptr::null_mut(),
        };
        let whole = abi::WholeKernel { kernel, requirements: Default::default(), image: Default::default() }.sealed();
        Sealed { whole, aspects: whole.require(aspects).unwrap_or_default() }
    }

    fn found(sealed: &Sealed) -> Result<u64, RuntimeError> {
        // SAFETY: the value is as long as its size says.
        unsafe { aspects((&raw const *sealed).cast(), &sealed.whole, "kernel") }
    }

    #[test]
    fn aspects_are_read_where_the_size_covers_them() {
        let size = abi::WholeKernel::size(6);
        assert_eq!(size as usize, size_of::<Sealed>());
        assert!(found(&descriptor(size, 6)).is_ok_and(|aspects| aspects == 6));
        let without = abi::WholeKernel::size(0);
        assert_eq!(without as usize, size_of::<abi::WholeKernel>());
        assert!(found(&descriptor(without, 6)).is_ok_and(|aspects| aspects == 0));
    }

    #[test]
    fn damaged_aspects_are_an_error() {
        let size = abi::WholeKernel::size(6);
        let damages: [fn(&mut Sealed); 3] = [
            |sealed| sealed.aspects.required_aspects = 2,
            |sealed| sealed.aspects.required_aspects = 0,
            |sealed| sealed.aspects.aspects_seal ^= 1,
        ];
        for damage in damages {
            let mut sealed = descriptor(size, 6);
            damage(&mut sealed);
            assert!(found(&sealed).is_err_and(|error| error.to_string().contains("checksum")));
        }
    }
}
