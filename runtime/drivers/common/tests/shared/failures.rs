//! Calls that fail once, and lost devices.
//!
//! In: a stand-in, the name of a function and its error code. Out: errors. *Invariant:* a lost
//! device names the kernels that may have caused the loss and is not called again; any other device
//! continues to work.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use crate::common::{Fake, add_one, launch, nothing};
use sinter_driver::{Advice, Device, DriverError, MemoryKind, Rows, Ticket};
use std::sync::Arc;

/// A kernel ends the device, which a wait notices. Returns the error of the wait.
pub(crate) fn lose(fake: &Fake, call: &str, code: u32) -> String {
    let device = fake.device();
    let (queue, idle) = (device.create_queue().expect("queue"), device.create_queue().expect("queue"));
    let (good, bad) = (device.load(&nothing("good")).expect("load"), device.load(&nothing("bad")).expect("load"));
    let pointer = device.memory().allocate(MemoryKind::Device, 64, 64).expect("memory");
    launch(&*queue, &good).expect("launch");
    queue.wait(Ticket(1)).expect("wait");
    launch(&*queue, &bad).expect("launch");
    fake.fail(call, code, 0, 1);
    let lost = queue.wait(queue.last()).expect_err("lost");
    let named = |error: &DriverError| matches!(error, DriverError::Lost { kernel: Some(name), .. } if name == "bad");
    assert!(named(&lost), "{lost:?}");
    fake.calls();
    let later = [
        launch(&*queue, &good).map(drop),
        idle.wait(Ticket(0)),
        queue.is_complete(queue.last()).map(drop),
        idle.depend(&queue, queue.last()),
        idle.enable_profiling(),
        device.create_queue().map(drop),
        device.load(&add_one()).map(drop),
        device.memory().allocate(MemoryKind::Host, 64, 64).map(drop),
        // SAFETY: nothing uses the memory.
        unsafe { device.memory().free(pointer) },
    ];
    for result in later {
        let error = result.expect_err("the device is lost");
        assert!(named(&error) && error.to_string() == lost.to_string(), "{error}");
    }
    drop((queue, idle, good, bad, device));
    assert_eq!(fake.calls(), Vec::<String>::new(), "a lost device is not called");
    lost.to_string()
}

/// Two kernels are running when an allocation notices that the device is lost.
pub(crate) fn lose_with_two_kernels(fake: &Fake, call: &str, code: u32) {
    let device = fake.device();
    let (a, b) = (device.create_queue().expect("queue"), device.create_queue().expect("queue"));
    let (one, two) = (device.load(&nothing("one")).expect("load"), device.load(&nothing("two")).expect("load"));
    launch(&*a, &one).expect("launch");
    launch(&*b, &two).expect("launch");
    fake.fail(call, code, 0, 1);
    let lost = device.memory().allocate(MemoryKind::Device, 64, 64).expect_err("lost");
    assert!(matches!(&lost, DriverError::Lost { kernel: None, .. }), "{lost:?}");
    assert!(lost.to_string().contains("`one`, `two`"), "{lost}");
}

/// Makes each of these calls fail once, with a code that is not sticky. The call returns an error,
/// and the device continues to work.
pub(crate) fn fail_each(calls: &[&str], code: u32, make: impl Fn() -> (Fake, Arc<dyn Device>)) {
    for call in calls {
        let (fake, device) = make();
        fake.fail(call, code, 0, 1);
        let failed = use_everything(&*device).expect_err(call);
        assert!(!matches!(failed, DriverError::Lost { .. }), "{call}: {failed:?}");
        use_everything(&*device).unwrap_or_else(|error| panic!("after {call}: {error}"));
    }
}

fn use_everything(device: &dyn Device) -> Result<(), DriverError> {
    let kernel = device.load(&nothing("k"))?;
    let (queue, other) = (device.create_queue()?, device.create_queue()?);
    other.enable_profiling()?;
    for kind in [MemoryKind::Device, MemoryKind::Host, MemoryKind::Shared] {
        let memory = device.memory().allocate(kind, 4096, 64)?;
        let used = (|| {
            // SAFETY: the range was allocated, and the stand-in runs commands at once.
            unsafe { queue.fill(memory, &[7], 4096) }?;
            // SAFETY: as above.
            unsafe { queue.copy(memory, memory.wrapping_byte_add(2048), 64) }?;
            let rows = Rows { destination_pitch: 64, source_pitch: 64, width: 8, height: 8 };
            // SAFETY: as above.
            unsafe { queue.copy_rows(memory, memory.wrapping_byte_add(2048), rows) }?;
            // SAFETY: as above.
            unsafe { queue.prefetch(memory, 4096, true) }?;
            // SAFETY: as above.
            unsafe { queue.advise(memory, 4096, Advice::ReadMostly) }.map(drop)
        })();
        // SAFETY: nothing uses the memory any more.
        let freed = unsafe { device.memory().free(memory) };
        used.and(freed)?;
    }
    launch(&*queue, &kernel)?;
    queue.is_complete(queue.last())?;
    launch(&*queue, &kernel)?;
    queue.wait(queue.last())
}
