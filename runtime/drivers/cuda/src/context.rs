//! How the context of a GPU becomes current, and what is made in it.
//!
//! In: a context. Out: a thread on which it is current. *Invariant:* the program's own context is current again after a call.
//!
//! A call makes the context current, which costs one question to the driver. Where the thread has none, or one that a call of ours
//! for another GPU left there, it stays current; where a program that uses the driver itself has another one, ours is pushed for
//! the call and popped after it. Remembering in a thread-local what is current would be wrong as soon as the program changes it:
//! what is remembered is what we left, and the driver is asked.

use crate::api::{Api, Handle};
use cudarc::driver::sys::CUctx_st;
use sinter_driver_common::Failure;
use std::{cell::Cell, ptr};

/// The primary context of a device.
pub(crate) type Context = sinter_driver_common::Context<Api>;

/// Code that is loaded in it.
pub(crate) type Module = sinter_driver_common::Module<Api>;

thread_local! {
    /// The context that a call of ours left current on this thread.
    static LEFT: Cell<*mut CUctx_st> = const { Cell::new(ptr::null_mut()) };
}

/// The context was pushed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pushed;

/// Makes a context current.
#[inline]
pub(crate) fn enter(api: &Api, context: Handle<CUctx_st>) -> Result<Option<Pushed>, Failure> {
    let mut current = ptr::null_mut();
    // SAFETY: `current` may be written.
    unsafe { api.context_current(&raw mut current) }?;
    if current == context.0 { Ok(None) } else { take_over(api, context, current) }
}

/// Makes a context current on a thread with another one, or with none.
#[cold]
fn take_over(api: &Api, context: Handle<CUctx_st>, current: *mut CUctx_st) -> Result<Option<Pushed>, Failure> {
    // What a thread that is ending remembers is gone already.
    let ours = current.is_null() || LEFT.try_with(Cell::get) == Ok(current);
    if !ours {
        // SAFETY: the context was retained.
        unsafe { api.context_push(context.0) }?;
        return Ok(Some(Pushed));
    }
    // SAFETY: the context was retained.
    unsafe { api.context_set(context.0) }?;
    // A thread that is ending pushes and pops from now on.
    let _ = LEFT.try_with(|left| left.set(context.0));
    Ok(None)
}

/// Makes current what was before.
pub(crate) fn leave(api: &Api) -> Result<(), Failure> {
    let mut popped = ptr::null_mut();
    // SAFETY: the context was pushed on this thread; `popped` may be written.
    unsafe { api.context_pop(&raw mut popped) }
}
