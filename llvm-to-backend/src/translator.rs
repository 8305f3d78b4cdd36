//! The translator and its entry points for Rust.
//!
//! *Invariant:* a panic anywhere inside becomes [`TranslateCause::Internal`].

use crate::{
    fingerprint::FINGERPRINT,
    step_observer::{StepObserver, Stop},
    steps::Step,
    translate::{Halt, translate},
};
use sinter_core::{CodeObject, Fingerprint, Observer, TranslateCause, TranslateError, TranslateRequest, Translator};
use sinter_llvm::{BUILD_VERSION, memory, runtime_version};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Enough for the passes of a small kernel.
const SMALLEST_RESERVE: usize = 12 << 20;
/// Memory of LLVM's values per byte of their bitcode.
const RESERVE_OF_BYTE: usize = 24;

/// The translator linked into this program, for Rust applications and tests.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinkedTranslator;

impl Translator for LinkedTranslator {
    fn fingerprint(&self) -> Fingerprint {
        FINGERPRINT
    }

    fn translate(&self, request: &TranslateRequest, observer: &Observer) -> Result<CodeObject, TranslateError> {
        let mut observer = StepObserver::new(observer.dump.as_deref(), None, request);
        match guarded(request, &mut observer)? {
            Some(code) => Ok(code),
            None => Err(internal(request, "stopped without being asked to".to_owned())),
        }
    }
}

/// Result of [`inspect`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Product {
    /// The IR after the requested step.
    Ir(String),
    /// The finished code.
    Code(Box<CodeObject>),
}

/// Translates up to and including `stop_after`, or to the end. For tools and tests.
pub fn inspect(
    request: &TranslateRequest,
    observer: &Observer,
    stop_after: Option<Step>,
) -> Result<Product, TranslateError> {
    let stop = stop_after.map(|after| Stop { after });
    let mut observer = StepObserver::new(observer.dump.as_deref(), stop, request);
    match guarded(request, &mut observer)? {
        Some(code) => Ok(Product::Code(Box::new(code))),
        None => Ok(Product::Ir(observer.stopped_with.unwrap_or_default())),
    }
}

/// Returns `None` if the observer stopped the translation.
fn guarded(request: &TranslateRequest, observer: &mut StepObserver) -> Result<Option<CodeObject>, TranslateError> {
    right_llvm(request)?;
    let out_of_memory = || TranslateError::new(request, "memory", TranslateCause::OutOfMemory);
    let _reserve = memory::Reserve::take(reserve_of(request)).map_err(|_| out_of_memory())?;
    let result = catch_unwind(AssertUnwindSafe(|| translate(request, observer)));
    match result {
        Ok(Ok(code)) => Ok(Some(code)),
        Ok(Err(Halt::Stopped)) => Ok(None),
        // Code that runs out of memory may report damaged input instead.
        Ok(Err(Halt::Failed(error) | Halt::Retries(error, _))) if memory::ran_out() => {
            Err(TranslateError { cause: TranslateCause::OutOfMemory, ..*error })
        }
        Ok(Err(Halt::Failed(error) | Halt::Retries(error, _))) => Err(*error),
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(internal(request, format!("panic: {message}")))
        }
    }
}

/// Bytes of address space reserved for the work in progress when memory runs out: one pass, or
/// reading an image.
fn reserve_of(request: &TranslateRequest) -> usize {
    let images = request.imports.iter().chain([&request.image]);
    SMALLEST_RESERVE + RESERVE_OF_BYTE * images.map(|image| image.bytes.len()).sum::<usize>()
}

fn internal(request: &TranslateRequest, message: String) -> TranslateError {
    TranslateError::new(request, "translate", TranslateCause::Internal { message })
}

/// Fails if the loaded LLVM is not the one in the fingerprint.
fn right_llvm(request: &TranslateRequest) -> Result<(), TranslateError> {
    let found = runtime_version();
    if found == BUILD_VERSION {
        return Ok(());
    }
    let text = |version: [u32; 3]| version.map(|part| part.to_string()).join(".");
    let message = format!(
        "it was built for LLVM {} and the loaded libLLVM is {}; install the version it was built for",
        text(BUILD_VERSION),
        text(found)
    );
    Err(TranslateError::new(request, Step::Parse.name(), TranslateCause::Unavailable { message }))
}
