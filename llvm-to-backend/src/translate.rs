//! Runs the steps of a translation (`steps/mod.rs` has their order) for the request's target.
//!
//! In: a request. Out: a code object, or an error that names the step. *Invariant:* the result
//! depends on the request alone.

use crate::{
    backend::Backend,
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome, Retry},
    step_observer::StepObserver,
    steps::{Runner, Step, run_all},
    targets::{Task, with_backend},
};
use sinter_core::{
    CodeObject, KernelConfig, OptLevel, Remark, TranslateCause, TranslateError, TranslateRequest, names::readable,
};
use sinter_llvm::Session;

/// Reason why a translation ended without a code object.
pub(crate) enum Halt {
    /// A step failed.
    Failed(Box<TranslateError>),
    /// A step failed, and another translation may succeed.
    Retries(Box<TranslateError>, Retry),
    /// The observer asked to stop.
    Stopped,
}

/// Runs the steps for the request's target.
pub(crate) fn translate(request: &TranslateRequest, observer: &mut StepObserver) -> Result<CodeObject, Halt> {
    with_backend(&request.target, Translation { request, observer }).unwrap_or_else(|| {
        let message = format!("this translator does not know the target {}", request.target);
        Err(halt(request, Step::Parse, TranslateCause::Unavailable { message }.into()))
    })
}

/// A translation as a task for a backend.
struct Translation<'t> {
    request: &'t TranslateRequest,
    observer: &'t mut StepObserver,
}

impl Task for Translation<'_> {
    type Output = Result<CodeObject, Halt>;

    fn run<B: Backend>(mut self, backend: &B) -> Self::Output {
        let (error, retry) = match self.attempt(backend) {
            Err(Halt::Retries(error, retry)) => (error, retry),
            other => return other,
        };
        let config = match retry {
            Retry::OtherSubGroups => backend.fallback(&self.request.config),
            Retry::FullCode => Some(KernelConfig { opt_level: OptLevel::O3, ..self.request.config.clone() }),
        };
        let Some(config) = config else { return Err(Halt::Failed(error)) };
        let request = TranslateRequest { config, ..self.request.clone() };
        let mut code = Translation { request: &request, observer: self.observer }.run(backend)?;
        if retry == Retry::OtherSubGroups {
            code.entry.remarks.push(Remark::Warning(format!("sub-groups have 1 work-item: {}", error.cause)));
        }
        Ok(code)
    }
}

impl Translation<'_> {
    fn attempt<B: Backend>(&mut self, backend: &B) -> Result<CodeObject, Halt> {
        let Translation { request, observer } = self;
        let fail = |failure| halt(request, Step::Parse, failure);
        let session = Session::new().map_err(|error| fail(error.into()))?;
        let machine = backend.layout(request.config.opt_level != OptLevel::O0).map_err(fail)?;
        let cx = Context { session: &session, machine: &machine, request };
        run_all(backend, &cx, &mut StepRunner { request, observer })
    }
}

fn halt(request: &TranslateRequest, step: Step, failure: Failure) -> Halt {
    let error = Box::new(TranslateError::new(request, step.name(), failure.cause));
    match failure.retry {
        Some(retry) => Halt::Retries(error, retry),
        None => Halt::Failed(error),
    }
}

/// Runs the steps in tracing spans and passes each result to the observer.
struct StepRunner<'w> {
    request: &'w TranslateRequest,
    observer: &'w mut StepObserver,
}

impl StepRunner<'_> {
    fn run<T>(&self, step: Step, run: impl FnOnce() -> Outcome<T>) -> Result<T, Halt> {
        let span = tracing::debug_span!("step", step = step.name(), kernel = readable(&self.request.config.entry));
        span.in_scope(run).map_err(|failure| halt(self.request, step, failure))
    }
}

impl Runner for StepRunner<'_> {
    type Halt = Halt;

    fn step<'s, S>(
        &mut self,
        step: Step,
        run: impl FnOnce() -> Outcome<DeviceModule<'s, S>>,
    ) -> Result<DeviceModule<'s, S>, Halt> {
        let result = self.run(step, run)?;
        if self.observer.after(step, &result.module) { Ok(result) } else { Err(Halt::Stopped) }
    }

    fn last(&mut self, step: Step, run: impl FnOnce() -> Outcome<CodeObject>) -> Result<CodeObject, Halt> {
        let code = self.run(step, run)?;
        self.observer.write(step, code.format.extension(), || code.bytes.to_vec());
        Ok(code)
    }
}
