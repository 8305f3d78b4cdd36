//! The interface for Rust programs, with a fake translator and a recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{
    Advice, Argument, Buffer, Event, Kernel, LaunchSize, MemoryKind, Module, NativeKind, Queue, Registry, Rows,
    Runtime, RuntimeError, arguments,
};
use sinter_core::{
    ConstantValue, Parameter, ParameterKind,
    container::{ContainerBuilder, ImageRecord, KernelRecord},
};
use sinter_driver::{Ticket, recording::Call};
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, hash_of, options};
use std::{sync::Arc, thread, time::Duration};

struct Setup {
    driver: TestDriver,
    translator: Arc<FakeTranslator>,
    runtime: Arc<Runtime>,
    queue: Queue,
}

fn setup() -> Setup {
    let (driver, translator) = (TestDriver::new(), FakeTranslator::new());
    let options = options(&driver, Arc::clone(&translator), None);
    let runtime = Arc::new(Runtime::new(options, Arc::new(Registry::new())));
    let queue = runtime.create_queue(0).unwrap();
    Setup { driver, translator, runtime, queue }
}

/// Parameters of every kernel here: a pointer, a double, an int; `annotations` belong to the int.
fn container(kernels: &[&str], annotations: &[&str]) -> Vec<u8> {
    container_with(kernels, annotations, &[])
}

fn container_with(kernels: &[&str], annotations: &[&str], options: &[(&str, &str)]) -> Vec<u8> {
    let parameter = |byte_offset, byte_size, kind| Parameter {
        byte_offset,
        byte_size,
        original_index: 0,
        kind,
        annotations: vec![],
    };
    let mut integer = parameter(16, 4, ParameterKind::Integer);
    integer.annotations = annotations.iter().map(|text| (*text).to_owned()).collect();
    let parameters =
        vec![parameter(0, 8, ParameterKind::Pointer), parameter(8, 8, ParameterKind::FloatingPoint), integer];
    let mut builder = ContainerBuilder::new();
    builder.image(ImageRecord { name: "image".into(), bytes: b"BC not really".to_vec(), ..ImageRecord::default() });
    for symbol in kernels {
        builder.kernel(KernelRecord {
            symbol: (*symbol).to_owned(),
            image_providers: vec!["image".into()],
            ir_hash: hash_of(symbol),
            block_size: 24,
            parameters: parameters.clone(),
            compile_options: options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            ..KernelRecord::default()
        });
    }
    builder.build().unwrap()
}

impl Setup {
    fn module(&self, kernels: &[&str]) -> Module {
        Module::from_bytes(&self.runtime, &container(kernels, &[])).unwrap()
    }

    fn launch(&self, kernel: &Kernel, arguments: &[Argument<'_>]) -> Result<Event, RuntimeError> {
        // SAFETY: the recording driver executes no kernel.
        unsafe { kernel.launch(&self.queue, &LaunchSize::range([10]), arguments) }
    }
}

#[test]
fn typed_arguments_reach_the_kernel() {
    let setup = setup();
    let kernel = setup.module(&["first", "second"]).kernel("second").unwrap();
    let mut buffer = Buffer::<f32>::zeroed(&setup.queue, MemoryKind::Shared, 16).unwrap();
    let address = buffer.as_ptr() as usize;
    let event = setup.launch(&kernel, &arguments![&mut buffer, 1.5_f64, 7_i32]).unwrap();
    assert!(event.is_complete().unwrap());
    event.wait().unwrap();
    let mut expected = address.to_ne_bytes().to_vec();
    expected.extend([7, 0, 0, 0, 0, 0, 0, 0]);
    let (symbol, shape, arguments) = setup.driver.launches().remove(0);
    assert_eq!((symbol.as_str(), shape.global, arguments), ("second", [10, 1, 1], expected));
    assert_eq!(kernel.parameters().len(), 3);
}

#[test]
fn wrong_arguments_are_typed_errors_and_submit_nothing() {
    let setup = setup();
    let kernel = setup.module(&["k"]).kernel("k").unwrap();
    let buffer = Buffer::from_slice(&setup.queue, MemoryKind::Shared, &[1_u32, 2]).unwrap();
    let error = setup.launch(&kernel, &arguments![&buffer, 1.5_f64]).map(drop).unwrap_err();
    assert!(matches!(error, RuntimeError::ArgumentCount { expected: 3, given: 2, .. }), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("`k`") && text.contains("a pointer, floating-point of 8 bytes, integer of 4 bytes"),
        "{text}"
    );
    let wrong: [(usize, [Argument<'_>; 3]); 4] = [
        (0, arguments![1_u64, 1.5_f64, 7_i32]),
        (1, arguments![&buffer, 1.5_f32, 7_i32]),
        (1, arguments![&buffer, 1_i64, 7_i32]),
        (2, [Argument::from(&buffer), Argument::from(1.5_f64), Argument::bytes(&[0; 4])]),
    ];
    for (position, arguments) in &wrong {
        let error = setup.launch(&kernel, arguments).map(drop).unwrap_err();
        assert!(matches!(&error, RuntimeError::ArgumentType { index, .. } if index == position), "{error}");
    }
    assert!(setup.driver.launches().is_empty());
}

#[test]
fn unknown_kernels_and_damaged_containers_are_errors_with_a_remedy() {
    let setup = setup();
    let error = setup.module(&["saxpy", "reduce"]).kernel("saxpi").map(drop).unwrap_err();
    assert_eq!(error.to_string(), "there is no kernel `saxpi`; did you mean `saxpy`?");
    let whole = container(&["k"], &[]);
    for length in [0, 10, whole.len() / 2] {
        let error = Module::from_bytes(&setup.runtime, &whole[..length]).map(drop).unwrap_err();
        assert!(matches!(error, RuntimeError::Module { .. }), "{length}: {error}");
        assert!(error.to_string().contains("sinter-emit-hcf"), "{error}");
    }
}

#[test]
fn a_container_with_a_changed_bit_is_refused_before_a_compiler_sees_it() {
    let setup = setup();
    let mut bytes = container(&["k"], &[]);
    *bytes.last_mut().unwrap() ^= 1;
    let error = Module::from_bytes(&setup.runtime, &bytes).map(drop).unwrap_err();
    assert!(error.to_string().contains("the content hashes to"), "{error}");
}

#[test]
fn constants_and_marked_arguments_make_variants() {
    let setup = setup();
    let module = Module::from_bytes(&setup.runtime, &container(&["k"], &["specialized"])).unwrap();
    let kernel = module.kernel("k").unwrap();
    let buffer = Buffer::<u8>::zeroed(&setup.queue, MemoryKind::Device, 1).unwrap();
    for kernel in [kernel.clone(), kernel.clone().with_constant("tile", 1_u32), kernel.with_constant("tile", 16_u32)] {
        for value in [3_i32, 4, 3] {
            setup.launch(&kernel, &arguments![&buffer, 0_f64, value]).unwrap();
        }
    }
    assert_eq!(setup.translator.total(), 6);
    let requests = setup.translator.specializations.lock().unwrap();
    assert_eq!(requests[5].constants[0].value, ConstantValue::Bytes(vec![16, 0, 0, 0]));
    assert_eq!(requests[5].arguments, [(2, ConstantValue::I32(4))]);
}

#[test]
fn sizes_that_a_container_requires_are_used_and_checked() {
    let setup = setup();
    let load = |options: &[(&str, &str)]| {
        let module = Module::from_bytes(&setup.runtime, &container_with(&["k"], &[], options))?;
        module.kernel("k")
    };
    let buffer = Buffer::<u8>::zeroed(&setup.queue, MemoryKind::Shared, 8).unwrap();
    let arguments = arguments![&buffer, 0_f64, 1_i32];
    let grouped = load(&[("reqd-work-group-size", "5,1,1"), ("other", "x")]).unwrap();
    setup.launch(&grouped, &arguments).unwrap();
    assert_eq!(setup.driver.launches()[0].1.group, [5, 1, 1]);
    // SAFETY: the recording driver executes no kernel.
    let other = unsafe { grouped.launch(&setup.queue, &LaunchSize::range([10]).with_groups([2]), &arguments) };
    let text = other.map(drop).unwrap_err().to_string();
    assert!(text.contains("`k`") && text.contains("5x1x1") && text.contains("2x1x1"), "{text}");
    let sub_group = load(&[("reqd-sub-group-size", "16")]).unwrap();
    let error = setup.launch(&sub_group, &arguments).map(drop).unwrap_err();
    assert!(matches!(error, RuntimeError::Requires { .. }), "{error}");
    for (name, value) in [("reqd-work-group-size", "5,0,1"), ("reqd-work-group-size", "5"), ("reqd-sub-group-size", "")]
    {
        let error = load(&[(name, value)]).map(drop).unwrap_err();
        assert!(matches!(error, RuntimeError::Kernel { .. }) && error.to_string().contains(name), "{error}");
    }
}

#[test]
fn a_module_is_unloaded_with_its_last_kernel() {
    let setup = setup();
    for round in 1..=3 {
        let kernel = setup.module(&["k"]).kernel("k").unwrap();
        let buffer = Buffer::<u8>::zeroed(&setup.queue, MemoryKind::Shared, 8).unwrap();
        setup.launch(&kernel, &arguments![&buffer, 0_f64, 1_i32]).unwrap();
        assert_eq!(Module::linked(&setup.runtime).unwrap().len(), 1, "round {round}");
        drop(kernel);
        assert!(Module::linked(&setup.runtime).unwrap().is_empty());
    }
    assert_eq!(setup.driver.launches().len(), 3);
}

#[test]
fn linked_kernels_are_found_by_name() {
    let setup = setup();
    let whole = container(&["linked"], &[]);
    let (program, other) = (Program::with_payload(&[], whole.clone()), Program::with_payload(&[], whole));
    // SAFETY: the memory of programs is leaked.
    unsafe { setup.runtime.registry().register(program.container) };
    let kernel = setup.runtime.linked_kernel("linked").unwrap();
    let buffer = Buffer::<u8>::zeroed(&setup.queue, MemoryKind::Shared, 8).unwrap();
    setup.launch(&kernel, &arguments![&buffer, 0_f64, 1_i32]).unwrap();
    assert!(matches!(setup.runtime.linked_kernel("absent"), Err(RuntimeError::UnknownKernel { .. })));
    // SAFETY: as above.
    unsafe { setup.runtime.registry().register(other.container) };
    let error = setup.runtime.linked_kernel("linked").map(drop).unwrap_err();
    assert!(error.to_string().contains("2 linked containers"), "{error}");
}

#[test]
fn buffers_are_filled_copied_read_and_lent() {
    let Setup { queue, .. } = setup();
    let mut a = Buffer::from_slice(&queue, MemoryKind::Shared, &[1_u32, 2, 3]).unwrap();
    let mut b = Buffer::<u32>::zeroed(&queue, MemoryKind::Device, 3).unwrap();
    assert_eq!(queue.read_vec(&b).unwrap(), [0; 3]);
    queue.copy(&mut b, &a).unwrap();
    assert_eq!(queue.read_vec(&b).unwrap(), [1, 2, 3]);
    queue.fill(&mut a, 9).unwrap();
    a.as_mut_slice().unwrap()[1] = 5;
    assert_eq!(a.as_slice().unwrap(), [9, 5, 9]);
    queue.write(&mut b, &[4, 5, 6]).unwrap();
    let mut host = [0; 3];
    queue.read(&b, &mut host).unwrap();
    assert_eq!(host, [4, 5, 6]);
    assert!(matches!(b.as_slice(), Err(RuntimeError::InvalidArgument { .. })));
    assert!(matches!(queue.write(&mut b, &[1]), Err(RuntimeError::InvalidArgument { .. })));
    assert!(Buffer::<u64>::zeroed(&queue, MemoryKind::Shared, usize::MAX / 4).is_err());
}

#[test]
fn a_buffer_without_elements_is_no_special_case() {
    let Setup { queue, .. } = setup();
    let mut empty = Buffer::<u64>::zeroed(&queue, MemoryKind::Shared, 0).unwrap();
    queue.fill(&mut empty, 1).unwrap().wait().unwrap();
    assert!(empty.is_empty() && empty.as_slice().unwrap().is_empty() && queue.read_vec(&empty).unwrap().is_empty());
}

#[test]
fn commands_on_one_buffer_order_themselves_across_queues() {
    let Setup { driver, runtime, queue, .. } = setup();
    let other = runtime.create_queue(0).unwrap();
    let mut buffer = Buffer::<u32>::zeroed(&queue, MemoryKind::Device, 4).unwrap();
    let mut copy = Buffer::<u32>::zeroed(&other, MemoryKind::Device, 4).unwrap();
    driver.recording.take_calls();
    driver.recording.hold();
    queue.fill(&mut buffer, 1).unwrap();
    other.copy(&mut copy, &buffer).unwrap();
    queue.fill(&mut buffer, 2).unwrap();
    driver.recording.release();
    let depends = |call: Call| match call {
        Call::Depend { queue, other, ticket } => Some((queue, other, ticket)),
        _ => None,
    };
    let calls: Vec<_> = driver.recording.take_calls().into_iter().filter_map(depends).collect();
    // The copy has ticket 3 of its queue: after the fill of `copy` and the dependency itself.
    assert_eq!(calls, [(1, Some(0), Ticket(2)), (0, Some(1), Ticket(3))]);
}

#[test]
fn dropping_a_buffer_waits_for_its_commands() {
    let Setup { driver, queue, .. } = setup();
    let mut buffer = Buffer::<u32>::zeroed(&queue, MemoryKind::Device, 4).unwrap();
    driver.recording.hold();
    queue.fill(&mut buffer, 1).unwrap();
    let freed = || driver.recording.calls().iter().any(|call| matches!(call, Call::Free { .. }));
    thread::scope(|scope| {
        let dropped = scope.spawn(move || drop(buffer));
        thread::sleep(Duration::from_millis(30));
        assert!(!freed() && !dropped.is_finished());
        driver.recording.release();
        dropped.join().unwrap();
    });
    assert!(freed());
}

#[test]
fn rectangles_are_copied_between_buffers_and_checked() {
    let Setup { queue, .. } = setup();
    let from = Buffer::from_slice(&queue, MemoryKind::Device, &(0..12_u8).collect::<Vec<_>>()).unwrap();
    let mut to = Buffer::<u8>::zeroed(&queue, MemoryKind::Device, 10).unwrap();
    let rows = Rows { destination_pitch: 4, source_pitch: 6, width: 2, height: 2 };
    queue.copy_rows(&mut to, &from, &rows).unwrap();
    assert_eq!(queue.read_vec(&to).unwrap(), [0, 1, 0, 0, 6, 7, 0, 0, 0, 0]);
    let wrong = [
        Rows { width: 5, ..rows },
        Rows { source_pitch: 1, ..rows },
        Rows { height: 4, ..rows },
        Rows { destination_pitch: usize::MAX / 2, height: 3, ..rows },
    ];
    for rows in &wrong {
        let refused = queue.copy_rows(&mut to, &from, rows);
        assert!(matches!(refused, Err(RuntimeError::InvalidArgument { .. })), "{rows:?}");
    }
    queue.copy_rows(&mut to, &from, &Rows { height: 0, ..rows }).unwrap();
    queue.prefetch(&to, false).unwrap();
    queue.advise(&to, Advice::ReadMostly).unwrap();
    assert_eq!(queue.read_vec(&to).unwrap()[4], 6);
}

#[test]
fn a_read_that_fails_returns_when_the_copy_is_complete() {
    let driver = TestDriver { fail_first_wait: true, ..TestDriver::new() };
    let runtime = Runtime::new(options(&driver, FakeTranslator::new(), None), Arc::new(Registry::new()));
    let queue = runtime.create_queue(0).unwrap();
    let buffer = Buffer::<u32>::zeroed(&queue, MemoryKind::Device, 4).unwrap();
    let mut host = [1; 4];
    assert!(matches!(queue.read(&buffer, &mut host), Err(RuntimeError::Driver(_))));
    let waits = driver.recording.calls().iter().filter(|call| matches!(call, Call::Wait { .. })).count();
    assert_eq!(waits, 1, "the second wait is the one that ends the copy");
    assert_eq!(host, [0; 4]);
}

#[test]
fn a_device_without_a_vendors_interface_says_so() {
    let Setup { runtime, queue, .. } = setup();
    let device = runtime.device(0).unwrap();
    let error = device.native(NativeKind::Context).unwrap_err();
    assert_eq!(error.to_string(), "recording does not support native handle of a context");
    assert!(matches!(queue.native(NativeKind::Stream), Err(RuntimeError::Unsupported { .. })));
    // SAFETY: the driver rejects every handle.
    let adopted = unsafe { Queue::from_native(device, std::ptr::null_mut()) };
    assert!(adopted.is_err());
    let own = [true, false].map(|enable| device.set_peer_access(device, enable).unwrap());
    assert_eq!(own, [true; 2], "a device can always use its own memory");
}
