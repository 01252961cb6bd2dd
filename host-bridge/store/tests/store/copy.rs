//! A copy of a session that is open.

use crate::work::*;
use deskhand_store::*;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use tempfile::tempdir;

fn go_on(_: f64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn refusal(copier: &Copier, target: &Path) -> CopyError {
    copier.copy_with(target, &[], &mut go_on).unwrap_err()
}

#[test]
fn a_copy_opens_as_what_was_stored_with_its_media() {
    let tmp = tempdir().unwrap();
    let mut work = Work::create(&tmp.path().join("s"));
    work.gain(-3.0);
    let media = work.store().media_dir();
    fs::create_dir(media.join("below")).unwrap();
    fs::write(media.join("a.wav"), [1; 5]).unwrap();
    fs::write(media.join("below/b.wav"), [2; 7]).unwrap();
    fs::write(media.join(".deskhand-1.part"), [3; 9]).unwrap();
    let copier = work.store().copier();
    let target = tmp.path().join("new/copy");
    let copied = copier.copy_with(&target, &[], &mut go_on).unwrap();
    assert_eq!(copied.dir, target.canonicalize().unwrap());
    assert_eq!((copied.media_files, copied.media_bytes), (2, 12));
    assert_eq!(fs::read(target.join("media/below/b.wav")).unwrap(), [2; 7]);
    let (_copy, loaded) = Store::open(&target).unwrap();
    work.assert_same(&loaded);
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert!(doctor::verify(&tmp.path().join("s")).is_err(), "the original is still open");
    // It goes on, and the copy stays what it was.
    work.gain(-6.0);
    assert!(matches!(refusal(&copier, &target), CopyError::Exists(_)));
    work.close();
    let late = refusal(&copier, &tmp.path().join("late"));
    assert!(late.to_string().contains("being closed"), "{late}");
    assert!(!tmp.path().join("late").exists());
}

#[test]
fn what_is_refused_or_cancelled_leaves_nothing() {
    let tmp = tempdir().unwrap();
    let work = Work::create(&tmp.path().join("s"));
    fs::write(work.store().media_dir().join("a.wav"), [1; 5]).unwrap();
    let copier = work.store().copier();
    let inside = refusal(&copier, &tmp.path().join("s/media/copy"));
    assert!(matches!(inside, CopyError::Inside(_)), "{inside}");
    let target = tmp.path().join("copy");
    let cancelled = copier.copy_with(&target, &[], &mut |_| ControlFlow::Break(())).unwrap_err();
    assert!(matches!(cancelled, CopyError::Cancelled), "{cancelled}");
    assert!(!target.exists());
}
