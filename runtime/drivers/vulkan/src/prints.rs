//! Prints what a kernel wrote to its buffer.
//!
//! In: the prints that a module states, and the units that a launch wrote. Out: text on the C
//! library's standard output, as `printf` writes it. *Invariant:* a unit that does not fit its
//! print ends the output.

use sinter_core::spirv::push_constants::Print;
use std::ffi::{CString, c_char, c_int};

/// One conversion as C prints it. One that would read or write memory prints nothing, whatever the
/// module states.
fn converted(directive: &str, kind: char, unit: u64) -> Vec<u8> {
    if !directive.ends_with(|letter| "diouxXcpfFeEgGaA".contains(letter)) || directive.contains('*') {
        return Vec::new();
    }
    let Ok(format) = CString::new(bytes(directive)) else { return Vec::new() };
    let print = |room: *mut c_char, size: usize| -> c_int {
        // SAFETY: the room has that size; the format has one conversion, of a value of this type:
        // the translator chose the letter by the type, and wrote the format for it.
        unsafe {
            match kind {
                'f' => libc::snprintf(room, size, format.as_ptr(), f64::from(f32::from_bits(unit as u32))),
                'd' => libc::snprintf(room, size, format.as_ptr(), f64::from_bits(unit)),
                'i' => libc::snprintf(room, size, format.as_ptr(), unit as c_int),
                _ => libc::snprintf(room, size, format.as_ptr(), unit),
            }
        }
    };
    let length = usize::try_from(print(std::ptr::null_mut(), 0)).unwrap_or(0);
    let mut text = vec![0u8; length + 1];
    print(text.as_mut_ptr().cast(), text.len());
    text.truncate(length);
    text
}

/// The bytes that the characters stand for.
fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

fn text(print: &Print, units: &[u64]) -> Vec<u8> {
    let (mut made, mut rest) = (Vec::new(), print.format.as_str());
    let mut values = print.types.chars().zip(units);
    while let Some((before, conversion)) = rest.split_once('%') {
        made.extend(bytes(before));
        if let Some(behind) = conversion.strip_prefix('%') {
            made.push(b'%');
            rest = behind;
            continue;
        }
        let end = conversion.find(|c: char| c.is_ascii_alphabetic() && !"hl".contains(c));
        let (directive, behind) = conversion.split_at(end.map_or(conversion.len(), |end| end + 1));
        rest = behind;
        if let Some((kind, unit)) = values.next() {
            made.extend(converted(&format!("%{directive}"), kind, *unit));
        }
    }
    made.extend(bytes(rest));
    made
}

/// The text of all prints of a launch.
fn all(prints: &[Print], mut units: &[u64]) -> Vec<u8> {
    let mut made = Vec::new();
    while let Some((number, rest)) = units.split_first() {
        let Some(print) = prints.iter().find(|print| u64::from(print.number) == *number) else { break };
        let Some((values, rest)) = rest.split_at_checked(print.types.len()) else { break };
        made.extend(text(print, values));
        units = rest;
    }
    made
}

/// Writes all prints of a launch to standard output, and zeroes their units. A print that does not
/// fit the buffer reserves units that it does not write: no earlier print may be left in them.
pub(crate) fn take(prints: &[Print], units: &mut [u64]) {
    for byte in all(prints, units) {
        // SAFETY: any byte may be written.
        unsafe { libc::putchar(byte.into()) };
    }
    units.fill(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_the_text_that_c_prints() {
        let print = |number, types: &str, format: &str| Print { number, types: types.into(), format: format.into() };
        let prints = [print(1, "ild", "%3d|%lx 100%%|%.2f\n"), print(2, "", "bare\u{e9}"), print(3, "fi", "%g%c")];
        let units = [1, 7, u64::MAX, 2.5f64.to_bits(), 2, 3, u64::from(0.5f32.to_bits()), 65, 9];
        assert_eq!(all(&prints, &units), b"  7|ffffffffffffffff 100%|2.50\nbare\xe90.5A");
        assert_eq!(all(&prints, &units[..2]), b"");
    }

    #[test]
    fn units_that_are_not_written_print_nothing() {
        let prints = [Print { number: 1, types: String::new(), format: String::new() }];
        let mut units = [1, 1, 1];
        take(&prints, &mut units);
        // The next launch has one print, and reserves more for another that does not fit.
        units[0] = 1;
        assert_eq!((units, all(&prints, &units)), ([1, 0, 0], Vec::new()));
    }

    #[test]
    fn a_module_has_no_memory_read_or_written() {
        for format in ["<%s>", "<%n>", "<%*d>", "<%hhn>"] {
            let prints = [Print { number: 1, types: "l".into(), format: format.into() }];
            assert_eq!(all(&prints, &[1, 8]), b"<>", "{format}");
        }
    }
}
