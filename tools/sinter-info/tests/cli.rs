//! The output of `sinter-info`, on a machine with any devices.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::drivers::DRIVERS;
use std::{path::Path, process::Command};

/// Runs the tool with only these settings in its environment.
fn run(arguments: &[&str], settings: &[(&str, &str)]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinter-info"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SINTER_")) {
        command.env_remove(name);
    }
    command.env("SINTER_CACHE_DIR", folder.path()).envs(settings.iter().copied());
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn every_driver_has_devices_or_a_reason() {
    let (text, _) = run(&[], &[]);
    for name in DRIVERS.iter().map(|driver| driver.name) {
        let line = text.lines().find(|line| line.starts_with(&format!("driver {name}: "))).unwrap();
        assert!(!line.ends_with(" 0 devices"), "{line}");
    }
    let (text, _) = run(&[], &[("SINTER_VISIBILITY_MASK", "host")]);
    assert!(text.contains("driver cuda: 0 devices: not looked for"), "{text}");
    assert!(text.contains("driver hip: 0 devices: not looked for"), "{text}");
    assert!(text.contains("driver opencl: 0 devices: not looked for"), "{text}");
    assert!(text.contains("device 0: ") && text.contains("target host:"), "{text}");
}

#[test]
fn features_of_kernels_are_listed() {
    let (text, _) = run(&[], &[("SINTER_VISIBILITY_MASK", "host")]);
    let line = |title: &str| text.lines().find_map(|line| line.trim().strip_prefix(title)).unwrap_or_default();
    assert!(line("native: ").split(", ").any(|name| name == "fp64"), "{text}");
    assert!(line("computed: ").contains("atomic-add-f32"), "{text}");
    assert!(!text.contains("missing in kernels"), "{text}");
    let (text, _) = run(&["--json"], &[("SINTER_VISIBILITY_MASK", "host")]);
    let facts: serde_json::Value = serde_json::from_str(&text).unwrap();
    let features = &facts["devices"][0]["features"];
    assert_eq!(features["int64-atomics"], "native");
    assert_eq!(features.as_object().unwrap().len(), 14);
}

/// On Mesa's lavapipe (22.3.6), where the tests find it.
#[test]
fn features_of_a_device_of_vulkan_are_listed() {
    let (text, _) = run(&[], &[("SINTER_VISIBILITY_MASK", "vulkan")]);
    if !text.contains("driver vulkan llvmpipe") {
        println!("skipped: there is no lavapipe");
        return;
    }
    let line = |title: &str| text.lines().find_map(|line| line.trim().strip_prefix(title)).unwrap_or_default();
    for feature in ["local-int64-atomics", "shader-clock", "fp64"] {
        assert!(line("native: ").split(", ").any(|name| name == feature), "{feature}: {text}");
    }
    assert_eq!(line("missing in kernels: "), "large-private-memory");
    assert!(text.contains("sub-groups of 8\n"), "{text}");
}

#[test]
fn the_library_of_mathematics_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("libdevice.10.bc");
    std::fs::write(&file, b"BC\xc0\xde").unwrap();
    let with = |value: &Path| run(&[], &[("SINTER_LIBDEVICE", value.to_str().unwrap())]).0;
    assert!(with(&file).contains(&format!("math functions for NVIDIA GPUs: {}\n", file.display())));
    assert!(with(Path::new("none")).contains("math functions for NVIDIA GPUs: the translator's own\n"));
    assert!(with(folder.path()).contains("is not used: "));
}

#[test]
fn the_libraries_of_amd_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let with = |setting: &str, value: &Path| run(&[], &[(setting, value.to_str().unwrap())]).0;
    let line = |name: &str| format!("math functions for AMD GPUs: {name}\n");
    let ours = "SINTER_ROCM_DEVICE_LIB_PATH";
    assert!(with(ours, folder.path()).contains("SINTER_ROCM_DEVICE_LIB_PATH="), "a folder without them is a problem");
    assert!(with(ours, Path::new("none")).contains(&line("the translator's own")));
    let file = folder.path().join("ocml.bc");
    std::fs::write(&file, b"BC\xc0\xde").unwrap();
    assert!(with(ours, folder.path()).contains(&line(&file.display().to_string())));
    assert!(with("HIP_DEVICE_LIB_PATH", folder.path()).contains(&line(&file.display().to_string())));
    let place = folder.path().join("amdgcn/bitcode");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::rename(&file, place.join("ocml.bc")).unwrap();
    assert!(with("ROCM_PATH", folder.path()).contains(&line(&place.join("ocml.bc").display().to_string())));
}

#[test]
fn settings_are_listed_with_their_origin() {
    let (text, errors) = run(&["--config"], &[("SINTER_FLOAT", "fast"), ("SINTER_JIT_LEVEL", "9")]);
    assert!(text.contains("SINTER_FLOAT = fast  [environment]"), "{text}");
    assert!(text.contains("SINTER_JIT_LEVEL = (unset)  [default]"), "{text}");
    assert!(errors.contains("SINTER_JIT_LEVEL=9 ignored"), "{errors}");
}

#[test]
fn devices_are_selected_by_what_is_shown() {
    let (text, _) = run(&[], &[("SINTER_VISIBILITY_MASK", "cpu")]);
    let line = text.lines().find_map(|line| line.trim().strip_suffix(" selects it")).unwrap();
    let (name, mask) = line.split_once('=').unwrap();
    assert_eq!((name, mask), ("SINTER_VISIBILITY_MASK", "host:0"));
    assert!(run(&[], &[(name, mask)]).0.contains("device 0: "), "{mask}");
    for (name, mask) in [("ONEAPI_DEVICE_SELECTOR", "*:cpu"), ("ACPP_VISIBILITY_MASK", "omp")] {
        assert!(run(&[], &[(name, mask)]).0.contains("host:0 selects it"), "{name}={mask}");
    }
}

#[test]
fn an_unknown_word_selects_no_device() {
    let (text, errors) = run(&[], &[("SINTER_VISIBILITY_MASK", "gpus")]);
    assert!(text.contains("no visible devices\n"), "{text}");
    let drivers = DRIVERS.iter().map(|driver| driver.name).collect::<Vec<_>>().join(", ");
    let valid = format!("`gpus` selects nothing: valid are {drivers} (the CPU), gpu and cpu\n");
    assert!(errors.contains(&valid), "{errors}");
    let (text, errors) = run(&[], &[("ONEAPI_DEVICE_SELECTOR", "gpu")]);
    let expected = "ONEAPI_DEVICE_SELECTOR: `gpu` selects nothing: valid are terms such as level_zero:gpu";
    assert!(text.contains("no visible devices\n") && errors.contains(expected), "{errors}");
}

#[test]
fn a_word_that_selects_nothing_names_itself_and_its_variable() {
    let (text, errors) = run(&[], &[("SINTER_VISIBILITY_MASK", "a b;host;level_zero")]);
    assert!(text.contains("device 0: ") && !text.contains("device 1: "), "{text}");
    assert_eq!(errors.matches("selects nothing").count(), 1, "{errors}");
    assert!(errors.contains("warning: SINTER_VISIBILITY_MASK: `a b` selects nothing: valid are gpu, cpu"), "{errors}");
    for (name, mask) in [("SINTER_VISIBILITY_MASK", "cpu:7"), ("ONEAPI_DEVICE_SELECTOR", "native_cpu:7")] {
        let (text, errors) = run(&[], &[(name, mask)]);
        let expected = format!("warning: {name}: `host` has no device 7: it has 1, numbered from 0");
        assert!(text.contains("no visible devices\n") && errors.contains(&expected), "{errors}");
    }
    let (_, errors) = run(&[], &[("ONEAPI_DEVICE_SELECTOR", "native_cpu:gpu")]);
    assert!(errors.contains("`host` has no device of the kind that is asked for"), "{errors}");
}
