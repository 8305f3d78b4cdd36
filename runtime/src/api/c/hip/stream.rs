//! Streams and events.
//!
//! *Invariant:* a handle that is none is refused and never followed.
#![expect(unsafe_code, reason = "exports C symbols and writes through the pointers of C callers")]

use super::call;
use crate::{
    api::c::{
        global,
        host_task::{Function, Owned},
        pointer,
    },
    hip::{
        error::{Code, Refusal},
        events, streams,
    },
};
use std::{ffi::c_void, ptr};

/// `sinter_hip_stream_create`: see `sinter/hip.h`.
///
/// # Safety
/// `stream` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_stream_create(stream: *mut *mut c_void, flags: u32, priority: i32) -> i32 {
    call(|| {
        pointer::check("stream", stream)?;
        let handle = streams::create(global::runtime(), flags, priority)?;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("stream", stream, ptr::without_provenance_mut(handle)) }?)
    })
}

/// `sinter_hip_stream_destroy`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_stream_destroy(stream: *mut c_void) -> i32 {
    call(|| streams::destroy(global::runtime(), stream.addr()))
}

/// `sinter_hip_stream_synchronize`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_stream_synchronize(stream: *mut c_void) -> i32 {
    call(|| {
        let (runtime, handle) = (global::runtime(), stream.addr());
        let stream = streams::find(runtime, handle)?;
        // A wait for the null stream waits for what a command of it would.
        stream.enter(runtime)?;
        Ok(stream.queue.wait_all()?)
    })
}

/// `sinter_hip_stream_query`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_stream_query(stream: *mut c_void) -> i32 {
    call(|| {
        let stream = streams::find(global::runtime(), stream.addr())?;
        let is_complete = stream.queue.is_complete(stream.last())?;
        if is_complete { Ok(()) } else { Err(Refusal::new(Code::NotReady, "stream", "has commands that run")) }
    })
}

/// `sinter_hip_stream_wait_event`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_stream_wait_event(stream: *mut c_void, event: *mut c_void, _flags: u32) -> i32 {
    call(|| {
        let runtime = global::runtime();
        let stream = streams::find(runtime, stream.addr())?;
        stream.enter(runtime)?;
        events::find(event.addr())?.hold_back(&stream)
    })
}

/// `sinter_hip_stream_properties`: see `sinter/hip.h`.
///
/// # Safety
/// All pointers are null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_stream_properties(
    stream: *mut c_void,
    flags: *mut u32,
    priority: *mut i32,
    device: *mut i32,
) -> i32 {
    call(|| {
        let stream = streams::find(global::runtime(), stream.addr())?;
        // SAFETY: writable unless null, by the caller's promise.
        unsafe { pointer::write_optional("flags", flags, stream.flags) }?;
        // SAFETY: as above.
        unsafe { pointer::write_optional("priority", priority, stream.priority) }?;
        // SAFETY: as above.
        Ok(unsafe { pointer::write_optional("device", device, stream.device as i32) }?)
    })
}

/// `sinter_hip_launch_host_function`: see `sinter/hip.h`.
///
/// # Safety
/// `function` is null or may be called once with `data` on any thread, and so may `release`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_launch_host_function(
    stream: *mut c_void,
    function: Option<Function>,
    release: Option<Function>,
    data: *mut c_void,
) -> i32 {
    // Outside, so that it is released whatever happens.
    // SAFETY: the same contract, upheld by the caller.
    let owned = unsafe { Owned::new(release, data) };
    call(move || {
        // SAFETY: as above.
        let task = unsafe { owned.task(function) }?;
        let runtime = global::runtime();
        let stream = streams::find(runtime, stream.addr())?;
        stream.enter(runtime)?;
        stream.queue.host_task(task)?;
        Ok(())
    })
}

/// `sinter_hip_event_create`: see `sinter/hip.h`.
///
/// # Safety
/// `event` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_event_create(event: *mut *mut c_void, flags: u32) -> i32 {
    call(|| {
        pointer::check("event", event)?;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("event", event, ptr::without_provenance_mut(events::create(flags))) }?)
    })
}

/// `sinter_hip_event_destroy`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_event_destroy(event: *mut c_void) -> i32 {
    call(|| events::destroy(event.addr()))
}

/// `sinter_hip_event_record`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_event_record(event: *mut c_void, stream: *mut c_void) -> i32 {
    call(|| {
        let runtime = global::runtime();
        let (event, stream) = (events::find(event.addr())?, streams::find(runtime, stream.addr())?);
        stream.enter(runtime)?;
        event.record(&stream)
    })
}

/// `sinter_hip_event_synchronize`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_event_synchronize(event: *mut c_void) -> i32 {
    call(|| events::find(event.addr())?.wait())
}

/// `sinter_hip_event_query`: see `sinter/hip.h`.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub extern "C" fn sinter_hip_event_query(event: *mut c_void) -> i32 {
    call(|| {
        let is_complete = events::find(event.addr())?.is_complete()?;
        if is_complete { Ok(()) } else { Err(Refusal::new(Code::NotReady, "event", "is not complete")) }
    })
}

/// `sinter_hip_event_elapsed_time`: see `sinter/hip.h`.
///
/// # Safety
/// `milliseconds` is null or writable.
// SAFETY: no other library defines this symbol.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinter_hip_event_elapsed_time(
    milliseconds: *mut f32,
    start: *mut c_void,
    end: *mut c_void,
) -> i32 {
    call(|| {
        let (start, end) = (events::find(start.addr())?, events::find(end.addr())?);
        let time = events::elapsed(&start, &end)?;
        // SAFETY: writable unless null, by the caller's promise.
        Ok(unsafe { pointer::write("milliseconds", milliseconds, time) }?)
    })
}
