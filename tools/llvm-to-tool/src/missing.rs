//! Finds the kernels that call undefined functions.
//!
//! In: the containers of a program, and those of the libraries it is linked with. Out: one line for
//! each symbol that a translation reports as unresolved. Images list their imports, so IR is read
//! only for images that reach such a symbol. Only kernels that reach one are translated, up to the
//! step that reports it.
//! *Invariant:* each line stands for an error that a launch of the kernel would return.

use crate::{
    cli::Cli,
    family::Family,
    kernels::{Source, own_and_imports},
    required,
};
use sinter_core::{
    KernelConfig, Observer, Target, TranslateCause, TranslateRequest, UnresolvedSymbol,
    container::{Container, ContainerImage, ContainerKernel},
    imports::Exports,
    names::readable,
};
use sinter_llvm::{Module, Session, ir::Value};
use sinter_tool_common::{Input, ToolError};
use sinter_translate::{Step, inspect};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Largest number of kernels to translate.
const MOST: usize = 20;

/// Lines for a program that is linked with `others`.
pub(crate) fn list<F: Family>(cli: &Cli<F>, program: &Input, others: &[Input]) -> Result<String, ToolError> {
    let (program, others) = (Source::read(program)?, others.iter().map(Source::read).collect::<Result<Vec<_>, _>>()?);
    let own = program.containers()?;
    let mut all: Vec<&Container<'_>> = own.iter().collect();
    for other in &others {
        all.extend(other.containers()?);
    }
    let exports = Exports::of(all.iter().flat_map(|container| container.images()));
    let suspects = suspects(&all, own.len(), &exports)?;
    let target = cli.family.target()?;
    let mut found: BTreeMap<String, Missing> = BTreeMap::new();
    for (container, kernel) in suspects.iter().take(MOST) {
        for symbol in missing(cli, container, kernel, &exports, &target)? {
            let line = || Missing { line: line(kernel.symbol, &symbol), kernels: 0 };
            found.entry(symbol.name.clone()).or_insert_with(line).kernels += 1;
        }
    }
    let rest = suspects.len().saturating_sub(MOST);
    let more = format!("{rest} more kernels may call what is not defined for devices\n");
    Ok(found.values().map(Missing::text).chain((rest > 0).then_some(more)).collect())
}

/// A symbol that kernels reach and no image defines.
struct Missing {
    /// The line about the first of the kernels.
    line: String,
    kernels: usize,
}

impl Missing {
    fn text(&self) -> String {
        match self.kernels {
            1 => format!("{}\n", self.line),
            2 => format!("{} (1 more kernel calls it)\n", self.line),
            kernels => format!("{} ({} more kernels call it)\n", self.line, kernels - 1),
        }
    }
}

/// Kernels of the first `own` containers that reach a symbol without an export.
fn suspects<'c, 'b>(
    all: &[&'c Container<'b>],
    own: usize,
    exports: &Exports<'_>,
) -> Result<Vec<(&'c Container<'b>, &'c ContainerKernel<'b>)>, ToolError> {
    let reaching = reaching(all, exports)?;
    let is_suspect = |i: usize, kernel: &ContainerKernel<'_>| reaching.contains(&(i, kernel.symbol.to_owned()));
    let of = |(i, container): (usize, &&'c Container<'b>)| {
        let kernels = container.kernels().iter().filter(|kernel| is_suspect(i, kernel));
        kernels.map(|kernel| (*container, kernel)).collect::<Vec<_>>()
    };
    Ok(all[..own].iter().enumerate().flat_map(of).collect())
}

/// Functions that reach a symbol without an export, with the indices of their containers.
fn reaching(all: &[&Container<'_>], exports: &Exports<'_>) -> Result<BTreeSet<(usize, String)>, ToolError> {
    let numbered = all.iter().enumerate();
    let images: Vec<(usize, &ContainerImage<'_>)> =
        numbered.flat_map(|(i, container)| container.images().iter().map(move |image| (i, image))).collect();
    let imported = images.iter().flat_map(|(_, image)| image.imported_symbols.iter().copied());
    let mut faulty: BTreeSet<String> =
        imported.filter(|symbol| exports.reachable(&[symbol]).is_empty()).map(str::to_owned).collect();
    let (mut reaching, mut known) = (BTreeSet::new(), 0);
    // An exported function that reaches a faulty symbol is itself faulty for the images that import
    // it.
    while faulty.len() > known {
        known = faulty.len();
        for &(i, image) in &images {
            if !image.imported_symbols.iter().any(|symbol| faulty.contains(*symbol)) {
                continue;
            }
            let users = users(image, &faulty)?;
            faulty.extend(users.iter().filter(|user| image.exported_symbols.contains(&user.as_str())).cloned());
            reaching.extend(users.into_iter().map(|user| (i, user)));
        }
    }
    Ok(reaching)
}

/// Functions of an image that reference one of the symbols, directly or transitively.
fn users(image: &ContainerImage<'_>, symbols: &BTreeSet<String>) -> Result<BTreeSet<String>, ToolError> {
    let damaged = |error: &dyn std::fmt::Display| ToolError::rejected(format!("image `{}`: {error}", image.name));
    if !image.is_intact() {
        return Err(damaged(&"its bytes have another digest than when it was compiled"));
    }
    let session = Session::new().map_err(|error| damaged(&error))?;
    let module = session.parse(image.bytes).map_err(|error| damaged(&error))?;
    Ok(callers(&module, symbols))
}

fn callers(module: &Module<'_>, symbols: &BTreeSet<String>) -> BTreeSet<String> {
    let named = |symbol: &String| module.function(symbol).or_else(|| module.global(symbol));
    let mut queue: Vec<Value<'_>> = symbols.iter().filter_map(named).collect();
    let mut seen = HashSet::new();
    while let Some(value) = queue.pop() {
        let users = value.users().into_iter();
        let users = users.map(|user| if user.is_instruction() { user.function() } else { user });
        queue.extend(users.filter(|user| seen.insert(*user)));
    }
    seen.into_iter().map(Value::name).filter(|name| !name.is_empty()).collect()
}

/// Translates the kernel and returns the lines for its unresolved symbols.
fn missing<F: Family>(
    cli: &Cli<F>,
    container: &Container<'_>,
    kernel: &ContainerKernel<'_>,
    exports: &Exports<'_>,
    target: &Target,
) -> Result<Vec<UnresolvedSymbol>, ToolError> {
    let Some((image, imports)) = own_and_imports(container, kernel, exports) else { return Ok(Vec::new()) };
    let mut config = KernelConfig::generic(kernel.symbol);
    let sizes = kernel.required().map_err(ToolError::rejected)?;
    if required::apply(sizes, target, &mut config).is_err() {
        return Ok(Vec::new());
    }
    let request =
        TranslateRequest { image, imports, libraries: cli.family.libraries()?, target: target.clone(), config };
    match inspect(&request, &Observer::default(), Some(Step::Check)).map_err(|error| error.cause) {
        Err(TranslateCause::Unresolved { symbols }) => Ok(symbols),
        _ => Ok(Vec::new()),
    }
}

fn line(kernel: &str, symbol: &UnresolvedSymbol) -> String {
    let at = symbol.location.as_ref().map(|location| format!(" at {location}")).unwrap_or_default();
    let calls: String = symbol.chain.iter().map(|function| format!("{function} -> ")).collect();
    let (kernel, name, hint) = (readable(kernel), readable(&symbol.name), &symbol.hint);
    format!("kernel `{kernel}` calls {calls}`{name}`{at}, which is not defined for devices: {hint}")
}
