//! Decides which session an instance works on: the one that its project names. If it names none, it is the
//! last one decided in this host, which left a file about it.
//!
//! Thread: dialer
//!
//! The CLAP and the VST3 in one host are two libraries that know nothing of each other. They meet at
//! a small file in the folder of the hub's sockets, named by the host's process.

use super::session_places;
use crate::state::Snapshot;
use deskhand_protocol::helper::{self, HelperError};
use deskhand_protocol::socket::{Role, endpoint};
use deskhand_session::SessionId;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MeetingError {
    #[error("this user has no folder for data; set HOME")]
    NoHome,
    #[error("{dir} cannot be used: {why}; make it writable")]
    Folder { dir: PathBuf, why: io::Error },
    #[error(transparent)]
    Helper(#[from] HelperError),
}

/// What a session is wanted for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The session that the project names.
    pub(crate) session: Option<SessionId>,
    /// The project's copy of the session, in case the session is not here.
    pub(crate) snapshot: Option<Snapshot>,
    /// Hz, for a new one.
    pub(crate) rate: u32,
    /// Where it was looked for, and another was.
    pub(crate) not_in: Option<PathBuf>,
    /// Whether to create a session for a project that names none.
    pub(crate) makes: bool,
}

pub(super) fn data() -> Result<PathBuf, MeetingError> {
    let data = helper::data_folder().ok_or(MeetingError::NoHome)?;
    make(&data.join("sessions"))?;
    make(&data.join("known"))?;
    Ok(data)
}

fn make(dir: &Path) -> Result<(), MeetingError> {
    fs::create_dir_all(dir).map_err(|why| MeetingError::Folder { dir: dir.to_owned(), why })
}

/// The session folder for a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) dir: PathBuf,
    /// A message for the person, shown once.
    pub(crate) word: Option<String>,
    /// Whether it replaces a session that was not found. If the person opens the missing one, all instances
    /// go there.
    pub(crate) is_anew: bool,
    /// Whether it was created now, for a project that names none.
    pub(crate) is_made: bool,
}

impl Place {
    fn at(dir: PathBuf) -> Self {
        Self { dir, word: None, is_anew: false, is_made: false }
    }
}

/// The session folder for a project, created if needed; `None` if nobody needs one yet.
pub(crate) fn decide(
    wanted: &Wanted,
    beside: Option<&Path>,
) -> Result<Option<Place>, MeetingError> {
    let data = data()?;
    let path = meeting_file(&data)?;
    let failed = |why| MeetingError::Folder { dir: path.clone(), why };
    let mut file = open(&path).map_err(failed)?;
    // Held until the word is written; the system lets go when the process ends.
    file.lock().map_err(failed)?;
    let mut word = String::new();
    file.read_to_string(&mut word).map_err(failed)?;
    let met = || Some(PathBuf::from(word.trim())).filter(|dir| session_places::is_session(dir));
    let place = match (wanted.session, met()) {
        // The other library of this host finds it by the same name, and makes no second.
        (Some(id), _) => named(&data, id, wanted, beside)?,
        (None, Some(dir)) => Place::at(dir),
        (None, None) if !wanted.makes => {
            come(&path).map_err(failed)?;
            return Ok(None);
        }
        (None, None) => Place { is_made: true, ..Place::at(create(&data, wanted, beside)?.0) },
    };
    write_word(&mut file, &place.dir).and_then(|()| come(&path)).map_err(failed)?;
    Ok(Some(place))
}

/// The folder of the session that a project names: its old place, its new place after a move, or a new
/// session.
fn named(
    data: &Path,
    id: SessionId,
    wanted: &Wanted,
    beside: Option<&Path>,
) -> Result<Place, MeetingError> {
    let was = session_places::last(data, id);
    let is_there =
        |dir: &PathBuf| session_places::is_session(dir) && wanted.not_in.as_ref() != Some(dir);
    if let Some(dir) = was.clone().filter(is_there) {
        return Ok(Place { is_anew: session_places::is_anew(data, id), ..Place::at(dir) });
    }
    let found = session_places::locate(id, was.as_deref(), beside);
    let (dir, word, is_anew) = match found {
        Some(dir) => (dir.clone(), words_of_found(was.as_deref(), &dir), false),
        None => {
            let (dir, made) = create(data, wanted, beside)?;
            let word = words_of_anew(was.as_deref(), &dir, made);
            (dir, Some(word), true)
        }
    };
    session_places::remember(data, id, &dir);
    session_places::set_anew(data, id, is_anew);
    Ok(Place { word, is_anew, ..Place::at(dir) })
}

/// `None` if nothing was missing.
fn words_of_found(was: Option<&Path>, now: &Path) -> Option<String> {
    let was = was?.display();
    Some(format!(
        "the session of this project is not in {was} any more: it goes on in {}",
        now.display()
    ))
}

/// The content of a created session.
#[derive(Clone, Copy)]
enum Made {
    /// Nothing, and the project keeps nothing of it.
    Empty,
    /// The session is made from the project's copy.
    OfKept,
    /// An empty session: the project's copy was refused.
    WithoutKept,
}

fn words_of_anew(was: Option<&Path>, now: &Path, made: Made) -> String {
    let missing = match was {
        Some(was) => format!("the session of this project is not in {} any more", was.display()),
        None => "this computer does not know where the session of this project is".into(),
    };
    let kept = match made {
        Made::OfKept => {
            "of what the project keeps: tracks, gains and layout, without audio and history"
        }
        Made::Empty => "and is empty",
        Made::WithoutKept => {
            "and is empty: the tracks and gains that the project keeps could not be used. Where the \"deskhand\" \
             program is older than this plugin, update it"
        }
    };
    format!(
        "{missing}. If its folder was moved, choose \"Open a session…\" in the session menu of Deskhand's window: the project \
         stays with it. Until then it goes on in {}, which was made {kept}",
        now.display()
    )
}

/// Leaves word that projects which name no session work on `dir` from now on.
pub(crate) fn use_session(dir: &Path) -> Result<(), MeetingError> {
    let path = meeting_file(&data()?)?;
    let failed = |why| MeetingError::Folder { dir: path.clone(), why };
    let mut file = open(&path).map_err(failed)?;
    file.lock().map_err(failed)?;
    write_word(&mut file, dir).and_then(|()| come(&path)).map_err(failed)
}

fn open(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(path)
}

fn write_word(file: &mut File, dir: &Path) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(dir.as_os_str().as_encoded_bytes())
}

/// Held, shared, while this library has instances.
static PRESENT: Mutex<Option<File>> = Mutex::new(None);

fn present(word: &Path) -> PathBuf {
    word.with_extension("present")
}

/// This library has instances.
fn come(word: &Path) -> io::Result<()> {
    let mut here = PRESENT.lock().unwrap_or_else(PoisonError::into_inner);
    if here.is_none() {
        let file = open(&present(word))?;
        file.lock_shared()?;
        *here = Some(file);
    }
    Ok(())
}

/// Nobody of this library is left. The word goes with the last library: the host may open another
/// project next.
pub(crate) fn leave() {
    let here = PRESENT.lock().unwrap_or_else(PoisonError::into_inner).take();
    drop(here);
    let Ok(word) = data().and_then(|data| meeting_file(&data)) else { return };
    let path = present(&word);
    let Ok(file) = File::options().read(true).write(true).open(&path) else { return };
    if file.try_lock().is_ok() {
        drop(fs::remove_file(word));
        drop(fs::remove_file(path));
    }
}

fn meeting_file(data: &Path) -> Result<PathBuf, MeetingError> {
    let failed = |why| MeetingError::Folder { dir: data.to_owned(), why };
    let socket = endpoint(data, Role::Person).map_err(failed)?;
    let folder = socket.parent().filter(|folder| folder.is_dir()).unwrap_or(data);
    Ok(folder.join(format!("host-{}{}", std::process::id(), born())))
}

/// When this process began: numbers of processes are used again.
fn born() -> String {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in parentheses may hold anything; the 20th field after it is the start time.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    fields.split_whitespace().nth(19).map(|time| format!("-{time}")).unwrap_or_default()
}

/// A new session, named after the host: the one that the project names, as far as the project knows it, or an
/// empty one.
fn create(
    data: &Path,
    wanted: &Wanted,
    beside: Option<&Path>,
) -> Result<(PathBuf, Made), MeetingError> {
    let host = host_name();
    let mut number = 1;
    loop {
        let dir = data.join("sessions").join(format!("{host} {number}.deskhand"));
        if !dir.exists() {
            let made = match (wanted.session, &wanted.snapshot) {
                (Some(session), Some(snapshot)) => seed(&dir, session, snapshot, beside)?,
                (Some(_) | None, _) => {
                    helper::create(&dir, wanted.rate, beside)?;
                    Made::Empty
                }
            };
            return Ok((dir, made));
        }
        number += 1;
    }
}

/// Recreates the session that a project names from what the project stores of it.
fn seed(
    dir: &Path,
    session: SessionId,
    snapshot: &Snapshot,
    beside: Option<&Path>,
) -> Result<Made, MeetingError> {
    let seed = json!({"session": session, "tracks": snapshot.tracks}).to_string();
    let program = helper::program(beside).ok_or(HelperError::Absent)?;
    let mut command = Command::new(&program);
    command.arg("new").arg(dir).args(["--rate", &snapshot.rate.to_string(), "--seed", &seed]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let broken = |why: io::Error| HelperError::Broken { program, why: why.to_string() };
    let ended = command.output().map_err(broken)?;
    if ended.status.success() {
        return Ok(Made::OfKept);
    }
    // An older helper, or a snapshot that does not fit: an empty session is better than no session.
    helper::create(dir, snapshot.rate, beside)?;
    Ok(Made::WithoutKept)
}

/// Makes a session where the person wants one.
pub(crate) fn create_at(dir: &Path, rate: u32, beside: Option<&Path>) -> Result<(), MeetingError> {
    Ok(helper::create(dir, rate, beside)?)
}

/// The host's program, for people.
pub(crate) fn host_name() -> String {
    let program = std::env::current_exe().ok();
    let name = program.as_deref().and_then(Path::file_stem).map(|name| name.to_string_lossy());
    let name = name.unwrap_or_default();
    let plain = |c: &char| c.is_alphanumeric() || " -_.".contains(*c);
    let name: String = name.chars().filter(plain).take(40).collect();
    if name.trim().is_empty() { "Host".into() } else { name.trim().into() }
}

/// The folder of the helper: next to this library, or next to the bundle that holds it.
pub(crate) fn beside() -> Option<PathBuf> {
    let program = format!("deskhand{}", std::env::consts::EXE_SUFFIX);
    let library = crate::whereabouts::library()?;
    let is_bundle =
        |path: &&Path| path.extension().is_some_and(|end| end == "vst3" || end == "clap");
    let bundle = library.ancestors().skip(1).find(is_bundle).and_then(Path::parent);
    let folders = [library.parent(), bundle];
    let found = folders.into_iter().flatten().find(|folder| folder.join(&program).is_file());
    found.map(Path::to_owned)
}
