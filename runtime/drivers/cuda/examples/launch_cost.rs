//! Measures the overhead of a launch over the driver's own call.
//!
//! In: the first GPU, or the path of a stand-in for NVIDIA's library. Out: medians and minima on
//! standard output, for an empty kernel without arguments and one with eight, launched through a
//! queue and by `cuLaunchKernel` on the same stream, with and without a wait after each launch.
//! *Invariant:* both sides alternate in the same process, so that a busy machine slows both.
//!
//! Run with `cargo run --release --example cuda_launch_cost [LIBRARY]`.

#[path = "../tests/common/mod.rs"]
mod common;

use libloading::Library;
use sinter_core::LaunchShape;
use sinter_driver::{Device, Driver, Kernel, NativeKind, Queue};
use sinter_driver_cuda::CudaOptions;
use std::{ffi::c_void, path::PathBuf, ptr, sync::Arc, time::Instant};

/// Launches in a batch. A stream holds about a thousand before a launch waits for space.
const BATCH: usize = 400;
const BATCHES: usize = 101;
const SHAPE: LaunchShape = LaunchShape { global: [128, 1, 1], group: [128, 1, 1], local_memory: 0 };
const EIGHT_ARGUMENTS: &str = "
.version 6.0
.target sm_70
.address_size 64
.visible .entry eight(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 e, .param .u64 f, .param .u64 g,
  .param .u64 h)
{
  ret;
}
";

type Launch = unsafe extern "C" fn(
    *mut c_void,
    u32,
    u32,
    u32,
    u32,
    u32,
    u32,
    u32,
    *mut c_void,
    *mut *mut c_void,
    *mut *mut c_void,
) -> u32;
type OnHandle = unsafe extern "C" fn(*mut c_void) -> u32;

/// Functions called directly, without our driver.
struct Raw {
    launch: Launch,
    synchronize: OnHandle,
    current: unsafe extern "C" fn(*mut *mut c_void) -> u32,
}

impl Raw {
    fn open(path: Option<&PathBuf>) -> Self {
        let path = path.cloned().unwrap_or_else(|| "libcuda.so.1".into());
        // SAFETY: the driver has loaded the library already.
        let library = unsafe { Library::new(path) }.expect("the library");
        // SAFETY: the function has this type.
        let launch = *unsafe { library.get(b"cuLaunchKernel") }.expect("cuLaunchKernel");
        // SAFETY: the function has this type.
        let synchronize = *unsafe { library.get(b"cuStreamSynchronize") }.expect("cuStreamSynchronize");
        // SAFETY: the function has this type.
        let current = *unsafe { library.get(b"cuCtxGetCurrent") }.expect("cuCtxGetCurrent");
        std::mem::forget(library);
        Raw { launch, synchronize, current }
    }
}

/// A kernel, to be launched both ways.
struct Case {
    queue: Arc<dyn Queue>,
    kernel: Arc<dyn Kernel>,
    arguments: Vec<u8>,
    stream: *mut c_void,
    function: *mut c_void,
}

impl Case {
    fn new(device: &Arc<dyn Device>, symbol: &str, text: &str, arguments: u32) -> Self {
        let queue = device.create_queue().expect("queue");
        let kernel = device.load(&common::ptx(symbol, text, arguments)).expect("load");
        let stream = queue.native(NativeKind::Stream).expect("stream");
        let function = kernel.native(NativeKind::Function).expect("function");
        Case { queue, kernel, arguments: vec![0; arguments as usize * 8], stream, function }
    }

    fn ours(&self) {
        // SAFETY: the kernels do not use their arguments.
        unsafe { self.queue.launch(&self.kernel, &SHAPE, &self.arguments) }.expect("launch");
    }

    fn raw(&self, raw: &Raw) {
        let mut size = self.arguments.len();
        let buffer = self.arguments.as_ptr().cast_mut().cast();
        let (one, two) = (ptr::without_provenance_mut(1), ptr::without_provenance_mut(2));
        let mut extra = [one, buffer, two, (&raw mut size).cast(), ptr::null_mut()];
        let extra = if size == 0 { ptr::null_mut() } else { extra.as_mut_ptr() };
        let (function, none) = (self.function, ptr::null_mut());
        // SAFETY: function and stream are alive, and the size is that of the buffer.
        let code = unsafe { (raw.launch)(function, 1, 1, 1, 128, 1, 1, 0, self.stream, none, extra) };
        assert_eq!(code, 0);
    }

    /// As above with an array of argument addresses, which is how nvcc launches kernels.
    fn raw_by_address(&self, raw: &Raw) {
        let places = self.arguments.chunks(8).map(|place| place.as_ptr().cast_mut().cast::<c_void>());
        let mut addresses = [ptr::null_mut(); 8];
        addresses.iter_mut().zip(places).for_each(|(address, place)| *address = place);
        let (function, none) = (self.function, ptr::null_mut());
        // SAFETY: function and stream are alive, and there is an address for each argument.
        let code = unsafe { (raw.launch)(function, 1, 1, 1, 128, 1, 1, 0, self.stream, addresses.as_mut_ptr(), none) };
        assert_eq!(code, 0);
    }

    fn raw_wait(&self, raw: &Raw) {
        // SAFETY: the stream is alive.
        assert_eq!(unsafe { (raw.synchronize)(self.stream) }, 0);
    }

    fn wait(&self) {
        self.queue.wait(self.queue.last()).expect("wait");
    }
}

/// Median and minimum time of each closure in microseconds. Drains the stream between the batches.
fn measure<const N: usize>(after: &dyn Fn(), mut works: [&mut dyn FnMut(); N]) -> [(f64, f64); N] {
    let mut samples = [const { Vec::new() }; N];
    for _ in 0..BATCHES {
        for (work, samples) in works.iter_mut().zip(&mut samples) {
            let start = Instant::now();
            (0..BATCH).for_each(|_| work());
            samples.push(start.elapsed().as_secs_f64() * 1e6 / BATCH as f64);
            after();
        }
    }
    samples.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        (samples[BATCHES / 2], samples[0])
    })
}

fn print(what: &str, [(ours, our_best), (raw, raw_best)]: [(f64, f64); 2]) {
    let added = ours - raw;
    println!("{what}: ours {ours:.3} (best {our_best:.3}), driver {raw:.3} (best {raw_best:.3}), added {added:.3}");
}

fn compare(case: &Case, raw: &Raw, name: &str) {
    let submitted = measure(&|| case.wait(), [&mut || case.ours(), &mut || case.raw(raw)]);
    print(&format!("{name}, submit, in us"), submitted);
    let ways = measure(&|| case.wait(), [&mut || case.raw(raw), &mut || case.raw_by_address(raw)]);
    let [(buffer, buffer_best), (addresses, addresses_best)] = ways;
    println!(
        "{name}, driver alone, in us: with a buffer {buffer:.3} (best {buffer_best:.3}), with addresses {addresses:.3} \
         (best {addresses_best:.3})"
    );
    let mut ours = || {
        case.ours();
        case.wait();
    };
    let mut theirs = || {
        case.raw(raw);
        case.raw_wait(raw);
    };
    print(&format!("{name}, submit and wait, in us"), measure(&|| case.wait(), [&mut ours, &mut theirs]));
}

fn main() {
    let library = std::env::args_os().nth(1).map(PathBuf::from);
    let driver = sinter_driver_cuda::driver(CudaOptions { library: library.clone(), ..CudaOptions::default() });
    let Some(device) = driver.devices().expect("devices").into_iter().next() else {
        return println!("skipped: {}", driver.absence().unwrap_or_default());
    };
    println!("{}, CUDA {}", device.info().name, device.info().driver_version);
    let raw = Raw::open(library.as_ref());
    compare(&Case::new(&device, "empty", common::EMPTY, 0), &raw, "empty kernel");
    compare(&Case::new(&device, "eight", EIGHT_ARGUMENTS, 8), &raw, "eight arguments");
    let mut handle = ptr::null_mut();
    // SAFETY: the handle is writable.
    let mut ask = || assert_eq!(unsafe { (raw.current)(&raw mut handle) }, 0);
    let [(median, best)] = measure(&|| (), [&mut ask]);
    println!("the driver's question for the current context, in us: {median:.4} (best {best:.4})");
}
