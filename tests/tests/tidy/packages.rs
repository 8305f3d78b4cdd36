//! Reads cargo's metadata of the workspace's packages.

use super::source;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

/// Output of `cargo metadata` for the platform of the build.
pub(crate) fn metadata() -> Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--offline", "--locked", "--filter-platform"]);
    let output = command.arg("x86_64-unknown-linux-gnu").current_dir(source::root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The packages in use, by id.
pub(crate) fn packages(metadata: &Value) -> BTreeMap<&str, &Value> {
    let used: BTreeSet<&str> = nodes(metadata).map(|node| text(&node["id"])).collect();
    let packages = metadata["packages"].as_array().unwrap().iter().map(|package| (text(&package["id"]), package));
    packages.filter(|(id, _)| used.contains(id)).collect()
}

/// A JSON string.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn nodes(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["resolve"]["nodes"].as_array().unwrap().iter()
}

/// Names of all dependencies of a package, without those of tests.
pub(crate) fn dependencies(metadata: &Value, name: &str) -> BTreeSet<String> {
    let packages = packages(metadata);
    let by_id: BTreeMap<&str, &Value> = nodes(metadata).map(|node| (text(&node["id"]), node)).collect();
    let start = packages.iter().find(|(_, package)| package["name"] == name).map(|(id, _)| *id).unwrap();
    let (mut seen, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(id) = open.pop() {
        let next = by_id[id]["deps"].as_array().unwrap().iter().filter(|dependency| is_built(dependency));
        open.extend(next.map(|dependency| text(&dependency["pkg"])).filter(|id| seen.insert(id)));
    }
    seen.into_iter().map(|id| text(&packages[id]["name"]).to_owned()).collect()
}

fn is_built(dependency: &Value) -> bool {
    dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev")
}

/// True if the licences that `allowed` accepts satisfy an SPDX expression.
pub(crate) fn satisfiable(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    // Before SPDX, crates separated alternatives by a slash.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "_WITH_");
    let mut tokens = spaced.split_whitespace().peekable();
    let result = alternatives(&mut tokens, allowed);
    result && tokens.next().is_none()
}

type Tokens<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn alternatives(tokens: &mut Tokens<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut result = conjunction(tokens, allowed);
    while tokens.next_if_eq(&"OR").is_some() {
        result |= conjunction(tokens, allowed);
    }
    result
}

fn conjunction(tokens: &mut Tokens<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut result = licence(tokens, allowed);
    while tokens.next_if_eq(&"AND").is_some() {
        result &= licence(tokens, allowed);
    }
    result
}

fn licence(tokens: &mut Tokens<'_>, allowed: &dyn Fn(&str) -> bool) -> bool {
    if tokens.next_if_eq(&"(").is_none() {
        return tokens.next().is_some_and(allowed);
    }
    let result = alternatives(tokens, allowed);
    tokens.next_if_eq(&")").is_some() && result
}
