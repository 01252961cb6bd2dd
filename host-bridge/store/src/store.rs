//! A session folder that this process owns, and the thread that writes it.

use crate::Cache;
use crate::copy::Copier;
use crate::db::{self, Format};
use crate::error::{CreateError, OpenError, StoreError};
use crate::event::{Event, Record};
use crate::folder::{self, CACHE, CAPTURES, MEDIA};
use crate::load::{self, Chain, Content, Gathered, ReadError};
use crate::owner::{LockError, Owner, Spot};
use crate::replay::Replay;
use crate::writer::{self, Append, OnStored, Order, Writer};
use crossbeam_channel::{Receiver, SendTimeoutError, Sender, bounded};
use deskhand_session::{History, Said, Session, StoredPlan};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Appends that may wait. The thread takes 256 at a time, so this is that many syncs late.
const WAITING: usize = 4096;
/// How long an append waits for room, and closing for the thread, before it is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a session folder held when it was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The session at the head of the history.
    pub session: Session,
    pub history: History,
    /// All plans in the order in which they were made, with their states.
    pub plans: Vec<StoredPlan>,
    /// The messages, in order.
    pub conversation: Vec<Said>,
    /// What the person should know; nothing is lost.
    pub warnings: Vec<String>,
}

/// A session folder that this process owns.
///
/// One thread writes events. Dropping the store, or [`Store::close`], waits for the appended events and
/// leaves one database file.
#[derive(Debug)]
pub struct Store {
    spot: Spot,
    orders: Option<Arc<Sender<Order>>>,
    closed: Receiver<Result<(), StoreError>>,
    /// Batches stored so far.
    progress: Arc<AtomicU64>,
}

impl Store {
    /// Makes a session folder. `dir` is used exactly as given; it must not exist or be an empty folder.
    ///
    /// # Errors
    /// See [`CreateError`]. No file remains.
    pub fn create(dir: &Path, session: &Session) -> Result<(Self, Loaded), CreateError> {
        session.validate().map_err(CreateError::Invalid)?;
        let created = Record::Created(session.clone());
        created.body().map_err(CreateError::Invalid)?;
        let made = folder::make(dir)?;
        let writer = first_writer(&made.dir, &created, session).inspect_err(|_| made.remove())?;
        let content = Content {
            replay: writer.replay.clone(),
            chain: writer.chain.clone(),
            gathered: writer.gathered,
            warnings: Vec::new(),
        };
        Self::start(&made.dir, writer, content).map_err(|why| {
            made.remove();
            CreateError::Io { dir: dir.into(), why: why.to_string() }
        })
    }

    /// Opens a session folder and takes ownership of it.
    ///
    /// # Errors
    /// See [`OpenError`]; the folder is as it was.
    pub fn open(dir: &Path) -> Result<(Self, Loaded), OpenError> {
        let opened = SystemTime::now();
        let real = folder::find(dir)?;
        let owner = Owner::take(&real).map_err(|error| match error {
            LockError::Held(holder) => OpenError::InUse { dir: dir.into(), holder },
            LockError::Io(error) => open_io(dir, &error),
        })?;
        let read = || -> Result<_, ReadError> {
            let conn = db::open(&real.join(db::FILE), db::MUST_EXIST)?;
            let content = read_checked(&conn)?;
            db::start_writing(&conn)?;
            Ok((conn, content))
        };
        let (conn, content) = read().map_err(|error| open_error(dir, error))?;
        folder::make_rooms(&real).map_err(|error| open_io(dir, &error))?;
        folder::sweep(&real, opened);
        let writer = Writer {
            conn,
            replay: content.replay.clone(),
            chain: content.chain.clone(),
            gathered: content.gathered,
            failed: None,
            progress: Arc::default(),
            owner,
        };
        Self::start(&real, writer, content).map_err(|error| open_io(dir, &error))
    }

    fn start(dir: &Path, writer: Writer, content: Content) -> std::io::Result<(Self, Loaded)> {
        let (orders, incoming) = bounded(WAITING);
        let (done, closed) = bounded(1);
        let progress = Arc::clone(&writer.progress);
        let thread = std::thread::Builder::new().name("deskhand-storage".into());
        // Not joined: `closed` says when it is done, and can be waited for with an end.
        let _thread = thread.spawn(move || {
            let result = writer.run(&incoming);
            let _nobody_waits = done.send(result);
        })?;
        let spot = Spot::of(dir);
        let store = Self { spot, orders: Some(Arc::new(orders)), closed, progress };
        Ok((store, content.into_loaded()))
    }

    /// The session folder, absolute and without links.
    #[must_use]
    pub fn dir(&self) -> &Path {
        self.spot.dir()
    }

    /// Where it was opened, to be looked at elsewhere.
    #[must_use]
    pub fn spot(&self) -> Spot {
        self.spot.clone()
    }

    /// The folder for conformed audio.
    #[must_use]
    pub fn media_dir(&self) -> PathBuf {
        self.dir().join(MEDIA)
    }

    /// The folder for what instances of the plugin record.
    #[must_use]
    pub fn captures_dir(&self) -> PathBuf {
        self.dir().join(CAPTURES)
    }

    /// Makes copies of the session, on a worker.
    #[must_use]
    pub fn copier(&self) -> Copier {
        let orders = self.orders.as_ref().map(Arc::downgrade).unwrap_or_default();
        Copier { dir: self.dir().to_owned(), orders }
    }

    #[must_use]
    pub fn cache(&self) -> Cache {
        Cache::new(self.dir().join(CACHE))
    }

    /// Stores events together, all or none. Returns at once. `on_stored` is called on the storage thread,
    /// in the order of the calls, when they are durable or failed. After a failure of the disk everything
    /// later fails too.
    pub fn append(&self, events: Vec<Event>, on_stored: OnStored) {
        let order = Order::Append(Append { events, on_stored });
        let unsent = match &self.orders {
            Some(orders) => {
                orders.send_timeout(order, PATIENCE).map_err(SendTimeoutError::into_inner)
            }
            None => Err(order),
        };
        if let Err(Order::Append(append)) = unsent {
            let because = "the disk does not answer".into();
            (append.on_stored)(Err(StoreError::ReadOnly { because }));
        }
    }

    /// Waits until everything is stored and the folder is one tidy file and its media.
    ///
    /// # Errors
    /// When something was not stored, or the file could not be tidied. Acknowledged events are safe.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.finish()
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        let Some(orders) = self.orders.take() else {
            return Ok(());
        };
        drop(orders);
        // However much waits to be stored, as long as it gets less.
        loop {
            let before = self.progress.load(Ordering::Relaxed);
            match self.closed.recv_timeout(PATIENCE) {
                Ok(result) => return result,
                Err(_) if self.progress.load(Ordering::Relaxed) != before => {}
                Err(_) => {
                    let why = "the disk does not answer".into();
                    return Err(StoreError::Failed { why });
                }
            }
        }
    }
}

impl Content {
    /// Without what only a writer needs.
    pub(crate) fn into_loaded(self) -> Loaded {
        let Self { replay, warnings, .. } = self;
        let Replay { session, history, plans, conversation } = replay;
        Loaded { session, history, plans, conversation, warnings }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Whoever wants to know calls `close`.
        let _best_effort = self.finish();
    }
}

/// The database of a new session, with its first event durable.
pub(crate) fn first_writer(
    dir: &Path,
    created: &Record,
    session: &Session,
) -> Result<Writer, CreateError> {
    let failed = |why: String| CreateError::Io { dir: dir.into(), why };
    let owner = Owner::take(dir).map_err(|error| match error {
        LockError::Held(holder) => CreateError::InUse { dir: dir.into(), holder },
        LockError::Io(error) => folder::create_error(dir, error),
    })?;
    folder::make_rooms(dir).map_err(|error| folder::create_error(dir, error))?;
    let write = || -> rusqlite::Result<_> {
        let conn = db::open(&dir.join(db::FILE), db::MAY_CREATE)?;
        let tx = conn.unchecked_transaction()?;
        db::make_tables(&tx)?;
        let chain = writer::insert(&tx, &Chain::START, created)?;
        tx.commit()?;
        // Only now: the file itself, not its log, holds the header by which it is known.
        db::start_writing(&conn)?;
        Ok((conn, chain))
    };
    let (conn, chain) = write().map_err(|error| match db::is_full(&error) {
        true => CreateError::DiskFull(dir.into()),
        false => failed(error.to_string()),
    })?;
    folder::sync(dir).map_err(|error| folder::create_error(dir, error))?;
    Ok(Writer {
        conn,
        replay: Replay::new(session.clone()),
        chain,
        gathered: Gathered::default(),
        failed: None,
        progress: Arc::default(),
        owner,
    })
}

/// Checks what kind of file it is and that its pages are whole, then reads it.
pub(crate) fn read_checked(conn: &rusqlite::Connection) -> Result<Content, ReadError> {
    match db::format(conn)? {
        Format::Current => {}
        Format::Newer(version) => return Err(ReadError::Newer(format!("its format is {version}"))),
        Format::Other(why) => return Err(ReadError::Damaged(why)),
        Format::Foreign(object) => return Err(ReadError::Foreign(object)),
    }
    if let Some(what) = db::quick_check(conn)? {
        return Err(ReadError::Damaged(what));
    }
    load::read(conn)
}

pub(crate) fn open_error(dir: &Path, error: ReadError) -> OpenError {
    let dir = dir.to_owned();
    match error {
        ReadError::Newer(found) => OpenError::NewerVersion { dir, found },
        ReadError::Damaged(what) => OpenError::Damaged { dir, what },
        ReadError::Foreign(object) => OpenError::Untrusted { dir, object },
        ReadError::Database(error) => database_error(dir, &error),
    }
}

fn database_error(dir: PathBuf, error: &rusqlite::Error) -> OpenError {
    use rusqlite::ErrorCode as Code;
    let why = error.to_string();
    match error.sqlite_error_code() {
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            OpenError::InUse { dir, holder: crate::Holder::default() }
        }
        Some(Code::DiskFull) => OpenError::DiskFull(dir),
        Some(Code::ReadOnly | Code::PermissionDenied | Code::CannotOpen) => {
            OpenError::NotWritable { dir, why }
        }
        Some(Code::SystemIoFailure) => OpenError::Io { dir, why },
        // Corrupt pages, no database, values of the wrong type: all say that the file is not as written.
        _ => OpenError::Damaged { dir, what: why },
    }
}

fn open_io(dir: &Path, error: &std::io::Error) -> OpenError {
    use std::io::ErrorKind as Kind;
    let (dir, why) = (dir.to_owned(), error.to_string());
    match error.kind() {
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => OpenError::NotWritable { dir, why },
        Kind::StorageFull | Kind::QuotaExceeded => OpenError::DiskFull(dir),
        _ => OpenError::Io { dir, why },
    }
}
