//! Builds programs of several units in HIP and CUDA as their build systems do, and runs them.
//!
//! *Invariant:* each program has its own folder.

use sinter_tests::programs::{Argument, Fallible, dist, run, sinter_cc, workspace};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

fn source(name: &str) -> PathBuf {
    workspace().join("tests/hip").join(name)
}

/// Compiles a source to an object in `folder`; returns its path.
fn object(folder: &Path, name: &str, flags: &[&str]) -> Fallible<PathBuf> {
    let output = folder.join(name.replace(['/', '.'], "_")).with_extension("o");
    let source = source(name);
    let mut arguments: Vec<&dyn Argument> = WARNINGS.iter().map(|flag| flag as &dyn Argument).collect();
    arguments.extend(flags.iter().map(|flag| flag as &dyn Argument));
    arguments.extend([&"-std=c++17" as &dyn Argument, &"-fPIC", &"-c", &source, &"-o", &output]);
    sinter_cc(&arguments)?;
    Ok(output)
}

fn link(inputs: &[&dyn Argument], output: &Path) -> Fallible {
    let mut arguments = inputs.to_vec();
    arguments.extend([&"-pthread" as &dyn Argument, &"-o", &output]);
    sinter_cc(&arguments)
}

/// The units of `hip/archive`.
fn archive_units(folder: &Path, flags: &[&str]) -> Fallible<[PathBuf; 3]> {
    let unit = |name| object(folder, &format!("archive/{name}.hip"), flags);
    Ok([unit("main")?, unit("functions")?, unit("variables")?])
}

#[test]
fn functions_and_variables_of_devices_come_out_of_archives() -> Fallible {
    for level in ["-O0", "-O2"] {
        let folder = tempfile::tempdir()?;
        let [main, functions, variables] = archive_units(folder.path(), &["-fgpu-rdc", level])?;
        let (archive, program) = (folder.path().join("libparts.a"), folder.path().join("program"));
        let status = Command::new("ar").arg("rcs").arg(&archive).args([functions, variables]).status()?;
        assert!(status.success());
        link(&[&main, &archive], &program)?;
        run(&mut Command::new(program), folder.path())?;
    }
    Ok(())
}

#[test]
fn functions_and_variables_of_devices_come_out_of_shared_libraries() -> Fallible {
    let folder = tempfile::tempdir()?;
    let [main, functions, variables] = archive_units(folder.path(), &["-fgpu-rdc", "-O2"])?;
    let (library, program) = (folder.path().join("libparts.so"), folder.path().join("program"));
    link(&[&"-shared", &functions, &variables], &library)?;
    let place = format!("-Wl,-rpath,{}", folder.path().display());
    link(&[&main, &library, &place], &program)?;
    run(&mut Command::new(program), folder.path())
}

/// Without a flag, as a declaration costs nothing; a linker reports what is missing.
#[test]
fn a_missing_function_of_devices_is_an_error_of_the_linker() -> Fallible {
    let folder = tempfile::tempdir()?;
    let main = object(folder.path(), "archive/main.hip", &["-O2"])?;
    let Err(error) = link(&[&main], &folder.path().join("program")) else { return Err("it links".into()) };
    assert!(error.to_string().contains("squared"), "{error}");
    Ok(())
}

#[test]
fn a_program_has_units_in_sycl_hip_and_cuda_and_with_parallel_algorithms() -> Fallible {
    let folder = tempfile::tempdir()?;
    let unit = |name: &str, flags: &[&str]| object(folder.path(), &format!("mixed/{name}"), flags);
    let program = folder.path().join("program");
    let units = [
        unit("main.cpp", &[])?,
        unit("sycl.cpp", &["-O2"])?,
        unit("kernels.hip", &["-O2"])?,
        unit("kernels.cu", &["-O2"])?,
        unit("algorithms.cpp", &["-O2", "--stdpar"])?,
    ];
    let mut inputs: Vec<&dyn Argument> = units.iter().map(|unit| unit as &dyn Argument).collect();
    inputs.push(&"--stdpar");
    link(&inputs, &program)?;
    run(&mut Command::new(program), folder.path())
}

/// Each source is compiled as its own language says.
#[test]
fn a_command_line_has_sources_in_cuda_hip_and_cpp() -> Fallible {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("program");
    let sources = ["main.cu", "part.hip", "part.cpp"].map(|name| source("dialects").join(name));
    let mut inputs: Vec<&dyn Argument> = WARNINGS.iter().map(|flag| flag as &dyn Argument).collect();
    inputs.extend(sources.iter().map(|source| source as &dyn Argument));
    link(&inputs, &program)?;
    run(&mut Command::new(program), folder.path())
}

/// Host code in C, by this compiler with each standard, and by the machine's.
#[test]
fn host_programs_in_c_use_the_api() -> Fallible {
    let folder = tempfile::tempdir()?;
    let kernels = object(folder.path(), "c/kernels.cu", &["-O2"])?;
    let strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"];
    for standard in ["-std=c99", "-std=c17"] {
        let (program, host, hip) = (folder.path().join("program"), folder.path().join("main.o"), source("c/hip.c"));
        let mut words: Vec<&dyn Argument> = strict.iter().map(|flag| flag as &dyn Argument).collect();
        let main = source("c/main.c");
        words.extend([&standard as &dyn Argument, &"-x", &"c", &main, &"-o", &host]);
        sinter_cc(&words)?;
        words.truncate(words.len() - 3);
        let other = folder.path().join("hip.o");
        words.extend([&hip as &dyn Argument, &"-o", &other]);
        sinter_cc(&words)?;
        link(&[&host, &other, &kernels], &program)?;
        run(&mut Command::new(program), folder.path())?;
    }
    let mut compiler = Command::new("cc");
    compiler.args(strict).arg("-std=c11").arg("-isystem").arg(dist().join("include"));
    compiler.arg("-isystem").arg(dist().join("include/cuda")).arg(source("c/main.c"));
    let output = compiler.arg("-o").arg(folder.path().join("other.o")).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

#[test]
fn makefiles_find_a_folder_of_cuda() -> Fallible {
    let (folder, cuda) = (tempfile::tempdir()?, dist().join("share/sinter/cuda"));
    let mut make = Command::new("make");
    make.arg("-f").arg(source("make/Makefile")).arg("CXX=c++").arg("program").current_dir(folder.path());
    make.arg(format!("CUDA_HOME={}", cuda.display())).arg(format!("SOURCES={}", source("make").display()));
    let output = make.output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    run(&mut Command::new(folder.path().join("program")), folder.path())
}

/// Warnings of the compiler about a source.
fn warnings(name: &str, flags: &[&str]) -> Fallible<String> {
    let mut compiler = Command::new(dist().join("bin/sinter-cc"));
    let output = compiler.args(flags).arg("-fsyntax-only").arg(source(name)).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn macros_of_parses_for_devices_are_warned_of_in_code_for_both_sides() -> Fallible {
    let text = warnings("macros.hip", &[])?;
    let lines: Vec<_> = text.lines().filter(|line| line.contains("[-Wsinter-hip-device-macro]")).collect();
    for (line, place) in lines.iter().zip(["9", "11"]) {
        assert!(line.contains(&format!("macros.hip:{place}:")), "{text}");
    }
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(warnings("macros.hip", &["-Wno-sinter-hip-device-macro"])?, "");
    Ok(())
}

#[test]
fn overloads_for_devices_that_code_for_both_sides_does_not_call_are_warned_of() -> Fallible {
    let text = warnings("overloads.cu", &[])?;
    let lines: Vec<_> = text.lines().filter(|line| line.contains("[-Wsinter-hip-overload]")).collect();
    assert_eq!(lines.len(), 2, "{text}");
    for (line, place) in lines.iter().zip(["6", "24"]) {
        assert!(line.contains(&format!("overloads.cu:{place}:")), "{text}");
    }
    assert_eq!(warnings("overloads.cu", &["-Wno-sinter-hip-overload"])?, "");
    Ok(())
}
