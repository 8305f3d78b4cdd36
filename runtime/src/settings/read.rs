//! Reads the settings.
//!
//! In: an environment. Out: typed values, where each came from, and warnings. *Invariant:* reading
//! never
//! fails: what cannot be used is reported once and the default stays.
#![forbid(unsafe_code)]

use super::{
    environment::Environment,
    table::{Row, TABLE},
    tunables::Tunables,
};
use sinter_core::nearest::nearest;
use std::{ffi::OsString, fmt};

/// Variables that tools read and the runtime does not: where build scripts find an installation,
/// and NVIDIA's assembler.
const OF_TOOLS: [&str; 3] = ["SINTER_HOME", "SINTER_OPENCL_RUNTIME", "SINTER_PTXAS"];

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The table.
    Default,
    /// The environment.
    Environment,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Default => "default",
            Origin::Environment => "environment",
        })
    }
}

/// One setting as it is in force.
pub struct Setting {
    /// Its line of the table.
    pub row: &'static Row,
    /// Its value as text; empty means unset.
    pub value: String,
    /// Where the value came from.
    pub origin: Origin,
}

impl Setting {
    /// Name and value, if the environment has it.
    pub fn given(&self) -> Option<(&'static str, String)> {
        (self.origin == Origin::Environment).then(|| (self.row.name, self.value.clone()))
    }
}

/// Something in the environment that was not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TunableWarning {
    /// A variable that is not in the table.
    #[error("unknown setting {name} ignored{}", nearest.map(|n| format!("; did you mean {n}?")).unwrap_or_default())]
    Unknown {
        /// The variable.
        name: String,
        /// The most similar name in the table.
        nearest: Option<&'static str>,
    },
    /// A value that does not parse.
    #[error("{name}={value} ignored: expected {expected}; {instead}")]
    BadValue {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// Values that are accepted.
        expected: String,
        /// The behaviour in its place, as a clause of the message.
        instead: String,
    },
    /// A path that a process with raised privileges does not take from its caller.
    #[error("{name} ignored because the process runs with raised privileges")]
    Untrusted {
        /// The variable.
        name: &'static str,
    },
}

/// Settings with their origins and what was wrong with the environment.
pub struct Loaded {
    /// The settings.
    pub tunables: Tunables,
    /// Each of them as text, in the order of the table.
    pub settings: Vec<Setting>,
    /// Variables that were not used.
    pub warnings: Vec<TunableWarning>,
}

/// Reads the settings from `environment`.
pub fn read(environment: &Environment) -> Loaded {
    let mut loaded = Loaded { tunables: Tunables::default(), settings: Vec::new(), warnings: unknown(environment) };
    for row in TABLE {
        let found = environment.variables.iter().find(|(name, _)| name == row.name);
        let value = found.and_then(|(_, value)| take(row, value, environment.privileged, &mut loaded));
        let origin = if value.is_some() { Origin::Environment } else { Origin::Default };
        loaded.settings.push(Setting { row, value: value.unwrap_or_else(|| row.default.to_owned()), origin });
    }
    loaded
}

fn unknown(environment: &Environment) -> Vec<TunableWarning> {
    let names = || TABLE.iter().map(|row| row.name);
    let known = |name: &str| names().chain(OF_TOOLS).any(|known| known == name);
    let strangers = environment.variables.iter().filter(|(name, _)| !known(name));
    strangers.map(|(name, _)| TunableWarning::Unknown { name: name.clone(), nearest: nearest(name, names()) }).collect()
}

/// The clause that says which behaviour replaces a value that does not parse.
fn instead(row: &Row) -> String {
    if row.default.is_empty() { "using the default".to_owned() } else { format!("using the default {}", row.default) }
}

/// Applies one variable; `None` if it was not used. An empty value counts as unset, because scripts
/// often cannot unset one.
fn take(row: &'static Row, value: &OsString, privileged: bool, loaded: &mut Loaded) -> Option<String> {
    if value.is_empty() {
        return None;
    }
    if privileged && row.trusted_only {
        loaded.warnings.push(TunableWarning::Untrusted { name: row.name });
        return None;
    }
    let text = value.to_string_lossy().into_owned();
    let parsed = match value.to_str() {
        Some(valid) => (row.parse)(&mut loaded.tunables, valid),
        None => Err("text in UTF-8".to_owned()),
    };
    if let Err(expected) = parsed {
        let warning = TunableWarning::BadValue { name: row.name, value: text, expected, instead: instead(row) };
        loaded.warnings.push(warning);
        return None;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        code::variant::LineTables,
        settings::tunables::{CacheMode, DebugLevel, ReportTarget},
        vendor::families::Choice,
    };
    use sinter_core::{Approximations, FloatMode, OptLevel};
    use sinter_driver_host::CpuLevel;
    use std::{path::PathBuf, time::Duration};

    fn environment(variables: &[(&str, &str)]) -> Environment {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(value))).collect();
        Environment { variables, ..Environment::default() }
    }

    #[test]
    fn defaults_in_the_table_are_the_defaults_in_force() {
        for row in TABLE.iter().filter(|row| !row.default.is_empty()) {
            let mut tunables = Tunables::default();
            (row.parse)(&mut tunables, row.default).expect(row.name);
            assert_eq!(tunables, Tunables::default(), "{}", row.name);
        }
        assert_eq!(read(&environment(&[])).tunables, Tunables::default());
    }

    #[test]
    fn values_are_parsed_with_their_origin() {
        let loaded = read(&environment(&[
            ("SINTER_CACHE", "ReadOnly"),
            ("SINTER_CACHE_SIZE", "3m"),
            ("SINTER_CACHE_AGE", "12h"),
            ("SINTER_CACHE_DIRS", "/opt/a::/opt/b"),
            ("SINTER_CACHE_WAIT", "0"),
            ("SINTER_PROGRESS", "OFF"),
            ("SINTER_DEBUG_LEVEL", "5"),
            ("SINTER_OPT_LEVEL", "O0"),
            ("SINTER_THREADS", "7"),
            ("SINTER_REPORT", "stderr"),
            ("SINTER_FLOAT", "Fast, flush-denormals,approximate-division"),
            ("SINTER_LIBDEVICE", "none"),
            ("SINTER_ROCM_DEVICE_LIB_PATH", "/opt/bitcode"),
            ("SINTER_LINE_TABLES", "on"),
            ("SINTER_PERF_MAP", "on"),
            ("SINTER_HOST_CPU", "x86-64-v3"),
            ("SINTER_JIT_LEVEL", "1"),
        ]));
        assert!(loaded.warnings.is_empty());
        assert_eq!(loaded.tunables.cache, CacheMode::ReadOnly);
        assert_eq!(loaded.tunables.cache_size, 3 << 20);
        assert_eq!(loaded.tunables.cache_age, Duration::from_secs(12 * 3600));
        assert_eq!(loaded.tunables.cache_dirs, ["/opt/a", "/opt/b"].map(PathBuf::from));
        assert_eq!((loaded.tunables.cache_wait, loaded.tunables.progress), (Duration::ZERO, false));
        assert_eq!(loaded.tunables.debug_level, DebugLevel::Trace);
        assert_eq!(loaded.tunables.opt_level, OptLevel::O0);
        assert_eq!(loaded.tunables.threads, Some(7));
        assert_eq!(loaded.tunables.report, Some(ReportTarget::Stderr));
        let allowed = Approximations { flush_denormals: true, division: true, square_root: false };
        assert_eq!((loaded.tunables.float_mode, loaded.tunables.approximations), (FloatMode::Fast, allowed));
        assert_eq!((loaded.tunables.line_tables, loaded.tunables.jit_level), (LineTables::All, Some(1)));
        assert!(loaded.tunables.perf_map);
        assert_eq!(loaded.tunables.host_level, Some(CpuLevel::V3));
        assert_eq!(loaded.tunables.libraries, [Choice::Substitute, Choice::Place("/opt/bitcode".into())]);
        let origins: Vec<_> = loaded.settings.iter().map(|s| (s.row.name, s.origin)).collect();
        assert_eq!(origins[0], ("SINTER_CACHE_DIR", Origin::Default));
        assert_eq!(origins[1], ("SINTER_CACHE_DIRS", Origin::Environment));
    }

    #[test]
    fn a_bad_value_and_an_unknown_name_are_reported_once() {
        let loaded = read(&environment(&[
            ("SINTER_CACHE_SIZE", "0"),
            ("SINTER_CACHE_AGE", "9"),
            ("SINTER_CACHE_WAIT", "-1"),
            ("SINTER_THREADS", "many"),
            ("SINTER_CACHE", "sometimes"),
            ("SINTER_FLOAT", "fast,no-contraction"),
            ("SINTER_JIT_LEVEL", "5"),
            ("SINTER_DEBUG_LEVEL", "9"),
            ("SINTER_VISIBILTY_MASK", "host"),
        ]));
        assert_eq!(loaded.tunables, Tunables::default());
        let texts: Vec<_> = loaded.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "unknown setting SINTER_VISIBILTY_MASK ignored; did you mean SINTER_VISIBILITY_MASK?",
                "SINTER_CACHE=sometimes ignored: expected on, off, readonly; using the default on",
                "SINTER_CACHE_SIZE=0 ignored: expected a number of bytes above 0, for example 512M or 1G; using the default 1G",
                "SINTER_CACHE_AGE=9 ignored: expected a number of days or hours above 0, for example 90d or 12h; using the default 90d",
                "SINTER_CACHE_WAIT=-1 ignored: expected a number of seconds from 0 to 3600; using the default 10",
                "SINTER_DEBUG_LEVEL=9 ignored: expected off, error, warn, info, debug, trace, or 0 to 5; using the default warn",
                "SINTER_THREADS=many ignored: expected a number from 1 to 4096; using the default",
                "SINTER_FLOAT=fast,no-contraction ignored: expected a list of fast or no-contraction, flush-denormals, approximate-division, approximate-square-root; using the default",
                "SINTER_JIT_LEVEL=5 ignored: expected a number from 0 to 4; using the default",
            ]
        );
    }

    #[test]
    fn relative_paths_are_taken_from_the_folder_that_is_current_now() {
        let loaded = read(&environment(&[("SINTER_CACHE_DIR", "cache"), ("SINTER_REPORT", "./2")]));
        let here = std::env::current_dir().expect("a current folder");
        assert_eq!(loaded.tunables.cache_dir, Some(here.join("cache")));
        assert_eq!(loaded.tunables.report, Some(ReportTarget::File(here.join("2"))));
    }

    #[test]
    fn empty_values_are_unset_ones() {
        let all: Vec<_> = TABLE.iter().map(|row| (row.name, "")).collect();
        let loaded = read(&environment(&all));
        assert_eq!((loaded.tunables, loaded.warnings), (Tunables::default(), Vec::new()));
        assert!(loaded.settings.iter().all(|setting| setting.origin == Origin::Default));
    }

    #[test]
    fn switches_and_levels_have_the_usual_spellings() {
        let report = |value| read(&environment(&[("SINTER_REPORT", value)])).tunables.report;
        for value in ["1", "on", "TRUE", "yes", "stderr"] {
            assert_eq!(report(value), Some(ReportTarget::Stderr), "{value}");
        }
        for value in ["0", "off", "false", "no"] {
            assert_eq!(report(value), None, "{value}");
        }
        assert_eq!(report("/tmp/1"), Some(ReportTarget::File("/tmp/1".into())));
        for value in ["2", "-1", "stdout", "None"] {
            let loaded = read(&environment(&[("SINTER_REPORT", value)]));
            let expected = format!(
                "SINTER_REPORT={value} ignored: expected on, off, stderr or a file (./{value} is one of that name); \
                 using the default off"
            );
            assert_eq!((loaded.tunables.report, loaded.warnings[0].to_string()), (None, expected));
        }
        let level = |value| read(&environment(&[("SINTER_OPT_LEVEL", value)])).tunables.opt_level;
        assert_eq!(["O0", "0", "o0"].map(level), [OptLevel::O0; 3]);
        for value in ["O0", "0", "O1", "2", "o2", "O3", "3"] {
            assert!(read(&environment(&[("SINTER_OPT_LEVEL", value)])).warnings.is_empty(), "{value}");
        }
        assert!(!read(&environment(&[("SINTER_PROGRESS", "0")])).tunables.progress);
    }

    #[test]
    fn a_mask_knows_its_variable_and_its_bad_words() {
        let masks = [
            ("SINTER_VISIBILITY_MASK", "a b", "gpu, cpu and names of drivers"),
            ("ONEAPI_DEVICE_SELECTOR", "metal:gpu", "terms such as level_zero:gpu"),
            ("ACPP_VISIBILITY_MASK", "host", "backends (omp, cuda, hip, ocl, ze, vk)"),
        ];
        for (name, value, valid) in masks {
            let loaded = read(&environment(&[(name, value)]));
            let mask = loaded.tunables.visibility.expect("a mask");
            let text = mask.bad_words[0].to_string();
            assert_eq!((mask.variable, loaded.warnings.len()), (name, 0));
            assert!(text.starts_with(&format!("`{value}` selects nothing: valid are {valid}")), "{text}");
        }
    }

    #[test]
    fn our_mask_comes_before_those_of_others() {
        let all = [
            ("SINTER_VISIBILITY_MASK", "host"),
            ("ONEAPI_DEVICE_SELECTOR", "cuda:*"),
            ("ACPP_VISIBILITY_MASK", "nonsense"),
        ];
        let taken = |variables: &[(&str, &str)]| {
            let loaded = read(&environment(variables));
            (loaded.tunables.visibility.map(|mask| mask.variable), loaded.warnings.len())
        };
        assert_eq!(taken(&all), (Some("SINTER_VISIBILITY_MASK"), 0));
        assert_eq!(taken(&all[1..]), (Some("ONEAPI_DEVICE_SELECTOR"), 0));
        assert_eq!(
            taken(&[("SINTER_VISIBILITY_MASK", ""), ("ACPP_VISIBILITY_MASK", "omp")]),
            (Some("ACPP_VISIBILITY_MASK"), 0)
        );
        assert_eq!(taken(&[]), (None, 0));
    }

    #[test]
    fn raised_privileges_take_no_path_from_the_caller() {
        let mut untrusted = environment(&[("SINTER_TRANSLATOR", "/tmp/evil.so"), ("SINTER_CACHE_DIRS", "/tmp")]);
        untrusted.privileged = true;
        let loaded = read(&untrusted);
        assert_eq!(loaded.tunables, Tunables::default());
        assert_eq!(loaded.warnings.len(), 2);
    }
}
