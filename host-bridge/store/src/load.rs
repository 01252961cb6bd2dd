//! Reading a database into a session: every event is checked against the chain. The newest valid snapshot
//! saves replaying the events before it.

use crate::chain::{self, Hash};
use crate::db::{self, Row};
use crate::event::{ParseError, Record, SnapshotMark};
use crate::replay::{self, Replay};
use deskhand_session::{Change, Session};
use rusqlite::Connection;

/// Why a database is not read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// SQLite refused.
    Database(rusqlite::Error),
    /// A newer version wrote it.
    Newer(String),
    /// It does not agree with itself.
    Damaged(String),
    /// It holds an object that we never make.
    Foreign(String),
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

/// What a database holds.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) replay: Replay,
    pub(crate) chain: Chain,
    /// The events since the last snapshot.
    pub(crate) gathered: Gathered,
    pub(crate) warnings: Vec<String>,
}

/// How much there would be to replay.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) events: usize,
    pub(crate) bytes: usize,
}

impl Gathered {
    pub(crate) fn add(&mut self, body: &str) {
        self.events += 1;
        self.bytes += body.len();
    }
}

/// The end of the chain so far.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) seq: i64,
    pub(crate) hash: Hash,
}

impl Chain {
    /// Before the first event.
    pub(crate) const START: Self = Self { seq: 0, hash: chain::START };

    /// The chain with one more event.
    pub(crate) fn next(&self, kind: &str, body: &str) -> Self {
        let seq = self.seq + 1;
        Self { seq, hash: chain::link(&self.hash, seq, kind, body) }
    }

    /// Checks that a row is the next event, and reads it.
    pub(crate) fn accept(&mut self, row: &Row) -> Result<Record, ReadError> {
        let next = self.next(&row.kind, &row.body);
        if row.seq != next.seq {
            let what = format!("event {} is missing, {} follows", next.seq, row.seq);
            return Err(ReadError::Damaged(what));
        }
        if row.hash != next.hash {
            let what = format!("event {} is not what was written", row.seq);
            return Err(ReadError::Damaged(what));
        }
        *self = next;
        Record::parse(&row.kind, &row.body).map_err(|error| match error {
            ParseError::UnknownKind => {
                ReadError::Newer(format!("it has an event of the kind {:?}", row.kind))
            }
            ParseError::Body(why) => ReadError::Damaged(format!("event {}: {why}", row.seq)),
        })
    }

    /// Checks that no events are missing after the last.
    pub(crate) fn check_tail(&self, conn: &Connection) -> Result<(), ReadError> {
        match db::tail(conn)? {
            Some((seq, hash)) if seq == self.seq && hash == self.hash => Ok(()),
            Some((seq, _)) if seq == self.seq => {
                Err(ReadError::Damaged("the mark of the last event is wrong".into()))
            }
            Some((seq, _)) => {
                let what = format!("the last event should be {seq}, it is {}", self.seq);
                Err(ReadError::Damaged(what))
            }
            None => Err(ReadError::Damaged("the mark of the last event is missing".into())),
        }
    }
}

/// A snapshot as it lies in its table, not yet known to be sound.
struct Snapshot {
    of: i64,
    session: Session,
    hash: String,
}

/// Reads and checks everything.
pub(crate) fn read(conn: &Connection) -> Result<Content, ReadError> {
    let mut warnings = Vec::new();
    for of in db::snapshots(conn)? {
        let found = match snapshot(conn, of)? {
            Some(snapshot) => read_from(conn, Some(snapshot))?,
            None => None,
        };
        match found {
            Some(content) => {
                return Ok(Content { warnings, ..content });
            }
            None => warnings.push(format!(
                "the snapshot after event {of} is damaged and was not used; \
                 the session was made again from its events"
            )),
        }
    }
    let content = read_from(conn, None)?;
    let content = content.ok_or_else(|| ReadError::Damaged("it has no events".into()))?;
    Ok(Content { warnings, ..content })
}

fn snapshot(conn: &Connection, of: i64) -> Result<Option<Snapshot>, ReadError> {
    let Some(body) = db::snapshot(conn, of)? else {
        return Ok(None);
    };
    let hash = blake3::hash(body.as_bytes()).to_hex().to_string();
    let session = serde_json::from_str(&body).ok();
    Ok(session.map(|session| Snapshot { of, session, hash }))
}

/// Reads all events and replays those after the snapshot; `None` if the snapshot does not match the chain.
fn read_from(conn: &Connection, base: Option<Snapshot>) -> Result<Option<Content>, ReadError> {
    let mut reader = Reader {
        chain: Chain::START,
        replay: None,
        of: base.as_ref().map_or(0, |snapshot| snapshot.of),
        mark: None,
        changes: Vec::new(),
        gathered: Gathered::default(),
    };
    db::each_row(conn, |row| reader.take(&row))?;
    reader.chain.check_tail(conn)?;
    let Reader { chain, replay, mark, changes, gathered, .. } = reader;
    let Some(mut replay) = replay else {
        return Err(ReadError::Damaged("it has no events".into()));
    };
    if let Some(snapshot) = base {
        if mark.is_none_or(|mark| mark.hash != snapshot.hash) {
            return Ok(None);
        }
        replay.session = snapshot.session;
    }
    replay.session = replayed(&replay.session, &changes)?;
    let warnings = Vec::new();
    Ok(Some(Content { replay, chain, gathered, warnings }))
}

/// All changes at once: one copy of the session, not one for each revision.
fn replayed(session: &Session, changes: &[Change]) -> Result<Session, ReadError> {
    let damaged = |why: String| ReadError::Damaged(why);
    session.validate().map_err(damaged)?;
    let next = session.with(changes);
    next.map_err(|error| damaged(format!("its events do not fit together: {error}")))
}

/// The state of going through the rows.
struct Reader {
    chain: Chain,
    replay: Option<Replay>,
    /// Events up to this one are in the snapshot.
    of: i64,
    /// What the chain says of the snapshot.
    mark: Option<SnapshotMark>,
    changes: Vec<Change>,
    gathered: Gathered,
}

impl Reader {
    fn take(&mut self, row: &Row) -> Result<(), ReadError> {
        let damaged = |why: String| ReadError::Damaged(format!("event {}: {why}", row.seq));
        let record = self.chain.accept(row)?;
        let Some(replay) = &mut self.replay else {
            self.replay = Some(Replay::new(replay::created(record).map_err(damaged)?));
            return Ok(());
        };
        match record {
            Record::Created(_) => return Err(damaged("the session is created twice".into())),
            Record::Snapshot(mark) => {
                self.gathered = Gathered::default();
                if mark.of == self.of {
                    self.mark = Some(mark);
                }
            }
            Record::Event(event) => {
                self.gathered.add(&row.body);
                let changes = replay.changes(&event).map_err(damaged)?;
                if row.seq > self.of {
                    self.changes.extend(changes);
                }
                replay.note(event);
            }
        }
        Ok(())
    }
}
