//! The storage thread: takes batches of events, makes each durable, answers.
//!
//! Thread: storage.

use crate::StoreError;
use crate::db;
use crate::event::{Event, Record, SnapshotMark};
use crate::load::{self, Chain, Gathered, ReadError};
use crate::owner::Owner;
use crate::replay::Replay;
use crossbeam_channel::{Receiver, Sender};
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Called on the storage thread when its events are durable, with the number of the last, or when they
/// were not stored.
pub type OnStored = Box<dyn FnOnce(Result<u64, StoreError>) + Send>;

/// Events to store together.
pub(crate) struct Append {
    pub(crate) events: Vec<Event>,
    pub(crate) on_stored: OnStored,
}

/// What the storage thread is asked for.
pub(crate) enum Order {
    /// To store events.
    Append(Append),
    Copy(CopyOrder),
}

/// A copy of the database, in its state after the earlier orders.
pub(crate) struct CopyOrder {
    /// The file to make, in a folder that is there.
    pub(crate) file: PathBuf,
    pub(crate) reply: Sender<Result<(), String>>,
}

/// At most this many appends go into one transaction.
const BATCH: usize = 256;
/// A snapshot is made when this many events have gathered …
const SNAPSHOT_EVENTS: usize = 100;
/// … or this many bytes of them, 4 MB.
const SNAPSHOT_BYTES: usize = 4 << 20;

/// The database and the state that it holds.
pub(crate) struct Writer {
    pub(crate) conn: Connection,
    pub(crate) replay: Replay,
    pub(crate) chain: Chain,
    pub(crate) gathered: Gathered,
    /// The first failure; nothing is written after it.
    pub(crate) failed: Option<String>,
    /// Counts batches, for callers who wait.
    pub(crate) progress: Arc<AtomicU64>,
    /// Kept until the database is closed.
    pub(crate) owner: Owner,
}

impl Writer {
    /// Stores events until the senders are gone, then closes the file.
    pub(crate) fn run(mut self, orders: &Receiver<Order>) -> Result<(), StoreError> {
        while let Ok(first) = orders.recv() {
            let mut batch = Vec::new();
            for order in std::iter::once(first).chain(orders.try_iter().take(BATCH - 1)) {
                match order {
                    Order::Append(append) => batch.push(append),
                    Order::Copy(order) => {
                        self.store(std::mem::take(&mut batch));
                        self.copy(order);
                    }
                }
            }
            self.store(batch);
        }
        self.finish()
    }

    /// Writes the database, without what its log holds twice, to another file.
    fn copy(&self, CopyOrder { file, reply }: CopyOrder) {
        let copied = match (&self.failed, file.to_str()) {
            (Some(because), _) => Err(because.clone()),
            (None, None) => Err("the name of the new folder is not UTF-8".into()),
            (None, Some(file)) => db::copy(&self.conn, file).map_err(|error| error.to_string()),
        };
        // The asker may have been cancelled.
        drop(reply.send(copied));
        self.progress.fetch_add(1, Ordering::Relaxed);
    }

    /// Stores a batch in one transaction and answers each append.
    fn store(&mut self, batch: Vec<Append>) {
        if batch.is_empty() {
            return;
        }
        let (events, answers): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|append| (append.events, append.on_stored)).unzip();
        let results = self.commit(&events);
        for (answer, result) in answers.into_iter().zip(results) {
            answer(result);
        }
        self.progress.fetch_add(1, Ordering::Relaxed);
        // After the answers: nobody waits for a snapshot.
        if self.gathered.events >= SNAPSHOT_EVENTS || self.gathered.bytes >= SNAPSHOT_BYTES {
            self.snapshot();
        }
    }

    /// One result for each append. A failed commit is never tried again: after a failed sync the system may
    /// have lost the data.
    fn commit(&mut self, batch: &[Vec<Event>]) -> Vec<Result<u64, StoreError>> {
        if let Some(because) = self.failed.clone() {
            return vec![Err(StoreError::ReadOnly { because }); batch.len()];
        }
        self.try_commit(batch).unwrap_or_else(|error| {
            let error = self.fail(&error);
            vec![Err(error); batch.len()]
        })
    }

    fn try_commit(
        &mut self,
        batch: &[Vec<Event>],
    ) -> rusqlite::Result<Vec<Result<u64, StoreError>>> {
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
        let mut stored = Stored { chain: self.chain.clone(), gathered: self.gathered };
        let mut results = Vec::with_capacity(batch.len());
        for events in batch {
            let result = append(&mut self.replay, &tx, &mut stored, events)?;
            results.push(result.map_err(|why| StoreError::Refused { why }));
        }
        tx.commit()?;
        (self.chain, self.gathered) = (stored.chain, stored.gathered);
        Ok(results)
    }

    fn fail(&mut self, error: &rusqlite::Error) -> StoreError {
        self.failed = Some(error.to_string());
        // The log stays for the next opening, which checks it.
        let _kept = db::leave_log(&self.conn);
        if db::is_full(error) {
            return StoreError::DiskFull;
        }
        StoreError::Failed { why: error.to_string() }
    }

    fn snapshot(&mut self) {
        if self.failed.is_none()
            && let Err(error) = self.try_snapshot()
        {
            // The next append returns the error.
            let _told_later = self.fail(&error);
        }
    }

    fn try_snapshot(&mut self) -> rusqlite::Result<()> {
        let body = serde_json::to_string(&self.replay.session)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        let hash = blake3::hash(body.as_bytes()).to_hex().to_string();
        let of = self.chain.seq;
        let tx = Transaction::new_unchecked(&self.conn, TransactionBehavior::Immediate)?;
        db::insert_snapshot(&tx, of, &body)?;
        let chain = insert(&tx, &self.chain, &SnapshotMark { of, hash }.into())?;
        tx.commit()?;
        self.chain = chain;
        self.gathered = Gathered::default();
        Ok(())
    }

    /// Leaves one file. After a failure the log stays: it holds acknowledged events.
    fn finish(self) -> Result<(), StoreError> {
        let Self { conn, owner, failed, .. } = self;
        let done = match failed {
            Some(because) => Err(StoreError::ReadOnly { because }),
            None => db::finish(conn).map_err(|error| StoreError::Failed { why: error.to_string() }),
        };
        drop(owner);
        done
    }
}

/// Where the chain is inside a transaction.
struct Stored {
    chain: Chain,
    gathered: Gathered,
}

/// Writes events if all of them follow from the stored ones; otherwise says why not, and changes nothing.
fn append(
    replay: &mut Replay,
    tx: &Connection,
    stored: &mut Stored,
    events: &[Event],
) -> rusqlite::Result<Result<u64, String>> {
    let mut texts = Vec::with_capacity(events.len());
    for event in events {
        let record = Record::Event(event.clone());
        let body = record.body().and_then(|body| replay.step(event).map(|()| body));
        match body {
            Ok(body) => texts.push((record.kind(), body)),
            Err(why) => {
                if !texts.is_empty() {
                    *replay = reread(tx)?;
                }
                return Ok(Err(why));
            }
        }
    }
    for (kind, body) in &texts {
        stored.chain = insert_text(tx, &stored.chain, (kind, body))?;
        stored.gathered.add(body);
    }
    Ok(Ok(stored.chain.seq.unsigned_abs()))
}

/// Writes one record at the end of `chain`.
pub(crate) fn insert(conn: &Connection, chain: &Chain, record: &Record) -> rusqlite::Result<Chain> {
    let body = record.body();
    let body = body.map_err(|why| rusqlite::Error::ToSqlConversionFailure(why.into()))?;
    insert_text(conn, chain, (record.kind(), &body))
}

/// Writes one record, given as text, at the end of `chain`.
pub(crate) fn insert_text(
    conn: &Connection,
    chain: &Chain,
    (kind, body): (&str, &str),
) -> rusqlite::Result<Chain> {
    let next = chain.next(kind, body);
    db::insert_event(conn, next.seq, (kind, body), &next.hash)?;
    Ok(next)
}

/// The state as the transaction has it.
fn reread(tx: &Connection) -> rusqlite::Result<Replay> {
    match load::read(tx) {
        Ok(content) => Ok(content.replay),
        Err(ReadError::Database(error)) => Err(error),
        Err(ReadError::Newer(why) | ReadError::Damaged(why) | ReadError::Foreign(why)) => {
            Err(rusqlite::Error::ToSqlConversionFailure(why.into()))
        }
    }
}

#[cfg(test)]
mod tests;
