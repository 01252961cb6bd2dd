//! What the processes of a group use together: the limits of a process are each its own.

use std::fs;

/// Processes and their memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    pub(super) processes: usize,
    /// Bytes in memory.
    pub(super) memory: u64,
}

/// What the processes of `group` use now, as far as the system tells.
pub(super) fn of_group(group: i32) -> Usage {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Usage::default();
    };
    let page = rustix::param::page_size() as u64;
    let mut usage = Usage::default();
    for entry in entries.filter_map(Result::ok) {
        let is_process =
            entry.file_name().to_string_lossy().starts_with(|c: char| c.is_ascii_digit());
        let stat = is_process.then(|| fs::read_to_string(entry.path().join("stat")).ok()).flatten();
        if let Some((_, pages)) = stat.as_deref().and_then(parse).filter(|(of, _)| *of == group) {
            usage.processes += 1;
            usage.memory += pages * page;
        }
    }
    usage
}

/// Group and resident pages of a line of `/proc/PID/stat` (proc(5): fields 5 and 24). The name in brackets
/// may hold anything, so counting begins after it.
fn parse(stat: &str) -> Option<(i32, u64)> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let group = fields.nth(2)?.parse().ok()?;
    let pages = fields.nth(18)?.parse().ok()?;
    Some((group, pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_group_is_found() {
        let group = rustix::process::getpgrp().as_raw_nonzero().get();
        let usage = of_group(group);
        assert!(usage.processes >= 1 && usage.memory > 100_000, "{usage:?}");
    }

    #[test]
    fn a_name_with_brackets_confuses_nothing() {
        let line = "7 (a) b) S 1 42 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 9 1000 77 18446744073709551615";
        assert_eq!(parse(line), Some((42, 77)));
        assert_eq!(parse("nothing"), None);
    }
}
