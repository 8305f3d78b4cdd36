//! Runs the samples, and some of the programs of `programs/` in further ways.
//!
//! *Invariant:* as in `programs.rs`, each program has its own cache folder.

use object::{Object, ObjectSymbol};
use sinter_tests::programs::{Fallible, dist, programs, run, run_with, sinter_cc, workspace};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn no_symbol_is_left_over() -> Fallible {
    let folder = tempfile::tempdir()?;
    let source = programs().join("kernels/names_and_scopes.cpp");
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let output = folder.path().join("names.o");
        sinter_cc(&[&level, &"-c", &source, &"-o", &output])?;
        let bytes = fs::read(&output)?;
        let file = object::File::parse(&*bytes)?;
        let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
        let left: Vec<_> = undefined.filter_map(|symbol| symbol.name().ok()).filter(|name| is_ours(name)).collect();
        assert!(left.is_empty(), "{level} leaves {left:?}");
    }
    Ok(())
}

#[test]
fn the_header_asks_for_sinter_cc() -> Fallible {
    let mut compiler = Command::new("clang++-19");
    compiler.args(["-std=c++17", "-fsyntax-only", "-isystem"]).arg(dist().join("include"));
    let output = compiler.arg(programs().join("ranges/one_dimension.cpp")).output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert_eq!(text.matches("error:").count(), 1, "{text}");
    assert!(text.contains("sinter-cc"), "{text}");
    Ok(())
}

#[test]
fn the_mandelbrot_sample_writes_a_picture() -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample("mandelbrot", folder.path())?;
    let picture = folder.path().join("picture.png");
    run(Command::new(executable).arg(&picture).args(["320", "240"]), folder.path())?;
    assert!(fs::read(picture)?.starts_with(b"\x89PNG\r\n\x1a\n"));
    Ok(())
}

/// One point in a thousand escaped differently on the device than on the host, because its sum was
/// rounded once instead of twice.
#[test]
fn the_mandelbrot_sample_rounds_on_devices_as_on_the_host() -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample("mandelbrot", folder.path())?;
    let mut tool = Command::new(dist().join("bin/llvm-to-ptx-tool"));
    let output = tool.arg(executable).args(["--emit", "ptx", "-o", "-"]).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("mul.rn.f64") && !text.contains("fma.rn.f64"), "{text}");
    Ok(())
}

#[test]
fn the_stream_sample_checks_itself() -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample("stream", folder.path())?;
    run(Command::new(executable).args(["100003", "3"]), folder.path())
}

/// Makes a test of a sample that checks itself, from its name and a fast problem size.
macro_rules! samples {
    ($($name:ident $size:literal),*) => {
        mod samples {
            $(#[test]
            fn $name() -> super::Fallible {
                super::check_sample(stringify!($name), $size)
            })*
        }
    };
}

samples!(matmul "144", nbody "384", reduction "1000003", histogram "500009", bitonic "16384", scan "300007");

/// A CPU has a copy of its own as a GPU has, which transfers keep up to date.
#[test]
fn buffers_with_copies_on_each_device() -> Fallible {
    let buffers = ["copies", "graph", "host_access", "lifetime", "sub_buffers", "threads", "write_back"];
    let images = ["legacy", "sampled", "unsampled"];
    let names =
        buffers.map(|name| format!("buffers/{name}")).into_iter().chain(images.map(|name| format!("images/{name}")));
    for name in names {
        let folder = tempfile::tempdir()?;
        let (source, output) = (programs().join(format!("{name}.cpp")), folder.path().join("program"));
        sinter_cc(&[&"-O0", &"-std=c++17", &source, &"-o", &output])?;
        run_with(&mut Command::new(&output), folder.path(), &[("SINTER_SHARED_BUFFERS", "off")])?;
    }
    Ok(())
}

/// The choices between formats, and between modes of samplers, are made by the translator.
#[test]
fn kernels_are_compiled_for_the_format_of_an_image() -> Fallible {
    let folder = tempfile::tempdir()?;
    let (source, output) = (programs().join("images/sampled.cpp"), folder.path().join("program"));
    sinter_cc(&[&"-O2", &"-std=c++17", &source, &"-o", &output])?;
    let dumps = folder.path().join("dumps");
    run_with(&mut Command::new(&output), folder.path(), &[("SINTER_DUMP", &dumps.to_string_lossy())])?;
    let mut kernels = 0;
    for kernel in fs::read_dir(dumps)? {
        for file in fs::read_dir(kernel?.path())? {
            let path = file?.path();
            if path.to_string_lossy().ends_with("-optimise.ll") {
                kernels += 1;
                assert!(!fs::read_to_string(&path)?.contains("switch i32"), "{} chooses at run time", path.display());
            }
        }
    }
    assert!(kernels > 3, "{kernels} kernels were translated");
    Ok(())
}

/// Runs a sample with and without optimisation, so that its own check covers both ways of splitting
/// its kernels.
fn check_sample(name: &str, size: &str) -> Fallible {
    let folder = tempfile::tempdir()?;
    let executable = build_sample(name, folder.path())?;
    for level in ["O3", "O0"] {
        run_with(Command::new(&executable).arg(size), folder.path(), &[("SINTER_OPT_LEVEL", level)])?;
    }
    Ok(())
}

/// True for symbols that only stage 1 and stage 2 may see.
fn is_ours(symbol: &str) -> bool {
    symbol.starts_with("__sinter") || symbol.starts_with("__acpp")
}

fn build_sample(name: &str, folder: &Path) -> Fallible<PathBuf> {
    let source = workspace().join(format!("kernels/samples/{name}.cpp"));
    let output = folder.join(name);
    sinter_cc(&[&"-O2", &"-std=c++17", &"-Wall", &"-Wextra", &"-Werror", &source, &"-o", &output])?;
    Ok(output)
}
