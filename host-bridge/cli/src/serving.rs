//! A hub in this process: the bridge on its own thread, the sockets of the session, and the loop that answers in
//! the conversation.

use crate::desk::{Found, Guest, find_or_open, open_own};
use crate::exit::Failure;
use crate::output::Output;
use crate::policy_file::{self, Allowed};
use crossbeam_channel::Receiver;
use deskhand_agent::provider::{Config, Sent, open_private, process_environment};
use deskhand_agent::talk::{Settings, Talk};
use deskhand_bridge::{Bridge, Door, Hub, Sight, tool_infos};
use deskhand_session::SessionId;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a session is served.
pub(crate) struct Wishes {
    /// Rules in addition to those of the configuration.
    pub(crate) policy: Option<PathBuf>,
    /// How long to stay after the last front end left; for ever when absent.
    pub(crate) linger: Option<Duration>,
    /// Whether nothing may be sent off this machine.
    pub(crate) local_only: bool,
    /// Sees everything that is sent to a provider, before it is sent.
    pub(crate) on_sent: Box<dyn FnMut(&Sent) + Send>,
}

/// A hub of our own.
pub(crate) struct Serving {
    hub: Hub,
    /// What happens at the hub, for a log.
    pub(crate) sights: Receiver<Sight>,
}

impl Serving {
    /// Opens the session in `dir`, which nobody else may have open, and serves it.
    pub(crate) fn start(dir: &Path, wishes: Wishes, output: Output) -> Result<Self, Failure> {
        let config = load_config()?;
        Self::over(open_own(dir, output)?, config, wishes)
    }

    /// Serves an open session.
    pub(crate) fn over(
        mut bridge: Bridge,
        config: Config,
        wishes: Wishes,
    ) -> Result<Self, Failure> {
        let Wishes { policy, linger, local_only, on_sent } = wishes;
        let on_sent = kept(on_sent, config.path.clone());
        let session = bridge.session().id;
        let tools: Vec<_> = tool_infos(bridge.registry()).into_iter().map(|it| it.name).collect();
        let policy = policy_file::policy(&config, policy.as_deref(), session, &tools)?;
        let allowed = Allowed::beside(&config, session);
        let local_only = Arc::new(AtomicBool::new(local_only || allowed.is_local_only()?));
        bridge.set_policy(policy, Some(Arc::new(allowed)));
        bridge.share_local_only(Arc::clone(&local_only));
        let sights = bridge.watch();
        let mut hub = Hub::start(bridge, linger).map_err(failed)?;
        let settings = Settings { config, local_only, on_sent };
        let link = hub.door().conversation().map_err(failed)?;
        let talk = Talk::start(Box::new(link), settings);
        // It ends with the hub.
        drop(talk.map_err(|error| Failure::plain("hub", error))?);
        hub.listen().map_err(failed)?;
        Ok(Self { hub, sights })
    }

    /// A front end of a person's in this process.
    pub(crate) fn guest(&self) -> Result<Guest, Failure> {
        let person = self.hub.door().person().map_err(failed)?;
        Guest::over(Box::new(person))
    }

    /// The way in.
    pub(crate) fn door(&self) -> &Door {
        self.hub.door()
    }

    /// The session that is served.
    pub(crate) fn session(&self) -> SessionId {
        self.hub.door().session()
    }

    /// Its folder, absolute.
    pub(crate) fn folder(&self) -> &Path {
        self.hub.folder()
    }

    /// Ends the hub; everything that was acknowledged is stored.
    pub(crate) fn stop(self) -> Result<(), Failure> {
        self.hub.stop().map_err(|error| Failure::plain("storage", error))
    }

    /// Whether the hub still runs.
    #[cfg(feature = "mcp")]
    pub(crate) fn is_running(&self) -> bool {
        self.hub.is_running()
    }

    /// Waits until the hub ends.
    pub(crate) fn wait(self) -> Result<(), Failure> {
        self.hub.wait().map_err(|error| Failure::plain("storage", error))
    }
}

/// A front end of a person's, and the hub that it is at, if that is our own.
pub(crate) struct Place {
    pub(crate) guest: Guest,
    pub(crate) own: Option<Serving>,
}

/// Attaches to the hub that serves the session in `dir`, or starts one. Others may then attach to it.
pub(crate) fn arrive(dir: &Path, wishes: Wishes, output: Output) -> Result<Place, Failure> {
    match find_or_open(dir, output)? {
        Found::Served(guest) => {
            if wishes.policy.is_some() || wishes.local_only {
                let message = "another program serves the session with its own rules";
                let fix = "give --policy and --local-only to that `deskhand serve`";
                return Err(Failure::new("served", message, fix));
            }
            Ok(Place { guest: *guest, own: None })
        }
        Found::Ours(bridge) => {
            let serving = Serving::over(*bridge, load_config()?, wishes)?;
            Ok(Place { guest: serving.guest()?, own: Some(serving) })
        }
    }
}

/// Also logs what was sent where, next to the configuration.
fn kept(
    mut on_sent: Box<dyn FnMut(&Sent) + Send>,
    config: PathBuf,
) -> Box<dyn FnMut(&Sent) + Send> {
    Box::new(move |sent| {
        sent.keep_beside(&config);
        on_sent(sent);
    })
}

/// Where typed lines are kept, if they can be.
pub(crate) fn history_file() -> Option<PathBuf> {
    let config = deskhand_agent::provider::path(&process_environment);
    let folder = config.parent()?;
    std::fs::create_dir_all(folder).ok()?;
    let file = folder.join("chat-history.txt");
    open_private(&file).ok()?;
    Some(file)
}

/// The person's configuration.
pub(crate) fn load_config() -> Result<Config, Failure> {
    Config::load(&process_environment).map_err(|error| Failure::plain("config", error))
}

fn failed(error: impl std::fmt::Display) -> Failure {
    Failure::plain("hub", error)
}
