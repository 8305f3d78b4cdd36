//! Tests of round trips, the layout of foreign containers, and random bytes.

use super::*;
use crate::parameter::{Parameter, ParameterKind};
use proptest::prelude::*;

fn parameter(byte_offset: u32, kind: ParameterKind) -> Parameter {
    Parameter { byte_offset, byte_size: 8, original_index: 0, kind, annotations: vec!["specialized".into()] }
}

fn sample() -> ContainerBuilder {
    let mut builder = ContainerBuilder::new();
    builder.image(ImageRecord {
        name: GLOBAL_IMAGE.into(),
        bytes: b"BC\xc0\xde}.images\n".to_vec(),
        exported_symbols: vec!["exported".into()],
        imported_symbols: vec!["imported".into()],
        has_debug: true,
    });
    builder.kernel(KernelRecord {
        symbol: "_Z6kernelIfE".into(),
        image_providers: vec![GLOBAL_IMAGE.into()],
        compile_flags: vec!["fast-math".into()],
        compile_options: vec![("opt".into(), "3 = three".into())],
        parameters: vec![parameter(0, ParameterKind::Pointer), parameter(8, ParameterKind::OtherByValue)],
        ir_hash: [7; 32],
        block_size: 16,
    });
    builder
}

#[test]
fn round_trips() {
    let bytes = sample().build().unwrap();
    let container = Container::parse(&bytes).unwrap();
    let image = container.image(GLOBAL_IMAGE).unwrap();
    assert_eq!((image.variant, image.format), (GLOBAL_VARIANT, LLVM_IR_FORMAT));
    assert_eq!((&image.exported_symbols[..], &image.imported_symbols[..]), (&["exported"][..], &["imported"][..]));
    assert!(image.has_debug);
    assert_eq!(image.bytes, b"BC\xc0\xde}.images\n");
    let kernel = container.kernel("_Z6kernelIfE").unwrap();
    assert_eq!(kernel.compile_flags, ["fast-math"]);
    assert_eq!(kernel.compile_options, [("opt", "3 = three")]);
    assert_eq!(kernel.parameters, [parameter(0, ParameterKind::Pointer), parameter(8, ParameterKind::OtherByValue)]);
    assert_eq!((kernel.ir_hash, kernel.block_size), (Some([7; 32]), Some(16)));
    assert_eq!(container.image_of(kernel), Some(image));
    assert_eq!(container.verify(), Ok(Verified { object_id: true, images: 1, kernels: 1 }));
    assert!(container.object_id_bytes().is_some());
}

#[test]
fn bytes_do_not_depend_on_the_order_of_addition() {
    let image = |name: &str| ImageRecord { name: name.into(), bytes: name.into(), ..ImageRecord::default() };
    let mut one = ContainerBuilder::new();
    one.image(image("a")).image(image("b"));
    let mut other = ContainerBuilder::new();
    other.image(image("b")).image(image("a"));
    assert_eq!(one.build(), other.build());
}

#[test]
fn a_changed_byte_changes_the_object_id() {
    let bytes = sample().build().unwrap();
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() ^= 1;
    let error = Container::parse(&changed).unwrap().verify().unwrap_err();
    assert!(matches!(error, ContainerError::ObjectId { .. }), "{error}");
}

#[test]
fn reads_containers_of_older_releases() {
    let text = "object-id=123\n{.images\n{.llvm-ir.global\nformat=llvm-ir\n{.__binary\nstart=1\nsize=2\n}.__binary\n\
                }.llvm-ir.global\n}.images\n{.kernels\n{.k\n{.image-providers\n{.llvm-ir.global\n}.llvm-ir.global\n\
                }.image-providers\n}.k\n}.kernels\n__hipsycl_hcf_binary_appendixABC";
    let container = Container::parse(text.as_bytes()).unwrap();
    assert_eq!(container.images()[0].bytes, b"BC");
    assert_eq!(container.verify(), Ok(Verified { object_id: false, images: 1, kernels: 1 }));
}

/// Pseudo-random numbers that are the same in each run (xorshift64*, Vigna 2016).
fn next(state: &mut u64) -> usize {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) as usize
}

/// A compiler may read the images of every container that passes, and aborts the process on damaged
/// ones.
#[test]
fn damage_is_never_taken_for_a_foreign_container() {
    let mut builder = sample();
    // The ratio of image to text is as in real containers.
    builder.image(ImageRecord { name: GLOBAL_IMAGE.into(), bytes: vec![7; 4096], ..ImageRecord::default() });
    let (good, mut state, mut parsed) = (builder.build().unwrap(), 0x5eed, 0);
    for number in 0..10_000 {
        let mut bytes = good.clone();
        let (start, scattered) = (next(&mut state), number % 2 == 0);
        for i in 0..1 + next(&mut state) % 64 {
            let at = if scattered { next(&mut state) } else { start + i } % bytes.len();
            // The text stays ASCII, so that the reader gets past more of the damage.
            bytes[at] ^= 1 + (next(&mut state) % 127) as u8;
        }
        if let Ok(container) = Container::parse(&bytes) {
            parsed += 1;
            assert!(container.verify_content().is_err(), "run {number}");
        }
    }
    assert!(parsed > 1000, "{parsed}");
}

fn error_of(text: &str) -> String {
    Container::parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn errors_say_where_and_what() {
    assert!(error_of("a = b\n").starts_with("byte 6: the binary appendix marker is missing"));
    assert!(error_of("junk\n__acpp_hcf_binary_appendix").starts_with("byte 0: `junk` is neither"));
    assert!(error_of("{.a\n}.b\n").starts_with("byte 4: `b` is closed where `a` is open"));
    assert!(error_of("{.a\n__acpp_hcf_binary_appendix").contains("`the text` is closed where `a` is open"));
    assert!(error_of("__acpp_hcf_binary_appendix").contains("has no `object-id`"));
    let deep = "{.a\n".repeat(17);
    assert!(error_of(&deep).contains("more than 16 nested nodes"));
}

fn image_at(start: &str, size: &str) -> String {
    format!(
        "object-id=1\n{{.images\n{{.i\nformat=llvm-ir\n{{.__binary\nstart={start}\nsize={size}\n}}.__binary\n}}.i\n}}.images\n\
         __acpp_hcf_binary_appendixABC"
    )
}

#[test]
fn binary_records_stay_inside_the_appendix() {
    assert!(Container::parse(image_at("0", "3").as_bytes()).is_ok());
    assert!(error_of(&image_at("1", "3")).contains("refers to 3 bytes from 1, but the appendix has 3"));
    assert!(error_of(&image_at("18446744073709551615", "2")).contains("but the appendix has 3"));
    assert!(error_of(&image_at("-1", "2")).contains("`start = -1`"));
}

#[test]
fn names_that_would_not_be_read_back_are_refused() {
    for symbol in ["a\nb", " a", "x__acpp_hcf_binary_appendix"] {
        let mut builder = ContainerBuilder::new();
        builder.kernel(KernelRecord { symbol: symbol.into(), ..KernelRecord::default() });
        assert!(matches!(builder.build(), Err(ContainerError::Unwritable { .. })), "{symbol}");
    }
}

#[test]
fn a_kernel_must_have_its_image_and_its_parameters_inside_the_block() {
    let mut builder = sample();
    builder.kernel(KernelRecord { symbol: "k".into(), image_providers: vec!["x".into()], ..KernelRecord::default() });
    let bytes = builder.build().unwrap();
    assert!(matches!(Container::parse(&bytes).unwrap().verify(), Err(ContainerError::Provider { .. })));
    builder.kernel(KernelRecord {
        symbol: "k".into(),
        image_providers: vec![GLOBAL_IMAGE.into()],
        parameters: vec![parameter(u32::MAX, ParameterKind::Integer)],
        ..KernelRecord::default()
    });
    let bytes = builder.build().unwrap();
    assert!(matches!(Container::parse(&bytes).unwrap().verify(), Err(ContainerError::Parameter { .. })));
}

/// A linear search through all images for each kernel would take minutes.
#[test]
fn many_kernels_find_their_image_among_many() {
    let mut builder = ContainerBuilder::new();
    let count = 30_000;
    for i in 0..count {
        builder.image(ImageRecord { name: format!("i{i:05}"), ..ImageRecord::default() });
        let (symbol, image_providers) = (format!("k{i}"), vec![format!("i{:05}", count - 1)]);
        builder.kernel(KernelRecord { symbol, image_providers, ..KernelRecord::default() });
    }
    let bytes = builder.build().unwrap();
    let verified = Container::parse(&bytes).unwrap().verify();
    assert_eq!(verified, Ok(Verified { object_id: true, images: count, kernels: count }));
}

#[test]
fn blobs_are_found_after_padding_and_checked() {
    let mut section = encode_blob(b"one");
    section.extend([0; 64]);
    section.extend(encode_blob(&[2; 64]));
    let payloads: Result<Vec<_>, _> = blobs(&section).collect();
    assert_eq!(payloads.unwrap(), [&b"one"[..], &[2; 64]]);
    section[64] ^= 1;
    let results: Vec<_> = blobs(&section).collect();
    assert_eq!(results, [Err(ContainerError::Blob { offset: 0, defect: BlobDefect::Digest })]);
    let huge = {
        let mut blob = encode_blob(b"x");
        blob[16..24].fill(0xff);
        blob
    };
    assert!(matches!(
        blobs(&huge).next(),
        Some(Err(ContainerError::Blob { defect: BlobDefect::ShortPayload { .. }, .. }))
    ));
}

/// Calls every reader function; none may panic.
fn read_everything(bytes: &[u8]) {
    if let Ok(container) = Container::parse(bytes) {
        let _ = container.verify();
        container.kernels().iter().for_each(|kernel| assert!(container.kernel(kernel.symbol).is_some()));
    }
    blobs(bytes).for_each(|blob| drop(blob.map(Container::parse)));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..512)) {
        read_everything(&bytes);
    }

    #[test]
    fn random_lines_never_panic(lines in proptest::collection::vec("[{}.]{0,2}[a-c=0-9 ]{0,6}|__acpp_hcf_binary_appendix", 0..40)) {
        read_everything(lines.join("\n").as_bytes());
    }

    #[test]
    fn mutations_never_panic(at in 0usize..4096, to in any::<u8>(), cut in 0usize..4096) {
        let mut bytes = sample().build().unwrap();
        let at = at % bytes.len();
        bytes[at] = to;
        read_everything(&bytes);
        bytes.truncate(cut % (bytes.len() + 1));
        read_everything(&bytes);
        let mut blob = encode_blob(&bytes);
        let at = at % blob.len();
        blob[at] ^= to;
        read_everything(&blob);
    }

    #[test]
    fn what_is_written_is_read_back(
        symbols in proptest::collection::btree_set("[a-zA-Z_.$][a-zA-Z0-9_.$={}]{0,20}", 0..6),
        bytes in proptest::collection::vec(any::<u8>(), 0..100),
        block_size in any::<u64>(),
        hash in any::<[u8; 32]>(),
        offset in any::<u32>(),
    ) {
        let mut builder = ContainerBuilder::new();
        builder.image(ImageRecord { name: GLOBAL_IMAGE.into(), bytes: bytes.clone(), ..ImageRecord::default() });
        for symbol in &symbols {
            let parameters = vec![parameter(offset, ParameterKind::Integer)];
            builder.kernel(KernelRecord { symbol: symbol.clone(), parameters, ir_hash: hash, block_size, ..KernelRecord::default() });
        }
        let built = builder.build().unwrap();
        let container = Container::parse(&built).unwrap();
        prop_assert_eq!(container.images()[0].bytes, &bytes[..]);
        prop_assert_eq!(container.kernels().len(), symbols.len());
        for kernel in container.kernels() {
            prop_assert!(symbols.contains(kernel.symbol));
            prop_assert_eq!((kernel.ir_hash, kernel.block_size), (Some(hash), Some(block_size)));
            prop_assert_eq!(&kernel.parameters, &[parameter(offset, ParameterKind::Integer)]);
        }
    }
}
