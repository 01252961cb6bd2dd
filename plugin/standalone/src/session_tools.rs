//! Tools that came with a session, for the preferences: their description, and the person's approval of
//! exactly that version. Nothing is started here, and only a person's click leads here.
//!
//! Thread: the preferences' own.

use deskhand_agent::provider::{path, process_environment};
use deskhand_editor::{Stranger, StrangerLook, StrangerState};
use deskhand_external::launch::kept_from;
use deskhand_external::{Approvals, Candidate, Entry, Launcher, Places, State, load};
use deskhand_protocol::clean::clean;
use deskhand_toolkit::Network;
use std::path::{Path, PathBuf};

/// The longest line that is shown of a stranger's words.
const LINE: usize = 600;

/// The files of the person, next to the configuration.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    tools: PathBuf,
    approvals: Approvals,
}

impl Own {
    pub(crate) fn of_this_user() -> Self {
        Self::beside(&path(&process_environment))
    }

    fn beside(config: &Path) -> Self {
        let approvals = Approvals::at(config.with_file_name("approved-tools.toml"));
        Self { tools: config.with_file_name("tools"), approvals }
    }

    /// The tools in the session folder `dir`.
    pub(crate) fn strangers(&self, dir: &Path) -> Vec<Stranger> {
        let Ok(launcher) = Launcher::this_program() else { return Vec::new() };
        let Self { tools, approvals } = self;
        let places = Places { own: tools, session: Some(dir), approvals, launcher: &launcher };
        // The hub knows the names that are taken, and says so when the tool is called.
        let found = load(&places, &|_| false).entries;
        found.into_iter().filter(|entry| !entry.file.starts_with(tools)).map(stranger).collect()
    }

    /// What a person sees of the tool of `file`.
    pub(crate) fn look(file: &str) -> Result<StrangerLook, String> {
        let candidate = Candidate::read(Path::new(file)).map_err(|error| error.to_string())?;
        Ok(StrangerLook {
            fingerprint: candidate.fingerprint.clone(),
            facts: facts(&candidate)
                .map(|(name, text)| (name.to_owned(), clean(&text, LINE)))
                .into(),
        })
    }

    /// Approves the tool of `file`, if it is unchanged since the person looked.
    pub(crate) fn approve(&self, file: &str, fingerprint: &str) -> Result<(), String> {
        let candidate = Candidate::read(Path::new(file)).map_err(|error| error.to_string())?;
        if candidate.fingerprint != fingerprint {
            return Err("It was changed since you looked at it; look again.".into());
        }
        self.approvals.approve(&candidate).map_err(|error| error.to_string())
    }

    /// Approves it no more.
    pub(crate) fn forget(&self, file: &str) -> Result<(), String> {
        self.approvals.forget(Path::new(file)).map(drop).map_err(|error| error.to_string())
    }
}

fn stranger(entry: Entry) -> Stranger {
    let state = match entry.state {
        State::Active => StrangerState::Approved,
        State::Inert => StrangerState::Waits,
        State::Changed => StrangerState::Changed,
        State::Refused(why) => StrangerState::Refused(clean(&why, LINE)),
    };
    let file = entry.file.display().to_string();
    Stranger { file, name: entry.name.unwrap_or_default(), state, ..Stranger::default() }
}

/// What it is, and what its program can do.
fn facts(candidate: &Candidate) -> [(&'static str, String); 8] {
    let manifest = &candidate.manifest;
    let (kept, open) = kept_from(manifest.network);
    let list = |what: &[&str], none: &str| {
        if what.is_empty() { none.to_owned() } else { what.join(", ") }
    };
    let files: Vec<&str> = manifest.files.iter().map(String::as_str).collect();
    let network = match manifest.network {
        Network::Open => "yes",
        Network::Closed => "no",
    };
    let (seconds, megabytes) = (manifest.timeout.as_secs(), manifest.memory / 1_000_000);
    [
        ("Title", manifest.title.clone()),
        ("Says", manifest.description.clone()),
        ("Starts", candidate.shown_command()),
        ("Brings", list(&files, "nothing")),
        ("Network", network.into()),
        ("Limits", format!("{seconds} s, {megabytes} MB")),
        ("Kept from", list(&kept, "nothing, on this system")),
        ("Open to", list(&open, "nothing")),
    ]
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;

    const MANIFEST: &str = "format = \"deskhand.tool/1\"\nname = \"x\"\ntitle = \"X\"\n\
        description = \"X.\"\ncategory = \"edit\"\ncommand = \"/bin/sh\"\nargs = [\"x.sh\"]\n\
        files = [\"x.sh\"]\nnetwork = false\n";

    #[test]
    fn a_tool_of_a_session_is_approved_as_it_was_looked_at_and_no_other() {
        let tmp = tempfile::tempdir().unwrap();
        let dir = tmp.path().canonicalize().unwrap();
        let session = dir.join("song");
        fs::create_dir(&session).unwrap();
        let file = session.join("x.deskhand-tool.toml");
        fs::write(&file, MANIFEST).unwrap();
        fs::write(session.join("x.sh"), "true").unwrap();
        let own = Own::beside(&dir.join("config.toml"));
        let state = || own.strangers(&session).remove(0).state;
        assert_eq!(state(), StrangerState::Waits);
        let file = file.display().to_string();
        let look = Own::look(&file).unwrap();
        assert_eq!(look.facts[2], ("Starts".into(), "/bin/sh x.sh".into()));
        fs::write(session.join("x.sh"), "false").unwrap();
        let said = own.approve(&file, &look.fingerprint).unwrap_err();
        assert!(said.contains("look again"), "{said}");
        assert_eq!(state(), StrangerState::Waits);
        own.approve(&file, &Own::look(&file).unwrap().fingerprint).unwrap();
        assert_eq!(state(), StrangerState::Approved);
        fs::write(session.join("x.sh"), "true").unwrap();
        assert_eq!(state(), StrangerState::Changed);
        own.forget(&file).unwrap();
        assert_eq!(state(), StrangerState::Waits);
    }
}
