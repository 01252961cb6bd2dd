//! What the person can set: gathered for the views, and carried out.
//!
//! Thread: window. Devices are asked, files written and providers tested on threads of their own each: none waits for
//! another. [`Preferences::look`] handles their results.

use crate::models::{self, Install, Said};
use crate::open::Wake;
use crate::saved_state::Kept;
use crate::session_tools::Own;
use crate::sound::{self, Choice, DeviceName, Offers};
use crossbeam_channel::{Receiver, Sender, unbounded};
use deskhand_agent::provider::manage::{self, ManageError, Offers as Providers, Tested};
use deskhand_agent::provider::{Reach, process_environment};
use deskhand_editor::{ModelOffer, Settings, Stranger, StrangerLook, StrangerState};
use deskhand_inference::Told;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// A hub reads the tools when it opens a session, and stays for half a minute when all have left.
const REOPEN: &str =
    "It holds when the session is opened again, half a minute after all its windows were closed.";

/// The text while a provider is being tested.
const ASKING: &str = "Asking…";

/// The jobs of the preferences' thread, one after another.
enum Job {
    /// List the devices, and the formats of the chosen one.
    Devices(Choice),
    Providers,
    /// Another provider answers.
    Choose(Option<String>),
    /// Another model answers through a provider.
    Model {
        provider: String,
        model: String,
    },
    Key {
        provider: String,
        key: String,
        /// Gone once the key is kept.
        keeping: Sender<()>,
    },
    /// Add a server of the person's own.
    Server {
        address: String,
        model: String,
    },
    /// Look which models there are.
    Models,
    /// Take a model off this computer.
    Uninstall(String),
    /// Look which tools came with the session in a folder.
    Strangers(PathBuf),
    /// A person's action on one of them, by its manifest.
    Stranger(PathBuf, String, Deed),
}

/// A person's action on a tool that came with a session.
enum Deed {
    Look,
    /// As it was looked at: the fingerprint.
    Approve(String),
    Forget,
}

/// The result of a job.
enum Found {
    Devices(Vec<DeviceName>, Offers),
    Providers(Result<Providers, ManageError>),
    Tested {
        provider: String,
        tested: Tested,
    },
    Models(Vec<ModelOffer>),
    /// The progress of a model's install.
    Installing {
        model: String,
        said: Said,
    },
    Strangers(Vec<Stranger>),
    /// What the person sees of one of them.
    Looked(String, Result<StrangerLook, String>),
}

/// The known settings and offers.
pub(crate) struct Preferences {
    jobs: Sender<Job>,
    /// To the thread that asks for devices: a driver may take its time.
    sounds: Sender<Job>,
    told: Sender<Found>,
    found: Receiver<Found>,
    wake: Wake,
    devices: Vec<DeviceName>,
    offers: Offers,
    known: Providers,
    tested: BTreeMap<String, Tested>,
    models: Vec<ModelOffer>,
    /// The messages about models, and whether work on them runs.
    installing: BTreeMap<String, (String, bool)>,
    installs: BTreeMap<String, Install>,
    /// Disconnected once the last key is kept.
    keeping: Option<Receiver<()>>,
    /// The session folder whose tools are looked at.
    dir: Option<PathBuf>,
    strangers: Vec<Stranger>,
}

impl Preferences {
    /// Starts to read the current state. `wake` is called, on another thread, when there is something for
    /// [`Self::look`].
    pub(crate) fn new(wake: Wake) -> Self {
        let (told, found) = unbounded();
        let jobs = worker("preferences", told.clone(), Arc::clone(&wake));
        let sounds = worker("sound devices", told.clone(), Arc::clone(&wake));
        drop(jobs.send(Job::Providers));
        // A notice of a model that is missing offers it from the start.
        drop(jobs.send(Job::Models));
        let (devices, offers, known) = (Vec::new(), Offers::default(), Providers::default());
        let (tested, installing, models) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let (installs, dir, strangers) = (BTreeMap::new(), None, Vec::new());
        Self {
            jobs,
            sounds,
            told,
            found,
            wake,
            devices,
            offers,
            known,
            tested,
            models,
            installing,
            installs,
            keeping: None,
            dir,
            strangers,
        }
    }

    /// Takes the results; returns whether there were any, and what went wrong.
    pub(crate) fn look(&mut self) -> (bool, Option<String>) {
        let (mut is_new, mut wrong) = (false, None);
        while let Ok(found) = self.found.try_recv() {
            is_new = true;
            match found {
                Found::Devices(devices, offers) => (self.devices, self.offers) = (devices, offers),
                Found::Providers(Ok(known)) => self.known = known,
                Found::Providers(Err(error)) => wrong = Some(error.to_string()),
                Found::Tested { provider, tested } => drop(self.tested.insert(provider, tested)),
                Found::Models(models) => self.models = models,
                Found::Installing { model, said } => self.installing(model, said),
                Found::Strangers(strangers) => self.strangers = strangers,
                Found::Looked(file, look) => self.looked(&file, look),
            }
        }
        (is_new, wrong)
    }

    /// The person looks at them: what may have changed is looked at too.
    pub(crate) fn refresh(&self, sound: &Choice) {
        self.ask(Job::Devices(sound.clone()));
        self.ask(Job::Providers);
        self.ask(Job::Models);
        if let Some(dir) = &self.dir {
            self.ask(Job::Strangers(dir.clone()));
        }
    }

    /// Another session is open: the tools that came with it are read.
    pub(crate) fn open(&mut self, dir: PathBuf) {
        self.strangers.clear();
        self.ask(Job::Strangers(dir.clone()));
        self.dir = Some(dir);
    }

    /// How many tools came with the session that do nothing until the person approves them.
    pub(crate) fn waiting_tools(&self) -> usize {
        let waits = |it: &&Stranger| match it.state {
            StrangerState::Waits | StrangerState::Changed => true,
            StrangerState::Approved | StrangerState::Refused(_) => false,
        };
        self.strangers.iter().filter(waits).count()
    }

    fn looked(&mut self, file: &str, look: Result<StrangerLook, String>) {
        let known = self.strangers.iter_mut().find(|known| known.file == file);
        let Some(known) = known else { return };
        match look {
            Ok(look) => (known.looked, known.said) = (Some(look), String::new()),
            Err(why) => (known.looked, known.said) = (None, why),
        }
    }

    /// The person looks at a tool that came with the session.
    pub(crate) fn look_at_tool(&self, file: String) {
        self.with_tool(file, Deed::Look);
    }

    /// The person approves it, as it was looked at.
    pub(crate) fn approve_tool(&self, file: String, fingerprint: String) {
        self.with_tool(file, Deed::Approve(fingerprint));
    }

    /// The person approves it no more.
    pub(crate) fn forget_tool(&self, file: String) {
        self.with_tool(file, Deed::Forget);
    }

    fn with_tool(&self, file: String, deed: Deed) {
        if let Some(dir) = &self.dir {
            self.ask(Job::Stranger(dir.clone(), file, deed));
        }
    }

    fn installing(&mut self, model: String, said: Said) {
        let now = match said {
            Ok(Some(step)) => (step, true),
            Err(why) => (why, false),
            Ok(None) => {
                self.installs.remove(&model);
                self.installing.remove(&model);
                return self.ask(Job::Models);
            }
        };
        if !now.1 {
            self.installs.remove(&model);
        }
        self.installing.insert(model, now);
    }

    /// Whether a model is being installed or removed: this window does that, and it ends with it.
    pub(crate) fn is_installing(&self) -> bool {
        self.installing.values().any(|(_, is_busy)| *is_busy)
    }

    /// A model that is being installed, and never comes.
    #[cfg(test)]
    pub(crate) fn put_installing(&mut self, model: &str) {
        self.installing.insert(model.to_owned(), ("beginning".into(), true));
    }

    /// Installs a model, on a thread of its own: it may take long.
    pub(crate) fn install(&mut self, model: String) {
        let id = model.clone();
        self.begin(model, move |told| models::install(&id, told));
    }

    fn begin(
        &mut self,
        model: String,
        work: impl FnOnce(Told<'_>) -> Result<(), String> + Send + 'static,
    ) {
        let (told, wake, id) = (self.told.clone(), Arc::clone(&self.wake), model.clone());
        let tell = move |said| {
            drop(told.send(Found::Installing { model: id.clone(), said }));
            wake();
        };
        let said = match Install::begin(work, tell) {
            Ok(install) => {
                self.installs.insert(model.clone(), install);
                ("beginning".into(), true)
            }
            Err(error) => (format!("It could not be installed: {error}"), false),
        };
        self.installing.insert(model, said);
    }

    /// Stops installing a model: nothing of it stays.
    pub(crate) fn stop_install(&mut self, model: String) {
        if let Some(install) = self.installs.get(&model) {
            install.stop();
            self.installing.insert(model, ("stopping".into(), true));
        }
    }

    pub(crate) fn uninstall(&mut self, model: String) {
        self.installing.insert(model.clone(), ("removing".into(), true));
        self.ask(Job::Uninstall(model));
    }

    /// The chosen device is another.
    pub(crate) fn refresh_devices(&self, sound: &Choice) {
        self.ask(Job::Devices(sound.clone()));
    }

    pub(crate) fn choose(&mut self, provider: Option<String>) {
        self.known.default.clone_from(&provider);
        self.ask(Job::Choose(provider));
    }

    pub(crate) fn set_model(&mut self, provider: String, model: String) {
        if let Some(known) = self.known.providers.iter_mut().find(|known| known.id == provider) {
            known.model.clone_from(&model);
        }
        self.ask(Job::Model { provider, model });
    }

    pub(crate) fn keep_key(&mut self, provider: String, key: String) {
        self.tested.remove(&provider);
        let (keeping, kept) = unbounded();
        self.keeping = Some(kept);
        self.ask(Job::Key { provider, key, keeping });
    }

    pub(crate) fn add_server(&self, address: String, model: String) {
        self.ask(Job::Server { address, model });
    }

    /// Tests a provider on a thread of its own: it may take long. A key that is being kept is the one it tests.
    pub(crate) fn test(&mut self, provider: String, reach: Reach) {
        let (told, wake, id) = (self.told.clone(), Arc::clone(&self.wake), provider.clone());
        let kept = self.keeping.take();
        let work = move || {
            if let Some(kept) = kept {
                // It ends where nothing is kept any more, too.
                kept.recv().ok();
            }
            let tested = manage::test(&id, reach, &process_environment);
            drop(told.send(Found::Tested { provider: id, tested }));
            wake();
        };
        let begun = thread::Builder::new().name("test".into()).spawn(work);
        let failed = |error: io::Error| format!("It could not be tested: {error}");
        let said = begun.map_or_else(failed, |_| ASKING.into());
        // The models that it reported before can still be chosen.
        self.tested.entry(provider).or_default().said = said;
    }

    fn ask(&self, job: Job) {
        let thread = if matches!(job, Job::Devices(_)) { &self.sounds } else { &self.jobs };
        drop(thread.send(job));
    }

    /// The id of the device that the views call `name`.
    pub(crate) fn device(&self, name: &str) -> String {
        let known = self.devices.iter().find(|known| label(&self.devices, known) == name);
        known.map_or_else(|| name.to_owned(), |known| known.id.clone())
    }

    fn provider(&self, known: &manage::Offer) -> deskhand_editor::Provider {
        let manage::Offer { id, model, is_local, needs_key, has_key } = known.clone();
        let Tested { said: tested, models, answers } =
            self.tested.get(&id).cloned().unwrap_or_default();
        let has_failed = !answers && !tested.is_empty() && tested != ASKING;
        deskhand_editor::Provider {
            id,
            model,
            models,
            is_local,
            needs_key,
            has_key,
            tested,
            has_failed,
        }
    }

    /// What can be set, for the views.
    pub(crate) fn settings(&self, kept: &Kept) -> Settings {
        let mut devices: Vec<String> =
            self.devices.iter().map(|known| label(&self.devices, known)).collect();
        let chosen = kept.sound.device.as_ref().map(|id| {
            let known = self.devices.iter().find(|known| known.id == *id);
            known.map_or_else(|| id.clone(), |known| label(&self.devices, known))
        });
        // An unplugged device stays the chosen one.
        let missing = chosen.clone().filter(|name| !devices.contains(name));
        devices.extend(missing);
        let providers = self.known.providers.iter().map(|it| self.provider(it)).collect();
        let mut models = self.models.clone();
        for model in &mut models {
            if let Some((said, is_busy)) = self.installing.get(&model.id) {
                (model.said, model.is_busy) = (said.clone(), *is_busy);
            }
        }
        Settings {
            models,
            strangers: self.strangers.clone(),
            devices,
            device: chosen,
            rates: self.offers.rates.clone(),
            rate: kept.sound.rate,
            buffers: self.offers.buffers.clone(),
            buffer: kept.sound.buffer,
            providers,
            provider: self.known.default.clone(),
            takes_servers: true,
            is_light: kept.is_light,
            zoom: kept.zoom.unwrap_or(1.0),
            reduces_motion: kept.reduces_motion,
            layout: kept.layout,
            presets: Some(kept.presets.clone()),
            recent: kept.recent.clone(),
            ..Settings::default()
        }
    }
}

/// What takes jobs for a thread, which does them one after another. Without the thread nothing is found, and the parts
/// that it would fill are not shown.
fn worker(name: &str, told: Sender<Found>, wake: Wake) -> Sender<Job> {
    let (jobs, taken) = unbounded();
    let work = move || {
        for job in taken {
            drop(told.send(done(job)));
            wake();
        }
    };
    drop(thread::Builder::new().name(name.into()).spawn(work));
    jobs
}

fn done(job: Job) -> Found {
    let at = &process_environment;
    match job {
        Job::Devices(choice) => Found::Devices(sound::names(), sound::offers(&choice)),
        Job::Providers => Found::Providers(manage::offers(at)),
        Job::Models => Found::Models(models::offers()),
        Job::Uninstall(model) => {
            let said = models::uninstall(&model).map(|()| None);
            Found::Installing { model, said }
        }
        Job::Strangers(dir) => Found::Strangers(Own::of_this_user().strangers(&dir)),
        Job::Stranger(dir, file, deed) => stranger(&dir, file, deed),
        Job::Choose(id) => {
            let chosen = manage::choose(id.as_deref(), at);
            Found::Providers(chosen.and_then(|()| manage::offers(at)))
        }
        Job::Model { provider, model } => {
            let set = manage::set_model(&provider, &model, at);
            Found::Providers(set.and_then(|()| manage::offers(at)))
        }
        Job::Key { provider, key, keeping: _keeping } => {
            let kept = manage::keep_key(&provider, &key, at);
            Found::Providers(kept.and_then(|()| manage::offers(at)))
        }
        Job::Server { address, model } => {
            let added = manage::add_server(&address, &model, at);
            Found::Providers(added.and_then(|_| manage::offers(at)))
        }
    }
}

/// Acts on a tool that came with a session, and reports the state of all of them.
fn stranger(dir: &Path, file: String, deed: Deed) -> Found {
    let own = Own::of_this_user();
    let done = match deed {
        Deed::Look => return Found::Looked(file.clone(), Own::look(&file)),
        Deed::Approve(fingerprint) => own.approve(&file, &fingerprint).map(|()| REOPEN.to_owned()),
        Deed::Forget => own.forget(&file).map(|()| REOPEN.to_owned()),
    };
    let mut all = own.strangers(dir);
    if let Some(known) = all.iter_mut().find(|known| known.file == file) {
        known.said = done.unwrap_or_else(|why| why);
    }
    Found::Strangers(all)
}

/// The name of a device, with its id where two have the same.
fn label(all: &[DeviceName], one: &DeviceName) -> String {
    let is_alone = all.iter().filter(|known| known.name == one.name).count() == 1;
    if is_alone { one.name.clone() } else { format!("{} {}", one.name, one.id) }
}

#[cfg(test)]
mod tests;
