//! What Linux keeps a tool from: writing elsewhere (Landlock), and calls by which it would leave its group,
//! reach other programs or the network (seccomp).

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;
use std::path::Path;

/// The newest set of rights to request. An older kernel applies those that it supports.
const NEWEST: ABI = ABI::V6;

/// Gives up the forbidden rights, permanently.
///
/// # Errors
/// When the system supports these limits and one of them cannot be set.
pub(super) fn raise(room: &Path, network: bool) -> Result<(), String> {
    keep_to(room).map_err(|error| format!("it cannot be kept to its folder: {error}"))?;
    rustix::thread::set_no_new_privs(true).map_err(|error| error.to_string())?;
    if keeps_calls() {
        let filter = filter(network).map_err(|error| format!("no filter of calls: {error}"))?;
        seccompiler::apply_filter(&filter)
            .map_err(|error| format!("its calls cannot be kept: {error}"))?;
    }
    Ok(())
}

/// Writing only below `room`, and into the null device; signals only among the tool's own processes.
fn keep_to(room: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let writing = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default()
        .handle_access(writing)?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rule(PathBeneath::new(PathFd::new(room)?, writing))?;
    if let Ok(null) = PathFd::new("/dev/null") {
        rules = rules.add_rule(PathBeneath::new(null, writing & AccessFs::from_file(NEWEST)))?;
    }
    rules.restrict_self()?;
    Ok(())
}

/// Whether this kernel keeps a program to a folder.
pub(super) fn keeps_folders() -> bool {
    let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    let rules = rules.handle_access(AccessFs::from_write(ABI::V3));
    rules.and_then(|rules| rules.scope(Scope::from_all(NEWEST))).and_then(Ruleset::create).is_ok()
}

/// Whether this kernel keeps a program from calls.
pub(super) fn keeps_calls() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    arch().is_some() && status.lines().any(|line| line.starts_with("Seccomp:"))
}

fn arch() -> Option<TargetArch> {
    TargetArch::try_from(std::env::consts::ARCH).ok()
}

/// Calls that fail as forbidden. With the network only its own sockets open: the local ones lead to other programs
/// of the person, this one among them.
fn filter(network: bool) -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = arch().ok_or(seccompiler::BackendError::InvalidTargetArch(String::new()))?;
    let always = [
        libc::SYS_setsid,
        libc::SYS_setpgid,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_pidfd_getfd,
        libc::SYS_io_uring_setup,
    ];
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        always.into_iter().map(|call| (call, Vec::new())).collect();
    let sockets = if network {
        vec![first_is(libc::AF_UNIX)?, first_is(libc::AF_NETLINK)?, first_is(libc::AF_VSOCK)?]
    } else {
        Vec::new()
    };
    rules.insert(libc::SYS_socket, sockets);
    let forbidden = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, forbidden, arch)?.try_into()
}

/// The rule for a call whose first argument is that.
fn first_is(value: i32) -> Result<SeccompRule, seccompiler::BackendError> {
    let value = u64::from(value.unsigned_abs());
    let same = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)?;
    SeccompRule::new(vec![same])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_filters_can_be_built() {
        for network in [true, false] {
            assert!(!filter(network).unwrap().is_empty());
        }
    }
}
