//! Compiles the device builtins to bitcode.
//!
//! In: `builtins/<target>/*.cpp` and libclc. Out: one bitcode file per library and the digest of
//! all of them, which is part of the translator's fingerprint. *Invariant:* the bitcode names no
//! CPU and no path: it can be inlined into code for any CPU of its target, and two builds of the
//! same sources in different folders are identical.

mod command;
mod compile;
mod libclc;
mod ptx_math;
mod slices;

use command::{LLVM, fail, run, write};
use compile::{Atomics, Sources, compile, retarget};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Sums over a group wrap around, in whatever order they are computed. Native functions may be
/// approximate, but not divide by the instructions for reciprocals, whose refinement gives NaN for
/// zero, infinities and subnormal numbers.
const HOST: Sources = Sources {
    folder: "builtins/host",
    flags: &["-fPIC", "-fno-stack-protector", "-Xclang", "-ffloat16-excess-precision=none"],
    file_flags: &[("native.cpp", &["-fapprox-func"]), ("group.cpp", &["-fwrapv"]), WRAPPING[0]],
    atomics: Atomics::AsCompiled,
};

/// Functions that are vectorised with the kernel. Compiled once for CPUs with fused multiplication
/// and addition, and once for those without, where it would be a call.
const HOST_LANES: Sources = Sources {
    folder: "builtins/host/lanes",
    flags: &["-fPIC", "-fno-stack-protector"],
    file_flags: &[],
    atomics: Atomics::AsCompiled,
};
const HOST_LANES_FMA: Sources = Sources { flags: &["-fPIC", "-fno-stack-protector", "-DSINTER_FMA"], ..HOST_LANES };

/// The functions of rows of each number of lanes; a row of one work-item has those of groups only.
const HOST_ROWS: [(&str, &str, Sources); 6] = [
    ("host_rows_1", "host-rows-1", host_rows(&["-DSINTER_LANES=1", "-fPIC", "-fno-stack-protector"])),
    ("host_rows_4", "host-rows-4", host_rows(&["-DSINTER_LANES=4", "-fPIC", "-fno-stack-protector"])),
    ("host_rows_8", "host-rows-8", host_rows(&["-DSINTER_LANES=8", "-fPIC", "-fno-stack-protector"])),
    ("host_rows_16", "host-rows-16", host_rows(&["-DSINTER_LANES=16", "-fPIC", "-fno-stack-protector"])),
    ("host_rows_32", "host-rows-32", host_rows(&["-DSINTER_LANES=32", "-fPIC", "-fno-stack-protector"])),
    ("host_rows_64", "host-rows-64", host_rows(&["-DSINTER_LANES=64", "-fPIC", "-fno-stack-protector"])),
];

const fn host_rows(flags: &'static [&'static str]) -> Sources {
    Sources {
        folder: "builtins/host/rows",
        flags,
        file_flags: &[("group.cpp", EXCHANGE), ("sub_group.cpp", EXCHANGE)],
        atomics: Atomics::AsCompiled,
    }
}

/// Code that exchanges values between work-items must be convergent.
const EXCHANGE: &[&str] = &["-fwrapv", "-fconvergent-functions"];

/// CPU and PTX version select the intrinsics that clang accepts; code checks for them before use on
/// older targets.
const PTX_FLAGS: &[&str] = &[
    "--target=nvptx64-nvidia-cuda",
    "-Xclang",
    "-target-cpu",
    "-Xclang",
    "sm_90",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+ptx85",
];

const PTX: Sources = Sources {
    folder: "builtins/ptx",
    flags: PTX_FLAGS,
    file_flags: &[("barrier.cpp", EXCHANGE), ("group.cpp", EXCHANGE), ("sub_group.cpp", EXCHANGE)],
    atomics: Atomics::AsCompiled,
};

/// Sums of atomic operations wrap around, also in private memory.
const WRAPPING: &[(&str, &[&str])] = &[("atomic.cpp", &["-fwrapv"])];

/// clang has scopes of atomic operations for AMD GPUs, but not for NVIDIA GPUs; address spaces have
/// the same numbers.
const PTX_ATOMICS: Sources =
    Sources { folder: "builtins/ptx/atomic", flags: AMDGCN_FLAGS, file_flags: WRAPPING, atomics: Atomics::AllSpaces };

const PTX_MATH: Sources =
    Sources { folder: "builtins/ptx/math", flags: PTX_FLAGS, file_flags: &[], atomics: Atomics::AsCompiled };

/// Names no processor, only features whose instructions clang must accept; code checks for them
/// before use on processors without them. The code object version is set by the translator.
const AMDGCN_FLAGS: &[&str] = &[
    "--target=amdgcn-amd-amdhsa",
    "-nogpulib",
    "-Xclang",
    "-mcode-object-version=none",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+dpp",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+gfx8-insts",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+gfx11-insts",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+wavefrontsize64",
];

const AMDGCN: Sources = Sources {
    folder: "builtins/amdgcn",
    flags: AMDGCN_FLAGS,
    file_flags: &[("barrier.cpp", EXCHANGE), ("group.cpp", EXCHANGE), ("sub_group.cpp", EXCHANGE), WRAPPING[0]],
    atomics: Atomics::AllSpaces,
};

const AMDGCN_MATH: Sources =
    Sources { folder: "builtins/amdgcn/math", flags: AMDGCN_FLAGS, file_flags: &[], atomics: Atomics::AsCompiled };

/// Names neither a GPU nor a PTX version: the code consists of LLVM instructions and calls that
/// stand for SPIR-V instructions. The target provides data layout and address space numbers.
const SPIRV: Sources = Sources {
    folder: "builtins/spirv",
    flags: &["--target=nvptx64-nvidia-cuda"],
    file_flags: &[("barrier.cpp", EXCHANGE), ("group.cpp", EXCHANGE), ("sub_group.cpp", EXCHANGE)],
    atomics: Atomics::AsCompiled,
};

/// OpenCL's functions for Vulkan, which lacks them.
const VULKAN_MATH: Sources = Sources { folder: "builtins/spirv/math", file_flags: &[], ..SPIRV };

/// As clang for x86-64 passes complex numbers, which is the form that stage 1 sees.
const COMPLEX: Sources = Sources { folder: "builtins/complex", ..HOST_LANES };

/// Code shared with SYCL's host code.
const SHARED: [&str; 5] =
    ["derived_complex.hpp", "derived_math.hpp", "derived_half_turns.hpp", "derived_powers.hpp", "derived_roots.hpp"];

fn main() {
    println!("cargo:rerun-if-changed=builtins");
    SHARED.iter().for_each(|name| println!("cargo:rerun-if-changed=../runtime/include/sycl/detail/{name}"));
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo:rustc-env=SINTER_KERNELS_OUT={}", out.display());
    write(&out.join(compile::TABLE), &sinter_builtins::lists::library());
    let ptx = ptx(&out);
    let ptx_math = [ptx_math::link(&compile(&PTX_MATH, &out, "ptx-math"), &out.join("ptx-math"))];
    let amdgcn = compile(&AMDGCN, &out, "amdgcn");
    let modules = compile(&AMDGCN_MATH, &out, "amdgcn-math");
    let amdgcn_math = [libclc::link(&modules, "amdgcn--amdhsa", &out.join("amdgcn-math"))];
    let spirv = compile(&SPIRV, &out, "spirv");
    let modules = compile(&VULKAN_MATH, &out, "vulkan-math");
    let vulkan_math = [libclc::link(&modules, "nvptx64--", &out.join("vulkan-math"))];
    let whole = library("host", &compile(&HOST, &out, "host"), &out);
    let lanes = compile(&HOST_LANES, &out, "host-lanes");
    let lanes_fma = compile(&HOST_LANES_FMA, &out, "host-lanes-fma");
    let rows = HOST_ROWS.map(|(name, folder, sources)| (name, compile(&sources, &out, folder)));
    let rows = rows.iter().map(|(name, modules)| (*name, &modules[..]));
    let complex = compile(&COMPLEX, &out, "complex");
    let parts = [
        ("complex", &complex[..]),
        ("host_lanes", &lanes),
        ("host_lanes_fma", &lanes_fma),
        ("ptx", &ptx),
        ("ptx_math", &ptx_math),
        ("amdgcn", &amdgcn),
        ("amdgcn_math", &amdgcn_math),
        ("spirv", &spirv),
        ("vulkan_math", &vulkan_math),
    ];
    let files = parts.into_iter().chain(rows).flat_map(|(name, modules)| sliced_library(name, modules, &out));
    write(&out.join("digest.rs"), &format!("{:?}", digest([whole].into_iter().chain(files)).as_bytes()));
}

fn ptx(out: &Path) -> Vec<PathBuf> {
    let (modules, atomics) = (compile(&PTX, out, "ptx"), compile(&PTX_ATOMICS, out, "ptx-atomic"));
    retarget(&atomics, &modules[0]);
    [modules, atomics].concat()
}

/// Links modules to the library of that name.
fn library(name: &str, modules: &[PathBuf], out: &Path) -> PathBuf {
    let library = out.join(name).with_extension("bc");
    run(LLVM.tool("llvm-link").args(modules).arg("-o").arg(&library));
    library
}

/// Files of the library of that name, whole and in slices.
fn sliced_library(name: &str, modules: &[PathBuf], out: &Path) -> Vec<PathBuf> {
    let slices = slices::cut(&format!("{name}-slices"), modules, out);
    write(&out.join(format!("{name}_slices.rs")), &slices::constant(&slices));
    [library(name, modules, out)].into_iter().chain(slices.into_iter().map(|slice| slice.path)).collect()
}

fn digest(files: impl Iterator<Item = PathBuf>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for path in files {
        let bytes = fs::read(&path).unwrap_or_else(|e| fail(&format!("{}: {e}", path.display())));
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(&bytes);
    }
    hasher.finalize()
}
