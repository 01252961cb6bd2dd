//! Create, work, close, open again.

use crate::work::*;
use deskhand_session::*;
use deskhand_store::*;
use tempfile::tempdir;

#[test]
fn everything_comes_back() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("take 1 🎤\nlate");
    let mut work = Work::create(&dir);
    work.gain(-3.0);
    work.gain(-6.0);
    let undo = work.history.undo().unwrap();
    work.go(undo);
    work.gain(0.1 + 0.2);
    let again = work.history.undo().unwrap();
    work.go(again);
    let redo = work.history.redo().unwrap();
    work.go(redo);
    let (session, history) = (work.session.clone(), work.history.clone());
    work.close();
    assert_eq!(names(&dir), ["cache", "media", "session.db", "session.lock"]);
    let (store, loaded) = Store::open(&dir).unwrap();
    assert_eq!((loaded.session, loaded.history), (session, history));
    assert_eq!(store.dir(), dir.canonicalize().unwrap());
    assert!(store.media_dir().is_dir());
}

#[test]
fn plans_stay_readable_with_what_became_of_them() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let work = Work::create(&dir);
    let plan = plan(&work.session);
    let made = PlanMade { plan: plan.clone(), author: Author::Agent, time_ms: 5 };
    put(work.store(), vec![Event::Plan(made)]).unwrap();
    let rejected = PlanDecided {
        plan: plan.id,
        state: PlanState::Rejected,
        reason: Some("too quiet for radio".into()),
        receipt: None,
        follows: None,
        time_ms: 6,
    };
    put(work.store(), vec![Event::PlanState(rejected)]).unwrap();
    work.close();
    let (_store, loaded) = Store::open(&dir).unwrap();
    let expected = StoredPlan {
        plan,
        state: PlanState::Rejected,
        author: Author::Agent,
        reason: Some("too quiet for radio".into()),
        receipt: None,
        follows: None,
        time_ms: 5,
        decided_ms: Some(6),
    };
    assert_eq!(loaded.plans, [expected]);
}

#[test]
fn answers_come_in_order_and_only_when_it_is_stored() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    let (answer, answers) = crossbeam_channel::unbounded();
    for n in 0..500 {
        let revision = work.revision("Gain", work.gain_change(f64::from(n % 40) + 0.5));
        work.session = work.session.with(&revision.changes).unwrap();
        work.history.push(revision.clone());
        let answer = answer.clone();
        let on_stored = Box::new(move |result| answer.send(result).unwrap());
        work.store().append(vec![Event::Revision(revision)], on_stored);
    }
    let seqs: Vec<u64> = answers.iter().take(500).map(Result::unwrap).collect();
    assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "{seqs:?}");
    // As a kill would leave it: no close, the log next to the file.
    let copy = frozen(&dir, &tmp.path().join("copy"));
    let (_store, loaded) = Store::open(&copy).unwrap();
    work.assert_same(&loaded);
    work.close();
    let (_store, loaded) = Store::open(&dir).unwrap();
    assert_eq!(loaded.history.iter().count(), 501);
}

#[test]
fn closing_works_when_nothing_was_written() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    for _ in 0..3 {
        let (store, _) = Store::open(&dir).unwrap();
        assert_eq!(store.close(), Ok(()));
    }
}

#[test]
fn dropping_without_closing_keeps_everything() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    work.gain(-2.0);
    let (session, history) = (work.session.clone(), work.history.clone());
    drop(work);
    assert_eq!(names(&dir), ["cache", "media", "session.db", "session.lock"]);
    let work = Work::open(&dir);
    assert_eq!((work.session.clone(), work.history.clone()), (session, history));
}

#[test]
fn opening_and_closing_without_work_is_clean() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    let before = std::fs::read(dir.join("session.db")).unwrap();
    for _ in 0..2 {
        Work::open(&dir).close();
        assert_eq!(names(&dir), ["cache", "media", "session.db", "session.lock"]);
    }
    assert_eq!(std::fs::read(dir.join("session.db")).unwrap().len(), before.len());
}

/// A plan with a number that JSON cannot write.
fn unwritable(session: &Session) -> Event {
    let nan = Prediction::now(session.id, Measure::TruePeak, f64::NAN, 0.1, Vec::new());
    let plan = Plan { predicted: vec![nan], ..plan(session) };
    Event::Plan(PlanMade { plan, author: Author::Agent, time_ms: 0 })
}

#[test]
fn what_does_not_follow_is_refused_and_leaves_no_trace() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    work.gain(-2.0);
    let good = work.revision("Gain", work.gain_change(-4.0));
    let skipping = Revision { id: RevisionId(9), ..good.clone() };
    let stale = Revision { changes: vec![work.gain_change(-4.0).inverse()], ..good.clone() };
    let nowhere = HeadMoved { to: RevisionId(40), author: Author::User, time_ms: 0 };
    let unwritable = unwritable(&work.session);
    for events in [
        vec![Event::Revision(skipping)],
        vec![Event::Revision(stale)],
        vec![Event::Head(nowhere)],
        vec![unwritable.clone()],
        // All or none: the first alone would be valid.
        vec![Event::Revision(good.clone()), unwritable],
    ] {
        let error = put(work.store(), events).unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }), "{error}");
    }
    work.commit("Gain", work.gain_change(-4.0));
    let (session, history) = (work.session.clone(), work.history.clone());
    work.close();
    let work = Work::open(&dir);
    assert_eq!((work.session.clone(), work.history.clone()), (session, history));
}

#[test]
fn a_session_that_is_not_valid_is_not_created() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut bad = session();
    bad.master_gain = deskhand_dsp::Decibels(f64::NAN);
    let error = Store::create(&dir, &bad).unwrap_err();
    assert!(matches!(error, CreateError::Invalid(_)), "{error}");
    assert!(!dir.exists());
}

#[test]
fn a_folder_is_used_exactly_as_given() {
    let tmp = tempdir().unwrap();
    let empty = tmp.path().join("a/b/empty");
    std::fs::create_dir_all(&empty).unwrap();
    drop(Store::create(&empty, &session()).unwrap());
    assert!(matches!(Store::create(&empty, &session()), Err(CreateError::Exists(_))));
    let full = tmp.path().join("full");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("notes.txt"), "mine").unwrap();
    assert!(matches!(Store::create(&full, &session()), Err(CreateError::Exists(_))));
    assert_eq!(names(&full), ["notes.txt"]);
    let file = full.join("notes.txt");
    assert!(matches!(Store::create(&file, &session()), Err(CreateError::Exists(_))));
    let deep = tmp.path().join("x/y/z");
    drop(Store::create(&deep, &session()).unwrap());
    assert_eq!(Store::open(&deep).unwrap().1.session, session());
}

#[test]
fn what_a_killed_tool_left_is_removed() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    let made = dir.join("media/made");
    std::fs::create_dir(&made).unwrap();
    for name in [".deskhand-a.part", "vocals-0123456789abcdef.wav"] {
        let file = std::fs::File::create(made.join(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    Work::open(&dir).close();
    assert_eq!(names(&made), ["vocals-0123456789abcdef.wav"]);
}

#[cfg(unix)]
#[test]
fn nothing_is_removed_behind_a_link() {
    let tmp = tempdir().unwrap();
    let (dir, elsewhere) = (tmp.path().join("s"), tmp.path().join("elsewhere"));
    Work::create(&dir).close();
    std::fs::create_dir(&elsewhere).unwrap();
    let file = std::fs::File::create(elsewhere.join(".deskhand-a.part")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    std::os::unix::fs::symlink(&elsewhere, dir.join("media/made")).unwrap();
    Work::open(&dir).close();
    assert_eq!(names(&elsewhere), [".deskhand-a.part"]);
}

#[test]
fn what_a_killed_import_left_is_removed() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    let media = dir.join("media");
    let before_opening = std::time::UNIX_EPOCH;
    for name in [".deskhand-a.part", ".deskhand-a", "a.part", "a.wav"] {
        let file = std::fs::File::create(media.join(name)).unwrap();
        file.set_modified(before_opening).unwrap();
    }
    std::fs::create_dir(media.join(".deskhand-b.part")).unwrap();
    let much_later = std::time::SystemTime::now() + std::time::Duration::from_secs(3_600);
    let at_work = std::fs::File::create(media.join(".deskhand-c.part")).unwrap();
    at_work.set_modified(much_later).unwrap();
    Work::open(&dir).close();
    let kept =
        [".deskhand-a", ".deskhand-b.part", ".deskhand-c.part", "a.part", "a.wav", "captures"];
    assert_eq!(names(&media), kept);
}

#[test]
fn what_a_killed_host_was_capturing_stays_for_the_hub_to_take_in() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    Work::create(&dir).close();
    let captures = dir.join("media/captures");
    let begun = [".deskhand-1.part", ".deskhand-armed-2.part"];
    for name in begun {
        let file = std::fs::File::create(captures.join(name)).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    Work::open(&dir).close();
    assert_eq!(names(&captures), begun);
}
