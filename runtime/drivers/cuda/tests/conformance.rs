//! Runs the conformance suite over a stand-in for NVIDIA's library, and on a GPU if there is one.
//!
//! In: PTX for the suite's kernel. Out: no failure and nothing skipped. *Invariant:* without a GPU
//! the test reports that it was skipped.

mod common;

use sinter_driver::{
    Device, DriverError, MemoryKind,
    conformance::{Sample, Verdict, check, failures},
};

fn conforms(device: &dyn Device) {
    let outcomes = check(device, Some(&Sample { add_one: common::add_one() }));
    assert!(failures(&outcomes).is_empty(), "{:#?}", failures(&outcomes));
    assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
}

#[test]
fn the_driver_conforms_over_a_stand_in() {
    let fake = common::Fake::new();
    fake.set("log", 0);
    conforms(&*fake.device());
}

#[test]
fn the_driver_conforms_on_a_gpu() {
    match common::gpu() {
        Ok(gpu) => conforms(&*gpu),
        Err(reason) => println!("skipped: {reason}"),
    }
}

#[test]
#[ignore = "takes the GPU away from this process; run it alone with --ignored"]
fn an_illegal_address_is_reported_with_its_kernel() {
    let gpu = match common::gpu() {
        Ok(gpu) => gpu,
        Err(reason) => return println!("skipped: {reason}"),
    };
    let (queue, kernel) = (gpu.create_queue().expect("queue"), gpu.load(&common::add_one()).expect("load"));
    let shape = sinter_core::LaunchShape { global: [32, 1, 1], group: [32, 1, 1], local_memory: 0 };
    let arguments = [64u64.to_ne_bytes(), 32u64.to_ne_bytes()].concat();
    // SAFETY: the kernel writes to an unmapped address, which the GPU reports; that is the purpose
    // of the test.
    unsafe { queue.launch(&kernel, &shape, &arguments) }.expect("launch");
    let lost = queue.wait(queue.last()).expect_err("an illegal address");
    let named =
        |error: &DriverError| matches!(error, DriverError::Lost { kernel: Some(name), .. } if name == "add_one");
    assert!(named(&lost), "{lost:?}");
    let later = gpu.memory().allocate(MemoryKind::Device, 64, 64).expect_err("the device is lost");
    assert!(named(&later) && later.to_string() == lost.to_string(), "{later}");
    println!("{lost}");
}
