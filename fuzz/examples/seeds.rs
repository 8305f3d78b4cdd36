//! Writes the seeds for fuzzing: `cargo run --no-default-features --example seeds`, in this folder.
#![forbid(unsafe_code)]

use sinter::cache::entry;
use sinter_core::{
    Argument, CodeFormat, CodeObject, EntryInfo, HostTarget, Image, KernelConfig, KeyFields, Parameter, ParameterKind,
    Target, TranslateRequest,
    container::{ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord, encode_blob},
};
use std::{fs, io, path::Path, sync::Arc};

fn container() -> Vec<u8> {
    let kinds = [ParameterKind::Pointer, ParameterKind::Integer, ParameterKind::FloatingPoint];
    let parameter = |(index, kind): (usize, &ParameterKind)| Parameter {
        byte_offset: index as u32 * 8,
        byte_size: 8,
        original_index: index as u32,
        kind: *kind,
        annotations: vec!["specialized".into()],
    };
    let mut builder = ContainerBuilder::new();
    builder.image(ImageRecord {
        name: GLOBAL_IMAGE.into(),
        bytes: b"BC\xc0\xde".to_vec(),
        exported_symbols: vec!["exported".into()],
        imported_symbols: vec!["imported".into()],
        has_debug: true,
    });
    builder.kernel(KernelRecord {
        symbol: "_Z6kernelIfE".into(),
        image_providers: vec![GLOBAL_IMAGE.into()],
        compile_flags: vec!["fast-math".into()],
        compile_options: vec![("opt".into(), "3".into())],
        parameters: kinds.iter().enumerate().map(parameter).collect(),
        ir_hash: [7; 32],
        block_size: 24,
    });
    builder.build().expect("a container")
}

/// Container in the form that releases of AdaptiveCpp wrote.
const FOREIGN: &[u8] =
    b"object-id=123\n{.images\n{.llvm-ir.global\nformat=llvm-ir\n{.__binary\nstart=1\nsize=2\n}.__binary\n\
    }.llvm-ir.global\n}.images\n{.kernels\n{.k\n{.image-providers\n{.llvm-ir.global\n}.llvm-ir.global\n\
    }.image-providers\n}.k\n}.kernels\n__hipsycl_hcf_binary_appendixABC";

fn section() -> Vec<u8> {
    [encode_blob(&container()), vec![0; 64], encode_blob(FOREIGN)].concat()
}

fn generic() -> TranslateRequest {
    let host = HostTarget { triple: "x86_64-unknown-linux-gnu".into(), cpu: "znver4".into(), features: "+avx2".into(), line_tables: false };
    TranslateRequest {
        image: Image { hash: Some([1; 32]), bytes: Arc::from(&b"BC\xc0\xde"[..]) },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(host),
        config: KernelConfig::generic("_Z6kernelIfE"),
    }
}

fn specialized() -> TranslateRequest {
    let mut request = generic();
    request.imports = vec![Image { hash: None, bytes: Arc::from(&b"BC"[..]) }];
    let constants =
        ["a=bool:true", "b=i8:1", "c=i16:2", "d=i32:3", "e=i64:4", "f=f32:0.5", "g=f64:1.5", "h=bytes:0x0102"];
    let specialization = &mut request.config.specialization;
    specialization.constants = constants.iter().map(|text| text.parse().expect("a constant")).collect();
    specialization.arguments = vec![(0, "i64:-1".parse().expect("a value"))];
    request.config.group_size = Some([64, 1, 1]);
    request
}

fn cache_entry(symbol: &str) -> Vec<u8> {
    let mut fields = KeyFields::new();
    fields.add_text("kernel", symbol);
    fields.add("image", [1; 32]);
    let info = EntryInfo {
        symbol: symbol.into(),
        arguments: vec![Argument { parameter: 1, offset: 8, size: 4, is_pointer: false }],
        argument_size: 16,
        argument_align: 8,
        local_memory: 64,
        item_memory: 0,
        takes_local_memory: false,
        depends_on_allocations: false,
        followed: Default::default(),
        may_wait: false,
        candidates: Vec::new(),
        device_globals: Vec::new(),
        constants: Vec::new(),
        remarks: Vec::new(),
    };
    let code = CodeObject {
        format: CodeFormat::HostElf,
        bytes: Arc::from(&b"\x7fELF"[..]),
        entry: info,
        assembly: None,
        level: sinter_core::OptLevel::O3,
    };
    entry::encode(&fields, &code).expect("an entry")
}

fn write(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = Path::new("seeds").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}

fn main() -> io::Result<()> {
    write("container", "native", &container())?;
    write("container", "foreign", FOREIGN)?;
    write("container", "section", &section())?;
    write("request", "generic", &generic().to_bytes())?;
    write("request", "specialized", &specialized().to_bytes())?;
    write("cache_entry", "short", &cache_entry("k"))?;
    write("cache_entry", "long", &cache_entry("_ZTS6kernelILi3EfE"))
}
