//! Tests the C interface with C and C++ programs.
//!
//! The programs in `tests/abi` are compiled with the system's compilers, linked with the libraries
//! that this test was built with, and run.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use object::{Object, ObjectSymbol};
use sinter::abi::{
    self, BufferDescription, ByteBox, Constant, Container, ContainerIndex, DeviceGlobal, DeviceGlobalLayout,
    DeviceGlobals, Image, Kernel, KernelAspects, KernelImage, KernelRequirements, KernelUsage, Launch, LaunchConstants,
    Parameter, PointerInfo, Profile, Requirement, Statistics, StatisticsTimes, WholeContainer, WholeKernel,
    WholeLaunch, WholeStatistics,
};
use sinter_core::hip::{self, Dimensions, KernelHandle, KernelParameter};
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    ffi::OsString,
    fs, iter,
    mem::offset_of,
    path::{Path, PathBuf},
    process::Command,
};

/// Kind of linkage of a program with the runtime.
#[derive(Clone, Copy)]
enum Linkage {
    Shared,
    Static,
    None,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Folder in which cargo puts the libraries of this test.
fn libraries() -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// Drivers on whose first device programs are run. OpenCL is included only if the environment names
/// a runtime; otherwise the loader may or may not find one.
fn drivers() -> Vec<&'static str> {
    if env::var_os("OCL_ICD_VENDORS").is_none() {
        println!("skipped: a device of OpenCL, since OCL_ICD_VENDORS names none; `cargo xtask test` does");
        return vec!["host"];
    }
    vec!["host", "opencl"]
}

/// Library path with the libraries of this test first.
fn library_path() -> OsString {
    let others = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    env::join_paths(iter::once(libraries()).chain(env::split_paths(&others))).unwrap()
}

/// Compiles a program of `tests/abi` and runs it with each driver; returns the output of all runs.
fn run(compiler: &str, source: &str, flags: &[&str], linkage: Linkage) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (program, source) = (folder.path().join("program"), root().join("tests/abi").join(source));
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Werror", "-pedantic"]).args(flags);
    command.arg("-I").arg(root().join("runtime/include")).arg(source).arg("-o").arg(&program);
    match linkage {
        Linkage::Shared => command.arg("-L").arg(libraries()).arg("-lsinter"),
        Linkage::Static => command.arg(libraries().join("libsinter.a")).args(["-lpthread", "-ldl", "-lm"]),
        Linkage::None => &mut command,
    };
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let outputs: BTreeSet<String> = drivers().into_iter().map(|driver| ran(&program, driver, folder.path())).collect();
    assert_eq!(outputs.len(), 1, "{outputs:?}");
    outputs.into_iter().collect()
}

fn ran(program: &Path, driver: &str, folder: &Path) -> String {
    let ran = Command::new(program)
        .env("LD_LIBRARY_PATH", library_path())
        .env("SINTER_TRANSLATOR", "/no/such/translator.so")
        .env("SINTER_VISIBILITY_MASK", driver)
        .env("SINTER_CACHE_DIR", folder.join("cache"))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{driver}: {} {}", ran.status, String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn a_c_program_with_the_shared_library() {
    assert_eq!(run("cc", "consumer.c", &["-std=c99"], Linkage::Shared), "ok\n");
}

#[test]
fn a_c_program_with_the_static_library() {
    assert_eq!(run("cc", "consumer.c", &["-std=c11"], Linkage::Static), "ok\n");
}

#[test]
fn a_cpp_program() {
    assert_eq!(run("c++", "consumer.cpp", &["-std=c++17", "-pthread"], Linkage::Shared), "ok\n");
}

macro_rules! layout {
    ($map:ident, $name:literal, $type:ty, $($field:ident),*) => {
        $map.insert(concat!($name, " sizeof").to_owned(), size_of::<$type>());
        $($map.insert(concat!($name, " ", stringify!($field)).to_owned(), offset_of!($type, $field));)*
    };
}

/// Fields that a later version appended to a struct, which replaces the size of the first part.
macro_rules! appended {
    ($map:ident, $name:literal, $start:ident, $type:ty, $($field:ident),*) => {
        $map.insert(concat!($name, " sizeof").to_owned(), $start + size_of::<$type>());
        $($map.insert(concat!($name, " ", stringify!($field)).to_owned(), $start + offset_of!($type, $field));)*
    };
}

/// Layouts of device globals and their tables.
fn device_globals(ours: &mut BTreeMap<String, usize>) {
    layout!(ours, "sinter_device_global_layout", DeviceGlobalLayout, size, alignment);
    layout!(ours, "sinter_device_global", DeviceGlobal, name, object);
    layout!(ours, "sinter_device_globals", DeviceGlobals, struct_size, count, container, globals);
}

/// Layouts of kernels with all appended parts.
fn kernels(ours: &mut BTreeMap<String, usize>) {
    layout!(
        ours,
        "sinter_kernel",
        Kernel,
        struct_size,
        parameter_count,
        container,
        symbol,
        parameters,
        block_size,
        ir_hash,
        slot
    );
    let second = offset_of!(WholeKernel, requirements);
    appended!(ours, "sinter_kernel", second, KernelRequirements, required_group_size, required_sub_group_size);
    let third = offset_of!(WholeKernel, image);
    appended!(ours, "sinter_kernel", third, KernelImage, image, symbol_size, content_seal, seal);
    let fourth = size_of::<WholeKernel>();
    appended!(ours, "sinter_kernel", fourth, KernelAspects, required_aspects, aspects_seal);
}

/// Layout of the record of a compilation.
fn compilations(ours: &mut BTreeMap<String, usize>) {
    layout!(
        ours,
        "sinter_compilation",
        abi::Compilation,
        struct_size,
        device,
        reason,
        source,
        level,
        reserved,
        kernel,
        symbol,
        device_name,
        variant,
        failure,
        nanoseconds,
        translate_nanoseconds,
        assemble_nanoseconds,
        load_nanoseconds
    );
}

#[test]
fn structs_have_the_layout_of_the_header() {
    let mut ours = BTreeMap::new();
    device_globals(&mut ours);
    layout!(
        ours,
        "sinter_image",
        Image,
        offset,
        size,
        digest,
        names,
        exports_size,
        imports_size,
        flags,
        reserved,
        names_seal,
        seal
    );
    layout!(ours, "sinter_container", Container, struct_size, abi_version, data, size, object_id);
    let second = offset_of!(WholeContainer, index);
    appended!(ours, "sinter_container", second, ContainerIndex, images, image_count, reserved, seal);
    layout!(ours, "sinter_parameter", Parameter, byte_offset, byte_size, original_index, kind);
    kernels(&mut ours);
    compilations(&mut ours);
    layout!(ours, "sinter_constant", Constant, name, value, size);
    layout!(ours, "sinter_launch", Launch, struct_size, dimensions, global_size, group_size, local_memory);
    let second = offset_of!(WholeLaunch, constants);
    appended!(ours, "sinter_launch", second, LaunchConstants, constant_count, reserved, constants);
    layout!(
        ours,
        "sinter_kernel_usage",
        KernelUsage,
        struct_size,
        registers,
        work_group_size,
        local_memory,
        private_memory
    );
    layout!(ours, "sinter_profile", Profile, struct_size, reserved, submit, start, end);
    layout!(ours, "sinter_pointer_info", PointerInfo, struct_size, kind, device, reserved, base, size);
    layout!(
        ours,
        "sinter_statistics",
        Statistics,
        struct_size,
        reserved,
        launches,
        translated,
        disk_hits,
        memory_hits,
        translate_nanoseconds,
        load_nanoseconds,
        cache_errors
    );
    let second = offset_of!(WholeStatistics, times);
    appended!(ours, "sinter_statistics", second, StatisticsTimes, assemble_nanoseconds);
    layout!(ours, "sinter_box", ByteBox, start, width, height, depth, row_pitch, plane_pitch);
    layout!(ours, "sinter_buffer_description", BufferDescription, struct_size, flags, shape, host);
    layout!(ours, "sinter_requirement", Requirement, buffer, access, reserved);
    ours.insert("sinter_requirement box".to_owned(), offset_of!(Requirement, bytes));
    layout!(
        ours,
        "sinter_command",
        abi::Command,
        struct_size,
        kind,
        flags,
        requirement_count,
        requirements,
        kernel,
        launch,
        block,
        block_size,
        destination,
        source,
        lengths,
        destination_pitches,
        source_pitches
    );
    let printed = run("cc", "layout.c", &[], Linkage::None);
    let line = |line: &str| line.rsplit_once(' ').map(|(name, number)| (name.to_owned(), number.parse().unwrap()));
    let theirs: BTreeMap<String, usize> = printed.lines().filter_map(line).collect();
    assert_eq!(ours, theirs);
}

#[test]
fn structs_of_hip_have_the_layout_of_the_header() {
    let mut ours = BTreeMap::new();
    layout!(ours, "sinter_hip_parameter", KernelParameter, offset, size);
    layout!(ours, "sinter_hip_kernel", KernelHandle, stub, mark, kernel, parameters, parameter_count, largest_block);
    layout!(ours, "sinter_hip_dimensions", Dimensions, x, y, z);
    ours.insert("SINTER_HIP_KERNEL_MARK".to_owned(), hip::HANDLE_MARK as usize);
    ours.insert("SINTER_HIP_MANAGED".to_owned(), hip::MANAGED as usize);
    let printed = run("cc", "hip_layout.c", &[], Linkage::None);
    let line = |line: &str| line.rsplit_once(' ').map(|(name, number)| (name.to_owned(), number.parse().unwrap()));
    let theirs: BTreeMap<String, usize> = printed.lines().filter_map(line).collect();
    assert_eq!(ours, theirs);
}

/// Names of the functions that the headers in C declare.
fn declared() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("runtime/include/sinter")).unwrap().map(|file| file.unwrap().path());
    let headers = files.filter(|path| path.extension().is_some_and(|extension| extension == "h"));
    headers.flat_map(|path| declared_in(&fs::read_to_string(path).unwrap())).collect()
}

fn declared_in(header: &str) -> BTreeSet<String> {
    let declarations = header.split("SINTER_API ").skip(1).filter_map(|rest| rest.split('(').next());
    let names = declarations.filter_map(|text| text.rsplit([' ', '*']).next());
    names.filter(|name| name.starts_with("sinter_")).map(str::to_owned).collect()
}

#[test]
fn the_shared_library_exports_the_headers_and_nothing_else() {
    let bytes = fs::read(libraries().join("libsinter.so")).unwrap();
    let library = object::File::parse(&*bytes).unwrap();
    let defined = library.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    let exported: BTreeSet<String> = defined.map(|symbol| symbol.name().unwrap().to_owned()).collect();
    assert_eq!(exported, declared());
    // The declarations were found.
    assert!(exported.len() >= 50, "{exported:?}");
}
