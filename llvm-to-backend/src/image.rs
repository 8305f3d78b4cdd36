//! Questions about images and machines that tools ask.

use sinter_core::{HostTarget, OptLevel, Target, TranslateRequest};
use sinter_llvm::{Emit, LlvmError, Machine, Session, host_cpu, host_features, host_triple, ir::Value};

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

/// The functions of an image that a request can name as its kernel: the visible ones that return nothing.
pub fn kernels(bitcode: &[u8]) -> Result<Vec<String>, ImageError> {
    let session = Session::new()?;
    let image = session.lazy_bitcode(bitcode)?;
    let candidates = image.functions().into_iter().filter(|f| !f.is_declaration() && f.is_visible());
    Ok(candidates.filter(|f| f.return_type().text() == "void").map(Value::name).collect())
}

/// The machine we run on, as LLVM describes it.
pub fn native_target() -> HostTarget {
    HostTarget { triple: host_triple(), cpu: host_cpu(), features: host_features() }
}

/// What [`emit`] generates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Assembly text.
    Assembly,
    /// A relocatable object file.
    Object,
}

/// Generates code from the IR that [`inspect`](crate::inspect) returned for the same request.
pub fn emit(ir: &str, request: &TranslateRequest, format: Format) -> Result<Vec<u8>, ImageError> {
    let Target::Host(HostTarget { triple, cpu, features }) = &request.target else {
        return Err(ImageError { message: format!("no code generator for {}", request.target) });
    };
    let session = Session::new()?;
    let module = session.parse(ir.as_bytes())?;
    module.strip_debug();
    let machine = Machine::new(triple, cpu, features, request.config.opt_level != OptLevel::O0)?;
    let emit = match format {
        Format::Assembly => Emit::Assembly,
        Format::Object => Emit::Object,
    };
    Ok(machine.emit(&module, emit)?)
}
