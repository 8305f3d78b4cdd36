//! Translates kernels written as IR, loads the result and runs it.
#![allow(dead_code, reason = "each test uses what it needs")]

#[path = "../../../tests/shared/host_cpu.rs"]
mod host_cpu;

use sinter_core::{
    CodeObject, Image, KernelConfig, Observer, Target, TranslateRequest, Translator,
    host_abi::{HostEntry, HostLaunch},
};
use sinter_driver_host::{Loader, ObjectLoader};
use sinter_translate::{LinkedTranslator, assemble};
use std::ffi::c_void;

/// Size of the dynamic local memory of every launch, in bytes.
pub(crate) const DYNAMIC_LOCAL_MEMORY: usize = 16 << 10;

/// 64 bytes with the alignment that a driver guarantees.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

fn lines(bytes: usize) -> Vec<Line> {
    vec![Line([0xa5; 64]); bytes.div_ceil(64)]
}

pub(crate) fn request(text: &str, kernel: &str) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(host_cpu::host_target()),
        config: KernelConfig::generic(kernel),
    }
}

pub(crate) fn translate(request: &TranslateRequest) -> CodeObject {
    LinkedTranslator.translate(request, &Observer::default()).expect("translation")
}

/// Loads a code object, which is never unloaded.
pub(crate) fn load(code: &CodeObject) -> HostEntry {
    let image = ObjectLoader::default().load(&code.entry.symbol, &code.bytes).expect("load");
    // SAFETY: the entry has this type by the calling convention of the host.
    let entry = unsafe { std::mem::transmute::<*mut c_void, HostEntry>(image.entry().as_ptr()) };
    std::mem::forget(image);
    entry
}

/// Runs all groups of a launch.
pub(crate) fn run(code: &CodeObject, parameters: &[&[u8]], global: [u64; 3], group: [u64; 3]) {
    let entry = load(code);
    let mut block = vec![0u128; (code.entry.argument_size as usize).div_ceil(16)];
    // SAFETY: any bytes are a valid view of integers.
    let bytes = unsafe { std::slice::from_raw_parts_mut(block.as_mut_ptr().cast::<u8>(), block.len() * 16) };
    for argument in &code.entry.arguments {
        let source = parameters[argument.parameter as usize];
        assert_eq!(source.len(), argument.size as usize);
        bytes[argument.offset as usize..][..source.len()].copy_from_slice(source);
    }
    let group_count = std::array::from_fn(|d| global[d].div_ceil(group[d]));
    // Filled with a pattern, to detect kernels that rely on zeros.
    let mut local = lines(code.entry.local_memory as usize + DYNAMIC_LOCAL_MEMORY);
    let mut items = lines(code.entry.item_memory as usize * group.iter().product::<u64>() as usize);
    let launch = HostLaunch {
        global_size: global,
        group_size: group,
        group_count,
        local_memory: local.as_mut_ptr().cast(),
        item_memory: items.as_mut_ptr().cast(),
    };
    entry(bytes.as_ptr(), &launch, 0, group_count.iter().product());
}

pub(crate) fn address<T>(values: &[T]) -> [u8; 8] {
    (values.as_ptr() as usize).to_le_bytes()
}
