//! Launches whose pointers refer to different allocations, with a fake translator and a recording
//! driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{Runtime, queue::Queue};
use sinter_driver::MemoryKind;
use sinter_tests::runtimes::{BLOCK, FakeTranslator, PARAMETERS, Program, TestDriver, options, range, runtime};
use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
};

/// A program whose kernel takes two pointers and an integer.
fn program() -> Program {
    let mut program = Program::named(1);
    let mut records = PARAMETERS;
    records[1].kind = records[0].kind;
    program.kernels[0].parameters = Vec::from(records).leak().as_ptr();
    program
}

/// A separate process, as seen by the runtime, and two allocations on its device.
struct Process<'p> {
    program: &'p Program,
    runtime: Runtime,
    queue: Queue,
    allocations: [usize; 2],
}

impl<'p> Process<'p> {
    fn new(program: &'p Program, translator: &Arc<FakeTranslator>, folder: &Path) -> Self {
        let mut options = options(&TestDriver::new(), Arc::clone(translator), Some(folder));
        options.code.separate_allocations = true;
        let runtime = runtime(options, program);
        let queue = runtime.create_queue(0).unwrap();
        let allocate = |_| queue.device().device.memory().allocate(MemoryKind::Shared, 64, 64).unwrap().addr();
        let allocations = [0, 1].map(allocate);
        Process { program, runtime, queue, allocations }
    }

    /// Launches the kernel with pointers to these allocations; returns the number of translations
    /// so far.
    fn launch(&self, pointers: [usize; 2]) -> u64 {
        let mut block = [0; BLOCK];
        for (bytes, pointer) in block.chunks_mut(8).zip(pointers) {
            bytes.copy_from_slice(&self.allocations[pointer].to_ne_bytes());
        }
        let kernel = &raw const *self.program.kernels[0];
        // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
        unsafe { self.runtime.launch(&self.queue, kernel, &block, &range(10)) }.unwrap();
        self.runtime.statistics().translated
    }
}

#[test]
fn code_that_does_not_depend_on_allocations_is_stored_for_all() {
    for first in [[0, 1], [0, 0]] {
        let (root, program, translator) = (tempfile::tempdir().unwrap(), program(), FakeTranslator::new());
        let process = || Process::new(&program, &translator, root.path());
        let one = process();
        assert_eq!([one.launch(first), one.launch([0, 1]), one.launch([1, 1])], [1, 1, 1]);
        assert_eq!([process().launch([0, 1]), process().launch([0, 0])], [0, 0], "after {first:?}");
    }
}

#[test]
fn code_that_depends_on_allocations_is_stored_for_each_pattern() {
    for (first, other) in [([0, 1], [0, 0]), ([0, 0], [0, 1])] {
        let (root, program, translator) = (tempfile::tempdir().unwrap(), program(), FakeTranslator::new());
        translator.depends_on_allocations.store(true, Ordering::Relaxed);
        let process = || Process::new(&program, &translator, root.path());
        assert_eq!(process().launch(first), 1);
        let two = process();
        assert_eq!([two.launch(first), two.launch(other), two.launch(first)], [0, 1, 1], "after {first:?}");
        let three = process();
        assert_eq!([three.launch(other), three.launch(first)], [0, 0]);
        let known = translator.specializations.lock().unwrap();
        let patterns = known.iter().map(|specialization| specialization.allocations.len());
        assert_eq!(patterns.sum::<usize>(), 2, "one of both knows both pointers");
    }
}
