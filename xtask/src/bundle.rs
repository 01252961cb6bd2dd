//! `cargo xtask bundle`, `install` and `dist`: the plugin as hosts want it, the programs next to it, and an
//! archive of all that.

use crate::{shell, third_party, workspace};
use anyhow::{Context, Result, bail};
use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, EXE_SUFFIX, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name that people see.
const NAME: &str = "Deskhand";

/// How it is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Release,
    /// In a fraction of the time, for trying.
    Dev,
}

impl Profile {
    pub(crate) fn from_flag(dev: bool) -> Self {
        if dev { Self::Dev } else { Self::Release }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Dev => "debug",
        }
    }
}

/// Builds everything and lays it out in `target/bundled`; gives that folder.
pub(crate) fn bundle(profile: Profile) -> Result<PathBuf> {
    build(profile, &["deskhand", "deskhand-standalone"])?;
    let target = workspace::target()?;
    let (built, to) = (target.join(profile.folder()), target.join("bundled"));
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    for program in ["deskhand", "deskhand-app"] {
        let name = format!("{program}{EXE_SUFFIX}");
        place(&built.join(&name), &to.join(&name))?;
    }
    if OS == "macos" {
        app(&to)?;
    }
    plugin_only(profile, &to)?;
    println!("bundled into {}", to.display());
    Ok(to)
}

/// The library that holds the plugin, as it was built last.
pub(crate) fn library(profile: Profile) -> Result<PathBuf> {
    let name = format!("{DLL_PREFIX}deskhand_plugin{DLL_SUFFIX}");
    Ok(workspace::target()?.join(profile.folder()).join(name))
}

/// Builds the plugin alone and lays it out in `to`. Built together with the programs, it would get the
/// decoders that they enable in shared crates.
pub(crate) fn plugin_only(profile: Profile, to: &Path) -> Result<()> {
    build(profile, &["deskhand-plugin"])?;
    let library = library(profile)?;
    holds_none_of(&library, &NEVER_IN_A_HOST)?;
    plugin(OS, &library, to)
}

fn build(profile: Profile, packages: &[&str]) -> Result<()> {
    let mut build = shell::cargo(["build"]);
    for package in packages {
        build.args(["--package", package]);
    }
    if profile == Profile::Release {
        build.arg("--release");
    }
    shell::run(&mut build)
}

/// Crates that have no place in the process of a DAW.
const NEVER_IN_A_HOST: [&str; 6] =
    ["symphonia-core", "opus-decoder", "rusqlite", "reqwest", "rten", "tokio"];

/// Fails where code of one of these crates is in a library: the places of its panics name the folder of the crate.
fn holds_none_of(library: &Path, crates: &[&str]) -> Result<()> {
    let code = fs::read(library).with_context(|| format!("reading {}", library.display()))?;
    if let Some(name) = crate_in(&code, crates) {
        bail!("{} holds code of {name}, which has no place in a host", library.display());
    }
    Ok(())
}

/// The first of `crates` whose folder, such as "/rten-0.27.0", is named in `code`.
fn crate_in<'a>(code: &[u8], crates: &[&'a str]) -> Option<&'a str> {
    let names = |rest: &[u8], name: &str| {
        let behind = rest.strip_prefix(name.as_bytes()).and_then(|rest| rest.strip_prefix(b"-"));
        behind.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
    };
    let folders = code.iter().enumerate().filter(|(_, byte)| **byte == b'/' || **byte == b'\\');
    let mut rests = folders.filter_map(|(at, _)| code.get(at + 1..));
    rests.find_map(|rest| crates.iter().find(|name| names(rest, name)).copied())
}

/// Bundles, and has the bundled program put all of it in place for this user.
pub(crate) fn install(profile: Profile) -> Result<()> {
    let folder = bundle(profile)?;
    shell::run(Command::new(folder.join(format!("deskhand{EXE_SUFFIX}"))).arg("install"))
}

/// Bundles, and packs an archive that needs neither Rust nor this checkout.
pub(crate) fn dist() -> Result<()> {
    // Before the long build: a license that forbids shipping stops it at once.
    let third_party = third_party::list()?;
    let folder = bundle(Profile::Release)?;
    papers(&folder, &third_party)?;
    let name = format!("deskhand-{}-{OS}-{ARCH}", env!("CARGO_PKG_VERSION"));
    let archive = pack(&folder, &name)?;
    println!("packed {}", archive.display());
    Ok(())
}

/// The papers next to the programs: how to install them, and their licenses.
fn papers(folder: &Path, third_party: &str) -> Result<()> {
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        place(&workspace::root().join(license), &folder.join(license))?;
    }
    let fonts = workspace::root().join("plugin/editor/assets");
    for license in
        ["LICENSE-Inter-OFL.txt", "LICENSE-JetBrainsMono-OFL.txt", "LICENSE-Phosphor-MIT.txt"]
    {
        place(&fonts.join(license), &folder.join(license))?;
    }
    fs::write(folder.join("README.txt"), README)?;
    Ok(fs::write(folder.join("THIRD-PARTY.txt"), third_party)?)
}

/// Moves a folder to one of this name next to it, and packs that. Returns the archive.
fn pack(folder: &Path, name: &str) -> Result<PathBuf> {
    let parent = folder.parent().context("the target folder has no parent")?;
    let named = parent.join(name);
    if named.exists() {
        fs::remove_dir_all(&named)?;
    }
    fs::rename(folder, &named)?;
    let archive = format!("{name}.tar.gz");
    shell::run(Command::new("tar").current_dir(parent).args(["-czf", &archive, name]))?;
    Ok(parent.join(archive))
}

const README: &str = "Deskhand edits and mixes recordings: you ask in plain words, see a plan, and decide.

1. Unpack this archive anywhere.
2. Run the program `deskhand` in its folder with the word `install`:
   Linux, macOS:  ./deskhand install
   Windows:       deskhand.exe install
3. Let your DAW scan its plugins again. `deskhand-app` is the window without a DAW.

To remove the programs and plugins: deskhand install --remove

License: MIT or Apache-2.0, as you choose (LICENSE-MIT, LICENSE-APACHE). The fonts have their own licenses in this
folder. THIRD-PARTY.txt lists the licenses of everything that is built in.
";

/// The app as macOS starts it, with the helper next to it, from the programs in `to`.
fn app(to: &Path) -> Result<()> {
    let contents = to.join(format!("{NAME}.app/Contents"));
    for program in ["deskhand", "deskhand-app"] {
        place(&to.join(program), &contents.join("MacOS").join(program))?;
    }
    describe(&contents, &Described { id: "app", kind: "APPL", program: "deskhand-app" })
}

/// One library, laid out as CLAP and as VST3, as they lie on `os`.
fn plugin(os: &str, library: &Path, to: &Path) -> Result<()> {
    match os {
        "macos" => {
            for extension in ["clap", "vst3"] {
                let contents = to.join(format!("{NAME}.{extension}/Contents"));
                place(library, &contents.join("MacOS").join(NAME))?;
                describe(&contents, &Described { id: extension, kind: "BNDL", program: NAME })?;
            }
            Ok(())
        }
        "windows" => {
            place(library, &to.join(format!("{NAME}.clap")))?;
            let inside = format!("{NAME}.vst3/Contents/x86_64-win/{NAME}.vst3");
            place(library, &to.join(inside))
        }
        "linux" => {
            place(library, &to.join(format!("{NAME}.clap")))?;
            place(library, &to.join(format!("{NAME}.vst3/Contents/{ARCH}-linux/{NAME}.so")))
        }
        other => bail!("how a plugin lies on {other} is not known; add it to xtask/src/bundle.rs"),
    }
}

/// The description of a bundle for macOS.
struct Described {
    id: &'static str,
    /// An application or a bundle.
    kind: &'static str,
    program: &'static str,
}

fn describe(contents: &Path, what: &Described) -> Result<()> {
    fs::write(contents.join("PkgInfo"), format!("{}????", what.kind))?;
    Ok(fs::write(contents.join("Info.plist"), info_plist(what))?)
}

/// Without words for the microphone macOS ends a program that listens.
fn info_plist(what: &Described) -> String {
    let Described { id, kind, program } = what;
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>{program}</string>
<key>CFBundleIdentifier</key><string>org.deskhand.deskhand.{id}</string>
<key>CFBundleName</key><string>{NAME}</string>
<key>CFBundlePackageType</key><string>{kind}</string>
<key>CFBundleSignature</key><string>????</string>
<key>CFBundleVersion</key><string>{}</string>
<key>NSHighResolutionCapable</key><true/>
<key>NSMicrophoneUsageDescription</key><string>{NAME} records to the tracks that you arm.</string>
</dict></plist>
"#,
        env!("CARGO_PKG_VERSION")
    )
}

fn place(from: &Path, to: &Path) -> Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::copy(from, to).with_context(|| format!("{} cannot be copied", from.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files below a folder, by their paths in it.
    fn files(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
                match entry.is_dir() {
                    true => folders.push(entry),
                    false => found.push(entry.strip_prefix(folder).unwrap().display().to_string()),
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn every_system_gets_its_layout() {
        let built = tempfile::tempdir().unwrap();
        let library = built.path().join("library");
        fs::write(&library, "code").unwrap();
        let laid_out = |os: &str| {
            let to = tempfile::tempdir().unwrap();
            plugin(os, &library, to.path()).unwrap();
            files(to.path())
        };
        let linux = format!("Deskhand.vst3/Contents/{ARCH}-linux/Deskhand.so");
        assert_eq!(laid_out("linux"), ["Deskhand.clap", &linux]);
        let windows = "Deskhand.vst3/Contents/x86_64-win/Deskhand.vst3";
        assert_eq!(laid_out("windows"), ["Deskhand.clap", windows]);
        let macos = laid_out("macos");
        for kind in ["clap", "vst3"] {
            for file in ["Info.plist", "MacOS/Deskhand", "PkgInfo"] {
                assert!(macos.contains(&format!("Deskhand.{kind}/Contents/{file}")), "{macos:?}");
            }
        }
    }

    #[test]
    fn the_app_of_macos_has_the_helper_beside_it_and_may_listen() {
        let to = tempfile::tempdir().unwrap();
        for program in ["deskhand", "deskhand-app"] {
            fs::write(to.path().join(program), "code").unwrap();
        }
        app(to.path()).unwrap();
        let contents = to.path().join("Deskhand.app/Contents");
        assert_eq!(
            files(&contents),
            ["Info.plist", "MacOS/deskhand", "MacOS/deskhand-app", "PkgInfo"]
        );
        let told = fs::read_to_string(contents.join("Info.plist")).unwrap();
        assert!(told.contains("<string>deskhand-app</string>") && told.contains("APPL"), "{told}");
        assert!(told.contains("NSMicrophoneUsageDescription"), "{told}");
    }

    #[test]
    fn an_archive_holds_what_was_bundled_and_what_is_to_be_read_with_it() {
        let target = tempfile::tempdir().unwrap();
        let folder = target.path().join("bundled");
        fs::create_dir_all(&folder).unwrap();
        for program in ["deskhand", "deskhand-app", "library"] {
            fs::write(folder.join(program), "code").unwrap();
        }
        plugin("linux", &folder.join("library"), &folder).unwrap();
        fs::remove_file(folder.join("library")).unwrap();
        papers(&folder, "egui 1.0.0").unwrap();
        let archive = pack(&folder, "deskhand-1").unwrap();
        let mut list = Command::new("tar");
        let list = shell::capture(list.arg("-tzf").arg(&archive)).unwrap().stdout;
        let list = String::from_utf8(list).unwrap();
        let mut files: Vec<_> = list.lines().filter(|line| !line.ends_with('/')).collect();
        files.sort_unstable();
        let library = format!("Deskhand.vst3/Contents/{ARCH}-linux/Deskhand.so");
        let expected = [
            "Deskhand.clap",
            &library,
            "LICENSE-APACHE",
            "LICENSE-Inter-OFL.txt",
            "LICENSE-JetBrainsMono-OFL.txt",
            "LICENSE-MIT",
            "LICENSE-Phosphor-MIT.txt",
            "README.txt",
            "THIRD-PARTY.txt",
            "deskhand",
            "deskhand-app",
        ];
        assert_eq!(files, expected.map(|file| format!("deskhand-1/{file}")));
    }

    #[test]
    fn a_crate_is_known_by_the_folder_that_its_panics_name() {
        let code = b"\0/src/index/rten-0.27.0/src/lib.rs\0attempt to add with overflow";
        assert_eq!(crate_in(code, &NEVER_IN_A_HOST), Some("rten"));
        assert_eq!(crate_in(b"/src/rten-simd-0.4.0/src/lib.rs", &NEVER_IN_A_HOST), None);
        assert_eq!(crate_in(b"no rten- here", &NEVER_IN_A_HOST), None);
    }
}
