//! Tests of the zoom that a window has room for.

use super::*;

#[test]
fn what_the_window_has_no_room_for_is_said() {
    assert_eq!(limit(1.5, None), None, "nothing was drawn yet");
    assert_eq!(limit(1.5, Some(1.5)), None);
    let told = limit(2.0, Some(1.25)).unwrap();
    assert_eq!(told, "This window has room for 125\u{a0}%; a larger one shows 200\u{a0}%.");
}
