//! Compiles the sources of one library to bitcode.
//!
//! In: a folder of C++ and flags. Out: one module of textual IR per file. *Invariant:* the IR names
//! no CPU and no path.

use crate::command::{LLVM, fail, run, write};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Flags of all files. No errno, so that math calls are pure; no type-based aliasing, since users
/// cast pointers to the integer types of the atomics; no contraction, which is the caller's choice.
const FLAGS: &[&str] = &[
    "-std=c++17",
    "-O2",
    "-nostdinc",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-fno-ident",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-Wall",
    "-Wextra",
    "-Werror",
];

/// Function attributes that depend on the CPU or the compilation.
const BOUND_ATTRIBUTES: &[&str] = &[
    "\"target-cpu\"",
    "\"target-features\"",
    "\"tune-cpu\"",
    "\"min-legal-vector-width\"",
    "\"frame-pointer\"",
    "\"no-builtins\"",
    "\"amdgpu-",
    "\"uniform-work-group-size\"",
    "uwtable",
];

/// The architecture query that LLVM's NVPTX passes answer. It has another name in the sources,
/// because clang would answer it for the architecture that it compiles for.
const REFLECTION: &str = "@__nvvm_reflect";
const LATE_REFLECTION: &str = "@__sinter_reflect";

/// A change to the atomic operations that clang emitted, for orders and scopes that clang cannot
/// express.
#[derive(Clone, Copy)]
pub(crate) enum Atomics {
    /// No change.
    AsCompiled,
    /// Orders that apply to all address spaces.
    AllSpaces,
}

/// The sources of a library and their compile flags.
pub(crate) struct Sources {
    /// Folder of the sources.
    pub folder: &'static str,
    /// Additional flags of all files.
    pub flags: &'static [&'static str],
    /// Additional flags of one file.
    pub file_flags: &'static [(&'static str, &'static [&'static str])],
    /// Change to its atomic operations.
    pub atomics: Atomics,
}

/// Declarations of the whole interface, included in every source so that a mismatch is an error,
/// and lists of its functions.
pub(crate) const TABLE: &str = "builtins.hpp";

/// Compiles each source to a module in the folder `name` of `out`, which also gets the
/// declarations.
pub(crate) fn compile(sources: &Sources, out: &Path, name: &str) -> Vec<PathBuf> {
    let modules = out.join(name);
    fs::create_dir_all(&modules).unwrap_or_else(|e| fail(&format!("{}: {e}", modules.display())));
    let compile_one = |source: &PathBuf| compile_file(sources, source, &out.join(TABLE), &modules);
    sorted(Path::new(sources.folder)).iter().map(compile_one).collect()
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| fail(&format!("{}: {e}", folder.display())));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
    files.sort();
    files
}

fn compile_file(sources: &Sources, source: &Path, declarations: &Path, out: &Path) -> PathBuf {
    let name = source.file_name().unwrap_or_default();
    let module = out.join(name).with_extension("ll");
    let extra = sources.file_flags.iter().find(|(file, _)| name == *file).map_or(&[][..], |(_, flags)| flags);
    let mut clang = LLVM.tool("clang++");
    clang.args(FLAGS).args(sources.flags).args(extra).args(["-S", "-emit-llvm", "-Ibuiltins/generic", "-include"]);
    run(clang.arg(declarations).arg(source).arg("-o").arg(&module));
    neutralise(&module);
    change_atomics(&module, sources.atomics);
    module
}

fn change_atomics(module: &Path, atomics: Atomics) {
    let text = fs::read_to_string(module).unwrap_or_else(|e| fail(&format!("{}: {e}", module.display())));
    match atomics {
        Atomics::AsCompiled => {}
        // In the memory model, the name of an order for one address space is that of the scope plus
        // this suffix.
        Atomics::AllSpaces => {
            write(module, &text.replace(" syncscope(\"one-as\")", "").replace("-one-as\")", "\")"));
        }
    }
}

/// Gives modules the target triple and data layout of another module. Their address spaces must
/// have the same numbers.
pub(crate) fn retarget(modules: &[PathBuf], model: &Path) {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|e| fail(&format!("{}: {e}", path.display())));
    let is_target = |line: &&str| line.starts_with("target ");
    let target: String = read(model).lines().filter(is_target).map(|line| line.to_owned() + "\n").collect();
    for module in modules {
        let code: String =
            read(module).lines().filter(|line| !is_target(line)).map(|line| line.to_owned() + "\n").collect();
        write(module, &(target.clone() + &code));
    }
}

/// Orders of operations that make writes of other work-items visible.
const ORDERS: [&str; 4] = [" acquire", " release", " acq_rel", " seq_cst"];
/// Attributes that LLVM 19 infers for functions with such operations. They claim that a function
/// accesses only memory of its arguments, so that callers would keep values of other memory across
/// the call.
const EFFECTS: [&str; 5] =
    [" memory(argmem: readwrite)", " memory(argmem: read)", " memory(argmem: write)", " readonly", " writeonly"];

/// Removes inferred memory attributes from a module that has operations with such an order.
fn remove_memory_attributes(text: String) -> String {
    if !ORDERS.iter().any(|order| text.contains(order)) {
        return text;
    }
    let states = |line: &str| line.starts_with("define ") || line.starts_with("attributes #");
    let forget = |line: &str| EFFECTS.iter().fold(line.to_owned(), |line, effect| line.replace(effect, ""));
    text.lines().map(|line| if states(line) { forget(line) } else { line.to_owned() } + "\n").collect()
}

/// libclc's table of the bits of 1/pi. libclc declares an array of bytes, and reads 16 at a time.
const TABLE_OF_BYTES: &str = "@PIBITS_TBL ";

/// Removes everything from a module that depends on the machine, the folder or the
/// position-independence of other modules, and aligns libclc's table of bytes as it is read.
pub(crate) fn neutralise(module: &Path) {
    let text = fs::read_to_string(module).unwrap_or_else(|e| fail(&format!("{}: {e}", module.display())));
    let drop = |line: &&str| {
        !["; ModuleID", "source_filename", "!llvm.module.flags", "!llvm.ident", "!opencl.ocl.version"]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let text: String = text.lines().filter(drop).map(|line| neutral_line(line) + "\n").collect();
    write(module, &remove_memory_attributes(text.replace(LATE_REFLECTION, REFLECTION)));
}

fn neutral_line(line: &str) -> String {
    if let Some(table) = line.strip_suffix(", align 1").filter(|line| line.starts_with(TABLE_OF_BYTES)) {
        return format!("{table}, align 16");
    }
    if !line.starts_with("attributes #") {
        return line.split_once(", !srcloc ").map_or(line, |(code, _)| code).to_owned();
    }
    let keep = |word: &&str| !BOUND_ATTRIBUTES.iter().any(|attribute| word.starts_with(attribute));
    line.split_whitespace().filter(keep).collect::<Vec<_>>().join(" ")
}
