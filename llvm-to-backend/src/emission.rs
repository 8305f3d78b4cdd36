//! Generates code from IR that a tool saved.
//!
//! In: the IR that [`inspect`](crate::inspect) returned after the step `optimise`, and its request.
//! Out: the code generator's output. *Invariant:* an error of a backend reads as in a whole
//! translation.

use crate::{
    backend::{Backend, Format},
    context::Context,
    failure::{Failure, GenerationFailure},
    inspection::ImageError,
    steps::Step,
    targets::{Task, with_backend},
};
use sinter_core::{OptLevel, TranslateError, TranslateRequest};
use sinter_llvm::{Module, Session};

/// Generates code from the IR that [`inspect`](crate::inspect) returned for the same request.
pub fn emit(ir: &str, request: &TranslateRequest, format: Format) -> Result<Vec<u8>, ImageError> {
    let unknown = || ImageError { message: format!("no code generator for {}", request.target) };
    with_backend(&request.target, Emission { ir, request, format }).unwrap_or_else(|| Err(unknown()))
}

/// The request as a task for a backend.
struct Emission<'e> {
    ir: &'e str,
    request: &'e TranslateRequest,
    format: Format,
}

impl Task for Emission<'_> {
    type Output = Result<Vec<u8>, ImageError>;

    fn run<B: Backend>(self, backend: &B) -> Self::Output {
        let session = Session::new()?;
        let module = session.parse(self.ir.as_bytes())?;
        if let Some(reason) = backend.no_objects().filter(|_| self.format == Format::Object) {
            return Err(ImageError { message: reason.to_owned() });
        }
        self.generate(backend, &session, module).map_err(|failure| match failure {
            GenerationFailure::Step(failure) => not_lowered(self.request, failure),
            GenerationFailure::Llvm(error) => error.into(),
        })
    }
}

impl Emission<'_> {
    fn generate<B: Backend>(
        &self,
        backend: &B,
        session: &Session,
        module: Module<'_>,
    ) -> Result<Vec<u8>, GenerationFailure> {
        let machine = backend.layout(self.request.config.opt_level != OptLevel::O0)?;
        backend.generate(&Context { session, machine: &machine, request: self.request }, module, self.format)
    }
}

/// The error of a translation that fails in its last step.
fn not_lowered(request: &TranslateRequest, failure: Failure) -> ImageError {
    ImageError { message: TranslateError::new(request, Step::Lower.name(), failure.cause).to_string() }
}
