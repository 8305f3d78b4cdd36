//! Each model holds, and finds faults.

use sinter_models::{
    flights, pieces, swaps,
    sync::{Fault, with_fault},
};
use std::panic::catch_unwind;

/// A model holds as it is, and not with any of these faults.
fn holds(model: fn(), faults: &[Fault]) {
    model();
    for fault in faults {
        assert!(catch_unwind(|| with_fault(*fault, model)).is_err(), "nothing notices {fault:?}");
    }
}

#[test]
fn launches_after_a_swap_run_new_code() {
    holds(swaps::launches_after_a_swap_run_new_code, &[Fault::Store]);
}

#[test]
fn no_change_is_lost() {
    holds(swaps::no_change_is_lost, &[Fault::Insert]);
}

#[test]
fn unloaded_functions_do_not_run() {
    holds(swaps::unloaded_functions_do_not_run, &[Fault::Store, Fault::Add, Fault::Retain]);
}

#[test]
fn what_is_forgotten_stays_forgotten() {
    holds(swaps::what_is_forgotten_stays_forgotten, &[Fault::Store, Fault::Retain]);
}

#[test]
fn changed_variables_are_not_passed_by_value() {
    holds(swaps::changed_variables_are_not_passed_by_value, &[Fault::Store, Fault::Add, Fault::Retain]);
}

#[test]
fn one_works() {
    holds(flights::one_works, &[Fault::Insert, Fault::Notify]);
}

#[test]
fn another_works_after_a_panic() {
    holds(flights::another_works_after_a_panic, &[Fault::Notify, Fault::Remove]);
}

#[test]
fn each_unit_runs_once() {
    holds(pieces::each_unit_runs_once, &[Fault::Exchange, Fault::Swap]);
}
