//! The commands as scripts use them: output, files and exit status.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use serde_json::Value;
use sinter::cache::{CacheLocation, DiskCache, DiskCacheOptions};
use sinter::settings::Tunables;
use sinter_core::{
    CodeFormat, CodeObject, EntryInfo, Fingerprint, HostTarget, Image, KernelConfig, Target, TranslateRequest,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Arc,
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

const FINGERPRINT: Fingerprint = Fingerprint { abi: 1, llvm: [19, 1, 7], build: [3; 32] };

fn request(kernel: &str) -> TranslateRequest {
    let host = HostTarget { triple: "t".into(), cpu: "znver4".into(), features: "+a,+b,-c".into(), line_tables: false };
    TranslateRequest {
        image: Image { hash: Some([1; 32]), bytes: Arc::from(&b"BC"[..]) },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(host),
        config: KernelConfig::generic(kernel),
    }
}

fn code(kernel: &str) -> CodeObject {
    let entry = EntryInfo {
        symbol: kernel.to_owned(),
        arguments: vec![],
        argument_size: 0,
        argument_align: 1,
        local_memory: 0,
        item_memory: 0,
        takes_local_memory: false,
        depends_on_allocations: false,
        followed: Default::default(),
        may_wait: false,
        candidates: Vec::new(),
        device_globals: Vec::new(),
        constants: Vec::new(),
        remarks: Vec::new(),
    };
    CodeObject {
        format: CodeFormat::HostElf,
        bytes: [0; 300].into(),
        entry,
        assembly: None,
        level: sinter_core::OptLevel::O3,
    }
}

struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        Cache(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("cache")
    }

    /// Stores code for a request and returns its key.
    fn put(&self, request: &TranslateRequest) -> String {
        let options = DiskCacheOptions::new(CacheLocation::explicit(self.folder()), &Tunables::default());
        let fields = request.key_fields(&FINGERPRINT);
        assert!(DiskCache::open(&options, Arc::default()).put(&fields, &code(&request.config.entry)));
        fields.key().to_string()
    }

    fn entry(&self, key: &str) -> PathBuf {
        self.folder().join(&key[..2]).join(key).with_extension("sco")
    }

    fn age(&self, key: &str, days: u64) {
        let time = SystemTime::now() - Duration::from_secs(days * 24 * 3600);
        fs::File::open(self.entry(key)).unwrap().set_modified(time).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinter-cache"));
        command.args(args).current_dir(self.0.path()).env("SINTER_CACHE_DIR", self.folder()).output().unwrap()
    }

    fn text(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.text(&[args, &["--json"]].concat())).unwrap()
    }
}

fn refused(output: &Output, code: i32, text: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(text), "`{text}` is not in: {message}");
}

#[test]
fn a_cache_that_does_not_exist_is_empty_and_is_not_made() {
    let cache = Cache::new();
    assert!(cache.text(&["ls"]).ends_with("0 entries, 0 bytes\n"));
    assert_eq!(cache.text(&["verify"]), "0 entries, none damaged\n");
    assert!(cache.text(&["stat"]).contains("entries      0 files, 0 bytes\n"));
    assert_eq!(cache.text(&["gc"]), "removed 0 files, 0 bytes; kept 0 files, 0 bytes\n");
    assert!(!cache.folder().exists());
    refused(&cache.run(&["--cache-dir", "missing", "ls"]), 1, "missing is not a folder");
    // A path below a file cannot be accessed, like one below another user's folder.
    fs::write(cache.0.path().join("file"), "").unwrap();
    refused(&cache.run(&["--cache-dir", "file/below", "ls"]), 1, "file/below: Not a directory");
    refused(&cache.run(&["explain", "abcd", "ef01"]), 1, "no such key");
    refused(&cache.run(&[]), 2, "Usage");
}

#[test]
fn ls_names_kernels_as_people_do_and_as_programs_do() {
    let cache = Cache::new();
    let key = cache.put(&request("_Z5triadPfi"));
    let text = cache.text(&["ls"]);
    assert!(
        text.contains(&key[..16]) && text.contains("host:znver4") && text.contains("  triad(float*, int)\n"),
        "{text}"
    );
    let entry = &cache.json(&["ls"])["entries"][0];
    assert_eq!((&entry["key"], &entry["kernel"]), (&Value::from(key), &Value::from("_Z5triadPfi")));
    assert_eq!(entry["name"], "triad(float*, int)");
}

#[test]
fn verify_finds_damage() {
    let cache = Cache::new();
    let (good, bad) = (cache.put(&request("good")), cache.put(&request("bad")));
    assert_eq!(cache.text(&["verify"]), "2 entries, none damaged\n");
    fs::write(cache.entry(&bad), "noise").unwrap();
    let output = cache.run(&["verify"]);
    refused(&output, 1, "1 of 2 entries are damaged; programs set damaged entries aside");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&bad) && !text.contains(&good), "{text}");
    assert!(cache.text(&["ls"]).contains("damaged: "));
}

#[test]
fn a_folder_with_other_files_is_no_cache() {
    let cache = Cache::new();
    let letters = cache.0.path().join("letters");
    fs::create_dir_all(letters.join("ab")).unwrap();
    fs::write(letters.join("dear.txt"), "x").unwrap();
    fs::write(letters.join("ab/dear.txt"), "x").unwrap();
    for command in ["ls", "verify", "stat", "gc"] {
        refused(&cache.run(&["--cache-dir", letters.to_str().unwrap(), command]), 1, "letters is not a cache: ");
    }
    assert_eq!((fs::read_dir(&letters).unwrap().count(), fs::read_dir(letters.join("ab")).unwrap().count()), (2, 1));
    // An emptied cache folder still is a cache.
    fs::create_dir_all(cache.folder().join("0f")).unwrap();
    cache.text(&["--cache-dir", cache.folder().to_str().unwrap(), "stat"]);
}

#[test]
fn stat_counts_each_kind_of_file() {
    let cache = Cache::new();
    let (_, old) = (cache.put(&request("new")), cache.put(&request("old")));
    cache.age(&old, 10);
    fs::create_dir(cache.folder().join("failed")).unwrap();
    fs::write(cache.folder().join("failed/x.sinterq"), [0; 7]).unwrap();
    fs::write(cache.entry(&old).with_extension("bad"), [0; 9]).unwrap();
    let json = cache.json(&["stat"]);
    assert_eq!(json["entries"]["files"], 2);
    assert_eq!((&json["failed"]["bytes"], &json["quarantined"]["bytes"]), (&Value::from(7), &Value::from(9)));
    let classes: Vec<_> = json["last-used"].as_array().unwrap().iter().map(|c| c["sums"]["files"].clone()).collect();
    assert_eq!(classes, [1, 0, 0, 1, 0, 0]);
    let text = cache.text(&["stat"]);
    assert!(text.contains("failed       1 file, 7 bytes\n") && text.contains("  30 days    1 file, "), "{text}");
}

#[test]
fn gc_removes_what_is_old_or_too_much() {
    let cache = Cache::new();
    let keys: Vec<_> = ["a", "b", "c"].map(|kernel| cache.put(&request(kernel))).into();
    keys.iter().zip([40, 3, 1]).for_each(|(key, days)| cache.age(key, days));
    let dry = cache.text(&["gc", "--max-age", "30d", "--dry-run"]);
    assert!(dry.contains(&format!("would remove {}", cache.entry(&keys[0]).display())), "{dry}");
    assert!(cache.entry(&keys[0]).exists());
    assert!(cache.text(&["gc", "--max-age", "30d"]).contains("removed 1 file, "));
    assert_eq!(keys.iter().map(|key| cache.entry(key).exists()).collect::<Vec<_>>(), [false, true, true]);
    let json = cache.json(&["gc", "--max-size", "1K"]);
    assert_eq!((&json["kept"]["files"], &json["dry-run"]), (&Value::from(1), &Value::from(false)));
    assert!(cache.entry(&keys[2]).exists() && !cache.entry(&keys[1]).exists());
    refused(&cache.run(&["gc", "--max-size", "many"]), 2, "for example 512M or 1G");
    refused(&cache.run(&["gc", "--max-age", "0d"]), 2, "for example 90d or 12h");
}

#[test]
fn gc_touches_nothing_that_is_not_the_caches() {
    let cache = Cache::new();
    let letters = cache.folder().join("letters");
    fs::create_dir_all(&letters).unwrap();
    fs::write(letters.join("dear.bad"), "x").unwrap();
    cache.text(&["gc", "--max-size", "1"]);
    assert!(letters.join("dear.bad").exists());
}

#[test]
fn explain_names_the_fields_that_differ() {
    let cache = Cache::new();
    let mut other = request("k");
    let Target::Host(host) = &mut other.target else { unreachable!() };
    host.features = "+a,+d,-c".into();
    other.config.specialization.constants.push("n=i32:4".parse().unwrap());
    let (a, b) = (cache.put(&request("k")), cache.put(&other));
    let text = cache.text(&["explain", &a[..16], &b]);
    assert!(text.contains("features\n  A  +b\n  B  +d\nconstant\n  A  -\n  B  n=i32:"), "{text}");
    let json = cache.json(&["explain", &a, cache.entry(&b).to_str().unwrap()]);
    assert_eq!(json["differences"][0]["a"], "+a,+b,-c");
    assert_eq!(json["differences"][1]["a"], Value::Null);
    assert!(cache.text(&["explain", &a, &a]).ends_with("the keys are equal\n"));
}

#[test]
fn explain_takes_requests() {
    let cache = Cache::new();
    let key = cache.put(&request("k"));
    let mut other = request("k");
    other.config.dimensions = 1;
    other.config.group_size = Some([64, 1, 1]);
    let (one, two) = (cache.0.path().join("one.sinterq"), cache.0.path().join("two.sinterq"));
    fs::write(&one, request("k").to_bytes()).unwrap();
    fs::write(&two, other.to_bytes()).unwrap();
    let [one, two] = [one, two].map(|path| path.to_str().unwrap().to_owned());
    assert!(
        cache
            .text(&["explain", &one, &two])
            .ends_with("dimensions\n  A  3\n  B  1\ngroup-size\n  A  not known\n  B  64,1,1\n")
    );
    let json = cache.json(&["explain", &key, &two]);
    let fields: Vec<_> = json["differences"].as_array().unwrap().iter().map(|d| d["field"].clone()).collect();
    assert!(fields.contains(&Value::from("dimensions")) && !fields.contains(&Value::from("image")), "{json}");
}

#[test]
fn explain_refuses_what_it_cannot_read() {
    let cache = Cache::new();
    let key = cache.put(&request("k"));
    fs::write(cache.0.path().join("noise"), "noise").unwrap();
    refused(&cache.run(&["explain", "noise", &key]), 1, "noise: the file does not start as a cache entry");
    refused(&cache.run(&["explain", "no-such-file", &key]), 1, "neither a file nor the first 4 to 64 digits");
    let twin = cache.folder().join("failed");
    fs::create_dir(&twin).unwrap();
    fs::write(twin.join(Path::new(&key).with_extension("sinterq")), "").unwrap();
    refused(&cache.run(&["explain", &key[..8], &key]), 1, "several keys start like this");
}

#[test]
fn a_folder_that_programs_refuse_is_named() {
    let cache = Cache::new();
    cache.put(&request("k"));
    fs::set_permissions(cache.folder(), fs::Permissions::from_mode(0o777)).unwrap();
    let refused = String::from_utf8(cache.run(&["ls"]).stderr).unwrap();
    assert!(refused.contains("programs do not use it: ") && refused.contains("chmod go-w"), "{refused}");
    // If the user's folder is unusable, programs use the one in the temporary folder.
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinter-cache"));
    let (home, temp) = (cache.0.path().join("home"), cache.0.path().join("temp"));
    fs::create_dir_all(home.join("sinter")).unwrap();
    fs::set_permissions(home.join("sinter"), fs::Permissions::from_mode(0o777)).unwrap();
    fs::create_dir(&temp).unwrap();
    let command = command.args(["ls", "--json"]).env_remove("SINTER_CACHE_DIR");
    let output = command.env("XDG_CACHE_HOME", &home).env("TMPDIR", &temp).output().unwrap();
    let folder: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(folder["folder"].as_str().unwrap().starts_with(temp.to_str().unwrap()), "{folder}");
}

/// Without handling, a write beyond the limit would end the tool with a signal.
#[test]
fn a_file_size_limit_is_an_error() {
    let cache = Cache::new();
    cache.put(&request("kernel"));
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 0; exec \"$0\" gc", env!("CARGO_BIN_EXE_sinter-cache")]);
    let output = shell.current_dir(cache.0.path()).env("SINTER_CACHE_DIR", cache.folder()).output().unwrap();
    refused(&output, 1, "File too large");
}
