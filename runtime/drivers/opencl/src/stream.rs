//! OpenCL queues as streams.
//!
//! In: a context and a device, or a queue of the program's. Out: a stream that can record times.
//! *Invariant:* only a queue created with profiling records times, so a stream switches to such a
//! queue when profiling is enabled, before its first command.

use crate::{
    failure::{failure, made},
    library::OpenCl,
};
use opencl_sys::{
    Api,
    types::{
        QUEUE_CONTEXT, QUEUE_DEVICE, QUEUE_OUT_OF_ORDER, QUEUE_PROFILING, QUEUE_PROPERTIES, Queue, QueueStruct, error,
    },
};
use sinter_driver_common::{Failure, Handle, lock};
use std::{
    mem::MaybeUninit,
    ptr,
    sync::{
        Mutex,
        atomic::{AtomicPtr, Ordering},
    },
};

/// `CL_QUEUE_PROPERTIES` as a property of a new queue.
const PROPERTIES: u64 = QUEUE_PROPERTIES as u64;

/// A queue and its profiling state.
pub(crate) struct Stream {
    queue: AtomicPtr<QueueStruct>,
    times: Mutex<Times>,
}

enum Times {
    /// The queue records no times, but can be replaced by one that does.
    Never,
    /// The queue records times. The previous one stays, because the program may have its handle.
    Kept { before: Option<Handle<QueueStruct>> },
    /// The queue is the program's and records no times.
    Impossible,
}

fn create(opencl: &OpenCl, properties: u64) -> Result<Queue, Failure> {
    let (mut code, properties) = (0, [PROPERTIES, properties, 0]);
    let (context, device) = (opencl.context(), opencl.device.0);
    // SAFETY: context and device are alive, and the properties end with 0.
    let queue = unsafe { opencl.api.queue_create(context, device, properties.as_ptr(), &raw mut code) };
    made("clCreateCommandQueueWithProperties", code, queue)
}

/// Queries a property of a queue.
///
/// # Safety
/// The queue is alive, and the property is a `T`.
unsafe fn query<T: Copy>(api: &Api, queue: Queue, name: u32) -> Result<T, Failure> {
    let mut value = MaybeUninit::<T>::uninit();
    // SAFETY: upheld by the caller.
    unsafe { api.queue_info(queue, name, size_of::<T>(), value.as_mut_ptr().cast(), ptr::null_mut()) }?;
    // SAFETY: the library wrote it.
    Ok(unsafe { value.assume_init() })
}

impl Stream {
    fn of(queue: Queue, times: Times) -> *mut Stream {
        Box::into_raw(Box::new(Stream { queue: AtomicPtr::new(queue), times: Mutex::new(times) }))
    }

    /// Creates a stream.
    pub(crate) fn create(opencl: &OpenCl) -> Result<*mut Stream, Failure> {
        Ok(Stream::of(create(opencl, 0)?, Times::Never))
    }

    /// Adopts a queue of the program's. `None` if the queue is out-of-order.
    ///
    /// # Safety
    /// The queue is alive.
    pub(crate) unsafe fn adopt(api: &Api, queue: Queue) -> Result<Option<*mut Stream>, Failure> {
        // SAFETY: upheld by the caller; the properties are 64 bits.
        let properties: u64 = unsafe { query(api, queue, QUEUE_PROPERTIES) }?;
        let kept = properties & QUEUE_PROFILING != 0;
        let times = if kept { Times::Kept { before: None } } else { Times::Impossible };
        Ok((properties & QUEUE_OUT_OF_ORDER == 0).then(|| Stream::of(queue, times)))
    }

    /// True if the queue belongs to the context and the device.
    pub(crate) fn is_of(&self, opencl: &OpenCl) -> Result<bool, Failure> {
        let queue = self.queue();
        // SAFETY: the queue is alive; both answers are pointers.
        let (context, device) = unsafe {
            let context: *mut QueueStruct = query(&opencl.api, queue, QUEUE_CONTEXT)?;
            (context, query::<*mut QueueStruct>(&opencl.api, queue, QUEUE_DEVICE)?)
        };
        Ok((context.addr(), device.addr()) == (opencl.context().addr(), opencl.device.0.addr()))
    }

    #[inline]
    pub(crate) fn queue(&self) -> Queue {
        self.queue.load(Ordering::Acquire)
    }

    /// Records times from now on.
    pub(crate) fn keep_times(&self, opencl: &OpenCl) -> Result<(), Failure> {
        let mut times = lock(&self.times);
        match *times {
            Times::Kept { .. } => Ok(()),
            Times::Impossible => Err(failure("clGetEventProfilingInfo", error::PROFILING_INFO_NOT_AVAILABLE)),
            Times::Never => {
                let before = self.queue.swap(create(opencl, QUEUE_PROFILING)?, Ordering::AcqRel);
                *times = Times::Kept { before: Some(Handle(before)) };
                // SAFETY: the queue is alive. Only the program may have put something into it.
                unsafe { opencl.api.finish(before) }
            }
        }
    }

    /// Destroys a stream.
    ///
    /// # Safety
    /// The stream is one of ours, and nobody else has it.
    pub(crate) unsafe fn end(stream: *mut Stream, api: &Api) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        let Stream { queue, times } = *unsafe { Box::from_raw(stream) };
        let times = times.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Times::Kept { before: Some(before) } = times {
            // SAFETY: upheld by the caller.
            unsafe { api.queue_release(before.0) }?;
        }
        // SAFETY: upheld by the caller.
        unsafe { api.queue_release(queue.into_inner()) }
    }
}
