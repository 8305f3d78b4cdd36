//! Damages data of programs after they are built, and launches their kernels.
//!
//! In: data that stage 1 emits into a program (container, table of images, descriptors, strings),
//! with some bytes changed. Out: a normal launch if the bytes are not read, or an error with
//! advice.
//! *Invariant:* the path is the real one, from the runtime through the translator into LLVM's
//! reader, in this process: a signal ends the test.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use object::{Object, ObjectSection};
use sinter::{Registry, Runtime, RuntimeError, abi, code::translator::TranslatorSource};
use sinter_core::{
    CodeObject, Fingerprint, Observer, Target, TranslateError, TranslateRequest, Translator,
    container::{BLOB_SECTION, ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord},
};
use sinter_llvm::kernel_hash::kernel_hash;
use sinter_tests::damage::{IR, Random};
use sinter_tests::runtimes::{BLOCK, FakeTranslator, TestDriver, options, range, table::Linked};
use sinter_translate::{LinkedTranslator, assemble, native_target};
use std::{
    collections::{BTreeMap, HashMap},
    env,
    fs::{self, Permissions},
    ops::Range,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
    slice,
    sync::{Arc, Mutex},
};

/// Runs with damaged programs of the current format, and of the format without tables of images.
const RUNS: [u64; 2] = [8_000, 2_000];
/// Number of damaged files, each of which is run.
const FILES: usize = 100;
const SYMBOL: &str = "triad";
/// Two pointers and a number.
const PARAMETERS: [abi::Parameter; 3] = [
    abi::Parameter { byte_offset: 0, byte_size: 8, original_index: 0, kind: 0 },
    abi::Parameter { byte_offset: 8, byte_size: 8, original_index: 1, kind: 0 },
    abi::Parameter { byte_offset: 16, byte_size: 8, original_index: 2, kind: 1 },
];

/// The linked translator with a cache: each different request is translated once.
#[derive(Default)]
struct Remembering {
    known: Mutex<HashMap<blake3::Hash, Result<CodeObject, TranslateError>>>,
}

impl Translator for Remembering {
    fn fingerprint(&self) -> Fingerprint {
        LinkedTranslator.fingerprint()
    }

    fn translate(&self, request: &TranslateRequest, observer: &Observer) -> Result<CodeObject, TranslateError> {
        let mut known = self.known.lock().unwrap();
        let key = blake3::hash(&request.to_bytes());
        known.entry(key).or_insert_with(|| LinkedTranslator.translate(request, observer)).clone()
    }
}

/// A part of a program that can be damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Payload,
    Image,
    ContainerRecord,
    ImageRecord,
    KernelRecord,
    Symbol,
    Parameters,
    Names,
}

const PLACES: [Place; 8] = [
    Place::Payload,
    Place::Image,
    Place::ContainerRecord,
    Place::ImageRecord,
    Place::KernelRecord,
    Place::Symbol,
    Place::Parameters,
    Place::Names,
];

fn payload() -> Vec<u8> {
    let bytes = assemble(IR.as_bytes()).unwrap();
    let (symbol, ir_hash) = (SYMBOL.to_owned(), kernel_hash(&bytes, SYMBOL).unwrap());
    let image_providers = vec![GLOBAL_IMAGE.to_owned()];
    let mut builder = ContainerBuilder::new();
    let exported_symbols = vec!["exported".to_owned()];
    builder.image(ImageRecord { name: GLOBAL_IMAGE.into(), bytes, exported_symbols, ..ImageRecord::default() });
    builder.kernel(KernelRecord { symbol, image_providers, ir_hash, block_size: 24, ..KernelRecord::default() });
    builder.build().unwrap()
}

/// The same in the format before images had digests.
fn old_payload() -> Vec<u8> {
    let payload = payload();
    let line_at = payload.windows(9).position(|window| window == b"digest = ").unwrap();
    let end = line_at + payload[line_at..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let first = payload.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let rest = [&payload[first..line_at], &payload[end..]].concat();
    [format!("object-id = {}\n", blake3::hash(&rest).to_hex()).as_bytes(), &rest].concat()
}

/// The bytes of one or several records.
fn bytes_of<T: Copy>(records: &mut [T]) -> &mut [u8] {
    // SAFETY: the records are integers and pointers without padding; pointers are set again before
    // they are dereferenced.
    unsafe { slice::from_raw_parts_mut(records.as_mut_ptr().cast(), size_of_val(records)) }
}

/// The bytes at a place of a program's file.
fn bytes(program: &mut Linked, place: Place) -> &mut [u8] {
    let number = program.number() % program.images.len();
    match place {
        Place::Payload => &mut program.payload,
        Place::Image => &mut program.payload[program.image.clone()],
        Place::ContainerRecord => bytes_of(slice::from_mut(&mut program.container)),
        Place::ImageRecord => bytes_of(slice::from_mut(&mut program.images[number])),
        Place::KernelRecord => bytes_of(slice::from_mut(&mut program.kernel)),
        Place::Symbol => &mut program.symbol[..SYMBOL.len()],
        Place::Parameters => bytes_of(&mut program.parameters),
        Place::Names => &mut program.names[number],
    }
}

/// Changes 1 to 64 bytes, adjacent or scattered.
fn damage(program: &mut Linked, place: Place, random: &mut Random) {
    let (count, scattered) = (1 + random.below(64), random.below(2) == 0);
    let bytes = bytes(program, place);
    let start = random.below(bytes.len());
    for i in 0..count {
        let at = if scattered { random.below(bytes.len()) } else { (start + i) % bytes.len() };
        random.change(&mut bytes[at]);
    }
}

/// Launches the kernel in a new runtime; returns the symbol and the argument buffer that the driver
/// got.
fn launch(program: &mut Linked, translator: &Arc<Remembering>) -> Result<(String, Vec<u8>), RuntimeError> {
    let driver = TestDriver { target: Some(Target::Host(native_target())), ..TestDriver::new() };
    let mut options = options(&driver, FakeTranslator::new(), None);
    options.translator = TranslatorSource::Injected(Arc::clone(translator) as _);
    let runtime = Runtime::new(options, Arc::new(Registry::new()));
    let (container, kernel) = program.relocate();
    // SAFETY: the program outlives the runtime.
    unsafe { runtime.registry().register(container) };
    let queue = runtime.create_queue(0)?;
    // SAFETY: the descriptor belongs to the program; the recording driver dereferences no pointer.
    unsafe { runtime.launch(&queue, kernel, &[0; BLOCK], &range(16)) }?;
    let (symbol, _, arguments) = driver.launches().remove(0);
    Ok((symbol, arguments))
}

/// Compares damaged programs with the undamaged one; returns the numbers of accepted and rejected
/// launches by place.
fn run(program: &Linked, places: &[Place], runs: u64) -> BTreeMap<Place, [u64; 2]> {
    let (translator, mut random) = (Arc::new(Remembering::default()), Random(0x5eed));
    let expected = launch(&mut program.clone(), &translator).unwrap();
    let mut outcomes = BTreeMap::new();
    for number in 0..runs {
        let place = places[number as usize % places.len()];
        let mut damaged = program.clone();
        damage(&mut damaged, place, &mut random);
        let ran = launch(&mut damaged, &translator).map_err(|error| error.chain());
        outcomes.entry(place).or_insert([0; 2])[usize::from(ran.is_err())] += 1;
        match ran {
            Ok(launched) => assert_eq!(launched, expected, "run {number}: {place:?}"),
            Err(message) => check_message(&message, place, number),
        }
    }
    println!("{outcomes:?}");
    outcomes
}

/// An error names the kernel and gives advice; with a damaged name or record it may lack the name.
fn check_message(message: &str, place: Place, number: u64) {
    let names = message.contains(SYMBOL) || [Place::Symbol, Place::KernelRecord].contains(&place);
    assert!(
        names && (message.contains("rebuild") || place == Place::KernelRecord),
        "run {number}: {place:?}: {message}"
    );
}

#[test]
fn damaged_programs_give_errors() {
    let outcomes = run(&Linked::new(payload(), SYMBOL, &PARAMETERS, true), &PLACES, RUNS[0]);
    let refused_always = [Place::Image, Place::Symbol, Place::Parameters];
    assert!(refused_always.iter().all(|place| outcomes[place][0] == 0), "{outcomes:?}");
    // A launch reads neither the text of the container nor pointers as stored in the file.
    assert!(outcomes[&Place::Payload][0] > 0, "{outcomes:?}");
    assert!(outcomes.values().all(|[_, refused]| *refused > 0), "{outcomes:?}");
}

#[test]
fn damaged_programs_of_before_give_errors() {
    let outcomes =
        run(&Linked::new(old_payload(), SYMBOL, &PARAMETERS, false), &[Place::Payload, Place::Image], RUNS[1]);
    assert!(outcomes.values().all(|[ran, _]| *ran == 0), "{outcomes:?}");
}

const SOURCE: &str = "#include <cstdio>\n#include <sycl/sycl.hpp>
int main() try {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(16, queue);
  queue.parallel_for(16, [=](int i) { out[i] = 3 * i; }).wait_and_throw();
  return out[15] == 45 ? 0 : 2;
} catch (const sycl::exception &error) {
  std::fprintf(stderr, \"%s\\n\", error.what());
  return 1;
}";

/// A program compiled from [`SOURCE`], and the position of its containers in the file.
fn compiled(folder: &Path) -> (Vec<u8>, Range<usize>) {
    let dist =
        env::var_os("SINTER_DIST").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist"), Into::into);
    let (source, program) = (folder.join("main.cpp"), folder.join("program"));
    fs::write(&source, SOURCE).unwrap();
    let mut command = Command::new(dist.join("bin/sinter-cc"));
    let status = command.args(["-O1", "-std=c++17", "-o"]).arg(&program).arg(&source).status();
    assert!(status.expect("sinter-cc runs: `cargo xtask build` makes it").success());
    let bytes = fs::read(&program).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let (start, size) = file.section_by_name(BLOB_SECTION).unwrap().file_range().unwrap();
    (bytes.clone(), start as usize..(start + size) as usize)
}

#[test]
fn damaged_files_end_in_no_signal() {
    let (folder, mut random) = (tempfile::tempdir().unwrap(), Random(0xf11e));
    let (bytes, section) = compiled(folder.path());
    let mut ran = [0; 2];
    for number in 0..FILES {
        let (path, mut damaged) = (folder.path().join(format!("program{number}")), bytes.clone());
        for _ in 0..1 + random.below(64) {
            let at = section.start + random.below(section.len());
            random.change(&mut damaged[at]);
        }
        fs::write(&path, damaged).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        let output = Command::new(&path).envs([("SINTER_CACHE", "off"), ("SINTER_VISIBILITY_MASK", "host")]).output();
        let output = output.unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => ran[0] += 1,
            Some(1) if message.contains("kernel") && message.contains("rebuild or reinstall") => ran[1] += 1,
            _ => panic!("run {number}: {}: {message}", output.status),
        }
        fs::remove_file(path).unwrap();
    }
    println!("{ran:?}");
    assert!(ran[1] > FILES / 2, "{ran:?}");
}
