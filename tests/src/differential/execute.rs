//! Translates the IR of a kernel in this process and runs it as the host driver does.
//!
//! In: IR, a launch, its memory. Out: the memory afterwards, or an error. *Invariant:* an access
//! beyond either end of global memory ends the process; writes beyond local memory, or beyond the
//! state that items keep across barriers, are detected.

use super::{
    fences::{End, Fenced},
    interpret::Memory,
    language::{MAX_GROUP, Shape},
    llvm::Style,
};
use sinter_core::{
    CodeObject, ConstantValue, EntryInfo, Image, KernelConfig, Observer, OptLevel, Rows, Specialization, Target,
    TranslateRequest, Translator,
    host_abi::{HostEntry, HostLaunch},
};
use sinter_driver_host::{Loader, ObjectLoader};
use sinter_llvm::Session;
use sinter_translate::LinkedTranslator;
use std::ffi::c_void;

/// Options of a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    pub level: OptLevel,
    /// True if the group size is a compile-time constant.
    pub fixed: bool,
    /// Vector code.
    pub rows: Rows,
    /// Arguments whose values are compile-time constants.
    pub literals: [bool; 2],
}

/// Converts textual IR to bitcode, after the passes of the style.
pub fn image(text: &str, style: Style) -> Result<Image, String> {
    let session = Session::new().map_err(|error| error.to_string())?;
    let module = session.parse(text.as_bytes()).map_err(|error| error.to_string())?;
    module.verify().map_err(|error| error.to_string())?;
    if let Some(passes) = style.passes {
        module.run_passes(passes, None).map_err(|error| error.to_string())?;
    }
    Ok(Image { hash: None, bytes: module.bitcode().into() })
}

/// Machine code of a kernel for launches of this shape; for any shape if the variant is not fixed.
pub fn translate(image: &Image, variant: Variant, shape: &Shape) -> Result<CodeObject, String> {
    translate_for(image, variant, shape, Target::Host(super::host_cpu::host_target()))
}

/// The targets of kernels that run for several CPUs.
pub fn targets() -> Vec<Target> {
    super::host_cpu::host_targets().into_iter().map(Target::Host).collect()
}

/// Like [`translate`], for any target.
pub fn translate_for(image: &Image, variant: Variant, shape: &Shape, target: Target) -> Result<CodeObject, String> {
    let request = TranslateRequest {
        image: image.clone(),
        imports: vec![],
        libraries: vec![],
        target,
        config: config(variant, shape),
    };
    LinkedTranslator.translate(&request, &Observer::default()).map_err(|error| error.to_string())
}

fn config(variant: Variant, shape: &Shape) -> KernelConfig {
    let used = shape.group.iter().zip(shape.groups).rposition(|(items, groups)| items * groups > 1);
    let used = used.map_or(1, |last| last as u8 + 1);
    // Sub-groups in several dimensions are numbered by a group size that the code is for.
    let is_fixed = variant.fixed || shape.sub_group.is_some() && used > 1;
    // Behind the four pointers of `llvm.rs`.
    let numbered = (4..).zip(shape.arguments).zip(variant.literals);
    let literals = numbered.filter_map(|(argument, is_literal)| is_literal.then_some(argument));
    let arguments = literals.map(|(parameter, value)| (parameter, ConstantValue::I32(value))).collect();
    KernelConfig {
        // A fixed variant gets all facts that the translator can use.
        dimensions: if is_fixed || shape.sub_group.is_some() { used } else { 3 },
        group_size: is_fixed.then_some(shape.group),
        sub_group_size: shape.sub_group,
        opt_level: variant.level,
        rows: variant.rows,
        specialization: Specialization { arguments, ..Specialization::default() },
        ..KernelConfig::generic("kernel")
    }
}

/// Runs all groups of a launch, with fences at each end of its memory.
pub fn launch(code: &CodeObject, shape: &Shape, memory: &mut Memory) -> Result<(), String> {
    let mut other = memory.clone();
    launch_between(code, shape, &mut other, End::First)?;
    launch_between(code, shape, memory, End::Last)?;
    if *memory == other { Ok(()) } else { Err("a second launch left other values".to_owned()) }
}

fn launch_between(code: &CodeObject, shape: &Shape, memory: &mut Memory, end: End) -> Result<(), String> {
    let fenced =
        [&memory.input[..], &memory.output, &memory.arrays, &memory.cells].map(|words| Fenced::new(words, end));
    let loaded = ObjectLoader::default().load(&code.entry.symbol, &code.bytes).map_err(|error| error.to_string())?;
    // SAFETY: the entry of host code has this type.
    let entry = unsafe { std::mem::transmute::<*mut c_void, HostEntry>(loaded.entry().as_ptr()) };
    let arguments = arguments(&code.entry, &fenced, memory.arguments);
    let mut local = Guarded::new(code.entry.local_memory as usize + 4 * MAX_GROUP);
    let mut kept = Guarded::new(code.entry.item_memory as usize * shape.group_items());
    let launch = HostLaunch {
        global_size: std::array::from_fn(|d| u64::from(shape.group[d] * shape.groups[d])),
        group_size: shape.group.map(u64::from),
        group_count: shape.groups.map(u64::from),
        local_memory: local.address(),
        item_memory: kept.address(),
    };
    let (middle, end) = (shape.group_count() as u64 / 2, shape.group_count() as u64);
    entry(arguments.as_ptr().cast(), &launch, 0, middle);
    entry(arguments.as_ptr().cast(), &launch, middle, end);
    let [input, output, arrays, cells] = fenced.map(|words| words.content());
    memory.cells.copy_from_slice(&cells);
    (memory.input, memory.output, memory.arrays) = (input, output, arrays);
    local.check("local memory")?;
    kept.check("what its items keep")
}

/// The argument buffer, in the layout of the code: parameters are those of `llvm.rs`.
fn arguments(entry: &EntryInfo, memory: &[Fenced], numbers: [u32; 2]) -> Vec<u128> {
    let addresses = memory.iter().map(|words| words.address().to_le_bytes().to_vec());
    let parameters: Vec<_> = addresses.chain(numbers.map(|number| number.to_le_bytes().to_vec())).collect();
    let mut bytes = vec![0u8; (entry.argument_size as usize).next_multiple_of(16)];
    for argument in &entry.arguments {
        let source = &parameters[argument.parameter as usize];
        bytes[argument.offset as usize..][..source.len()].copy_from_slice(source);
    }
    let chunk = |bytes: &[u8]| u128::from_le_bytes(bytes.try_into().expect("sixteen bytes"));
    bytes.chunks_exact(16).map(chunk).collect()
}

/// A block with the alignment that a driver guarantees, and a guard behind it.
struct Guarded {
    lines: Vec<Line>,
}

#[derive(Clone, PartialEq)]
#[repr(align(64))]
struct Line([u8; 64]);

const GUARD: Line = Line([0xa5; 64]);

impl Guarded {
    fn new(size: usize) -> Guarded {
        Guarded { lines: vec![GUARD; size.div_ceil(64) + 1] }
    }

    fn address(&mut self) -> *mut c_void {
        self.lines.as_mut_ptr().cast()
    }

    fn check(&self, what: &str) -> Result<(), String> {
        let last = std::hint::black_box(&self.lines).last();
        if last == Some(&GUARD) { Ok(()) } else { Err(format!("the kernel wrote beyond {what}")) }
    }
}
