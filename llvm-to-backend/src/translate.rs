//! The order of the steps. It is written here and nowhere else.
//!
//! In: a request. Out: a code object, or an error that names the step. *Invariant:* the result depends on the request
//! alone.

use crate::{
    backend::Backend,
    context::Context,
    device_module::DeviceModule,
    dump::Watch,
    failure::{Failure, Outcome},
    step::Step,
    steps,
    targets::{Task, with_backend},
};
use sinter_core::{CodeObject, OptLevel, TranslateCause, TranslateError, TranslateRequest, names::readable};
use sinter_llvm::Session;

/// Why a translation ended without a code object.
pub(crate) enum Halt {
    /// A step failed.
    Failed(Box<TranslateError>),
    /// The watcher asked to stop.
    Stopped,
}

/// Runs the steps for the request's target.
pub(crate) fn translate(request: &TranslateRequest, watch: &mut Watch) -> Result<CodeObject, Halt> {
    with_backend(&request.target, Translation { request, watch }).unwrap_or_else(|| {
        let message = format!("this translator does not know the target {}", request.target);
        Err(halt(request, Step::Parse, TranslateCause::Unavailable { message }))
    })
}

/// What is to be translated, and who watches.
struct Translation<'t> {
    request: &'t TranslateRequest,
    watch: &'t mut Watch,
}

impl Task for Translation<'_> {
    type Output = Result<CodeObject, Halt>;

    fn run<B: Backend>(self, backend: &B) -> Self::Output {
        let Translation { request, watch } = self;
        let fail = |failure: Failure| halt(request, Step::Parse, failure.0);
        let session = Session::new().map_err(|error| fail(error.into()))?;
        let machine = backend.layout(request.config.opt_level != OptLevel::O0).map_err(fail)?;
        run_steps(backend, &Context { session: &session, machine: &machine, request }, watch)
    }
}

fn run_steps<B: Backend>(backend: &B, cx: &Context<'_, '_>, watch: &mut Watch) -> Result<CodeObject, Halt> {
    let mut run = Runner { request: cx.request, watch };
    let m = run.step(Step::Parse, || steps::parse(cx))?;
    let m = run.step(Step::Imports, || steps::imports(cx, m))?;
    let m = run.step(Step::LaunchShape, || steps::launch_shape(cx, backend, m))?;
    let m = run.step(Step::Specialize, || steps::specialize(cx, backend, m))?;
    let m = run.step(Step::Prune, || steps::prune(cx, m))?;
    let m = run.step(Step::Inline, || steps::inline(cx, m))?;
    let m = run.step(Step::Audit, || steps::audit(cx, m))?;
    let m = run.step(Step::Flavor, || steps::flavor(cx, backend, m))?;
    let m = run.step(Step::Builtins, || steps::builtins(cx, backend, m))?;
    let m = run.step(Step::LocalMemory, || steps::local_memory(cx, m))?;
    let m = run.step(Step::Simplify, || steps::simplify(cx, m))?;
    let m = run.step(Step::Allocations, || steps::allocations(cx, m))?;
    let m = run.step(Step::DeadArguments, || steps::dead_arguments(cx, m))?;
    let m = run.step(Step::Check, || steps::check(cx, backend, m))?;
    let m = run.step(Step::Entry, || backend.entry(cx, m))?;
    let m = run.step(Step::Optimise, || backend.optimise(cx, m))?;
    run.last(|| backend.lower(cx, m))
}

fn halt(request: &TranslateRequest, step: Step, cause: TranslateCause) -> Halt {
    Halt::Failed(Box::new(TranslateError::new(request, step.name(), cause)))
}

/// Runs steps one after another and shows each result to the watcher.
struct Runner<'w> {
    request: &'w TranslateRequest,
    watch: &'w mut Watch,
}

impl Runner<'_> {
    fn step<'s, S>(
        &mut self,
        step: Step,
        run: impl FnOnce() -> Outcome<DeviceModule<'s, S>>,
    ) -> Result<DeviceModule<'s, S>, Halt> {
        let span = tracing::debug_span!("step", step = step.name(), kernel = readable(&self.request.config.entry));
        let _entered = span.enter();
        let result = run().map_err(|failure| halt(self.request, step, failure.0))?;
        if self.watch.after(step, &result.module) { Ok(result) } else { Err(Halt::Stopped) }
    }

    fn last(&mut self, run: impl FnOnce() -> Outcome<CodeObject>) -> Result<CodeObject, Halt> {
        let span =
            tracing::debug_span!("step", step = Step::Lower.name(), kernel = readable(&self.request.config.entry));
        let code = span.in_scope(run).map_err(|failure| halt(self.request, Step::Lower, failure.0))?;
        self.watch.write(Step::Lower, code.format.extension(), || code.bytes.to_vec());
        Ok(code)
    }
}
