//! Loads code on a system that refuses to make previously writable memory executable.
//!
//! In: the process attribute by which Linux 6.3 and later refuse that; SELinux and systemd refuse
//! it by other means. Out: a kernel that loads and runs. *Invariant:* the test is alone in its
//! process, because the attribute cannot be cleared.

mod common;

use sinter_core::LaunchShape;

/// `prctl`'s operation and flag, `linux/prctl.h`.
const PR_SET_MDWE: i32 = 65;
const PR_MDWE_REFUSE_EXEC_GAIN: u64 = 1;

#[test]
fn code_is_mapped_from_a_file() {
    // SAFETY: changes an attribute of this process that nothing else in this test depends on.
    if unsafe { libc::prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) } != 0 {
        eprintln!("skipped: this kernel has no PR_SET_MDWE: {}", std::io::Error::last_os_error());
        return;
    }
    let device = common::device(1);
    let kernel = device.load(&common::compile("add_one", common::ADD_ONE, 8)).expect("load");
    let queue = device.create_queue().expect("queue");
    let mut data = [41u64];
    let shape = LaunchShape { global: [1; 3], group: [1; 3], local_memory: 0 };
    // SAFETY: the kernel's argument is this pointer, and the data stays until the queue was waited
    // for.
    let ticket = unsafe { queue.launch(&kernel, &shape, &(data.as_mut_ptr() as usize).to_ne_bytes()) };
    queue.wait(ticket.expect("launch")).expect("wait");
    assert_eq!(data, [42]);
}
