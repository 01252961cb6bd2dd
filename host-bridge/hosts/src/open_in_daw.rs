//! Whether a program has a project open.

use std::path::Path;

/// The program that holds the file, or one in its folder that only a DAW keeps while the project is open.
#[cfg(target_os = "linux")]
pub(crate) fn holder(project: &Path) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let own = std::process::id().to_string();
    let others = processes.filter(|entry| entry.file_name().to_string_lossy() != own.as_str());
    others.map(|entry| entry.path()).find(|process| holds(process, project)).map(|process| {
        let name = std::fs::read_to_string(process.join("comm")).unwrap_or_default();
        name.trim().to_owned()
    })
}

#[cfg(target_os = "linux")]
fn holds(process: &Path, project: &Path) -> bool {
    let files = std::fs::read_dir(process.join("fd")).into_iter().flatten().flatten();
    files.filter_map(|file| std::fs::read_link(file.path()).ok()).any(|file| file == project)
}

/// Elsewhere nothing tells.
#[cfg(not(target_os = "linux"))]
pub(crate) fn holder(_: &Path) -> Option<String> {
    None
}
