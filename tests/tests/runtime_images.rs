//! Parts of a container that a launch of its kernel reads.
//!
//! *Invariant:* no test here measures time: a part is unread if a launch succeeds although reading
//! it would fail.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{Buffer, MemoryKind, Module, Registry, Runtime, RuntimeError, abi, arguments};
use sinter_core::{
    Parameter, ParameterKind,
    container::{ContainerBuilder, ImageRecord, KernelRecord},
};
use sinter_tests::runtimes::{
    BLOCK, FakeTranslator, PARAMETERS, TestDriver, block, hash_of, options, range, table::Linked,
};
use std::{path::Path, sync::Arc};

const KERNELS: usize = 1000;
const SYMBOL: &str = "kernel500";

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A payload with two kernels in each image.
fn payload() -> Vec<u8> {
    let mut builder = ContainerBuilder::new();
    for number in 0..KERNELS {
        let (name, symbol) = (format!("image{}", number / 2), format!("kernel{number}"));
        let bytes = format!("code of {name}").into_bytes();
        builder.image(ImageRecord { name: name.clone(), bytes, ..ImageRecord::default() });
        let ir_hash = hash_of(&symbol);
        let (image_providers, parameters, block_size) = (vec![name], parameters(), BLOCK as u64);
        let kernel =
            KernelRecord { symbol, image_providers, ir_hash, parameters, block_size, ..KernelRecord::default() };
        builder.kernel(kernel);
    }
    builder.build().unwrap()
}

/// [`PARAMETERS`], in the form of a container.
fn parameters() -> Vec<Parameter> {
    let kinds = [ParameterKind::Pointer, ParameterKind::FloatingPoint, ParameterKind::Integer];
    let parameter = |(record, kind): (&abi::Parameter, _)| {
        let abi::Parameter { byte_offset, byte_size, original_index, .. } = *record;
        Parameter { byte_offset, byte_size, original_index, kind, annotations: vec![] }
    };
    PARAMETERS.iter().zip(kinds).map(parameter).collect()
}

/// A container with one image, its kernel, exports and imports.
fn unit(kernel: &str, bytes: &[u8], exports: &[&str], imports: &[&str]) -> Linked {
    let mut builder = ContainerBuilder::new();
    let (exported_symbols, imported_symbols) = (names(exports), names(imports));
    let (name, bytes, has_debug) = ("image".into(), bytes.to_vec(), false);
    builder.image(ImageRecord { name, bytes, exported_symbols, imported_symbols, has_debug });
    let (symbol, ir_hash, image_providers) = (kernel.to_owned(), hash_of(kernel), names(&["image"]));
    builder.kernel(KernelRecord { symbol, image_providers, ir_hash, ..KernelRecord::default() });
    Linked::new(builder.build().unwrap(), kernel, &PARAMETERS, true)
}

/// A new runtime with its translator.
fn runtime(cache: Option<&Path>) -> (Runtime, Arc<FakeTranslator>) {
    let (driver, translator) = (TestDriver::new(), FakeTranslator::new());
    (Runtime::new(options(&driver, Arc::clone(&translator), cache), Arc::new(Registry::new())), translator)
}

/// Launches the kernel of the first program with all of them registered. Returns true for each
/// container that was parsed.
fn launch(runtime: &Runtime, programs: &mut [&mut Linked]) -> Result<Vec<bool>, RuntimeError> {
    let records: Vec<_> = programs.iter_mut().map(|program| program.relocate()).collect();
    // SAFETY: the programs outlive the launch, and the registry is not used afterwards.
    let registered = records.iter().map(|(container, _)| unsafe { runtime.registry().register(*container) });
    assert!(registered.filter(|replaced| *replaced).count() == 0);
    let queue = runtime.create_queue(0)?;
    // SAFETY: the descriptor has the form of stage 1's; no argument is dereferenced.
    unsafe { runtime.launch(&queue, records[0].1, &block(), &range(10)) }?;
    let is_parsed = |(container, _): &(_, _)| runtime.registry().find(*container).unwrap().is_parsed();
    Ok(records.iter().map(is_parsed).collect())
}

#[test]
fn a_launch_parses_no_container_and_translates_one_image() {
    let (runtime, translator) = runtime(None);
    let mut program = Linked::new(payload(), SYMBOL, &PARAMETERS, true);
    assert_eq!(launch(&runtime, &mut [&mut program]).unwrap(), [false]);
    assert_eq!(translator.image.lock().unwrap().as_slice(), b"code of image250");
}

#[test]
fn a_hit_reads_nothing_of_the_container() {
    let cache = tempfile::tempdir().unwrap();
    let mut program = Linked::new(payload(), SYMBOL, &PARAMETERS, true);
    launch(&runtime(Some(cache.path())).0, &mut [&mut program]).unwrap();
    program.payload.fill(0);
    let (second, translator) = runtime(Some(cache.path()));
    assert_eq!(launch(&second, &mut [&mut program]).unwrap(), [false]);
    assert_eq!((second.statistics().disk_hits, translator.total()), (1, 0));
}

#[test]
fn a_miss_refuses_a_changed_image_before_it_is_translated() {
    let (runtime, translator) = runtime(None);
    let mut program = Linked::new(payload(), SYMBOL, &PARAMETERS, true);
    program.payload[program.image.start] ^= 1;
    let error = launch(&runtime, &mut [&mut program]).unwrap_err();
    assert!(matches!(error, RuntimeError::Container { ref kernel, .. } if kernel == SYMBOL), "{error}");
    assert!(error.to_string().contains("rebuild or reinstall the program"), "{error}");
    assert_eq!(translator.total(), 0);
}

#[test]
fn programs_of_before_are_parsed_and_checked_whole() {
    let (first, translator) = runtime(None);
    let mut program = Linked::new(payload(), SYMBOL, &PARAMETERS, false);
    assert_eq!(launch(&first, &mut [&mut program]).unwrap(), [true]);
    assert_eq!(translator.image.lock().unwrap().as_slice(), b"code of image250");
    program.payload[program.image.start] ^= 1;
    assert!(matches!(launch(&runtime(None).0, &mut [&mut program]), Err(RuntimeError::Container { .. })));
}

#[test]
fn imports_are_found_without_parsing() {
    let (runtime, translator) = runtime(None);
    let (mut main, mut f) = (unit("main", b"A", &[], &["f"]), unit("k", b"F", &["x", "f"], &["g"]));
    let (mut g, mut other) = (unit("k", b"G", &["g"], &[]), unit("k", b"X", &["y"], &[]));
    let parsed = launch(&runtime, &mut [&mut main, &mut other, &mut g, &mut f]).unwrap();
    assert_eq!(
        (parsed, translator.imports.lock().unwrap().clone()),
        (vec![false; 4], vec![b"F".to_vec(), b"G".to_vec()])
    );
}

#[test]
fn a_damaged_import_is_refused_where_it_is_needed() {
    let (mut main, mut f) = (unit("main", b"A", &[], &["f"]), unit("k", b"F", &["f"], &[]));
    f.payload[f.image.start] ^= 1;
    let (first, translator) = runtime(None);
    let error = launch(&first, &mut [&mut main, &mut f]).unwrap_err().to_string();
    assert!(error.contains("`main`") && error.contains("reinstall"), "{error}");
    assert_eq!(translator.total(), 0);
    let mut unrelated = unit("main", b"A", &[], &["nobody"]);
    launch(&runtime(None).0, &mut [&mut unrelated, &mut f]).unwrap();
}

#[test]
fn a_module_is_parsed_once_when_it_is_loaded() {
    let (driver, translator) = (TestDriver::new(), FakeTranslator::new());
    let registry = Arc::new(Registry::new());
    let runtime = Arc::new(Runtime::new(options(&driver, Arc::clone(&translator), None), Arc::clone(&registry)));
    let module = Module::from_bytes(&runtime, &payload()).unwrap();
    let queue = runtime.create_queue(0).unwrap();
    let kernel = module.kernel(SYMBOL).unwrap();
    let buffer = Buffer::<u8>::zeroed(&queue, MemoryKind::Device, 1).unwrap();
    // SAFETY: the recording driver dereferences no pointer.
    unsafe { kernel.launch(&queue, &range(1), &arguments![&buffer, 0_f64, 1_i32]) }.unwrap();
    assert_eq!(translator.image.lock().unwrap().as_slice(), b"code of image250");
}
