//! Questions about images that tools ask.
//!
//! In: IR or bitcode. Out: checked bitcode, or names. *Invariant:* a question changes nothing and knows no target.

use sinter_core::container::KERNEL_ATTRIBUTE;
use sinter_llvm::{LlvmError, Session, ir::Value};

/// Why an image could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ImageError {
    /// LLVM's message.
    pub message: String,
}

impl From<LlvmError> for ImageError {
    fn from(error: LlvmError) -> Self {
        ImageError { message: error.to_string() }
    }
}

/// Turns textual IR, or bitcode, into checked bitcode.
pub fn assemble(text: &[u8]) -> Result<Vec<u8>, ImageError> {
    let session = Session::new()?;
    let module = session.parse(text)?;
    module.verify()?;
    Ok(module.bitcode())
}

/// The kernels of an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kernels {
    /// The functions that stage 1 marked.
    Marked(Vec<String>),
    /// If none is marked: those that a request can name as its kernel: the visible ones with a name
    /// that return nothing.
    Possible(Vec<String>),
}

impl Kernels {
    /// Their symbols.
    pub fn into_symbols(self) -> Vec<String> {
        let (Kernels::Marked(symbols) | Kernels::Possible(symbols)) = self;
        symbols
    }
}

/// The kernels of an image.
pub fn kernels(bitcode: &[u8]) -> Result<Kernels, ImageError> {
    let session = Session::new()?;
    let image = session.lazy_bitcode(bitcode)?;
    let candidates = image.functions().into_iter().filter(|f| !f.is_declaration() && f.is_visible());
    let possible: Vec<Value<'_>> =
        candidates.filter(|f| f.return_type().text() == "void" && !f.name().is_empty()).collect();
    let symbols = |functions: &[Value<'_>]| functions.iter().map(|function| function.name()).collect();
    let marked: Vec<_> = possible.iter().copied().filter(|f| f.has_text_attribute(KERNEL_ATTRIBUTE)).collect();
    Ok(if marked.is_empty() { Kernels::Possible(symbols(&possible)) } else { Kernels::Marked(symbols(&marked)) })
}

/// The variables of an image, among them the constants that a request can give values to.
pub fn variables(bitcode: &[u8]) -> Result<Vec<String>, ImageError> {
    let session = Session::new()?;
    let image = session.lazy_bitcode(bitcode)?;
    Ok(image.globals().into_iter().map(Value::name).filter(|name| !name.is_empty()).collect())
}

/// The functions that a library defines.
pub fn functions(bitcode: &[u8]) -> Result<Vec<String>, ImageError> {
    let session = Session::new()?;
    let library = session.lazy_bitcode(bitcode)?;
    Ok(library.functions().into_iter().filter(|f| !f.is_declaration()).map(Value::name).collect())
}

/// True if the image has debug information with source lines. Fails if it is not bitcode.
pub fn has_debug_info(bitcode: &[u8]) -> Result<bool, ImageError> {
    let session = Session::new()?;
    Ok(session.parse(bitcode)?.has_debug_info())
}
