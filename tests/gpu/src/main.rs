//! `sinter-device-cases FILE DRIVER [PART/PARTS]`: runs the cases of a file on the driver's first
//! device.
//!
//! Out: a line for each failure, then `PASS` and the number of cases, or `skipped:` and the reason
//! if the machine has no such device. Exit status: 0 passed or skipped, 1 failed, 2 usage.
#![forbid(unsafe_code)]

use sinter_device_cases::{Absent, Case, device, read, run};
use std::{env, fs, process::ExitCode};

/// Number of failures after which the rest is skipped.
const ENOUGH: usize = 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match start(&arguments) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("sinter-device-cases: error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns the number of failures.
fn start(arguments: &[String]) -> Result<usize, String> {
    let [file, driver, rest @ ..] = arguments else {
        return Err("usage: sinter-device-cases FILE DRIVER [PART/PARTS]".to_owned());
    };
    let part = part(rest).ok_or("PART/PARTS are numbers, such as 1/8")?;
    let device = match device(driver) {
        Ok(device) => device,
        Err(Absent::Machine(reason)) => {
            println!("skipped: {reason}");
            return Ok(0);
        }
        Err(error) => return Err(error.to_string()),
    };
    let cases = fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let cases = read(&cases).map_err(|error| format!("{file}: {error:?}"))?;
    let cases: Vec<&Case> = cases.iter().skip(part.0 - 1).step_by(part.1).collect();
    let failures: Vec<String> = cases.iter().filter_map(|case| run(&*device, case).err()).take(ENOUGH).collect();
    failures.iter().for_each(|failure| println!("{failure}"));
    if failures.is_empty() {
        println!("{} cases on {}\nPASS", cases.len(), device.info().name);
    }
    Ok(failures.len())
}

/// Parses `PART/PARTS`; all cases without it.
fn part(arguments: &[String]) -> Option<(usize, usize)> {
    match arguments {
        [] => Some((1, 1)),
        [text] => {
            let (part, parts) = text.split_once('/')?;
            let (part, parts) = (part.parse().ok()?, parts.parse().ok()?);
            (1 <= part && part <= parts).then_some((part, parts))
        }
        _ => None,
    }
}
