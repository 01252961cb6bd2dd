//! What the window system calls, without one.

use super::*;
use crate::planted_faults;

fn window() -> Window {
    Window::new(Arc::new(Shared::new(Arc::default())), Arc::default())
}

#[test]
fn a_panic_while_the_window_is_sized_or_zoomed_leaves_it_as_it_was_and_is_told() {
    let window = window();
    let mut visit = window.visit(RepaintNotifier::new());
    let size = WindowSize {
        physical: PhysicalSize::new(2_000, 1_400),
        logical: LogicalSize::new(1_000.0, 700.0),
        scale_factor: 2.0,
    };
    let now = || window.shared.saved.now().window;
    let before = now();
    planted_faults::arm(Entry::Size);
    visit.resized(size);
    assert!(!planted_faults::is_armed(Entry::Size));
    planted_faults::arm(Entry::Size);
    visit.zoom_factor_changed(1.5);
    assert!(!planted_faults::is_armed(Entry::Size));
    assert_eq!(now(), before);
    assert_eq!(window.shared.faults.latest(), Some(Entry::Size));
    planted_faults::arm(Entry::Size);
    assert_eq!((window.size().width, window.size().height), (900, 600), "as it begins");
    visit.resized(size);
    visit.zoom_factor_changed(1.5);
    assert_eq!((now().width, now().height, now().zoom), (1_000, 700, 1.5));
    assert_eq!((window.size().width, window.size().height), (2_000, 1_400));
    // The next opens with points as large as its zoom.
    drop(visit);
    assert_eq!((window.size().width, window.size().height), (3_000, 2_100));
}
