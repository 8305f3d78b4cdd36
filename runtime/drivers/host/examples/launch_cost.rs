//! Measures the time of a launch.
//!
//! In: kernels compiled by the system's C compiler. Out: medians on standard output: an empty
//! launch, launches of growing size with a wait after each, and a triad beside the same loop in
//! Rust on a rayon pool. *Invariant:* both sides of a comparison alternate in the same process, on
//! the same number of threads.
//!
//! Run with `cargo run --release --example launch_cost`.

#[path = "../tests/common/mod.rs"]
mod common;

use rayon::prelude::*;
use sinter_core::LaunchShape;
use sinter_driver::{Device, Kernel, MemoryKind, Queue};
use std::{num::NonZero, sync::Arc, thread, time::Instant};

const TRIAD: &str = "KERNEL(triad) {
  double *restrict a = ARG(double *, 0); const double *restrict b = ARG(double *, 8), *restrict c = ARG(double *, 16);
  ITEMS a[i] = b[i] + 0.4 * c[i]; }";
const EMPTY: &str = "KERNEL(empty) {}";
const ROUNDS: usize = 15;

/// Median and minimum time of each closure in microseconds. They alternate, so that a busy machine
/// slows all of them.
fn measure<const N: usize>(repeats: usize, mut works: [&mut dyn FnMut(); N]) -> [String; N] {
    let mut samples = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (work, samples) in works.iter_mut().zip(&mut samples) {
            let start = Instant::now();
            (0..repeats).for_each(|_| work());
            samples.push(start.elapsed().as_secs_f64() * 1e6 / repeats as f64);
        }
    }
    samples.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        format!("{:.2} (best {:.2})", samples[ROUNDS / 2], samples[0])
    })
}

struct Setup {
    device: Arc<dyn Device>,
    queue: Arc<dyn Queue>,
}

impl Setup {
    fn load(&self, symbol: &str, source: &str, argument_size: u32) -> Arc<dyn Kernel> {
        self.device.load(&common::compile(symbol, source, argument_size)).expect("load")
    }

    fn launch(&self, kernel: &Arc<dyn Kernel>, items: u64, arguments: &[u8]) {
        let global = [items, 1, 1];
        let shape = LaunchShape { global, group: self.device.choose_group_size(global), local_memory: 0 };
        // SAFETY: the arguments are the pointers that the kernel reads, to arrays that are never
        // freed.
        unsafe { self.queue.launch(kernel, &shape, arguments) }.expect("launch");
    }

    fn wait(&self) {
        self.queue.wait(self.queue.last()).expect("wait");
    }

    fn array(&self, items: u64) -> u64 {
        let pointer = self.device.memory().allocate(MemoryKind::Shared, items as usize * 8, 64).expect("allocate");
        // SAFETY: the array was just allocated with this size.
        unsafe { self.queue.fill(pointer, &1.5f64.to_ne_bytes(), items as usize) }.expect("fill");
        self.wait();
        pointer as u64
    }
}

fn empty(setup: &Setup) {
    let kernel = setup.load("empty", EMPTY, 0);
    for items in [1, 1024] {
        let mut submit = || setup.launch(&kernel, items, &[]);
        let mut both = || {
            setup.launch(&kernel, items, &[]);
            setup.wait();
        };
        let [submit, both] = measure(100_000, [&mut submit, &mut both]);
        println!("empty kernel, {items} items, in us: submit {submit}, submit and wait {both}");
    }
}

fn rust_triad(pool: &rayon::ThreadPool, arrays: [u64; 3], items: u64, threads: usize) {
    let length = items as usize;
    // SAFETY: the array holds `items` numbers and nothing else uses it now.
    let a = unsafe { std::slice::from_raw_parts_mut(arrays[0] as *mut f64, length) };
    // SAFETY: as above.
    let b = unsafe { std::slice::from_raw_parts(arrays[1] as *const f64, length) };
    // SAFETY: as above.
    let c = unsafe { std::slice::from_raw_parts(arrays[2] as *const f64, length) };
    let chunk = length.div_ceil(threads);
    let add = |((a, b), c): ((&mut [f64], &[f64]), &[f64])| {
        a.iter_mut().zip(b).zip(c).for_each(|((a, b), c)| *a = b + 0.4 * c);
    };
    pool.install(|| a.par_chunks_mut(chunk).zip(b.par_chunks(chunk)).zip(c.par_chunks(chunk)).for_each(add));
}

fn triad(setup: &Setup, threads: usize) {
    let kernel = setup.load("triad", TRIAD, 24);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
    for log in [10, 12, 14, 15, 16, 18, 20, 22, 25] {
        let items = 1u64 << log;
        let arrays = [setup.array(items), setup.array(items), setup.array(items)];
        let arguments: Vec<u8> = arrays.iter().flat_map(|pointer| pointer.to_ne_bytes()).collect();
        let repeats = ((1 << 22) >> log).max(1) as usize;
        let mut ours = || {
            setup.launch(&kernel, items, &arguments);
            setup.wait();
        };
        let mut theirs = || rust_triad(&pool, arrays, items, threads);
        let mut serial = || rust_triad(&pool, arrays, items, 1);
        let [ours, theirs, serial] = measure(repeats, [&mut ours, &mut theirs, &mut serial]);
        println!("triad 2^{log}, in us: {ours}; rayon {theirs}, with one chunk {serial}");
        for pointer in arrays {
            // SAFETY: every launch was waited for.
            unsafe { setup.device.memory().free(pointer as *mut _) }.expect("free");
        }
    }
}

fn main() {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let device = common::device(threads);
    let queue = device.create_queue().expect("queue");
    let setup = Setup { device, queue };
    println!("{}, {threads} threads", setup.device.info().name);
    empty(&setup);
    triad(&setup, threads);
}
