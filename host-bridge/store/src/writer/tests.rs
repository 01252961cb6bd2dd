//! Commits that fail, by a limit on the file instead of a small disk.

use super::*;
use crate::StoreError;
use crossbeam_channel::unbounded;
use deskhand_dsp::{Decibels, SampleRate};
use deskhand_session::change::Edit;
use deskhand_session::{Author, Change, Revision, RevisionId, Session, SessionId};
use tempfile::tempdir;

fn revision(id: u64, label: &str, db: (f64, f64)) -> Event {
    let edit = Edit::new(SessionId::new(1), Decibels(db.0), Decibels(db.1));
    Event::Revision(Revision {
        id: RevisionId(id),
        parent: RevisionId(id - 1),
        author: Author::User,
        label: label.into(),
        plan: None,
        changes: vec![Change::SetMasterGain(edit)],
        takes: None,
        is_loaded: false,
        time_ms: 0,
    })
}

fn new_writer(dir: &std::path::Path) -> Writer {
    let session = Session::new(SessionId::new(1), SampleRate(48_000));
    let created = Record::Created(session.clone());
    std::fs::create_dir(dir).unwrap();
    crate::store::first_writer(dir, &created, &session).unwrap()
}

/// Stores a batch and returns its answers.
fn store(writer: &mut Writer, batch: Vec<Vec<Event>>) -> Vec<Result<u64, StoreError>> {
    let (answer, answers) = unbounded();
    let appends = batch.into_iter().map(|events| {
        let answer = answer.clone();
        let on_stored: OnStored = Box::new(move |result| answer.send(result).unwrap());
        Append { events, on_stored }
    });
    writer.store(appends.collect());
    answers.try_iter().collect()
}

fn limit(writer: &Writer, pages: i64) {
    let limit = format!("PRAGMA max_page_count = {pages}");
    writer.conn.query_row(&limit, [], |_| Ok(())).unwrap();
}

#[test]
fn after_a_failed_commit_nothing_is_tried_again() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut writer = new_writer(&dir);
    let one = vec![revision(1, "one", (0.0, -1.0))];
    assert_eq!(store(&mut writer, vec![one]), [Ok(2)]);
    let pages: i64 = writer.conn.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    limit(&writer, pages + 1);
    let two = vec![revision(2, "two", (-1.0, -2.0))];
    let large = vec![revision(3, &"x".repeat(60_000), (-2.0, -3.0))];
    let failed = store(&mut writer, vec![two.clone(), large]);
    assert_eq!(failed, [Err(StoreError::DiskFull), Err(StoreError::DiskFull)]);
    limit(&writer, 100_000);
    let later = store(&mut writer, vec![two]);
    assert!(matches!(later[..], [Err(StoreError::ReadOnly { .. })]), "{later:?}");
    assert!(writer.finish().is_err());
    let (_store, loaded) = crate::Store::open(&dir).unwrap();
    assert_eq!(loaded.history.head(), RevisionId(1));
    assert_eq!(loaded.session.master_gain, Decibels(-1.0));
}

#[test]
fn one_refused_append_does_not_stop_the_others_of_its_batch() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut writer = new_writer(&dir);
    let batch = [
        vec![revision(1, "one", (0.0, -1.0))],
        vec![revision(2, "good", (-1.0, -5.0)), revision(3, "stale", (0.0, -9.0))],
        vec![revision(2, "two", (-1.0, -2.0))],
    ];
    let results = writer.commit(&batch);
    assert!(matches!(results[..], [Ok(2), Err(StoreError::Refused { .. }), Ok(3)]), "{results:?}");
    writer.finish().unwrap();
    let (_store, loaded) = crate::Store::open(&dir).unwrap();
    assert_eq!(loaded.session.master_gain, Decibels(-2.0));
    assert_eq!(loaded.history.iter().count(), 2);
}
