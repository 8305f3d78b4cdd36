//! Compiles the device builtins to bitcode.
//!
//! In: `builtins/host/*.cpp`. Out: one bitcode file and its digest, which is part of the translator's fingerprint.
//! *Invariant:* the bitcode names no CPU and no path: it can be inlined into code for any CPU, and two builds of the
//! same sources in different folders are identical.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, exit},
};

const PACKAGES: &str =
    "llvm-19-dev libpolly-19-dev clang-19 liblld-19-dev lld-19 libomp-19-dev libzstd-dev zlib1g-dev libxml2-dev cmake";

/// Flags of all files. No errno, so that math calls are pure; no type-based aliasing, since users cast pointers to
/// the integer types of the atomics; no contraction, which is the caller's decision.
const FLAGS: &[&str] = &[
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-nostdinc",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-math-errno",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-Xclang",
    "-ffloat16-excess-precision=none",
    "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables",
    "-fno-ident",
    "-fno-stack-protector",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-Wall",
    "-Wextra",
    "-Werror",
];

/// Additional flags of one file. Sums over a group wrap around, whatever the order in which they are taken.
const FILE_FLAGS: &[(&str, &[&str])] =
    &[("native.cpp", &["-fapprox-func", "-freciprocal-math"]), ("group.cpp", &["-fwrapv"])];

/// Function attributes that tie code to a CPU or to this compilation.
const HOST_ATTRIBUTES: &[&str] = &[
    "\"target-cpu\"",
    "\"target-features\"",
    "\"tune-cpu\"",
    "\"min-legal-vector-width\"",
    "\"frame-pointer\"",
    "uwtable",
];

fn main() {
    println!("cargo:rerun-if-changed=builtins");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let sources = Path::new("builtins/host");
    let modules: Vec<PathBuf> = sorted(sources).iter().map(|source| compile(source, &out)).collect();
    let library = out.join("host.bc");
    run(Command::new(tool("llvm-link")).args(&modules).arg("-o").arg(&library));
    let digest = blake3::hash(&fs::read(&library).unwrap_or_else(|e| fail(&format!("{}: {e}", library.display()))));
    write(&out.join("digest.rs"), &format!("{:?}", digest.as_bytes()));
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| fail(&format!("{}: {e}", folder.display())));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cpp"));
    files.sort();
    files
}

fn compile(source: &Path, out: &Path) -> PathBuf {
    let name = source.file_name().unwrap_or_default();
    let module = out.join(name).with_extension("ll");
    let extra = FILE_FLAGS.iter().find(|(file, _)| name == *file).map_or(&[][..], |(_, flags)| flags);
    run(Command::new(tool("clang++"))
        .args(FLAGS)
        .args(extra)
        .args(["-S", "-emit-llvm"])
        .arg(source)
        .arg("-o")
        .arg(&module));
    let text = fs::read_to_string(&module).unwrap_or_else(|e| fail(&format!("{}: {e}", module.display())));
    write(&module, &neutral(&text));
    module
}

/// The module without what depends on the machine, the folder or the position-independence of other modules.
fn neutral(text: &str) -> String {
    let drop = |line: &&str| {
        !["; ModuleID", "source_filename", "!llvm.module.flags"].iter().any(|start| line.starts_with(start))
    };
    text.lines().filter(drop).map(|line| neutral_attributes(line) + "\n").collect()
}

fn neutral_attributes(line: &str) -> String {
    if !line.starts_with("attributes #") {
        return line.to_owned();
    }
    let keep = |word: &&str| !HOST_ATTRIBUTES.iter().any(|attribute| word.starts_with(attribute));
    line.split_whitespace().filter(keep).collect::<Vec<_>>().join(" ")
}

fn tool(name: &str) -> PathBuf {
    let prefix = env::var("LLVM_SYS_191_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    PathBuf::from(prefix).join("bin").join(name)
}

fn run(command: &mut Command) {
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => fail(&format!("{command:?} ended with {status}")),
        Err(e) => {
            let program = command.get_program().to_string_lossy().into_owned();
            fail(&format!(
                "cannot run {program}: {e}; on Debian: apt-get install {PACKAGES}\nor set LLVM_SYS_191_PREFIX to an LLVM 19"
            ))
        }
    }
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|e| fail(&format!("{}: {e}", path.display())));
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    exit(1)
}
