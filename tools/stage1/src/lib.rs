//! Stage 1: splits the kernels off a host module and embeds them as a container.
//!
//! In: the module that clang made of a translation unit, before any optimisation, and, if the unit
//! was parsed for devices too, the module of that parse. Out: the host's module with the container,
//! a descriptor per kernel and their registration, and without device code. *Invariant:* a module
//! that uses neither SYCL nor HIP is not changed, and the container depends only on its device
//! code.
#![forbid(unsafe_code)]

mod annotations;
mod assembly;
mod assertions;
mod attributes;
mod bind;
mod builtins;
mod check;
mod constants;
mod container;
mod convergent;
mod descriptors;
mod device_globals;
mod error;
mod exceptions;
mod flatten;
mod hip;
mod host;
mod identity;
mod image;
mod interpose;
mod leaves;
mod library;
mod math;
mod optional;
mod origin;
mod outline;
mod references;
mod requests;
mod requirements;
mod sanitizers;
mod stage;
#[cfg(test)]
mod testing;
mod virtual_classes;
mod waits;

pub use error::{Cause, Effect, Reporter, Stage1Error};
pub use stage::{Outcome, run};

use sinter_llvm::{
    inkwell::{memory_buffer::MemoryBuffer, module::Module},
    stage1::{
        diagnose::{self, Place, Severity},
        plugin::{self, Level, Moment},
    },
};
use std::path::{Path, PathBuf};

/// Runs stage 1 on a module that clang compiles, and reports errors as clang's own. True if the
/// module was changed.
pub fn run_in_clang(module: &Module<'_>, level: Level, moment: Moment) -> bool {
    let result = match moment {
        Moment::Start => at_start(module, level),
        Moment::Late => waits::leave_to_next(module),
    };
    match result {
        Ok(changed) => changed,
        Err(Stage1Error::Rejected { .. }) => true,
        Err(error) => {
            diagnose::error(module, Place::Module, &error.to_string());
            true
        }
    }
}

/// The flag that warns of algorithms that stay on the host, at the end of its warnings.
const WARNING: &str = " [-Wsinter-stdpar]";

/// Splits the kernels off, reports algorithms without one, and interposes allocations. True if the
/// module was changed.
fn at_start(module: &Module<'_>, level: Level) -> Result<bool, Stage1Error> {
    let stdpar = plugin::stdpar();
    let stays = stdpar.map_or(Severity::Remark, |option| option.stays);
    let flag = if stays == Severity::Remark { "" } else { WARNING };
    let mut print = |place: Place<'_>, cause: &Cause, effect| match effect {
        Effect::Error => diagnose::error(module, place, &cause.to_string()),
        Effect::LeavesOut => {
            diagnose::report(module, place, stays, &format!("an algorithm stays on the host: {cause}{flag}"));
        }
    };
    let mut reporter = Reporter::new(&mut print);
    let of_devices = of_devices(module)?;
    let outcome = run(module, of_devices.as_ref(), level, &mut reporter)?;
    let mut changed = write_container(module, outcome)?;
    if let Some(stdpar) = stdpar {
        changed |= library::report(module, &mut reporter)?;
        changed |= stdpar.interposes && interpose::allocations(module)?;
    }
    Ok(changed)
}

/// The module of a parse for devices, if there was one.
fn of_devices<'ctx>(host: &Module<'ctx>) -> Result<Option<Module<'ctx>>, Stage1Error> {
    let Some(path) = plugin::device_module(host.get_source_file_name()) else { return Ok(None) };
    let defect = |cause: String| Stage1Error::Read { path: path.clone(), cause };
    let buffer = MemoryBuffer::create_from_file(&path).map_err(|error| defect(error.to_string()))?;
    let module = Module::parse_bitcode_from_buffer(&buffer, host.get_context());
    module.map(Some).map_err(|error| defect(error.to_string()))
}

fn write_container(module: &Module<'_>, outcome: Outcome) -> Result<bool, Stage1Error> {
    let container = match outcome {
        Outcome::Unchanged => return Ok(false),
        Outcome::Cleaned => return Ok(true),
        Outcome::Embedded { container } => container,
    };
    if let Some(path) = plugin::emit_hcf() {
        let path = container_path(module, path);
        std::fs::write(&path, container).map_err(|source| Stage1Error::Write { path, source })?;
    }
    Ok(true)
}

/// The path in the option; `auto` becomes the name of the source file with the extension of
/// containers, in the current folder.
fn container_path(module: &Module<'_>, path: PathBuf) -> PathBuf {
    if path != Path::new("auto") {
        return path;
    }
    let source = module.get_source_file_name().to_string_lossy().into_owned();
    Path::new(&source).file_stem().map_or(path, PathBuf::from).with_extension("hcf")
}
