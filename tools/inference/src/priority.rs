//! Heavy work makes way for audio and for windows.

/// How nice heavy work is, 0 to 19.
#[cfg(unix)]
const NICE: i32 = 10;

/// Lowers the priority of the calling thread and of those that it starts, for good. Call it on a thread
/// of your own. Where a system knows only priorities of processes, nothing changes.
pub fn lower() {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // Refused only where priorities are forbidden; then the work is as loud as the rest.
        let _refused = rustix::process::nice(NICE);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn only_the_thread_itself_and_its_children_are_lowered() {
        let before = rustix::process::getpriority_process(None).unwrap();
        let lowered = std::thread::spawn(|| {
            super::lower();
            let child = || rustix::process::getpriority_process(None).unwrap();
            std::thread::spawn(child).join().unwrap()
        });
        assert_eq!(lowered.join().unwrap(), (before + super::NICE).min(19));
        assert_eq!(rustix::process::getpriority_process(None).unwrap(), before);
    }
}
