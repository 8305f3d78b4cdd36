//! Finds the NUMA nodes of the CPUs that the process may use.
//!
//! In: a folder such as `/sys/devices/system/node`, and CPU numbers. Out: those CPUs, by node.
//! *Invariant:* a node without such CPUs is left out, as is a file that cannot be read, so that a
//! system without such a folder has no nodes.

use std::{fs, path::Path};

/// Where Linux describes the nodes.
pub(crate) const FOLDER: &str = "/sys/devices/system/node";

/// The CPUs of each node that are among `usable`, in the order of the nodes' numbers.
pub(crate) fn read(folder: &Path, usable: &[usize]) -> Vec<Vec<usize>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let number = |name: &str| name.strip_prefix("node")?.parse::<usize>().ok();
    let node = |path: &Path| Some((number(path.file_name()?.to_str()?)?, cpus(path, usable)));
    let mut nodes: Vec<_> = entries.flatten().filter_map(|entry| node(&entry.path())).collect();
    nodes.retain(|(_, cpus)| !cpus.is_empty());
    nodes.sort();
    nodes.into_iter().map(|(_, cpus)| cpus).collect()
}

fn cpus(node: &Path, usable: &[usize]) -> Vec<usize> {
    let list = fs::read_to_string(node.join("cpulist")).unwrap_or_default();
    let ranges: Vec<_> = list.trim().split(',').filter_map(range).collect();
    let is_inside = |cpu: usize| ranges.iter().any(|(first, last)| (*first..=*last).contains(&cpu));
    usable.iter().copied().filter(|cpu| is_inside(*cpu)).collect()
}

/// First and last number of `4-7`, or of `4`.
fn range(text: &str) -> Option<(usize, usize)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these nodes and lists of CPUs.
    fn folder(nodes: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, list) in nodes {
            fs::create_dir(folder.path().join(name)).expect("a node");
            fs::write(folder.path().join(name).join("cpulist"), list).expect("a list");
        }
        folder
    }

    #[test]
    fn nodes_have_the_usable_cpus_in_the_order_of_their_numbers() {
        let folder = folder(&[("node10", "6,12-13\n"), ("node2", "0-3,8\n"), ("node3", "4-5\n"), ("node4", "\n")]);
        fs::write(folder.path().join("online"), "0-10\n").expect("another file");
        fs::create_dir(folder.path().join("node7")).expect("a node without a list");
        let usable = [0, 2, 3, 8, 9, 12, 13];
        assert_eq!(read(folder.path(), &usable), [vec![0, 2, 3, 8], vec![12, 13]]);
        assert_eq!(read(folder.path(), &[9]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_damaged_list_and_a_missing_folder_have_no_cpus() {
        let folder = folder(&[("node0", "x,1-,-2,3-y\n"), ("nodex", "0-7\n")]);
        assert!(read(folder.path(), &[0, 1, 2, 3]).is_empty());
        assert!(read(&folder.path().join("none"), &[0]).is_empty());
    }
}
