//! Damage is noticed, nothing of it is taken for the session, and what can be saved is.

use crate::work::*;
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::change::Edit;
use deskhand_session::*;
use deskhand_store::doctor::{self, DoctorError};
use deskhand_store::*;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// A closed session of `revisions` gain changes, and what each number of events leads to.
fn made(dir: &Path, revisions: usize) -> Vec<Session> {
    let mut work = Work::create(dir);
    let mut states = vec![session(), work.session.clone()];
    for n in 0..revisions {
        work.gain(n as f64 * 0.25 - 20.0);
        states.push(work.session.clone());
    }
    work.close();
    states
}

fn database(dir: &Path) -> PathBuf {
    dir.join("session.db")
}

/// A file that changes in ways that are the same on each run (xorshift).
struct Flips(u64);

impl Flips {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

#[test]
fn a_flipped_bit_is_noticed_or_harmless() {
    let tmp = tempdir().unwrap();
    let original = tmp.path().join("s");
    let states = made(&original, 130);
    let bytes = fs::read(database(&original)).unwrap();
    let (_, sound) = Store::open(&original).unwrap();
    let mut flips = Flips(0x9e37_79b9_7f4a_7c15);
    let (mut noticed, mut saved) = (0, 0);
    for n in 0..200 {
        let dir = frozen(&original, &tmp.path().join(format!("flip-{n}")));
        let mut damaged = bytes.clone();
        let at = flips.next(damaged.len());
        damaged[at] ^= 1 << flips.next(8);
        fs::write(database(&dir), &damaged).unwrap();
        match Store::open(&dir) {
            Ok((_store, loaded)) => {
                assert_eq!(loaded.session, sound.session, "flip {n} at {at}");
                assert_eq!(loaded.history, sound.history, "flip {n} at {at}");
                continue;
            }
            Err(error) => assert!(error.to_string().len() > 20, "{error}"),
        }
        noticed += 1;
        let untouched = fs::read(database(&dir)).unwrap() == damaged;
        assert!(untouched, "the evidence was touched");
        let repaired = tmp.path().join(format!("repaired-{n}"));
        saved += saved_states(&dir, &repaired, &states);
    }
    assert!(noticed > 50, "only {noticed} of 200 were noticed");
    assert!(saved * 10 > noticed * 7, "only {saved} of {noticed} were saved");
}

/// 1 if something could be saved. Then it is a state that the session had, and the missing parts are named.
fn saved_states(dir: &Path, repaired: &Path, states: &[Session]) -> usize {
    let repair = match doctor::repair_to(dir, repaired) {
        Ok(repair) => repair,
        Err(DoctorError::NothingLeft { .. }) => {
            assert!(!repaired.exists());
            return 0;
        }
        Err(error) => panic!("{dir:?}: {error}"),
    };
    let (_store, loaded) = Store::open(repaired).unwrap();
    let revisions = loaded.history.iter().count();
    assert_eq!(loaded.session, states[revisions], "{dir:?}");
    let whole = revisions + 1 == states.len();
    assert!(whole || !repair.lost.is_empty(), "{dir:?}: {repair:?}");
    assert!(!repair.found.damage.is_empty());
    1
}

#[test]
fn a_torn_log_loses_only_its_end() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    let mut states = vec![session(), work.session.clone()];
    for n in 0..20 {
        work.gain(f64::from(n));
        states.push(work.session.clone());
    }
    let killed = frozen(&dir, &tmp.path().join("killed"));
    let log = fs::read(killed.join("session.db-wal")).unwrap();
    let mut seen = Vec::new();
    for part in 0..12 {
        let torn = frozen(&killed, &tmp.path().join(format!("torn-{part}")));
        fs::write(torn.join("session.db-wal"), &log[..log.len() * part / 12]).unwrap();
        let (_store, loaded) = Store::open(&torn).unwrap();
        let revisions = loaded.history.iter().count();
        assert_eq!(loaded.session, states[revisions]);
        seen.push(revisions);
    }
    assert!(seen.is_sorted() && seen.first() < seen.last(), "{seen:?}");
}

#[test]
fn events_missing_at_the_end_are_noticed() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let states = made(&dir, 9);
    let conn = rusqlite::Connection::open(database(&dir)).unwrap();
    conn.execute("DELETE FROM events WHERE seq >= 9", []).unwrap();
    drop(conn);
    let error = Store::open(&dir).unwrap_err().to_string();
    assert!(error.contains("the last event should be 11, it is 8"), "{error}");
    assert!(error.contains("doctor"), "{error}");
    let to = tmp.path().join("saved");
    let repair = doctor::repair_to(&dir, &to).unwrap();
    assert_eq!(repair.saved.events, 8);
    assert!(repair.lost[0].starts_with("events 9 to 11 of 11, because"), "{:?}", repair.lost);
    assert_eq!(Store::open(&to).unwrap().1.session, states[7]);
}

#[test]
fn damage_in_the_middle_saves_what_is_ahead_of_it() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let states = made(&dir, 30);
    fs::write(dir.join("media/a.wav"), "audio").unwrap();
    let conn = rusqlite::Connection::open(database(&dir)).unwrap();
    conn.execute("UPDATE events SET body = replace(body, 'Gain', 'Pain') WHERE seq = 12", [])
        .unwrap();
    drop(conn);
    let before = fs::read(database(&dir)).unwrap();
    let error = Store::open(&dir).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    let to = tmp.path().join("saved");
    let repair = doctor::repair_to(&dir, &to).unwrap();
    assert_eq!(repair.found.damage, ["event 12 is not what was written"]);
    assert_eq!((repair.saved.events, repair.media_files), (11, 1));
    assert!(repair.saved.is_sound());
    assert_eq!(Store::open(&to).unwrap().1.session, states[10]);
    assert_eq!(fs::read_to_string(to.join("media/a.wav")).unwrap(), "audio");
    assert_eq!(fs::read(database(&dir)).unwrap(), before);
}

#[test]
fn a_page_of_zeros_is_noticed_and_the_rest_saved() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let states = made(&dir, 130);
    let mut bytes = fs::read(database(&dir)).unwrap();
    let page = bytes.len() / 4096 / 2 * 4096;
    bytes[page..page + 4096].fill(0);
    fs::write(database(&dir), &bytes).unwrap();
    let error = Store::open(&dir).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error}");
    let to = tmp.path().join("saved");
    let repair = doctor::repair_to(&dir, &to).unwrap();
    assert!(repair.saved.events > 5 && !repair.lost.is_empty(), "{repair:?}");
    let (_store, loaded) = Store::open(&to).unwrap();
    assert_eq!(loaded.session, states[loaded.history.iter().count()]);
}

#[test]
fn a_damaged_snapshot_costs_only_time() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let states = made(&dir, 220);
    let report = doctor::verify(&dir).unwrap();
    assert_eq!((report.snapshots, report.damage.len()), (2, 0));
    let conn = rusqlite::Connection::open(database(&dir)).unwrap();
    conn.execute("UPDATE snapshots SET body = replace(body, 'Vocals', 'Locals')", []).unwrap();
    drop(conn);
    let report = doctor::verify(&dir).unwrap();
    assert_eq!((report.snapshots, report.damage.len()), (0, 2), "{report:?}");
    let (_store, loaded) = Store::open(&dir).unwrap();
    assert_eq!(Some(&loaded.session), states.last());
    assert_eq!(loaded.warnings.len(), 2);
}

#[test]
fn a_newer_version_is_named() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    made(&dir, 1);
    let conn = rusqlite::Connection::open(database(&dir)).unwrap();
    conn.execute_batch("CREATE TABLE tomorrow (x); PRAGMA user_version = 2;").unwrap();
    drop(conn);
    let error = Store::open(&dir).unwrap_err();
    assert!(matches!(&error, OpenError::NewerVersion { .. }), "{error}");
    assert!(error.to_string().contains("its format is 2"), "{error}");
}

#[test]
fn a_schema_of_strangers_is_refused() {
    let tmp = tempdir().unwrap();
    for (n, sql) in [
        "CREATE TABLE extra (x)",
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM snapshots; END",
        "CREATE VIEW v AS SELECT * FROM events",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "CREATE INDEX i ON events (kind)",
        "ALTER TABLE events ADD COLUMN x TEXT",
        "ALTER TABLE tail RENAME TO tails",
        "DROP TABLE snapshots",
    ]
    .into_iter()
    .enumerate()
    {
        let dir = tmp.path().join(format!("s{n}"));
        made(&dir, 2);
        let conn = rusqlite::Connection::open(database(&dir)).unwrap();
        conn.execute_batch(sql).unwrap();
        drop(conn);
        let error = Store::open(&dir).unwrap_err();
        assert!(matches!(&error, OpenError::Untrusted { .. }), "{sql}: {error}");
    }
}

#[test]
fn events_that_were_rewritten_with_their_hashes_still_have_to_make_sense() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    made(&dir, 1);
    let conn = rusqlite::Connection::open(database(&dir)).unwrap();
    let mut invalid = session();
    invalid.master_gain = Decibels(9000.0);
    rewrite_first(&conn, &serde_json::to_string(&invalid).unwrap());
    drop(conn);
    let error = Store::open(&dir).unwrap_err();
    assert!(error.to_string().contains("9000"), "{error}");
}

/// Leaves one event, with the hash that belongs to it.
fn rewrite_first(conn: &rusqlite::Connection, body: &str) {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[0; 32]).update(&1i64.to_le_bytes()).update(&7u64.to_le_bytes());
    let hash = *hasher.update(b"created").update(body.as_bytes()).finalize().as_bytes();
    conn.execute("DELETE FROM events WHERE seq > 1", []).unwrap();
    conn.execute("UPDATE events SET body = ?1, hash = ?2", (body, hash)).unwrap();
    conn.execute("UPDATE tail SET seq = 1, hash = ?1", [hash]).unwrap();
}

/// A source of the file at `path` in its current state, imported some time ago.
fn imported(name: &str, path: &Path) -> Source {
    let hash = blake3::hash(&fs::read(path).unwrap()).to_hex().to_string();
    Source { hash: ContentHash(hash), ..source(name, path) }
}

/// Sources of every kind, sound and not, around the session in `dir`.
fn sources_of_all_kinds(around: &Path, dir: &Path) -> Vec<Source> {
    let file = |name: &str| {
        let path = around.join(name);
        fs::write(&path, "four").unwrap();
        path
    };
    let (there, same_size, short) = (file("there.wav"), file("same.wav"), file("short.wav"));
    let gone = around.join("gone.mp3");
    let conformed = |name: &str, content: &[u8]| {
        let path = format!("media/{name}.wav");
        fs::write(dir.join(&path), content).unwrap();
        Source { media: Media::Conformed(path), ..source(name, &gone) }
    };
    let wav = [b"RIFF\0\0\0\0WAVE".as_slice(), &[0; 8000]].concat();
    // The time stamps differ from the import: only the content counts.
    let sources = vec![
        imported("there", &there),
        imported("same size", &same_size),
        imported("short", &short),
        source("gone", &gone),
        conformed("conformed", &wav),
        conformed("no audio", b"not audio, but long enough"),
        conformed("empty", b""),
        Source { frames: Frames(100_000), ..conformed("cut", &wav) },
    ];
    fs::write(&same_size, "FOUR").unwrap();
    fs::write(&short, "2b").unwrap();
    sources
}

#[test]
fn missing_and_changed_audio_is_reported() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    for (n, source) in sources_of_all_kinds(tmp.path(), &dir).into_iter().enumerate() {
        let id = SourceId::new(n as u64 + 1);
        work.commit("Import", Change::AddSource(Edit::create(id, source)));
    }
    work.close();
    let expected = [
        "\"same size\" changed",
        "\"short\" changed",
        "\"gone\" is missing",
        "\"no audio\" is damaged",
        "\"empty\" is damaged",
        "\"cut\" is damaged",
    ];
    assert_media_problems(&dir, &expected);
}

/// Checks that the doctor finds these problems with media, in this order, and none with the database.
fn assert_media_problems(dir: &Path, expected: &[&str]) {
    let report = doctor::verify(dir).unwrap();
    assert_eq!(report.media.len(), expected.len(), "{report:?}");
    for (text, begin) in report.media.iter().zip(expected) {
        assert!(text.starts_with(begin), "{text}");
    }
    assert!(report.damage.is_empty() && !report.is_sound());
}

#[test]
fn the_doctor_writes_only_where_told() {
    let tmp = tempdir().unwrap();
    let dir = tmp.path().join("s");
    let mut work = Work::create(&dir);
    work.gain(-1.0);
    let killed = frozen(&dir, &tmp.path().join("killed"));
    assert!(matches!(doctor::verify(&dir), Err(DoctorError::InUse { .. })));
    work.close();
    let before: Vec<_> = names(&killed)
        .iter()
        .map(|name| (name.clone(), fs::read(killed.join(name)).unwrap()))
        .collect();
    let report = doctor::verify(&killed).unwrap();
    assert_eq!((report.events, report.revisions, report.head), (3, 2, RevisionId(2)));
    assert!(report.is_sound(), "{report:?}");
    let inside = doctor::repair_to(&killed, &killed.join("media/x")).unwrap_err();
    assert!(inside.to_string().contains("inside the session"), "{inside}");
    let full = doctor::repair_to(&killed, &dir).unwrap_err();
    assert!(full.to_string().contains("not an empty folder"), "{full}");
    let after: Vec<_> = names(&killed)
        .iter()
        .map(|name| (name.clone(), fs::read(killed.join(name)).unwrap()))
        .collect();
    assert!(before == after, "{:?}", names(&killed));
    assert!(matches!(doctor::verify(&tmp.path().join("no")), Err(DoctorError::Missing(_))));
    assert!(matches!(doctor::verify(tmp.path()), Err(DoctorError::NotASession { .. })));
}
