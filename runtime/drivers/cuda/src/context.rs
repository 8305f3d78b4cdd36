//! Makes the context of a GPU current on a thread.
//!
//! In: a context. Out: a thread on which it is current. *Invariant:* the program's own context is
//! current again after a call.
//!
//! A call asks the driver for the current context and makes ours current. If the thread has none,
//! or one that an earlier call for another GPU left, ours stays current. If the program made
//! another one current, ours is pushed for the call and popped afterwards. Remembering the current
//! context in a thread-local would be wrong as soon as the program changes it. So only the context
//! that we left is remembered, and the driver is asked for the current one.

use crate::api::{Api, Handle};
use cudarc::driver::sys::CUctx_st;
use sinter_driver_common::Failure;
use std::{cell::Cell, ptr};

/// The primary context of a device.
pub(crate) type Context = sinter_driver_common::Context<Api>;

/// Code loaded in a primary context.
pub(crate) type Module = sinter_driver_common::Module<Api>;

thread_local! {
    /// The context that one of our calls left current on this thread.
    static LEFT: Cell<*mut CUctx_st> = const { Cell::new(ptr::null_mut()) };
}

/// The context was pushed and has to be popped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pushed;

/// Makes a context current.
#[inline]
pub(crate) fn enter(api: &Api, context: Handle<CUctx_st>) -> Result<Option<Pushed>, Failure> {
    let mut current = ptr::null_mut();
    // SAFETY: `current` is writable.
    unsafe { api.context_current(&raw mut current) }?;
    if current == context.0 { Ok(None) } else { take_over(api, context, current) }
}

/// Makes a context current on a thread that has another one or none.
#[cold]
fn take_over(api: &Api, context: Handle<CUctx_st>, current: *mut CUctx_st) -> Result<Option<Pushed>, Failure> {
    // The thread-local of an exiting thread may be gone already.
    let ours = current.is_null() || LEFT.try_with(Cell::get) == Ok(current);
    if !ours {
        // SAFETY: the context was retained.
        unsafe { api.context_push(context.0) }?;
        return Ok(Some(Pushed));
    }
    // SAFETY: the context was retained.
    unsafe { api.context_set(context.0) }?;
    // If the thread is exiting, later calls push and pop.
    let _ = LEFT.try_with(|left| left.set(context.0));
    Ok(None)
}

/// Restores the previous context.
pub(crate) fn leave(api: &Api) -> Result<(), Failure> {
    let mut popped = ptr::null_mut();
    // SAFETY: the context was pushed on this thread; `popped` is writable.
    unsafe { api.context_pop(&raw mut popped) }
}
