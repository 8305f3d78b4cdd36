//! Threads that load, launch, query and drop concurrently leave nothing behind.
//!
//! In: a stand-in that logs. Out: as many destroys as creates of each kind of object. *Invariant:*
//! streams seem busy now and then, so that code and events have to be kept.

use crate::common::{Fake, nothing};
use sinter_core::LaunchShape;
use sinter_driver::{Device, Queue, Ticket};
use std::{sync::Arc, thread};

const SHAPE: LaunchShape = LaunchShape { global: [64, 1, 1], group: [64, 1, 1], local_memory: 0 };

fn work(fake: &Fake, device: &dyn Device, shared: &Arc<dyn Queue>, number: usize) {
    for round in 0..20 {
        let kernel = device.load(&nothing(&format!("k{number}"))).expect("load");
        let own = device.create_queue().expect("queue");
        fake.set("hold", i64::from(round % 2 == 0));
        for queue in [shared, &own] {
            // SAFETY: the kernel has no arguments.
            let ticket = unsafe { queue.launch(&kernel, &SHAPE, &[]) }.expect("launch");
            queue.is_complete(ticket).expect("query");
        }
        own.depend(shared, shared.last()).expect("depend");
        shared.depend(&own, own.last()).expect("depend");
        drop(kernel);
        if round % 5 == 0 {
            shared.wait(Ticket(1)).expect("wait");
        }
    }
}

/// Works in four threads and compares the calls that create with those that destroy. `loads` and
/// `streams` are functions with the number of calls expected.
pub(crate) fn check(pairs: &[(&str, &str)], loads: (&str, usize), streams: (&str, usize)) {
    let fake = Fake::new();
    let device = fake.device();
    let shared = device.create_queue().expect("queue");
    thread::scope(|scope| {
        for number in 0..4 {
            let (fake, device, shared) = (&fake, &*device, &shared);
            scope.spawn(move || work(fake, device, shared, number));
        }
    });
    fake.set("hold", 0);
    drop((shared, device));
    let calls = fake.calls();
    let count = |name: &str| calls.iter().filter(|call| call.split(' ').next() == Some(name)).count();
    for (begins, ends) in pairs {
        assert!(count(begins) > 0 && count(begins) == count(ends), "{begins}: {} and {}", count(begins), count(ends));
    }
    assert_eq!((count(loads.0), count(streams.0)), (loads.1, streams.1));
}
