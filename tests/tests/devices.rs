//! Runs translated kernels with barriers on all present devices, compared with an interpreter.
//!
//! `write_cases` writes the translated kernels with their expected memory to a file, which
//! `sinter-device-cases` runs on a machine without a compiler. *Invariant:* a missing device is
//! reported as skipped, with the reason.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use sinter_core::{HostTarget, OptLevel, PtxTarget, Rows, Target};
use sinter_device_cases::{Absent, Case, device, read, run, write};
use sinter_driver::Device;
use sinter_tests::differential::{
    cases::Plan,
    execute::Variant,
    generate,
    language::{Kernel, OUTPUT_STRIDE, Shape},
    llvm::Style,
    synchronize::synchronize,
    systematic::{self, Entry, GROUP_SIZES},
};
use sinter_translate::native_target;
use std::{
    env,
    io::{self, Write},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Number of random kernels in a file.
const RANDOM: usize = 300;

/// Only a share: `differential.rs` runs all of them on the host.
#[test]
fn every_twelfth_kernel_of_the_corpus_on_the_host() {
    match device("host") {
        Ok(host) => kernels_of_the_corpus(&*host, 12),
        Err(Absent::Machine(reason) | Absent::Driver(reason)) => panic!("the host is always there, but {reason}"),
    }
}

#[test]
fn kernels_of_the_corpus_on_a_gpu_of_cuda() {
    match device("cuda") {
        Ok(gpu) => kernels_of_the_corpus(&*gpu, 1),
        Err(Absent::Machine(reason) | Absent::Driver(reason)) => skipped("kernels of the corpus on cuda", &reason),
    }
}

/// Reports a skipped test on the terminal itself: the test harness hides output of passing tests.
fn skipped(what: &str, reason: &str) {
    writeln!(io::stderr(), "skipped: {what}: {reason}").expect("a standard error that can be written");
}

/// Runs every `step`-th kernel of the corpus.
fn kernels_of_the_corpus(device: &dyn Device, step: usize) {
    let entries = systematic::corpus();
    let plans: Vec<Plan<'_>> = entries.iter().step_by(step).flat_map(of_entry).collect();
    let cases = translated(&plans, device.target());
    let failures: Vec<String> = cases.iter().filter_map(|case| run(device, case).err()).collect();
    assert!(failures.is_empty(), "{} failed on {}:\n{}", failures.len(), device.target(), failures.join("\n"));
}

#[test]
fn cases_in_a_file_are_those_that_were_written() {
    let entries = systematic::corpus();
    let plans: Vec<Plan<'_>> = entries.iter().take(1).flat_map(of_entry).collect();
    let target = Target::Host(native_target());
    let mut cases = translated(&plans, &target);
    let bytes = write(&cases);
    assert_eq!(read(&bytes).as_ref(), Ok(&cases));
    assert!(read(&bytes[1..]).is_err() && read(&bytes[..bytes.len() - 1]).is_err());
    // The runner detects a difference, and a write beyond the end.
    let device = device("host").expect("the host is always there");
    let output = &mut cases[0].launches[0].buffers[1];
    output.after[0] ^= 1;
    assert!(run(&*device, &cases[0]).expect_err("a difference").contains("output[0] is 0x"));
    // The output is shortened, so that the last item writes to the guard.
    let output = &mut cases[0].launches[0].buffers[1];
    output.after[0] ^= 1;
    let shorter = output.after.len() - OUTPUT_STRIDE;
    output.before.truncate(shorter);
    output.after.truncate(shorter);
    assert!(run(&*device, &cases[0]).expect_err("a difference").contains("wrote beyond output"));
}

/// Writes the cases for the target `SINTER_CASES_TARGET` (`host` or `sm_NN`) to the file
/// `SINTER_CASES_FILE`.
#[test]
#[ignore = "a tool: `cargo xtask gpu-test` runs it"]
fn write_cases() {
    let setting = |name: &str| env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
    let (target, file) = (target(&setting("SINTER_CASES_TARGET")), setting("SINTER_CASES_FILE"));
    let (entries, random) = (systematic::corpus(), random());
    // On a host other tests run all of them.
    let share = if matches!(target, Target::Host(_)) { 12 } else { 1 };
    let plans = entries.iter().flat_map(of_entry).chain(random.iter().flat_map(of_random)).step_by(share);
    let plans: Vec<Plan<'_>> = plans.collect();
    std::fs::write(&file, write(&translated(&plans, &target))).expect("a writable folder");
    println!("{} cases for {target} in {file}", plans.len());
}

/// The host target is a baseline CPU, so that the cases run on any machine.
fn target(text: &str) -> Target {
    let sm = text.strip_prefix("sm_").map(|sm| sm.parse().expect("a number after sm_"));
    let newest = |sm| PtxTarget::for_device(sm, u32::MAX).expect("a GPU that LLVM knows");
    let any_cpu = || HostTarget { cpu: "x86-64-v2".to_owned(), features: String::new(), ..native_target() };
    sm.map_or_else(|| Target::Host(any_cpu()), |sm| Target::Ptx(newest(sm)))
}

/// A kernel of the corpus, with groups of every size.
fn of_entry(entry: &Entry) -> Vec<Plan<'_>> {
    let Entry { name, dimensions, kernel } = entry;
    let style = Style { generic_pointers: dimensions % 2 == 0, passes: None };
    let shapes = |sizes: &[u32]| sizes.iter().map(|size| systematic::shape(*dimensions, *size)).collect();
    let plan = |level, fixed, sizes: &[u32]| Plan {
        name: name.clone(),
        kernel,
        style,
        variant: Variant { level, fixed, rows: Rows::Off, literals: [fixed; 2] },
        shapes: shapes(sizes),
    };
    let any = [OptLevel::O0, OptLevel::O3].map(|level| plan(level, false, &GROUP_SIZES));
    any.into_iter().chain([plan(OptLevel::O3, true, &[32])]).collect()
}

/// A random kernel with its launch.
struct Random {
    kernel: Kernel,
    shape: Shape,
    style: Style,
    variants: [Variant; 3],
    number: usize,
}

/// Random kernels, equal in every run.
fn random() -> Vec<Random> {
    let mut runner = TestRunner::deterministic();
    let mut case = || generate::case().new_tree(&mut runner).expect("a case").current();
    let random = (0..RANDOM).map(|number| {
        let generate::Case { kernel, shape, style, variants } = case();
        Random { kernel: synchronize(&kernel), shape, style, variants, number }
    });
    random.collect()
}

fn of_random(random: &Random) -> Vec<Plan<'_>> {
    let plan = |variant| Plan {
        name: format!("random kernel {}", random.number),
        kernel: &random.kernel,
        style: random.style,
        variant,
        shapes: vec![random.shape],
    };
    // GPUs have no quick code.
    random.variants.into_iter().filter(|variant| variant.level != OptLevel::O1).map(plan).collect()
}

/// Translates all plans, in parallel on all processors.
fn translated(plans: &[Plan<'_>], target: &Target) -> Vec<Case> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((number, plan)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            plans.get(number).map(|plan| (number, plan))
        } {
            let case = plan.case(target).unwrap_or_else(|error| panic!("{error}"));
            done.lock().expect("no panic").push((number, case));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().expect("no panic");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, case)| case).collect()
}
