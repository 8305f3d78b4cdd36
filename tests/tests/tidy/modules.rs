//! The dependencies between the files of a crate.
//!
//! In: the Rust files below a crate's root. Out: for each file, the files whose items it names,
//! through imports or by path.
//! *Invariant:* a re-export counts for the file that defines the item; `mod` declarations and tests
//! do not count. The result is what a reader of the file has to read, too.

use super::source::{self, File};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Names of a module or an item, starting at the crate's root.
type Path = Vec<String>;

/// Dependencies of each file.
pub(crate) type Graph = BTreeMap<String, BTreeSet<String>>;

/// An import from the same crate.
struct Import {
    path: Path,
    name: String,
    is_public: bool,
}

struct Module {
    file: String,
    code: String,
    imports: Vec<Import>,
}

struct Crate<'f> {
    files: &'f BTreeMap<&'f str, &'f File>,
    modules: BTreeMap<Path, Module>,
}

/// Result of resolving a path.
enum Target {
    Module(Path),
    /// An item in the module.
    Item(Path),
}

/// All files of a crate with their dependencies.
pub(crate) fn graph(files: &BTreeMap<&str, &File>, root: &str) -> Graph {
    let mut found = Crate { files, modules: BTreeMap::new() };
    found.add(Path::new(), root, root.rsplit_once('/').map_or("", |(folder, _)| folder));
    let paths: Vec<Path> = found.modules.keys().cloned().collect();
    for path in &paths {
        let imports = found.imports(path);
        found.modules.get_mut(path).unwrap().imports = imports;
    }
    let file = |path: &Path| found.modules[path].file.clone();
    paths.iter().map(|path| (file(path), found.uses(path).iter().map(file).collect())).collect()
}

/// A shortest path from a file back to itself.
pub(crate) fn cycle(graph: &Graph, start: &str) -> Option<Vec<String>> {
    let (mut before, mut open) = (BTreeMap::<&str, &str>::new(), VecDeque::from([start]));
    while let Some(file) = open.pop_front() {
        for next in graph.get(file).into_iter().flatten().map(String::as_str) {
            if next == start {
                let mut way = vec![file];
                while let Some(earlier) = before.get(way[way.len() - 1]).copied() {
                    way.push(earlier);
                }
                return Some(way.into_iter().rev().chain([start]).map(str::to_owned).collect());
            }
            if !before.contains_key(next) {
                before.insert(next, file);
                open.push_back(next);
            }
        }
    }
    None
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(source::is_word_char)
}

/// Positions of the first opening brace after `start`, and of its closing brace.
fn braces(code: &str, start: usize) -> (usize, usize) {
    let mut depth = 0usize;
    let open = start + code[start..].find('{').unwrap_or(0);
    for (at, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return (open, open + at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    (open, code.len())
}

/// Positions of `mod` with the following name, and true if the module has its own file.
fn declarations(code: &str) -> Vec<(usize, String, bool)> {
    let declared = |at: usize| {
        let rest = code[at + 3..].trim_start();
        let name: String = rest.chars().take_while(|c| source::is_word_char(*c)).collect();
        let end = rest[name.len()..].trim_start().chars().next();
        (is_word(&name) && matches!(end, Some(';' | '{'))).then(|| (at, name, end == Some(';')))
    };
    source::words(code, "mod").filter_map(declared).collect()
}

/// Blanks modules that are compiled for tests only.
fn without_tests(code: &str) -> String {
    let mut code = code.to_owned();
    while let Some((start, end)) = test_module(&code) {
        let blank: String = code[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        code.replace_range(start..end, &blank);
    }
    code
}

fn test_module(code: &str) -> Option<(usize, usize)> {
    let is_test = |at: usize| {
        let before = code[..at].trim_end().trim_end_matches("pub(crate)").trim_end();
        let start = before.rfind("#[").filter(|_| before.ends_with(']'))?;
        let is_test = before[start..].contains("cfg(") && source::words(&before[start..], "test").next().is_some();
        is_test.then_some(start)
    };
    declarations(code).into_iter().find_map(|(at, _, own_file)| {
        let start = is_test(at)?;
        let end = if own_file { at + code[at..].find(';')? + 1 } else { braces(code, at).1 + 1 };
        Some((start, end.min(code.len())))
    })
}

/// Paths of a `use` tree, with the names that they are bound to.
fn branches(prefix: &[String], tree: &str, found: &mut Vec<(Path, String)>) {
    let tree = tree.trim();
    if let Some((before, inner)) = tree.split_once('{') {
        let words = before.split("::").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned);
        let prefix: Path = prefix.iter().cloned().chain(words).collect();
        let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
        return parts(inner).into_iter().for_each(|part| branches(&prefix, part, found));
    }
    let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name.trim())));
    let words = path.split("::").map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned);
    let mut path: Path = prefix.iter().cloned().chain(words).collect();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last() {
        let name = name.unwrap_or(last).to_owned();
        found.push((path, name));
    }
}

/// Splits at commas outside of braces.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

/// Ranges of the `use` declarations, with the ranges of their trees, and true for re-exports.
fn use_declarations(code: &str) -> Vec<(usize, &str, bool)> {
    let declared = |at: usize| {
        let end = at + code[at..].find(';')?;
        let before = code[..at].trim_end();
        let restricted = || before.rfind("pub(").is_some_and(|start| !before[start..before.len() - 1].contains(')'));
        let is_public = before.ends_with("pub") || before.ends_with(')') && restricted();
        Some((at, &code[at + 3..end], is_public))
    };
    source::words(code, "use").filter_map(declared).collect()
}

/// The code without its `use` declarations.
fn body(code: &str) -> String {
    let mut body = code.to_owned();
    for (at, tree, _) in use_declarations(code) {
        let end = at + 3 + tree.len();
        body.replace_range(at..end, &" ".repeat(end - at));
    }
    body
}

/// Paths of at least two segments in code, with their positions.
fn paths(code: &str) -> Vec<(usize, Path)> {
    let mut found: Vec<(usize, Path)> = Vec::new();
    let mut from = 0;
    while let Some(at) = code[from..].find("::").map(|at| from + at) {
        let start = code[..at].rfind(|c| !source::is_word_char(c)).map_or(0, |before| before + 1);
        let is_part = |c: char| source::is_word_char(c) || c == ':';
        let end = code[at..].find(|c| !is_part(c)).map_or(code.len(), |length| at + length);
        let path: Path = code[start..end].split("::").map(str::to_owned).collect();
        if !path[0].is_empty() && !code[..start].ends_with('$') {
            found.push((start, path.into_iter().take_while(|word| is_word(word)).collect()));
        }
        from = end.max(at + 2);
    }
    found.retain(|(_, path)| path.len() > 1);
    found
}

/// True if code uses a name that it also re-exports. Only calls count for a function, since its
/// name may also be that of a field.
fn is_used(code: &str, name: &str) -> bool {
    let is_type = name.starts_with(char::is_uppercase);
    source::words(code, name).any(|at| is_type || code[at + name.len()..].starts_with('('))
}

impl Crate<'_> {
    fn add(&mut self, path: Path, file: &str, folder: &str) {
        let code = without_tests(&self.files[file].code);
        for (_, name, own_file) in declarations(&code) {
            let places = [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")];
            if let Some(place) = places.iter().find(|place| own_file && self.files.contains_key(place.as_str())) {
                let inner: Path = path.iter().cloned().chain([name.clone()]).collect();
                self.add(inner, place, &format!("{folder}/{name}"));
            }
        }
        self.modules.insert(path, Module { file: file.to_owned(), code, imports: Vec::new() });
    }

    /// Resolves a path that starts with `crate`, `self` or `super`, from the crate's root.
    fn absolute(&self, module: &Path, path: &[String], at: usize) -> Option<Path> {
        let code = &self.modules[module].code;
        let inside = |&(start, ref _name, own_file): &(usize, String, bool)| {
            let (open, close) = braces(code, start);
            !own_file && (open..close).contains(&at)
        };
        let mut inline = declarations(code).iter().filter(|declared| inside(declared)).count();
        let (mut base, mut rest) = (module.clone(), path);
        match rest.first()?.as_str() {
            "crate" => return Some(rest[1..].to_vec()),
            "self" => rest = &rest[1..],
            "super" => {}
            _ => return None,
        }
        while rest.first().is_some_and(|word| word == "super") {
            rest = &rest[1..];
            if inline > 0 { inline -= 1 } else { drop(base.pop()) }
        }
        Some(base.into_iter().chain(rest.iter().cloned()).collect())
    }

    fn child(&self, module: &Path, name: &str) -> Option<Path> {
        let path: Path = module.iter().cloned().chain([name.to_owned()]).collect();
        self.modules.contains_key(&path).then_some(path)
    }

    fn imports(&self, module: &Path) -> Vec<Import> {
        let (mut imports, mut local) = (Vec::new(), Vec::new());
        for (at, tree, is_public) in use_declarations(&self.modules[module].code) {
            let mut found = Vec::new();
            branches(&[], tree, &mut found);
            for (path, name) in found {
                let child = |path: &Path| {
                    let child = self.child(module, &path[0])?;
                    Some(child.into_iter().chain(path[1..].iter().cloned()).collect())
                };
                match self.absolute(module, &path, at).or_else(|| child(&path)) {
                    Some(path) => imports.push(Import { path, name, is_public }),
                    None => local.push((path, name, is_public)),
                }
            }
        }
        for (path, name, is_public) in local {
            let through =
                imports.iter().find(|import| import.name == path[0] && self.modules.contains_key(&import.path));
            let whole = through.map(|import| import.path.iter().chain(&path[1..]).cloned().collect());
            imports.extend(whole.map(|path| Import { path, name, is_public }));
        }
        imports
    }

    fn defines(&self, module: &Path, name: &str) -> bool {
        const KINDS: [&str; 10] =
            ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod", "macro_rules!"];
        let code = &self.modules[module].code;
        source::words(code, name).any(|at| {
            let before = code[..at].trim_end();
            KINDS.iter().any(|kind| before.ends_with(kind))
        })
    }

    fn resolve(&self, path: &[String], seen: &mut BTreeSet<Path>) -> Target {
        let mut known = 0;
        while known < path.len() && self.modules.contains_key(&path[..=known]) {
            known += 1;
        }
        let (module, rest) = (path[..known].to_vec(), &path[known..]);
        let Some(name) = rest.first() else { return Target::Module(module) };
        if name == "*" || self.defines(&module, name) || !seen.insert(path.to_vec()) {
            return Target::Item(module);
        }
        let imports = &self.modules[&module].imports;
        if let Some(import) = imports.iter().find(|import| import.name == *name) {
            let whole: Path = import.path.iter().chain(&rest[1..]).cloned().collect();
            return self.resolve(&whole, seen);
        }
        let all =
            imports.iter().filter(|import| import.name == "*").map(|import| &import.path[..import.path.len() - 1]);
        let from = all.map(<[String]>::to_vec).find(|from| self.modules.contains_key(from) && self.defines(from, name));
        Target::Item(from.unwrap_or(module))
    }

    /// Modules whose items a module names.
    fn uses(&self, module: &Path) -> BTreeSet<Path> {
        let body = body(&self.modules[module].code);
        let (mut used, mut names) = (BTreeSet::new(), BTreeMap::new());
        for Import { path, name, is_public } in &self.modules[module].imports {
            match self.resolve(path, &mut BTreeSet::new()) {
                Target::Module(path) => drop(names.insert(name.clone(), path)),
                Target::Item(_) if *is_public && !is_used(&body, name) => {}
                Target::Item(path) => drop(used.insert(path)),
            }
        }
        for (at, path) in paths(&body) {
            let named = names.get(&path[0]).cloned().or_else(|| self.child(module, &path[0]));
            let through = || Some(named?.into_iter().chain(path[1..].iter().cloned()).collect());
            let Some(whole): Option<Path> = self.absolute(module, &path, at).or_else(through) else { continue };
            if let Target::Item(path) = self.resolve(&whole, &mut BTreeSet::new()) {
                used.insert(path);
            }
        }
        used.remove(module);
        used
    }
}
