//! Questions about images and machines that tools ask.

use crate::{
    failure::{Failure, Outcome},
    step::Step,
    targets::{amdgcn, ptx, spirv},
};
use sinter_core::{
    AmdgcnTarget, HostTarget, OptLevel, PtxTarget, Target, TranslateError, TranslateRequest,
    container::KERNEL_ATTRIBUTE,
};
use sinter_llvm::{Emit, LlvmError, Machine, Module, Session, host_cpu, host_features, host_triple, ir::Value};

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

/// The machine we run on, as LLVM describes it.
pub fn native_target() -> HostTarget {
    HostTarget { triple: host_triple(), cpu: host_cpu(), features: host_features(), line_tables: false }
}

/// Fails with the reason if LLVM does not know the CPU of a target.
pub fn check_target(target: &HostTarget) -> Result<(), ImageError> {
    Machine::new(&target.triple, &target.cpu, &target.features, true)?;
    Ok(())
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
    let optimise = request.config.opt_level != OptLevel::O0;
    let session = Session::new()?;
    let module = session.parse(ir.as_bytes())?;
    let message = match (&request.target, format) {
        (Target::Host(HostTarget { triple, cpu, features, line_tables }), format) => {
            if !line_tables {
                module.strip_debug();
            }
            let machine = Machine::new(triple, cpu, features, optimise)?;
            return Ok(machine.emit(&module, format.into())?);
        }
        (Target::Amdgcn(target), format) => {
            let code = amdgcn_code(&session, module, target, optimise, format);
            return code.map_err(|failure| not_lowered(request, failure));
        }
        (Target::Ptx(target), Format::Assembly) => {
            return ptx_text(&session, module, target, optimise).map_err(|failure| not_lowered(request, failure));
        }
        (Target::Spirv(target), format) => {
            let code = spirv::code(&session, module, target, request, format);
            return code.map_err(|failure| not_lowered(request, failure));
        }
        (Target::Ptx(_), Format::Object) => {
            "an NVIDIA GPU has no relocatable objects; ask for the assembly, or let ptxas make a cubin of it".to_owned()
        }
        (other, _) => format!("no code generator for {other}"),
    };
    Err(ImageError { message })
}

impl From<Format> for Emit {
    fn from(format: Format) -> Self {
        match format {
            Format::Assembly => Emit::Assembly,
            Format::Object => Emit::Object,
        }
    }
}

/// What a translation says when its last step fails.
fn not_lowered(request: &TranslateRequest, failure: Failure) -> ImageError {
    ImageError { message: TranslateError::new(request, Step::Lower.name(), failure.0).to_string() }
}

fn amdgcn_code(
    session: &Session,
    module: Module<'_>,
    target: &AmdgcnTarget,
    optimise: bool,
    format: Format,
) -> Outcome<Vec<u8>> {
    let machine = amdgcn::machine(target, optimise)?;
    amdgcn::emit(session, &machine, target, module, format.into())
}

fn ptx_text(session: &Session, module: Module<'_>, target: &PtxTarget, optimise: bool) -> Outcome<Vec<u8>> {
    let machine = ptx::machine(target, optimise)?;
    ptx::text(session, &machine, target, module)
}
