//! Launches with constants, specialised arguments and required sizes, with a fake translator and a
//! recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{LaunchSize, Runtime, RuntimeError, abi, launch::values::Constant};
use sinter_core::{ConstantValue, TranslateCause};
use sinter_driver::Ticket;
use sinter_tests::runtimes::{BLOCK, FakeTranslator, PARAMETERS, Program, TestDriver, block, options, range, runtime};
use std::{mem::offset_of, sync::Arc};

struct Setup {
    driver: TestDriver,
    translator: Arc<FakeTranslator>,
    program: Program,
    runtime: Runtime,
    queue: sinter::queue::Queue,
}

fn setup() -> Setup {
    let (driver, translator, program) = (TestDriver::new(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    Setup { driver, translator, program, runtime, queue }
}

impl Setup {
    fn launch(&self, block: &[u8], constants: &[Constant<'_>]) -> Result<Ticket, RuntimeError> {
        // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
        unsafe {
            self.runtime.launch_with(&self.queue, &raw const *self.program.kernels[0], block, &range(10), constants)
        }
    }

    /// Launches the kernel of `descriptor`, which must outlive the runtime.
    fn launch_required(
        &self,
        descriptor: &'static abi::WholeKernel,
        size: &LaunchSize,
    ) -> Result<Ticket, RuntimeError> {
        // SAFETY: the descriptor is one of a `Program`, with another second part.
        unsafe { self.runtime.launch(&self.queue, (&raw const *descriptor).cast(), &block(), size) }
    }

    fn required(&self, group: [u32; 3], sub_group: u32) -> &'static abi::WholeKernel {
        let mut kernel = *self.program.kernels[0];
        kernel.struct_size = offset_of!(abi::WholeKernel, image) as u32;
        let requirements = abi::KernelRequirements { required_group_size: group, required_sub_group_size: sub_group };
        Box::leak(Box::new(abi::WholeKernel { kernel, requirements, image: abi::KernelImage::default() }))
    }

    /// Marks parameters as specialised.
    fn specialize(&mut self, parameters: &[usize]) {
        let mut records = PARAMETERS;
        parameters.iter().for_each(|index| records[*index].kind |= abi::PARAMETER_SPECIALIZED);
        self.program.kernels[0].parameters = Vec::from(records).leak().as_ptr();
    }
}

fn constant<'a>(name: &'a str, value: &'a [u8]) -> Constant<'a> {
    Constant { name, value }
}

#[test]
fn each_value_of_a_constant_is_a_variant() {
    let setup = setup();
    for _ in 0..3 {
        setup.launch(&block(), &[]).unwrap();
        setup.launch(&block(), &[constant("rows", &[1, 0])]).unwrap();
        setup.launch(&block(), &[constant("rows", &[2, 0])]).unwrap();
        setup.launch(&block(), &[constant("rows", &[2, 0]), constant("columns", &[3])]).unwrap();
        setup.launch(&block(), &[constant("columns", &[3]), constant("rows", &[2, 0])]).unwrap();
    }
    assert_eq!(setup.translator.total(), 4);
    assert_eq!(setup.driver.launches().len(), 15);
    let requests = setup.translator.specializations.lock().unwrap();
    let names = |i: usize| requests[i].constants.iter().map(|constant| constant.name.as_str()).collect::<Vec<_>>();
    assert_eq!([names(0), names(1), names(3)], [vec![], vec!["rows"], vec!["columns", "rows"]]);
    assert_eq!(requests[2].constants[0].value, ConstantValue::Bytes(vec![2, 0]));
    let variants: Vec<_> =
        setup.runtime.variants().variants().iter().map(|record| record.variant.description.clone()).collect();
    assert_eq!(variants[0], "1-D range, 32-bit");
    assert_eq!(variants[3], "1-D range, 32-bit, 2 values");
}

#[test]
fn many_values_and_many_constants_are_found_again() {
    let setup = setup();
    let names: Vec<String> = (0..50).map(|i| format!("constant{i}")).collect();
    let list: Vec<_> = names.iter().map(|name| constant(name, name.as_bytes())).collect();
    for _ in 0..2 {
        for length in [1, 8, 9, 50] {
            setup.launch(&block(), &list[..length]).unwrap();
        }
        for value in 0..100u8 {
            setup.launch(&block(), &[constant("x", &[value])]).unwrap();
        }
    }
    assert_eq!(setup.translator.total(), 104);
    assert_eq!(setup.runtime.statistics().memory_hits, 104);
}

#[test]
fn an_unknown_constant_is_the_translators_error() {
    let setup = setup();
    let cause =
        TranslateCause::UnknownName { what: "IR constant".into(), name: "row".into(), nearest: Some("rows".into()) };
    *setup.translator.failure.lock().unwrap() = Some(cause);
    let error = setup.launch(&block(), &[constant("row", &[1])]).unwrap_err();
    let RuntimeError::Translate(error) = &error else { panic!("{error}") };
    assert!(matches!(&error.cause, TranslateCause::UnknownName { name, .. } if name == "row"));
}

#[test]
fn a_constant_that_is_given_twice_is_refused() {
    let setup = setup();
    let result = setup.launch(&block(), &[constant("a", &[1]), constant("a", &[1])]);
    assert!(matches!(result, Err(RuntimeError::InvalidArgument { .. })), "{result:?}");
    assert_eq!(setup.translator.total(), 0);
}

#[test]
fn marked_arguments_make_variants_and_others_do_not() {
    let mut setup = setup();
    setup.specialize(&[1, 2]);
    let changed = |byte: usize, value: u8| {
        let mut block = block();
        block[byte] = value;
        block
    };
    for _ in 0..3 {
        for block in [block(), changed(0, 99), changed(8, 99), changed(16, 99), changed(20, 99)] {
            setup.launch(&block, &[]).unwrap();
        }
    }
    assert_eq!(setup.translator.total(), 3);
    let requests = setup.translator.specializations.lock().unwrap();
    let double = ConstantValue::F64(u64::from_le_bytes([8, 9, 10, 11, 12, 13, 14, 15]));
    let integer = ConstantValue::I32(u32::from_le_bytes([16, 17, 18, 19]));
    assert_eq!(requests[0].arguments, [(1, double), (2, integer)]);
    assert_eq!(setup.driver.launches().len(), 15);
}

#[test]
fn a_specialised_kernel_checks_its_block_and_combines_with_constants() {
    let mut setup = setup();
    setup.specialize(&[2]);
    for _ in 0..2 {
        let result = setup.launch(&block()[..BLOCK - 1], &[]);
        assert!(matches!(result, Err(RuntimeError::BlockSize { expected: 24, given: 23, .. })), "{result:?}");
        setup.launch(&block(), &[]).unwrap();
        setup.launch(&block(), &[constant("a", &[1])]).unwrap();
        setup.launch(&block(), &[constant("a", &[2])]).unwrap();
    }
    assert_eq!(setup.translator.total(), 3);
    let variants = setup.runtime.variants().variants();
    assert_eq!(variants[0].variant.description, "1-D range, 32-bit, 1 value");
}

#[test]
fn a_required_group_size_is_used_and_another_one_refused() {
    let setup = setup();
    let kernel = setup.required([4, 1, 1], 0);
    setup.launch_required(kernel, &range(64)).unwrap();
    setup.launch_required(kernel, &LaunchSize { group: Some([4, 1, 1]), ..range(64) }).unwrap();
    assert_eq!(setup.translator.total(), 1);
    assert!(setup.driver.launches().iter().all(|(_, shape, _)| shape.group == [4, 1, 1]));
    for _ in 0..2 {
        let error = setup.launch_required(kernel, &LaunchSize { group: Some([8, 1, 1]), ..range(64) }).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("`kernel0`") && text.contains("4x1x1") && text.contains("8x1x1"), "{text}");
        let error = setup.launch_required(kernel, &range(63)).unwrap_err();
        assert!(matches!(error, RuntimeError::Launch { .. }), "{error}");
        let text = error.to_string();
        assert!(["`kernel0`", "4x1x1", "global size 63"].iter().all(|part| text.contains(part)), "{text}");
        let error = setup.launch_required(setup.required([4, 2, 1], 0), &range(64)).unwrap_err();
        let text = error.to_string();
        assert!(["`kernel0`", "4x2x1", "unused dimensions"].iter().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn a_sub_group_size_that_the_device_lacks_is_unsupported() {
    let setup = setup();
    let error = setup.launch_required(setup.required([0; 3], 16), &range(64)).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, RuntimeError::Requires { .. }), "{text}");
    assert!(text.starts_with("kernel `kernel0` on ") && text.contains("it requires sub-groups of 16"), "{text}");
    setup.launch_required(setup.required([0; 3], 1), &range(64)).unwrap();
}

#[test]
fn local_memory_beyond_the_device_names_kernel_and_both_numbers() {
    let setup = setup();
    *setup.translator.local_memory.lock().unwrap() = 60_000;
    let kernel = setup.required([0; 3], 0);
    let size = |local_memory| LaunchSize { group: Some([2, 1, 1]), local_memory, ..range(64) };
    setup.launch_required(kernel, &size(5536)).unwrap();
    let error = setup.launch_required(kernel, &size(5537)).unwrap_err();
    let text = error.to_string();
    assert!(["`kernel0`", "60000", "5537", "65536"].iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn times_are_the_drivers_and_their_absence_is_an_error() {
    let setup = setup();
    let queue = setup.runtime.create_queue(0).unwrap();
    queue.enable_profiling().unwrap();
    // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
    let ticket = unsafe { setup.runtime.launch(&queue, &*setup.program.kernels[0], &block(), &range(1)) }.unwrap();
    let times = queue.profile(ticket).unwrap();
    assert_eq!((times.submit, times.start, times.end), (10, 11, 12));
    let ticket = setup.launch(&block(), &[]).unwrap();
    let error = setup.queue.profile(ticket).unwrap_err();
    assert!(error.to_string().contains("enable profiling"), "{error}");
    assert!(setup.queue.enable_profiling().is_err());
}
