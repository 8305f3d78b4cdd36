//! Launches with every kind of argument, shape and dependency.
//!
//! In: small kernels in C. Out: memory that shows which kernels ran, where and in which order.
//! *Invariant:* no test depends on timing.

mod common;

use sinter_core::{CodeObject, LaunchShape};
use sinter_driver::{Device, Driver, DriverError, Kernel, Queue, Ticket, recording::RecordingDriver};
use std::{
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
    thread,
    time::Duration,
};

fn linear(items: u64, group: u32) -> LaunchShape {
    LaunchShape { global: [items, 1, 1], group: [group, 1, 1], local_memory: 0 }
}

/// An argument that points to `values`, through which kernels write.
fn pointer<T>(values: &mut [T]) -> [u8; 8] {
    (values.as_mut_ptr() as usize).to_ne_bytes()
}

fn submit(
    queue: &dyn Queue,
    kernel: &Arc<dyn Kernel>,
    shape: &LaunchShape,
    arguments: &[u8],
) -> Result<Ticket, DriverError> {
    // SAFETY: the tests pass what their kernels read, and keep it until the queue was waited for.
    unsafe { queue.launch(kernel, shape, arguments) }
}

fn run(queue: &dyn Queue, kernel: &Arc<dyn Kernel>, shape: &LaunchShape, arguments: &[u8]) {
    let ticket = submit(queue, kernel, shape, arguments).expect("launch");
    queue.wait(ticket).expect("wait");
}

fn load(device: &dyn Device, symbol: &str, source: &str, argument_size: u32) -> Arc<dyn Kernel> {
    device.load(&common::compile(symbol, source, argument_size)).expect("load")
}

const SHAPE_OF_ITEM: &str = "KERNEL(visit) {
  uint32_t *data = ARG(uint32_t *, 0);
  for (uint64_t g = first; g < last; g++) {
    uint64_t n[3] = {g % l->count[0], g / l->count[0] % l->count[1], g / l->count[0] / l->count[1]};
    for (uint64_t z = n[2] * l->group[2]; z < (n[2] + 1) * l->group[2] && z < l->global[2]; z++)
      for (uint64_t y = n[1] * l->group[1]; y < (n[1] + 1) * l->group[1] && y < l->global[1]; y++)
        for (uint64_t x = n[0] * l->group[0]; x < (n[0] + 1) * l->group[0] && x < l->global[0]; x++)
          data[(z * l->global[1] + y) * l->global[0] + x]++;
  }
}";

#[test]
fn every_item_of_every_shape_runs_once() {
    let device = common::device(3);
    let (queue, kernel) = (device.create_queue().expect("queue"), load(&*device, "visit", SHAPE_OF_ITEM, 8));
    for global in [[1, 1, 1], [1000, 7, 3], [5, 1000, 1], [3, 5, 4000], [100_003, 2, 1], [64, 64, 64]] {
        for group in [device.choose_group_size(global), [1, 1, 1], [7, 3, 2], [64, 4, 1]] {
            let mut data = vec![0u32; global.iter().product::<u64>() as usize];
            let shape = LaunchShape { global, group, local_memory: 0 };
            run(&*queue, &kernel, &shape, &pointer(&mut data));
            assert!(data.iter().all(|&count| count == 1), "{shape:?}");
        }
    }
}

#[test]
fn each_group_has_its_own_local_memory() {
    const SOURCE: &str = "KERNEL(local) {
      uint64_t *data = ARG(uint64_t *, 0), *local = l->local;
      for (uint64_t g = first; g < last; g++) {
        for (uint64_t i = 0; i < 512; i++) local[i] = g + i;
        for (uint64_t i = 0; i < 512; i++) data[g] += local[i];
        data[g] += (uintptr_t)local % 64;
      }
    }";
    let device = common::device(2);
    let queue = device.create_queue().expect("queue");
    let mut code = common::compile("local", SOURCE, 8);
    code.entry.local_memory = 96;
    let kernel = device.load(&code).expect("load");
    let mut data = vec![0u64; 5000];
    let shape = |local_memory| LaunchShape { local_memory, ..linear(5000, 1) };
    run(&*queue, &kernel, &shape(4000), &pointer(&mut data));
    assert!((0u64..).zip(&data).all(|(g, &sum)| sum == 512 * g + 511 * 256));
    let text = submit(&*queue, &kernel, &shape(300_000), &pointer(&mut data)).expect_err("too much").to_string();
    assert!(["`local`", "96 bytes", "300000", "262144"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn items_keep_memory_of_their_own_next_to_local_memory() {
    const SOURCE: &str = "KERNEL(keep) {
      uint64_t *data = ARG(uint64_t *, 0), *kept = l->items, *local = l->local;
      for (uint64_t g = first; g < last; g++) {
        for (uint64_t i = 0; i < 10; i++) local[i] = 7;
        for (uint64_t i = 0; i < 32 * 3; i++) kept[i] = g + i;
        for (uint64_t i = 0; i < 32 * 3; i++) data[g] += kept[i];
        data[g] += (uintptr_t)kept % 64 + local[9];
      }
    }";
    let device = common::device(2);
    let queue = device.create_queue().expect("queue");
    let mut code = common::compile("keep", SOURCE, 8);
    code.entry.item_memory = 24;
    let kernel = device.load(&code).expect("load");
    let mut data = vec![0u64; 1000];
    let shape = LaunchShape { local_memory: 80, ..linear(32_000, 32) };
    run(&*queue, &kernel, &shape, &pointer(&mut data));
    assert!((0u64..).zip(&data).all(|(g, &sum)| sum == 96 * g + 95 * 48 + 7));
    code.entry.item_memory = 1 << 20;
    let kernel = device.load(&code).expect("load");
    let refused = submit(&*queue, &kernel, &linear(1024, 1024), &pointer(&mut data));
    assert!(matches!(&refused, Err(DriverError::Launch { reason, .. }) if reason.contains("barriers")), "{refused:?}");
}

#[test]
fn arguments_of_any_size_and_address_arrive() {
    const SOURCE: &str = "KERNEL(sum) {
      uint64_t *data = ARG(uint64_t *, 0), sum = (uintptr_t)arguments % 8;
      for (int i = 1; i < 100; i++) sum += ARG(uint64_t, 8 * i);
      ITEMS data[i] = sum;
    }";
    let device = common::device(2);
    let (queue, kernel) = (device.create_queue().expect("queue"), load(&*device, "sum", SOURCE, 800));
    for items in [1, 100_000] {
        let mut data = vec![0u64; items as usize];
        let mut arguments = vec![0u8];
        arguments.extend(pointer(&mut data));
        (1..100u64).for_each(|i| arguments.extend(i.to_ne_bytes()));
        // At least one of the two start addresses is not aligned to 8 bytes.
        let moved: Vec<u8> = arguments[1..].to_vec();
        for bytes in [&arguments[1..], &moved] {
            run(&*queue, &kernel, &linear(items, 64), bytes);
            assert!(data.iter().all(|&sum| sum == 4950));
        }
        let short = submit(&*queue, &kernel, &linear(items, 64), &arguments[1..400]);
        assert!(matches!(short, Err(DriverError::Launch { .. })), "{short:?}");
    }
}

#[test]
fn a_kernel_that_seemed_short_is_split_and_still_runs_once() {
    const SOURCE: &str = "KERNEL(slow) {
      uint64_t *data = ARG(uint64_t *, 0); uint64_t rounds = ARG(uint64_t, 8);
      ITEMS { volatile uint64_t n = 0; while (n < rounds) n++; data[i]++; }
    }";
    let device = common::device(2);
    let (queue, kernel) = (device.create_queue().expect("queue"), load(&*device, "slow", SOURCE, 16));
    let mut data = vec![0u64; 64];
    for (round, rounds) in [0u64, 0, 100_000, 0, 100_000, 100_000].into_iter().enumerate() {
        let arguments = [pointer(&mut data), rounds.to_ne_bytes()].concat();
        run(&*queue, &kernel, &linear(64, 1), &arguments);
        assert!(data.iter().all(|&count| count == round as u64 + 1), "round {round}: {data:?}");
    }
}

#[test]
fn kernels_with_one_symbol_stay_apart() {
    let device = common::device(1);
    let queue = device.create_queue().expect("queue");
    let source = |n: usize| format!("KERNEL(same) {{ uint64_t *data = ARG(uint64_t *, 0); ITEMS data[i] = {n}; }}");
    let objects: Vec<CodeObject> = (0..5).map(|n| common::compile("same", &source(n), 8)).collect();
    let kernels: Vec<_> = (0..50).map(|n| device.load(&objects[n % 5]).expect("load")).collect();
    for (n, kernel) in kernels.iter().enumerate() {
        let mut data = [0u64];
        run(&*queue, kernel, &linear(1, 1), &pointer(&mut data));
        assert_eq!(data[0], (n % 5) as u64);
    }
}

#[test]
fn a_queue_of_another_driver_is_waited_for() {
    let other = RecordingDriver::new();
    let theirs = other.devices().expect("devices").remove(0).create_queue().expect("queue");
    let device = common::device(2);
    let (queue, kernel) = (device.create_queue().expect("queue"), load(&*device, "add_one", common::ADD_ONE, 8));
    let mut data = [0u64];
    other.hold();
    // SAFETY: nothing is written.
    let ticket = unsafe { theirs.fill(std::ptr::dangling_mut::<u8>().cast(), b"a", 0) }.expect("fill");
    queue.depend(&theirs, ticket).expect("depend");
    let launched = submit(&*queue, &kernel, &linear(1, 1), &pointer(&mut data)).expect("launch");
    thread::sleep(Duration::from_millis(20));
    assert!(!queue.is_complete(launched).expect("query"));
    other.release();
    queue.wait(launched).expect("wait");
    assert_eq!(data[0], 1);
}

#[test]
fn the_first_launch_of_a_kernel_does_not_block() {
    const SOURCE: &str =
        "KERNEL(spin) { int *flag = ARG(int *, 0); while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)); }";
    let device = common::device(2);
    let (queue, kernel) = (device.create_queue().expect("queue"), load(&*device, "spin", SOURCE, 8));
    let flag = AtomicI32::new(0);
    let ticket = submit(&*queue, &kernel, &linear(1, 1), &flag.as_ptr().addr().to_ne_bytes()).expect("launch");
    flag.store(1, Ordering::Release);
    queue.wait(ticket).expect("wait");
}

#[test]
fn launches_that_are_not_over_go_on_with_other_code() {
    const GROUPS: usize = 1000;
    /// Each group marks its place; the first one waits, once it has told that it runs.
    const FIRST: &str = "KERNEL(mark) {
      int32_t *data = ARG(int32_t *, 0);
      for (uint64_t g = first; g < last; g++) {
        data[2 + g] = 1;
        __atomic_store_n(&data[0], 1, __ATOMIC_RELEASE);
        while (!__atomic_load_n(&data[1], __ATOMIC_ACQUIRE));
      }
    }";
    const SECOND: &str = "KERNEL(mark) {
      for (uint64_t g = first; g < last; g++) ARG(int32_t *, 0)[2 + g] = 2;
    }";
    let device = common::device(1);
    let (queue, quick) = (device.create_queue().expect("queue"), load(&*device, "mark", FIRST, 8));
    let [full, other] = ["mark", "add_one"].map(|symbol| load(&*device, symbol, &SECOND.replace("mark", symbol), 8));
    let data: Vec<_> = (0..2 * (2 + GROUPS)).map(|_| AtomicI32::new(0)).collect();
    let (now, later) = data.split_at(2 + GROUPS);
    for part in [now, later] {
        let argument = part.as_ptr().addr().to_ne_bytes();
        submit(&*queue, &quick, &linear(GROUPS as u64, 1), &argument).expect("launch");
    }
    while now[0].load(Ordering::Acquire) == 0 {
        thread::yield_now();
    }
    quick.continue_with(&other);
    quick.continue_with(&full);
    now[1].store(1, Ordering::Release);
    queue.wait(queue.last()).expect("wait");
    let marks = |part: &[AtomicI32]| part[2..].iter().map(|mark| mark.load(Ordering::Relaxed)).collect::<Vec<_>>();
    let first = marks(now).partition_point(|mark| *mark == 1);
    assert!((1..GROUPS / 2).contains(&first) && marks(now)[first..].iter().all(|mark| *mark == 2), "{first} groups");
    assert!(marks(later).iter().all(|mark| *mark == 2));
}

#[test]
fn a_kernel_of_another_driver_is_refused() {
    let device = common::device(1);
    let queue = device.create_queue().expect("queue");
    let code = common::compile("add_one", common::ADD_ONE, 8);
    let foreign = RecordingDriver::new().devices().expect("devices").remove(0).load(&code).expect("load");
    let result = submit(&*queue, &foreign, &linear(1, 1), &[0; 8]);
    assert!(matches!(result, Err(DriverError::Foreign { what: "kernel", .. })), "{result:?}");
}

#[test]
fn dropping_a_queue_waits_for_its_commands() {
    let device = common::device(2);
    let kernel = load(&*device, "add_one", common::ADD_ONE, 8);
    let mut data = vec![0u64; 1 << 18];
    for round in 1..=20 {
        let queue = device.create_queue().expect("queue");
        submit(&*queue, &kernel, &linear(1 << 18, 1024), &pointer(&mut data)).expect("launch");
        drop(queue);
        assert!(data.iter().all(|&count| count == round));
    }
}

#[test]
fn the_running_kernel_is_known_only_while_it_runs() {
    assert_eq!(sinter_driver_host::running_kernel(), None);
}

#[test]
fn kernels_call_libm_without_naming_it() {
    const SOURCE: &str = "double sin(double); float powf(float, float);
    KERNEL(math) { double *data = ARG(double *, 0); ITEMS data[i] = sin(data[i]) + powf(data[i], 2.f); }";
    let device = common::device(2);
    let (queue, kernel) = (device.create_queue().expect("queue"), load(&*device, "math", SOURCE, 8));
    let mut data = [0.5f64, 1.0];
    run(&*queue, &kernel, &linear(2, 2), &pointer(&mut data));
    assert_eq!(data, [0.5f64.sin() + 0.25, 1f64.sin() + 1.0]);
}

#[test]
fn what_lld_links_loads() {
    let device = common::device(1);
    let queue = device.create_queue().expect("queue");
    for flags in [&[][..], &["-Wl,--hash-style=sysv"], &["-Wl,-z,now,-z,separate-code", "-Wl,--gc-sections"]] {
        let all = [&["-fuse-ld=lld"], flags].concat();
        let Some(code) = common::compile_with("clang-19", &all, "add_one", common::ADD_ONE, 8) else {
            println!("skipped: clang-19 with lld is not installed");
            return;
        };
        let (kernel, mut data) = (device.load(&code).expect("load"), [0u64; 3]);
        run(&*queue, &kernel, &linear(3, 1), &pointer(&mut data));
        assert_eq!(data, [1; 3]);
    }
}
