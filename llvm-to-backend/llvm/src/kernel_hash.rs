//! Digests that identify the code of a kernel.
//!
//! In: an image's bitcode and a kernel's name. Out: the BLAKE3 digest of the kernel's closure, that
//! is of the kernel and every function and global it reaches. *Invariant:* any change that could
//! affect the generated code changes the digest; debug information, paths, names of internal
//! symbols, and code outside the closure do not.
//!
//! The digest is taken over the printed closure: LLVM's bitcode writer also stores every metadata
//! kind and synchronization scope that the whole image names
//! (`ModuleBitcodeWriter::writeModuleMetadataKinds`).

use crate::{
    error::LlvmError,
    guard::guarded,
    machine::take_buffer,
    module::Module,
    session::Session,
    text::{take_bytes, take_message},
};
use llvm_sys::prelude::{LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef};
use std::{
    collections::HashMap,
    ffi::c_char,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

/// A kernel has no digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("kernel `{kernel}`: {reason}")]
pub struct KernelHashError {
    /// Name of the requested kernel.
    pub kernel: String,
    /// Message of LLVM or of the closure walk.
    pub reason: String,
}

/// Number of parts into which an image is divided. A part costs one reading of the whole (14 µs per
/// kernel) and copying its kernels (200 µs per kernel), so more parts and fewer passes pay until
/// about here.
const PARTS: usize = 8;

/// A digest.
pub type KernelHash = [u8; 32];

unsafe extern "C-unwind" {
    fn sinter_kernel_text(
        bitcode: *const c_char,
        size: usize,
        kernels: *const c_char,
        kernels_size: usize,
        own: *mut LLVMMemoryBufferRef,
        error: *mut *mut c_char,
    ) -> *mut c_char;
    fn sinter_read_kernel(
        context: LLVMContextRef,
        bitcode: *const c_char,
        size: usize,
        kernel: *const c_char,
        kernel_size: usize,
        text: *mut *mut c_char,
    ) -> LLVMModuleRef;
}

/// The closure of a kernel or of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelClosure {
    /// Digest of the closure.
    pub hash: KernelHash,
    /// An image of the closure alone, with the same digest; empty if the IR is not well formed.
    pub bitcode: Vec<u8>,
}

/// The digest of the closure of `kernel` in the image `bitcode`.
pub fn kernel_hash(bitcode: &[u8], kernel: &str) -> Result<KernelHash, KernelHashError> {
    kernel_closure(bitcode, kernel).map(|closure| closure.hash)
}

/// The digest and the bitcode of the closure of `kernel` in the image `bitcode`. The image is read
/// once for both, because reading takes time proportional to its functions and variables.
pub fn kernel_closure(bitcode: &[u8], kernel: &str) -> Result<KernelClosure, KernelHashError> {
    let error = |reason| KernelHashError { kernel: kernel.to_owned(), reason };
    let (text, bitcode) = canonical_text(bitcode, kernel).map_err(error)?;
    Ok(KernelClosure { hash: *blake3::hash(&text).as_bytes(), bitcode })
}

/// Limit for the bitcode of cached closures, in bytes.
const KEPT: usize = 16 << 20;

/// Closures by the digest of their image and their kernels' names.
type Known = HashMap<(KernelHash, String), Arc<KernelClosure>>;

/// The closure of some kernels of an image, cached: a kernel is often translated again for another
/// specialisation, and the closure depends on the image's bytes alone.
pub fn known_closure(bitcode: &[u8], kernels: &[&str]) -> Result<Arc<KernelClosure>, KernelHashError> {
    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (*blake3::hash(bitcode).as_bytes(), kernels.join("\0"));
    if let Some(closure) = known().as_ref().and_then(|known| known.get(&key)) {
        return Ok(closure.clone());
    }
    let closure = Arc::new(kernel_closure(bitcode, &key.1)?);
    let mut known = known();
    let known = known.get_or_insert_default();
    if known.values().map(|closure| closure.bitcode.len()).sum::<usize>() > KEPT {
        known.clear();
    }
    known.insert(key, closure.clone());
    Ok(closure)
}

/// Limit for the number of cached digests.
const MOST: usize = 4096;

/// The closure of a kernel as a verified module, with its digest, which is cached. `None` if the
/// image has debug information, or if its bitcode or IR is damaged: [`known_closure`] then gives
/// the closure or the reason.
pub fn closure_module<'s>(
    session: &'s Session,
    bitcode: &[u8],
    kernel: &str,
) -> Result<Option<(Module<'s>, KernelHash)>, LlvmError> {
    static KNOWN: Mutex<Option<HashMap<(KernelHash, String), KernelHash>>> = Mutex::new(None);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (*blake3::hash(bitcode).as_bytes(), kernel.to_owned());
    let earlier = known().as_ref().and_then(|known| known.get(&key).copied());
    let Some((module, text)) = read_kernel(session, bitcode, kernel, earlier.is_none())? else { return Ok(None) };
    let hash = earlier.unwrap_or_else(|| *blake3::hash(&text).as_bytes());
    let mut known = known();
    let known = known.get_or_insert_default();
    if known.len() > MOST {
        known.clear();
    }
    known.insert(key, hash);
    Ok(Some((module, hash)))
}

/// The closure of a kernel. If its digest is needed, the module is verified and printed.
fn read_kernel<'s>(
    session: &'s Session,
    bitcode: &[u8],
    kernel: &str,
    prints: bool,
) -> Result<Option<(Module<'s>, Vec<u8>)>, LlvmError> {
    let mut text = std::ptr::null_mut();
    let place: *mut *mut c_char = if prints { &mut text } else { std::ptr::null_mut() };
    let (start, name) = (bitcode.as_ptr().cast(), kernel.as_ptr().cast());
    // SAFETY: a live context; both slices outlive the call, which copies what it keeps; `place` is
    // null or valid.
    let module =
        guarded(|| unsafe { sinter_read_kernel(session.context(), start, bitcode.len(), name, kernel.len(), place) })?;
    let outcome = session.check();
    if module.is_null() {
        return Ok(None); // Reading it again gives the same errors.
    }
    let module = Module::new(session, module);
    let text = if prints { take_bytes(text).unwrap_or_default() } else { Vec::new() };
    outcome.map(|()| Some((module, text)))
}

/// Smaller images are not divided, in bytes. Reading takes about 7 µs per KiB, and functions shared
/// by all kernels would be in each part.
const SMALL: usize = 64 << 10;
/// Limit for the total size of the parts of an image, in percent of its size.
const GROWTH: usize = 150;

/// A part of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its kernels, as indices into the list of all kernels of the image.
    pub kernels: Range<usize>,
    /// An image of their closure; the original image if dividing gains nothing.
    pub bitcode: Arc<[u8]>,
}

/// An image divided into parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    /// Digests in the order of the kernels.
    pub hashes: Vec<KernelHash>,
    /// Parts in the order of their kernels.
    pub parts: Vec<Part>,
}

/// The digests of many kernels.
pub fn kernel_hashes(bitcode: &[u8], kernels: &[&str]) -> Result<Vec<KernelHash>, KernelHashError> {
    divide(bitcode, kernels, &[]).map(|division| division.hashes)
}

/// The digests of many kernels, and smaller images of them, so that a translation reads few kernels
/// besides its own. Reading the whole image for each digest takes time quadratic in the number of
/// kernels, so the image is divided anyway. `variables` are in every part.
pub fn divide(bitcode: &[u8], kernels: &[&str], variables: &[&str]) -> Result<Division, KernelHashError> {
    divide_from(0, &Arc::from(bitcode), kernels, variables)
}

fn divide_from(
    first: usize,
    bitcode: &Arc<[u8]>,
    kernels: &[&str],
    variables: &[&str],
) -> Result<Division, KernelHashError> {
    let whole = |kernels: &[&str]| Part { kernels: first..first + kernels.len(), bitcode: Arc::clone(bitcode) };
    if kernels.len() <= PARTS {
        let hashes = kernels.iter().map(|kernel| kernel_hash(bitcode, kernel)).collect::<Result<_, _>>()?;
        return Ok(Division { hashes, parts: vec![whole(kernels)] });
    }
    let (mut hashes, mut coarse, mut fine) = (Vec::with_capacity(kernels.len()), Vec::new(), Vec::new());
    for names in kernels.chunks(kernels.len().div_ceil(PARTS)) {
        let own = closure_of(bitcode, names, variables)?;
        let start = first + hashes.len();
        let division = divide_from(start, &own, names, variables)?;
        hashes.extend(division.hashes);
        fine.extend(division.parts);
        coarse.push(Part { kernels: start..start + names.len(), bitcode: own });
    }
    let candidates = if bitcode.len() < SMALL { vec![] } else { vec![fine, coarse] };
    let size = |parts: &[Part]| parts.iter().map(|part| part.bitcode.len()).sum::<usize>();
    let fits = |parts: &Vec<Part>| size(parts) * 100 <= bitcode.len() * GROWTH;
    let parts = candidates.into_iter().find(fits).unwrap_or_else(|| vec![whole(kernels)]);
    Ok(Division { hashes, parts })
}

/// An image of the kernels' closure; the whole image if its IR is not well formed.
pub fn closure_of(bitcode: &Arc<[u8]>, kernels: &[&str], others: &[&str]) -> Result<Arc<[u8]>, KernelHashError> {
    let error = |reason| KernelHashError { kernel: kernels.join("`, `"), reason };
    let (_, own) = canonical_text(bitcode, &[kernels, others].concat().join("\0")).map_err(error)?;
    Ok(if own.is_empty() { Arc::clone(bitcode) } else { own.into() })
}

/// The printed IR of the kernels' closure, and the same as bitcode.
fn canonical_text(bitcode: &[u8], kernels: &str) -> Result<(Vec<u8>, Vec<u8>), String> {
    let (mut own, mut error) = (std::ptr::null_mut(), std::ptr::null_mut());
    let (start, kernels_start) = (bitcode.as_ptr().cast(), kernels.as_ptr().cast());
    // SAFETY: both slices outlive the call, which copies what it keeps; the results have valid
    // places.
    let text = guarded(|| unsafe {
        sinter_kernel_text(start, bitcode.len(), kernels_start, kernels.len(), &mut own, &mut error)
    })
    .map_err(|error| error.to_string())?;
    let own = take_buffer(own);
    match text.is_null() {
        false => Ok((take_bytes(text).unwrap_or_default(), own)),
        true => Err(take_message(error)),
    }
}
