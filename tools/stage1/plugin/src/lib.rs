//! The clang plugin: `clang++-19 -fplugin=libsinter_stage1.so -fpass-plugin=libsinter_stage1.so`.
//!
//! In: clang's query for a pass plugin. Out: stage 1, registered at the start of each pipeline.
//! `-fplugin` registers the attributes of SYCL (see `attributes.cpp`) and options such as
//! `-mllvm -sinter-emit-hcf=PATH`.
//! *Invariant:* no decision is made here.

use sinter_llvm::stage1::plugin::{self, PluginInfo};

/// Runs when the library is loaded: `-load` loads it before clang parses `-mllvm` options.
// SAFETY: the section holds pointers to functions without parameters; the loader calls each once.
#[used]
#[unsafe(link_section = ".init_array")]
static REGISTER_OPTIONS: extern "C" fn() = register_options;

extern "C" fn register_options() {
    plugin::register_options();
}

/// Entry point that clang looks up in a pass plugin.
// SAFETY: the name is LLVM's, and no other library of Sinter defines it.
#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    plugin::plugin_info(sinter_stage1::run_in_clang)
}
