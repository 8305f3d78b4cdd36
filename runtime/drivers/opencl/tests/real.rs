//! The OpenCL that is installed, with whatever devices it has, CPUs included.
//!
//! In: `libOpenCL.so.1` by its name. Out: results of kernels. *Invariant:* where there is no device that takes SPIR-V the tests say so.

#[path = "common/kernels.rs"]
mod kernels;

use sinter_driver::{
    Device, Driver, MemoryKind,
    conformance::{Sample, Verdict, check, failures},
};
use sinter_driver_opencl::{OpenClDriver, OpenClOptions};
use std::sync::Arc;

fn devices(options: OpenClOptions) -> Vec<Arc<dyn Device>> {
    let driver = OpenClDriver::with_options(OpenClOptions { cpus: true, ..options });
    let devices = driver.devices().expect("no error");
    if let Some(reason) = driver.absence() {
        eprintln!("skipped: {reason}");
    }
    devices
}

fn conforms(options: OpenClOptions) {
    for device in devices(options) {
        println!("{} {}: {:#?}", device.info().name, device.target(), device.info());
        let outcomes = check(&*device, Some(&Sample { add_one: kernels::add_one() }));
        assert!(failures(&outcomes).is_empty(), "{:#?}", failures(&outcomes));
        assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
    }
}

#[test]
fn installed_devices_conform() {
    conforms(OpenClOptions::default());
}

#[test]
fn installed_devices_conform_without_the_extension() {
    conforms(OpenClOptions { without_usm: true, ..OpenClOptions::default() });
}

fn launch(device: &Arc<dyn Device>) {
    use sinter_core::LaunchShape;
    let (queue, kernel) = (device.create_queue().expect("queue"), device.load(&kernels::add_one()).expect("load"));
    let p = device.memory().allocate(MemoryKind::Shared, 8 << 22, 64).expect("memory");
    for (items, group, n) in [(1u64, 1u32, 10000), (1 << 22, 64, 20), (1 << 22, 256, 20), (1 << 22, 1024, 20), (1 << 22, 4096, 20), (1<<12, 64, 1000), (1<<12, 1024, 1000)] {
        let args = [(p as u64).to_ne_bytes(), items.to_ne_bytes()].concat();
        let shape = LaunchShape { global: [items, 1, 1], group: [group, 1, 1], local_memory: 0 };
        for _ in 0..3 {
        let begun = std::time::Instant::now();
        for _ in 0..n { unsafe { queue.launch(&kernel, &shape, &args) }.expect("launch"); }
        let submitted = begun.elapsed() / n;
        queue.wait(queue.last()).expect("wait");
        println!("{items} {group}: submit {submitted:?} total {:?}", begun.elapsed() / n);
        }
    }
    let begun = std::time::Instant::now();
    let mut polls = 0;
    unsafe { queue.launch(&kernel, &LaunchShape { global: [1 << 22, 1, 1], group: [256, 1, 1], local_memory: 0 }, &[(p as u64).to_ne_bytes(), (1u64<<22).to_ne_bytes()].concat()) }.expect("launch");
    std::thread::sleep(std::time::Duration::from_millis(100));
    while !queue.is_complete(queue.last()).expect("q") { polls += 1; }
    println!("idle polls {polls} {:?}", begun.elapsed());
}
#[test]
fn bench() {
    let t = std::time::Instant::now();
    let d = devices(OpenClOptions::default());
    println!("found in {:?}", t.elapsed());
    for device in d { launch(&device); }
}
