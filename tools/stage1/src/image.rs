//! Writes the device module as an image.
//!
//! In: the finished device module. Out: bitcode and the symbols it offers and needs. *Invariant:* the bytes depend on
//! the device code alone, never on paths, the host's processor or the order of memory addresses.

use crate::{annotations::Marks, builtins, error::Stage1Error, math};
use sinter_core::container::{GLOBAL_IMAGE, ImageRecord};
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{inspect, name, surgery},
};

/// Functions that every backend provides besides the builtins.
const PROVIDED: [&str; 4] = ["memcpy", "memmove", "memset", "memcmp"];

pub(crate) fn write(module: &Module<'_>, marks: &Marks) -> Result<ImageRecord, Stage1Error> {
    let debug = inspect::has_debug_info(module);
    surgery::drop_host_metadata(module, debug);
    if debug {
        surgery::run_passes(module, "strip-dead-debug-info").map_err(Stage1Error::Passes)?;
    }
    Ok(ImageRecord {
        name: GLOBAL_IMAGE.to_owned(),
        bytes: module.write_bitcode_to_memory().as_slice().to_vec(),
        exported_symbols: sorted(marks.exports.clone()),
        imported_symbols: sorted(imports(module)),
    })
}

fn imports(module: &Module<'_>) -> Vec<String> {
    let functions = module.get_functions().filter(|function| is_import(*function)).map(name);
    let variables = module.get_globals().filter(|variable| variable.is_declaration());
    let variables = variables.map(|variable| variable.get_name().to_string_lossy().into_owned());
    functions.chain(variables).filter(|symbol| !builtins::is_ours(symbol)).collect()
}

/// Whether another translation unit has to define the function; builtins count too.
pub(crate) fn is_import(function: FunctionValue<'_>) -> bool {
    let symbol = name(function);
    function.count_basic_blocks() == 0
        && function.get_intrinsic_id() == 0
        && !PROVIDED.contains(&symbol.as_str())
        && !math::is_known(&symbol)
}

fn sorted(mut symbols: Vec<String>) -> Vec<String> {
    symbols.sort();
    symbols
}
