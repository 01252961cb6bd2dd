//! `deskhand install`: puts the plugin, the app and this program where the user's hosts and shell find them.

use crate::exit::{Exit, Failure};
use crate::output::Output;
use serde_json::json;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Whether things are put in place or taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Install,
    Remove,
}

/// The plugin, in the formats of hosts.
const PLUGINS: [&str; 2] = ["Deskhand.clap", "Deskhand.vst3"];

/// Something that is installed.
struct Item {
    /// Its name, next to this program.
    name: String,
    /// Where it goes.
    to: PathBuf,
}

/// Copies the files next to this program, or removes the copies.
pub(crate) fn run(direction: Direction, output: Output) -> Result<Exit, Failure> {
    let here = std::env::current_exe().map_err(|error| Failure::plain("install", error))?;
    let from = here.parent().unwrap_or(Path::new("."));
    let places = Places::of_user()?;
    if direction == Direction::Install {
        has_plugin(from)?;
    }
    let done = match direction {
        Direction::Install => put(from, &places),
        Direction::Remove => take_away(&places),
    };
    let done = done.map_err(|(path, error)| failed(&path, &error))?;
    output.json(&json!({"changed": done.changed, "missing": done.missing}));
    let verb = if direction == Direction::Install { "installed" } else { "removed" };
    for path in &done.changed {
        output.say(format!("{verb} {}", path.display()));
    }
    for name in &done.missing {
        output.warn(format!("{name} is not next to this program, so it was left out"));
    }
    output.say(closing(direction, &places));
    Ok(Exit::Done)
}

/// Without the plugin there is nothing that a host could find.
fn has_plugin(from: &Path) -> Result<(), Failure> {
    if PLUGINS.iter().any(|name| from.join(name).exists()) {
        return Ok(());
    }
    let message = format!("{} has no plugin next to this program", from.display());
    let fix =
        "run `./deskhand install` in the unpacked archive, or `cargo xtask install` in the sources";
    Err(Failure::new("install", message, fix))
}

fn closing(direction: Direction, places: &Places) -> String {
    match direction {
        Direction::Install => format!(
            "rescan the plugins in your DAW; `deskhand` and `deskhand-app` are in {}",
            places.programs.display()
        ),
        Direction::Remove => "sessions, settings and models were kept".into(),
    }
}

/// The window as macOS starts it, with a copy of this program in it.
const APP: &str = "Deskhand.app";

/// The installation folders for one user, without administrator's rights.
struct Places {
    programs: PathBuf,
    /// The folder for what the desktop starts, on macOS.
    applications: Option<PathBuf>,
    clap: PathBuf,
    vst3: PathBuf,
    /// Holds where this program is, for plugins that look for it.
    helper: PathBuf,
}

impl Places {
    fn of_user() -> Result<Self, Failure> {
        let home = home()?;
        let data = deskhand_protocol::helper::data_folder()
            .ok_or_else(|| Failure::new("install", "there is no data folder", "set HOME"))?;
        Ok(Self::on(std::env::consts::OS, &home, &data))
    }

    /// The places on a system, for whom these are the home and the folder for data.
    fn on(os: &str, home: &Path, data: &Path) -> Self {
        let helper = deskhand_protocol::helper::record(data);
        match os {
            "macos" => {
                let plugins = home.join("Library/Audio/Plug-Ins");
                let (clap, vst3) = (plugins.join("CLAP"), plugins.join("VST3"));
                let applications = home.join("Applications");
                let programs = applications.join("Deskhand");
                Self { programs, applications: Some(applications), clap, vst3, helper }
            }
            "windows" => {
                let local = data.parent().unwrap_or(data).to_owned();
                let plugins = local.join("Programs/Common");
                let (clap, vst3) = (plugins.join("CLAP"), plugins.join("VST3"));
                let programs = local.join("Programs/Deskhand");
                Self { programs, applications: None, clap, vst3, helper }
            }
            _ => {
                let (clap, vst3) = (home.join(".clap"), home.join(".vst3"));
                let programs = home.join(".local/bin");
                Self { programs, applications: None, clap, vst3, helper }
            }
        }
    }

    fn items(&self) -> Vec<Item> {
        let program = |name: &str| {
            let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
            Item { to: self.programs.join(&name), name }
        };
        let whole = |name: &str, folder: &Path| Item { name: name.into(), to: folder.join(name) };
        let [clap, vst3] = PLUGINS;
        let app = self.applications.as_deref().map(|folder| whole(APP, folder));
        let all = [
            program("deskhand"),
            program("deskhand-app"),
            whole(clap, &self.clap),
            whole(vst3, &self.vst3),
        ];
        all.into_iter().chain(app).collect()
    }
}

struct Done {
    changed: Vec<PathBuf>,
    missing: Vec<String>,
}

type Outcome = Result<Done, (PathBuf, io::Error)>;

fn put(from: &Path, places: &Places) -> Outcome {
    let mut done = Done { changed: Vec::new(), missing: Vec::new() };
    for item in places.items() {
        let source = from.join(&item.name);
        if !source.exists() {
            done.missing.push(item.name);
        } else if source != item.to {
            replace(&source, &item.to).map_err(|error| (item.to.clone(), error))?;
            done.changed.push(item.to);
        }
    }
    let program = places.items().swap_remove(0).to;
    let noted = parent_made(&places.helper)
        .and_then(|()| fs::write(&places.helper, program.as_os_str().as_encoded_bytes()));
    noted.map_err(|error| (places.helper.clone(), error))?;
    Ok(done)
}

fn take_away(places: &Places) -> Outcome {
    let mut done = Done { changed: Vec::new(), missing: Vec::new() };
    let paths = places.items().into_iter().map(|item| item.to);
    for path in paths.chain([places.helper.clone()]) {
        match remove(&path) {
            Ok(()) => done.changed.push(path),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err((path, error)),
        }
    }
    Ok(done)
}

/// Puts a copy of `source` at `to` in one step. A host that has loaded the old file keeps it.
fn replace(source: &Path, to: &Path) -> io::Result<()> {
    parent_made(to)?;
    let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let fresh = to.with_file_name(format!(".{name}.new"));
    remove_if_there(&fresh)?;
    copy(source, &fresh)?;
    if to.is_dir() {
        // A folder cannot be renamed over another.
        fs::remove_dir_all(to)?;
    }
    fs::rename(&fresh, to)
}

fn copy(source: &Path, to: &Path) -> io::Result<()> {
    if !source.is_dir() {
        return fs::copy(source, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn parent_made(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match remove(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    let message = format!("{} could not be changed: {error}", path.display());
    Failure::new(
        "install",
        message,
        "close programs that use it, check your permissions, and try again",
    )
}

/// The home folder of this user.
pub(crate) fn home() -> Result<PathBuf, Failure> {
    let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let home = std::env::var_os(name).filter(|home| !home.is_empty());
    let missing =
        || Failure::new("setup", "the home folder is unknown", format!("set the variable {name}"));
    home.map(PathBuf::from).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(root: &Path) -> Places {
        Places {
            programs: root.join("bin"),
            applications: None,
            clap: root.join("clap"),
            vst3: root.join("vst3"),
            helper: root.join("data/helper"),
        }
    }

    fn unpacked(root: &Path) -> PathBuf {
        let from = root.join("archive");
        fs::create_dir_all(from.join("Deskhand.vst3/Contents")).unwrap();
        for name in ["deskhand", "Deskhand.clap", "Deskhand.vst3/Contents/it.so"] {
            fs::write(from.join(name), name).unwrap();
        }
        from
    }

    #[test]
    fn without_the_plugin_beside_it_nothing_is_installed() {
        let folder = tempfile::tempdir().unwrap();
        let failure = has_plugin(folder.path()).unwrap_err();
        assert!(failure.message.contains("has no plugin"), "{}", failure.message);
        has_plugin(&unpacked(folder.path())).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn what_is_there_is_put_in_place_twice_and_removed() {
        let root = tempfile::tempdir().unwrap();
        let (from, places) = (unpacked(root.path()), places(root.path()));
        for _ in 0..2 {
            let done = put(&from, &places).unwrap();
            assert_eq!(done.changed.len(), 3);
            assert_eq!(done.missing, ["deskhand-app"]);
        }
        assert!(places.vst3.join("Deskhand.vst3/Contents/it.so").is_file());
        let helper = fs::read_to_string(&places.helper).unwrap();
        assert_eq!(Path::new(&helper), places.programs.join("deskhand"));
        assert_eq!(take_away(&places).unwrap().changed.len(), 4);
        assert_eq!(take_away(&places).unwrap().changed.len(), 0);
    }

    #[test]
    #[cfg(unix)]
    fn on_macos_the_app_is_put_among_the_applications_whole_and_taken_away() {
        let root = tempfile::tempdir().unwrap();
        let from = unpacked(root.path());
        let inside = "Deskhand.app/Contents/MacOS/deskhand-app";
        fs::create_dir_all(from.join(inside).parent().unwrap()).unwrap();
        fs::write(from.join(inside), "code").unwrap();
        let home = root.path().join("home");
        let places = Places::on("macos", &home, &home.join("Library/Application Support"));
        let done = put(&from, &places).unwrap();
        assert_eq!(done.missing, ["deskhand-app"]);
        assert!(home.join("Applications").join(inside).is_file());
        assert!(home.join("Applications/Deskhand/deskhand").is_file());
        assert!(home.join("Library/Audio/Plug-Ins/VST3/Deskhand.vst3").is_dir());
        let removed = take_away(&places).unwrap().changed;
        assert!(removed.contains(&home.join("Applications/Deskhand.app")), "{removed:?}");
        assert!(!home.join("Applications/Deskhand.app").exists());
    }
}
