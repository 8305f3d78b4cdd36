//! Measures time and memory of loading host code as the number of loaded objects grows.
//!
//! In: an object that `llvm-to-host-tool` wrote, the name of its entry, and the number of loads
//! (20,000). Out: for each tenth of them, the median time of a load and the number of the process's
//! mappings.
//!
//!     llvm-to-host-tool app --kernel triad -o triad.o
//!     cargo run --release -p sinter-driver-host --example load_cost -- triad.o SYMBOL [COUNT]

use sinter_driver_host::{Image, Loader, ObjectLoader};
use std::{env, error::Error, fs, process::ExitCode, time::Instant};

const PARTS: usize = 10;

fn mappings() -> usize {
    fs::read_to_string("/proc/self/maps").map_or(0, |maps| maps.lines().count())
}

fn measure(path: &str, symbol: &str, count: usize) -> Result<(), Box<dyn Error>> {
    let (bytes, loader) = (fs::read(path)?, ObjectLoader::default());
    let mut images: Vec<Box<dyn Image>> = Vec::with_capacity(count);
    println!("{} bytes\n   loaded  median us  slowest us  mappings", bytes.len());
    for _ in 0..PARTS {
        let mut times = Vec::with_capacity(count / PARTS);
        for _ in 0..count / PARTS {
            let start = Instant::now();
            images.push(loader.load(symbol, &bytes)?);
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        times.sort_by(f64::total_cmp);
        let slowest = times.last().copied().unwrap_or_default();
        println!("{:9}  {:9.1}  {slowest:10.1}  {:8}", images.len(), times[times.len() / 2], mappings());
    }
    let start = Instant::now();
    drop(images);
    println!("unloading all: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (path, symbol, count) = match arguments.as_slice() {
        [path, symbol] => (path, symbol, Ok(20_000)),
        [path, symbol, count] => (path, symbol, count.parse()),
        _ => {
            eprintln!("usage: load_cost OBJECT SYMBOL [COUNT]");
            return ExitCode::from(2);
        }
    };
    let count = count.unwrap_or(0).max(PARTS);
    match measure(path, symbol, count) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load_cost: {error}");
            ExitCode::FAILURE
        }
    }
}
