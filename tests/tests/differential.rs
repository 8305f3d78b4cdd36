//! Runs kernels with barriers, translated in this process, and compares them with an interpreter.
//!
//! Kernels are translated without and with optimisation, with and without a constant group size;
//! the memory that each leaves must equal that of `differential/interpret.rs`, bit by bit.
//! `PROPTEST_CASES=10000` runs more random kernels. The IR of a kernel that crashes the process
//! stays in cargo's folder for temporary files; `PROPTEST_FORK=true` shrinks it.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};
use sinter_core::{CodeObject, Image, OptLevel, Rows, Target};
use sinter_tests::devices;
use sinter_tests::differential::{
    execute::{self, Variant},
    generate::{self, Case},
    generate_sub_groups,
    interpret::{Memory, interpret},
    language::{
        ARGUMENTS, Expr, GLOBAL_ARRAY, GroupOperation, Kernel, Loop, Op, Shape, Statement, Storage, Type, VARIABLES,
    },
    llvm::{self, Style},
    synchronize::synchronize,
    systematic::{self, Entry, GROUP_SIZES},
};
use std::{fmt::Debug, path::Path};

/// Number of random kernels in an ordinary run. There are half as many with operations of
/// sub-groups.
const CASES: u32 = 120;

#[test]
fn random_kernels_do_what_the_interpreter_says() {
    let outcome = TestRunner::new(config(1)).run(&generate::case(), |case| check(&case).map_err(TestCaseError::fail));
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// The same kernels in every run.
#[test]
fn random_kernels_of_sub_groups_do_what_the_interpreter_says() {
    let mut runner = TestRunner::new_with_rng(config(2), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&generate_sub_groups::case(), |case| check(&case).map_err(TestCaseError::fail));
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// A part of the kernels that a run has.
fn config(divisor: u32) -> Config {
    let cases: u32 = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(CASES);
    Config { cases: cases.div_ceil(divisor), max_shrink_iters: 20_000, source_file: Some(file!()), ..Config::default() }
}

#[test]
fn random_kernels_are_well_formed_and_free_of_races() {
    let any = generate::case().boxed().prop_union(generate_sub_groups::case().boxed());
    let outcome = TestRunner::new(Config { cases: 1000, ..Config::default() }).run(&any, |case| {
        let kernel = synchronize(&case.kernel);
        interpret(&kernel, &case.shape, &mut Memory::new(&case.shape));
        execute::image(&llvm::emit(&kernel, case.style), case.style).map(drop).map_err(TestCaseError::fail)
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_kernels_of_the_corpus_do_what_the_interpreter_says() {
    let (corpus, targets) = (systematic::corpus(), execute::targets());
    let outcomes = corpus.iter().enumerate().map(|(number, entry)| check_entry(number, entry, &targets));
    let failures: Vec<_> = outcomes.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// LLVM 19.1.7 vectorises a division with uniform operands in a conditional block as one scalar
/// division, executed if the condition holds in the first lane. The other lanes then use an
/// undefined value.
#[test]
fn a_uniform_division_that_only_some_items_reach() {
    let uniform = Expr::binary(Op::Remainder, Expr::Argument(1), Expr::GroupSize);
    let mixed = Expr::Slot(GLOBAL_ARRAY, Box::new(Expr::binary(Op::Add, uniform.clone(), Expr::LocalLinear)));
    for value in [Expr::Slot(GLOBAL_ARRAY, Box::new(uniform.clone())), mixed, uniform] {
        let condition = Expr::Input(Box::new(Expr::LocalLinear));
        let condition = Expr::binary(Op::Equal, Expr::binary(Op::And, condition, Expr::Constant(3)), Expr::Constant(2));
        let then = vec![Statement::Output(0, value)];
        let body = vec![Statement::If { uniform: false, condition, then, otherwise: vec![] }];
        let kernel = Kernel { types: [Type::U32; VARIABLES], storage: Storage::Static, functions: vec![], body };
        check_every_turn(&Entry { name: "uniform division".to_owned(), dimensions: 1, kernel });
    }
}

/// The loop's counter is needed behind it: the round that some lanes leave must not give them the
/// counter of the next one.
#[test]
fn a_counter_leaves_its_loop_before_it_goes_on() {
    let constant = |value| Expr::Constant(value);
    let condition = Expr::binary(
        Op::Less,
        Expr::binary(Op::And, Expr::binary(Op::Add, Expr::Variable(0), Expr::LocalLinear), constant(7)),
        constant(1),
    );
    let value = Expr::binary(Op::Less, Expr::binary(Op::And, Expr::LocalLinear, constant(7)), constant(1));
    let inner = Statement::If { uniform: false, condition, then: vec![Statement::Return(value)], otherwise: vec![] };
    let count = Expr::binary(
        Op::And,
        Expr::binary(
            Op::Multiply,
            Expr::binary(Op::Xor, constant(13), constant(11)),
            Expr::binary(Op::Equal, Expr::Argument(0), constant(4)),
        ),
        constant(3),
    );
    let inner = Statement::Loop(Loop { uniform: true, do_while: true, counter: 0, count, body: vec![inner] });
    let branch = Statement::If {
        uniform: true,
        condition: Expr::binary(Op::And, Expr::binary(Op::Or, Expr::GroupSize, constant(0)), constant(1)),
        then: vec![inner],
        otherwise: vec![Statement::Assign(0, Expr::Variable(0))],
    };
    let count = Expr::binary(Op::And, Expr::binary(Op::Add, constant(0), Expr::Argument(0)), constant(3));
    let outer = Statement::Loop(Loop { uniform: true, do_while: false, counter: 0, count, body: vec![branch] });
    let kernel =
        Kernel { types: [Type::U32; VARIABLES], storage: Storage::Static, functions: vec![], body: vec![outer] };
    check_every_turn(&Entry { name: "counter".to_owned(), dimensions: 1, kernel });
}

#[test]
fn a_difference_is_noticed() {
    let kernel = |value: u32| Kernel {
        types: [Type::U32; VARIABLES],
        storage: Storage::Static,
        functions: vec![],
        body: vec![Statement::Output(0, Expr::Constant(value))],
    };
    let shape = systematic::shape(1, 7);
    let code = translated(&kernel(1), [false; 2], &shape);
    assert_eq!(compare(&kernel(1), &code, &shape), Ok(()));
    assert_eq!(compare(&kernel(2), &code, &shape), Err("output[0] is 0x1, not 0x2".to_owned()));
}

/// Work-items that get the value of the next but one, instead of the next one.
#[test]
fn a_wrong_lane_is_noticed() {
    let kernel = |operation| Kernel {
        types: [Type::U32; VARIABLES],
        storage: Storage::Static,
        functions: vec![],
        body: vec![Statement::SubGroup(operation, 0, Expr::LocalLinear)],
    };
    let shape = Shape { sub_group: Some(8), ..systematic::shape(1, 7) };
    let code = translated(&kernel(GroupOperation::ShiftLeft(2)), [false; 2], &shape);
    assert_eq!(compare(&kernel(GroupOperation::ShiftLeft(2)), &code, &shape), Ok(()));
    assert_eq!(
        compare(&kernel(GroupOperation::ShiftLeft(1)), &code, &shape),
        Err("output[4] is 0x2, not 0x1".to_owned())
    );
}

/// Of each operation of sub-groups and each of some other statements, the results decide what some
/// random kernel leaves.
#[test]
fn every_operation_matters() {
    let mut runner = TestRunner::deterministic();
    let mut missing = faults();
    for _ in 0..300 {
        let case = generate_sub_groups::case().new_tree(&mut runner).expect("a case").current();
        let kernel = synchronize(&case.kernel);
        let mut expected = Memory::new(&case.shape);
        interpret(&kernel, &case.shape, &mut expected);
        missing.retain(|(_, fault)| {
            let Some(faulty) = with_fault(&kernel, fault) else { return true };
            let mut found = Memory::new(&case.shape);
            interpret(&faulty, &case.shape, &mut found);
            found == expected
        });
    }
    assert_eq!(missing.iter().map(|(name, _)| *name).collect::<Vec<_>>(), Vec::<&str>::new(), "not noticed");
}

/// Replaces a statement by a faulty one.
type Fault = fn(&Statement) -> Option<Statement>;

/// A fault for each kind of operation, and for votes.
fn faults() -> Vec<(&'static str, Fault)> {
    use GroupOperation as G;
    macro_rules! of_operation {
        ($name:literal, $from:pat => $to:expr) => {
            ($name, |one| match one {
                Statement::SubGroup($from, variable, e) => Some(Statement::SubGroup($to, *variable, e.clone())),
                _ => None,
            })
        };
    }
    vec![
        of_operation!("reduction", G::Reduce(combine) => G::InclusiveScan(*combine)),
        of_operation!("inclusive scan", G::InclusiveScan(combine) => G::Reduce(*combine)),
        of_operation!("exclusive scan", G::ExclusiveScan(combine) => G::InclusiveScan(*combine)),
        of_operation!("broadcast", G::Broadcast(sender) => G::Broadcast(sender + 1)),
        of_operation!("any", G::Any => G::All),
        of_operation!("all", G::All => G::Any),
        of_operation!("none", G::None => G::Any),
        of_operation!("shift left", G::ShiftLeft(steps) => G::ShiftLeft(steps + 1)),
        of_operation!("shift right", G::ShiftRight(steps) => G::ShiftRight(steps + 1)),
        of_operation!("permutation", G::Permute(mask) => G::Permute(mask ^ 1)),
        of_operation!("mirror", G::SelectReverse => G::Select),
        of_operation!("selection", G::Select => G::SelectReverse),
        of_operation!("ballot", G::Ballot => G::Any),
        ("switch", |one| match one.clone() {
            Statement::Switch(e, blocks) => {
                Some(Statement::Switch(Expr::binary(Op::Add, e, Expr::Constant(1)), blocks))
            }
            _ => None,
        }),
        ("two loops", |one| match one {
            Statement::BreakTwo(e) => Some(Statement::Break(e.clone())),
            _ => None,
        }),
        ("vote", |one| match one.clone() {
            Statement::Vote { all, condition, then, otherwise } => {
                Some(Statement::Vote { all: !all, condition, then, otherwise })
            }
            _ => None,
        }),
        ("rounds", |one| match one {
            Statement::Rounds(l) => Some(Statement::Rounds(Loop {
                count: Expr::binary(Op::Add, l.count.clone(), Expr::Constant(1)),
                ..l.clone()
            })),
            _ => None,
        }),
    ]
}

/// The kernel with a fault wherever it is possible in the body; `None` if it is nowhere.
fn with_fault(kernel: &Kernel, fault: &Fault) -> Option<Kernel> {
    let body = faulty_block(&kernel.body, fault);
    (body != kernel.body).then(|| Kernel { body, ..kernel.clone() })
}

fn faulty_block(statements: &[Statement], fault: &Fault) -> Vec<Statement> {
    let faulty = |one: &Statement| {
        let mut one = fault(one).unwrap_or_else(|| one.clone());
        match &mut one {
            Statement::If { then, otherwise, .. } | Statement::Vote { then, otherwise, .. } => {
                (*then, *otherwise) = (faulty_block(then, fault), faulty_block(otherwise, fault));
            }
            Statement::Loop(l) | Statement::Rounds(l) => l.body = faulty_block(&l.body, fault),
            Statement::Switch(_, blocks) => blocks.iter_mut().for_each(|block| *block = faulty_block(block, fault)),
            _ => {}
        }
        one
    };
    statements.iter().map(faulty).collect()
}

/// Code of a kernel without optimisation.
fn translated(kernel: &Kernel, literals: [bool; 2], shape: &Shape) -> CodeObject {
    let style = Style { generic_pointers: false, passes: None };
    let variant = Variant { level: OptLevel::O0, fixed: false, rows: Rows::Off, literals };
    execute::translate(&image(kernel, style, &shape).expect("an image"), variant, shape).expect("code")
}

#[test]
fn code_for_other_arguments_is_noticed() {
    let sum = Expr::binary(Op::Add, Expr::Argument(0), Expr::Argument(1));
    let body = vec![Statement::Output(0, sum)];
    let kernel = Kernel { types: [Type::U32; VARIABLES], storage: Storage::Static, functions: vec![], body };
    let shape = systematic::shape(1, 7);
    let other = Shape { arguments: [ARGUMENTS[0] + 1, ARGUMENTS[1]], ..shape };
    let code = translated(&kernel, [true, false], &shape);
    assert_eq!(compare(&kernel, &code, &shape), Ok(()));
    assert_eq!(compare(&kernel, &code, &other), Err("output[0] is 0xd, not 0xe".to_owned()));
}

#[test]
#[should_panic(expected = "reads what another one writes")]
fn a_race_is_noticed() {
    let neighbour = Expr::Slot(0, Box::new(Expr::binary(Op::Add, Expr::LocalLinear, Expr::Constant(1))));
    let body = vec![Statement::StoreOwn(0, Expr::LocalLinear), Statement::Output(0, neighbour)];
    let kernel = Kernel { types: [Type::U32; VARIABLES], storage: Storage::Static, functions: vec![], body };
    let shape = systematic::shape(1, 7);
    interpret(&synchronize(&kernel), &shape, &mut Memory::new(&shape));
    interpret(&kernel, &shape, &mut Memory::new(&shape));
}

/// Runs the IR in the file `SINTER_KERNEL_IR` with every variant and many shapes, to reproduce a
/// crash.
#[test]
#[ignore = "a tool: it needs a file that a crash has left"]
fn a_kernel_left_behind_runs() {
    let file = std::env::var_os("SINTER_KERNEL_IR").expect("SINTER_KERNEL_IR names a file");
    let text = std::fs::read_to_string(file).expect("a file with IR");
    let groups =
        [[1, 1, 1], [2, 1, 1], [7, 1, 1], [13, 1, 1], [32, 1, 1], [64, 1, 1], [256, 1, 1], [5, 3, 2], [8, 4, 3]];
    for passes in generate::PASSES {
        let image = execute::image(&text, Style { generic_pointers: false, passes }).expect("an image");
        for variant in every_variant(&ROWS) {
            for group in groups {
                let shape = Shape { group, groups: [3, 2, 2], arguments: ARGUMENTS, sub_group: None };
                println!("{passes:?} {variant:?} {shape:?}");
                let code = execute::translate(&image, variant, &shape).expect("code");
                execute::launch(&code, &shape, &mut Memory::new(&shape)).expect("no write beyond its memory");
            }
        }
    }
}

/// Full code for a group size is code for the arguments, too.
fn variant(level: OptLevel, fixed: bool, rows: Rows) -> Variant {
    Variant { level, fixed, rows, literals: [fixed && level == OptLevel::O3; 2] }
}

/// Variants without optimisation, and quick and full code for each size of rows.
fn every_variant(rows: &[Rows]) -> Vec<Variant> {
    let optimised = rows.iter().flat_map(|rows| [OptLevel::O1, OptLevel::O3].map(|level| (level, *rows)));
    let levels = std::iter::once((OptLevel::O0, Rows::Off)).chain(optimised);
    levels.flat_map(|(level, rows)| [false, true].map(|fixed| variant(level, fixed, rows))).collect()
}

/// Why a kernel that requires a size of sub-groups may be refused: its counters may be such that a
/// loop never ends, even if no work-item comes there.
const ENDLESS: &str = "a loop never reaches the end of the kernel";

/// Compares all variants of a random kernel with the interpreter.
fn check(case: &Case) -> Result<(), String> {
    let kernel = synchronize(&case.kernel);
    let image = image(&kernel, case.style, &(&case.shape, case.variants))?;
    for variant in case.variants {
        let code = execute::translate(&image, variant, &case.shape);
        if case.shape.sub_group.is_some() && code.as_ref().err().is_some_and(|error| error.contains(ENDLESS)) {
            continue;
        }
        let outcome = code.and_then(|code| compare(&kernel, &code, &case.shape));
        outcome.map_err(|error| format!("{error}\n{variant:?}, IR in {}\n{kernel:?}", path()))?;
    }
    Ok(())
}

/// Compares a kernel with the interpreter, with every turn of its variants.
fn check_every_turn(entry: &Entry) {
    let targets = execute::targets();
    (0..targets.len()).for_each(|number| check_entry(number, entry, &targets).expect("the same results"));
}

/// Item by item, and in rows of every kind of width.
const ROWS: [Rows; 5] = [Rows::Off, Rows::Of(4), Rows::Of(8), Rows::Of(16), Rows::Of(64)];

/// Compares kernel `number` with the interpreter in all its variants. Code for groups of any size
/// runs with each of [`GROUP_SIZES`], other code with one of them.
fn check_entry(number: usize, entry: &Entry, targets: &[Target]) -> Result<(), String> {
    let Entry { name, dimensions, kernel } = entry;
    let image = image(kernel, Style { generic_pointers: dimensions % 2 == 0, passes: None }, name)?;
    // Where tests take turns, neighbouring kernels share the variants.
    let (first, step) = if devices::takes_turns() { (number % 3, 3) } else { (0, 1) };
    for (turn, variant) in variants_of(number).into_iter().skip(first).step_by(step) {
        let target = &targets[turn % targets.len()];
        let sizes = if variant.fixed { &GROUP_SIZES[turn % GROUP_SIZES.len()..][..1] } else { &GROUP_SIZES[..] };
        let code = execute::translate_for(&image, variant, &systematic::shape(*dimensions, sizes[0]), target.clone())?;
        for size in sizes {
            let outcome = compare(kernel, &code, &systematic::shape(*dimensions, *size));
            outcome.map_err(|error| format!("{name} in groups of {size}, {variant:?} for {target}: {error}"))?;
        }
    }
    Ok(())
}

/// The variants of kernel `number`, with numbers by which targets and sizes take turns: without
/// optimisation, and in rows of each width. These are full code for groups of an unknown and of a
/// known size, and quick code for the one or the other.
fn variants_of(number: usize) -> Vec<(usize, Variant)> {
    let unoptimised = variant(OptLevel::O0, number % 2 == 1, Rows::Off);
    let optimised = (number..).zip(ROWS).flat_map(|(first, rows)| {
        let kinds = [(OptLevel::O3, false), (OptLevel::O3, true), (OptLevel::O1, first % 2 == 1)];
        (first..).zip(kinds.map(|(level, fixed)| variant(level, fixed, rows)))
    });
    std::iter::once((number, unoptimised)).chain(optimised).collect()
}

/// Image of a kernel. Its IR is also written to a file, below a line that says how it will run.
fn image(kernel: &Kernel, style: Style, about: &dyn Debug) -> Result<Image, String> {
    let text = llvm::emit(kernel, style);
    std::fs::write(path(), format!("; {style:?} {about:?}\n{text}")).map_err(|error| format!("{}: {error}", path()))?;
    execute::image(&text, style)
}

/// Path for the IR of the current kernel.
fn path() -> String {
    let name = std::thread::current().name().unwrap_or("kernel").to_owned();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("ll").display().to_string()
}

/// Runs code and compares the memory with that of the interpreter.
fn compare(kernel: &Kernel, code: &CodeObject, shape: &Shape) -> Result<(), String> {
    let (mut found, mut expected) = (Memory::new(shape), Memory::new(shape));
    interpret(kernel, shape, &mut expected);
    execute::launch(code, shape, &mut found)?;
    if found == expected { Ok(()) } else { Err(difference(&found, &expected)) }
}

/// The first wrong value.
fn difference(memory: &Memory, expected: &Memory) -> String {
    let parts = [
        ("output", &memory.output[..], &expected.output[..]),
        ("arrays", &memory.arrays[..], &expected.arrays[..]),
        ("cells", &memory.cells[..], &expected.cells[..]),
        ("input", &memory.input[..], &expected.input[..]),
    ];
    let found = parts.iter().find_map(|(name, found, wanted)| {
        let at = found.iter().zip(*wanted).position(|(a, b)| a != b)?;
        Some(format!("{name}[{at}] is {:#x}, not {:#x}", found[at], wanted[at]))
    });
    found.unwrap_or_else(|| "an argument changed".to_owned())
}
