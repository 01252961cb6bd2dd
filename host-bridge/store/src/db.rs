//! The database file: how it is opened, its tables, its rows. Nothing else speaks SQL.

use crate::chain::Hash;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension, params};
use std::io::Read;
use std::path::Path;

/// The database in a session folder.
pub(crate) const FILE: &str = "session.db";
/// Marks the file as ours: "Dskh".
const APPLICATION_ID: i64 = 0x4473_6b68;
/// The format that this version writes and reads.
pub(crate) const FORMAT: i64 = 1;

/// Every object of the schema, in the words in which SQLite keeps them.
const TABLES: [(&str, &str); 3] = [
    (
        "events",
        "CREATE TABLE events (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, \
         hash BLOB NOT NULL) STRICT",
    ),
    ("snapshots", "CREATE TABLE snapshots (of INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT"),
    (
        "tail",
        "CREATE TABLE tail (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT",
    ),
];

/// For [`open`]: only a file that is there.
pub(crate) const MUST_EXIST: OpenFlags = OpenFlags::empty();
/// For [`open`]: makes an empty file.
pub(crate) const MAY_CREATE: OpenFlags = OpenFlags::SQLITE_OPEN_CREATE;

/// A row of the table of events, as read.
pub(crate) struct Row {
    pub(crate) seq: i64,
    pub(crate) kind: String,
    pub(crate) body: String,
    pub(crate) hash: Vec<u8>,
}

/// What a file is, from its header and its schema.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Ours, of this version.
    Current,
    /// Ours, of a newer version.
    Newer(i64),
    /// Not ours.
    Other(String),
    /// Ours, with something in it that we never write.
    Foreign(String),
}

/// Opens the file. Nothing is written yet, and closing leaves a log alone until [`start_writing`].
pub(crate) fn open(path: &Path, create: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = create
        | OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let conn = Connection::open_with_flags(path, flags)?;
    guard(&conn)?;
    conn.execute_batch("PRAGMA locking_mode = EXCLUSIVE;")?;
    Ok(conn)
}

/// A file from elsewhere gets no code of its own to run, and no way around our checks.
fn guard(conn: &Connection) -> rusqlite::Result<()> {
    for (option, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        conn.set_db_config(option, on)?;
    }
    conn.busy_timeout(std::time::Duration::from_millis(500))?;
    conn.execute_batch(
        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;",
    )
}

/// Opens a file that is complete without a log, to read it only: nothing is written.
pub(crate) fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let conn = Connection::open_with_flags(path, flags)?;
    guard(&conn)?;
    Ok(conn)
}

/// Writes the committed content to a new file without a log. It is not synced.
pub(crate) fn copy(conn: &Connection, file: &str) -> rusqlite::Result<()> {
    conn.execute("VACUUM INTO ?1", [file]).map(drop)
}

/// Whether the header says that a log belongs to the file (SQLite file format, "File format version
/// numbers").
pub(crate) fn expects_log(path: &Path) -> std::io::Result<bool> {
    const LOGGED: u8 = 2;
    let mut header = Vec::new();
    std::fs::File::open(path)?.take(20).read_to_end(&mut header)?;
    Ok(header.get(18..20).is_some_and(|versions| versions.contains(&LOGGED)))
}

/// Whether a file begins like one of ours, without opening it as a database.
pub(crate) fn begins_like_ours(path: &Path) -> std::io::Result<bool> {
    let mut header = Vec::new();
    std::fs::File::open(path)?.take(100).read_to_end(&mut header)?;
    let mark = header.get(68..72).and_then(|bytes| bytes.try_into().ok());
    let ours = mark.map(u32::from_be_bytes).map(i64::from) == Some(APPLICATION_ID);
    Ok(ours && header.starts_with(b"SQLite format 3\0"))
}

/// What the file is. Reads the header first: a newer version may have other tables.
pub(crate) fn format(conn: &Connection) -> rusqlite::Result<Format> {
    let application: i64 = conn.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if application != APPLICATION_ID {
        return Ok(Format::Other(format!("{FILE} was made by another program")));
    }
    let version: i64 = conn.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version > FORMAT {
        return Ok(Format::Newer(version));
    }
    if version != FORMAT {
        return Ok(Format::Other(format!("{FILE} has the format {version}")));
    }
    Ok(foreign_object(conn)?.map_or(Format::Current, Format::Foreign))
}

/// The first object of the schema that is not exactly ours.
fn foreign_object(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let mut found = conn.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name")?;
    let found = found.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    })?;
    let mut names = Vec::new();
    for object in found {
        let (kind, name, sql) = object?;
        let ours = TABLES.iter().any(|(ours, text)| *ours == name && sql.as_deref() == Some(text));
        if kind != "table" || !ours {
            let name: String = name.chars().take(60).collect();
            return Ok(Some(format!("an unknown {} {name:?}", kind.escape_debug())));
        }
        names.push(name);
    }
    let missing = TABLES.iter().find(|(name, _)| !names.iter().any(|n| n == name));
    Ok(missing.map(|(name, _)| format!("no table {name:?}")))
}

/// Whether the table of events is exactly ours, so that reading it runs nothing of a stranger's.
pub(crate) fn has_events(conn: &Connection) -> rusqlite::Result<bool> {
    let (name, sql) = TABLES[0];
    let found =
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1 AND sql = ?2";
    conn.query_row(found, params![name, sql], |row| Ok(row.get::<_, i64>(0)? == 1))
}

/// SQLite's own check of pages and cells; the first complaint.
pub(crate) fn quick_check(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let found: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok((found != "ok").then_some(found))
}

/// Makes the tables in an empty file.
pub(crate) fn make_tables(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT};"
    ))?;
    TABLES.iter().try_for_each(|(_, sql)| conn.execute_batch(sql))
}

/// From here on commits are durable when they return: a write-ahead log, synced at each commit.
pub(crate) fn start_writing(conn: &Connection) -> rusqlite::Result<()> {
    let mode: String = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(rusqlite::Error::InvalidQuery);
    }
    conn.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;",
    )?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(())
}

/// Closing will not touch the log.
pub(crate) fn leave_log(conn: &Connection) -> rusqlite::Result<bool> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
}

/// Brings everything into the one file, for people who copy folders.
pub(crate) fn finish(conn: Connection) -> rusqlite::Result<()> {
    // Leaving WAL brings the log into the file first. An explicit checkpoint before it is refused as locked
    // when nothing was written since the mode was set.
    let mode: String = conn.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode != "delete" {
        return Err(rusqlite::Error::InvalidQuery);
    }
    conn.close().map_err(|(_, error)| error)
}

/// Calls `each` with every event in order, until it returns an error or a row cannot be read.
pub(crate) fn each_row<E: From<rusqlite::Error>>(
    conn: &Connection,
    mut each: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    let mut query = conn.prepare("SELECT seq, kind, body, hash FROM events ORDER BY seq")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        each(Row { seq: row.get(0)?, kind: row.get(1)?, body: row.get(2)?, hash: row.get(3)? })?;
    }
    Ok(())
}

/// What the session was made as.
pub(crate) fn created(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT body FROM events WHERE kind = 'created' ORDER BY seq LIMIT 1";
    conn.query_row(sql, [], |row| row.get(0)).optional()
}

/// Adds an event and moves the tail to it.
pub(crate) fn insert_event(
    conn: &Connection,
    seq: i64,
    (kind, body): (&str, &str),
    hash: &Hash,
) -> rusqlite::Result<()> {
    let mut insert =
        conn.prepare_cached("INSERT INTO events (seq, kind, body, hash) VALUES (?1, ?2, ?3, ?4)")?;
    insert.execute(params![seq, kind, body, hash])?;
    let mut tail =
        conn.prepare_cached("INSERT OR REPLACE INTO tail (id, seq, hash) VALUES (1, ?1, ?2)")?;
    tail.execute(params![seq, hash])?;
    Ok(())
}

/// The last event as written next to the chain, so that rows missing at its end are noticed.
pub(crate) fn tail(conn: &Connection) -> rusqlite::Result<Option<(i64, Vec<u8>)>> {
    let sql = "SELECT seq, hash FROM tail WHERE id = 1";
    conn.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// Adds a snapshot and drops all but the newest two.
pub(crate) fn insert_snapshot(conn: &Connection, of: i64, body: &str) -> rusqlite::Result<()> {
    conn.execute("INSERT INTO snapshots (of, body) VALUES (?1, ?2)", params![of, body])?;
    let old = "DELETE FROM snapshots WHERE of NOT IN \
               (SELECT of FROM snapshots ORDER BY of DESC LIMIT 2)";
    conn.execute(old, [])?;
    Ok(())
}

/// The numbers of the events that snapshots were made after, newest first.
pub(crate) fn snapshots(conn: &Connection) -> rusqlite::Result<Vec<i64>> {
    let mut query = conn.prepare("SELECT of FROM snapshots ORDER BY of DESC")?;
    query.query_map([], |row| row.get(0))?.collect()
}

pub(crate) fn snapshot(conn: &Connection, of: i64) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT body FROM snapshots WHERE of = ?1";
    conn.query_row(sql, [of], |row| row.get(0)).optional()
}

/// Whether the disk was full.
pub(crate) fn is_full(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
}
