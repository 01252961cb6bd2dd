//! The longest run of events, from the first on, that are as they were written and fit together.

use crate::db::{self, Format, Row};
use crate::event::{Record, SnapshotMark};
use crate::load::{Chain, ReadError};
use crate::replay::{self, Replay};
use rusqlite::Connection;
use std::path::Path;

/// What can be read.
pub(super) struct Salvage {
    /// Kind and body of each event.
    pub(super) records: Vec<(String, String)>,
    pub(super) chain: Chain,
    /// What they lead to.
    pub(super) replay: Option<Replay>,
    pub(super) snapshots: usize,
    /// The number of the last written event, as far as it is known.
    pub(super) written: Option<i64>,
    pub(super) damage: Vec<String>,
}

/// Reads a copy of a database as far as possible.
pub(super) fn read(file: &Path) -> Salvage {
    let mut salvage = Salvage {
        records: Vec::new(),
        chain: Chain::START,
        replay: None,
        snapshots: 0,
        written: None,
        damage: Vec::new(),
    };
    if let Err(error) = db::open(file, db::MUST_EXIST).and_then(|conn| salvage.all(&conn)) {
        salvage.damage.push(error.to_string());
    }
    if salvage.replay.is_none() && salvage.damage.is_empty() {
        salvage.damage.push("it has no events".into());
    }
    salvage
}

impl Salvage {
    fn all(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        match db::format(conn) {
            Ok(Format::Current) => {}
            Ok(Format::Newer(version)) => self.damage.push(format!("its format is {version}")),
            Ok(Format::Other(what)) => self.damage.push(what),
            Ok(Format::Foreign(object)) => self.damage.push(format!("it holds {object}")),
            Err(error) => self.damage.push(error.to_string()),
        }
        match db::quick_check(conn) {
            Ok(None) => {}
            Ok(Some(what)) => self.damage.push(what),
            Err(error) => self.damage.push(error.to_string()),
        }
        if !db::has_events(conn)? {
            return Ok(());
        }
        match db::each_row(conn, |row| self.take(conn, row)) {
            Ok(()) => {}
            Err(ReadError::Database(error)) => self.damage.push(error.to_string()),
            Err(ReadError::Newer(why) | ReadError::Damaged(why) | ReadError::Foreign(why)) => {
                self.damage.push(why);
            }
        }
        self.check_end(conn)
    }

    /// Takes one event. A chain that would not continue keeps its end.
    fn take(&mut self, conn: &Connection, row: Row) -> Result<(), ReadError> {
        let damaged = |why: String| ReadError::Damaged(format!("event {}: {why}", row.seq));
        let mut chain = self.chain.clone();
        let record = chain.accept(&row)?;
        match (&mut self.replay, record) {
            (None, record) => {
                let session = replay::created(record).map_err(damaged)?;
                session.validate().map_err(damaged)?;
                self.replay = Some(Replay::new(session));
            }
            (Some(replay), Record::Event(event)) => replay.step(&event).map_err(damaged)?,
            (Some(_), Record::Snapshot(mark)) => self.check_snapshot(conn, &mark),
            (Some(_), Record::Created(_)) => return Err(damaged("it is created twice".into())),
        }
        self.chain = chain;
        self.records.push((row.kind, row.body));
        Ok(())
    }

    /// A snapshot is only a short cut: a wrong one costs nothing.
    fn check_snapshot(&mut self, conn: &Connection, mark: &SnapshotMark) {
        let of = mark.of;
        let agrees = match db::snapshot(conn, of) {
            // Older ones are dropped in time.
            Ok(None) => return,
            Ok(Some(body)) => {
                let here = self.replay.as_ref().map(|replay| &replay.session);
                let hash = blake3::hash(body.as_bytes()).to_hex();
                hash.as_str() == mark.hash && serde_json::from_str(&body).ok().as_ref() == here
            }
            Err(_) => false,
        };
        if agrees {
            self.snapshots += 1;
        } else {
            self.damage
                .push(format!("the snapshot after event {of} does not agree with the events"));
        }
    }

    fn check_end(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        self.written = db::tail(conn)?.map(|(seq, _)| seq);
        if self.damage.is_empty()
            && let Err(ReadError::Damaged(why)) = self.chain.check_tail(conn)
        {
            self.damage.push(why);
        }
        Ok(())
    }
}
