//! Writes the device module as an image.
//!
//! In: the finished device module. Out: bitcode and the symbols that it exports and imports.
//! *Invariant:* the bytes depend only on the device code, never on paths, the host's processor or
//! the order of memory addresses.

use crate::{annotations::Marks, builtins, device_globals, error::Stage1Error, math};
use sinter_core::container::{GLOBAL_IMAGE, ImageRecord};
use sinter_llvm::{
    inkwell::{
        context::Context,
        memory_buffer::MemoryBuffer,
        module::{Linkage, Module},
        values::FunctionValue,
    },
    stage1::{inspect, name, surgery},
};

/// Functions that every backend provides in addition to the builtins.
const PROVIDED: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];

/// The image of a whole translation unit.
#[derive(Debug, Clone)]
pub(crate) struct DeviceImage {
    pub(crate) record: ImageRecord,
    /// Variables that launches may set by name. Every image of the unit must have all of them.
    pub(crate) variables: Vec<String>,
}

pub(crate) fn write(module: &Module<'_>, marks: &Marks) -> Result<DeviceImage, Stage1Error> {
    let debug = inspect::has_debug_info(module);
    surgery::drop_host_metadata(module, debug);
    if debug {
        surgery::run_passes(module, "strip-dead-debug-info").map_err(Stage1Error::Passes)?;
    }
    let record = ImageRecord {
        name: GLOBAL_IMAGE.to_owned(),
        bytes: module.write_bitcode_to_memory().as_slice().to_vec(),
        exported_symbols: sorted(marks.exports.clone()),
        imported_symbols: sorted(imports(module)),
        has_debug: debug,
    };
    Ok(DeviceImage { record, variables: sorted(variables(module, marks)) })
}

/// Variables that host code names, and those without an initialiser.
fn variables(module: &Module<'_>, marks: &Marks) -> Vec<String> {
    let declared = module.get_globals().filter(|v| v.is_declaration() && !device_globals::is_detached(*v));
    let declared = declared.map(|variable| variable.get_name().to_string_lossy().into_owned());
    let named = marks.constants.iter().filter(|name| module.get_global(name).is_some_and(|v| !v.is_declaration()));
    declared.chain(named.cloned()).filter(|name| !name.is_empty()).collect()
}

/// Imports of an image that stage 1 wrote.
pub(crate) fn imports_of(bitcode: &[u8]) -> Vec<String> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(bitcode, "image");
    Module::parse_bitcode_from_buffer(&buffer, &context).map(|module| sorted(imports(&module))).unwrap_or_default()
}

fn imports(module: &Module<'_>) -> Vec<String> {
    let functions = module.get_functions().filter(|function| is_import(*function) || is_weak(*function)).map(name);
    let variables = module.get_globals().filter(|variable| variable.is_declaration());
    let variables = variables.map(|variable| variable.get_name().to_string_lossy().into_owned());
    functions.chain(variables).filter(|symbol| !builtins::is_ours(symbol)).collect()
}

/// True for a weak definition, which a strong one in another translation unit replaces.
fn is_weak(function: FunctionValue<'_>) -> bool {
    function.count_basic_blocks() > 0 && function.get_linkage() == Linkage::WeakAny
}

/// True if another translation unit has to define the function; builtins count too.
pub(crate) fn is_import(function: FunctionValue<'_>) -> bool {
    let symbol = name(function);
    function.count_basic_blocks() == 0
        && function.get_intrinsic_id() == 0
        && !PROVIDED.contains(&symbol.as_str())
        && !math::is_known(&symbol)
}

fn sorted(mut symbols: Vec<String>) -> Vec<String> {
    symbols.sort();
    symbols.dedup();
    symbols
}
