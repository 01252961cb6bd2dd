//! The host's and the instances' state for the views, and the settings of the window.
//!
//! Thread: window

use super::{App, GLANCE};
use crate::capturing::Capturing;
use crate::hub::{file_of, open};
use crate::meter::Reading;
use crate::shared::{Seated, Shared, Standing};
use crate::window::providers::Asked;
use crate::window::spectrogram;
use deskhand_dsp::{Decibels, Frames, Lufs};
use deskhand_editor::{
    Audition, CaptureMode, CaptureSettings, Contents, Files, Instance, Levels, Loss, Lost, Motion,
    Provider, Resources, Samples, Settings, SettingsChange, SoundOutput,
};
use deskhand_protocol::Link;
use deskhand_session::Source;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

impl App {
    /// Shows where the host is; its transport is not ours to move.
    pub(super) fn follow_host(&mut self, context: &egui::Context) {
        let hearing = self.model.heard_in_host();
        let heard = hearing.map(|it| ((it.plan, it.which), it.match_gain));
        let (place, live) = (self.shared.clock.place(), &mut self.model.live);
        live.hearing = heard.map(|(heard, _)| heard);
        live.match_gain = heard.and_then(|(_, gain)| gain);
        live.output = SoundOutput::Host { name: crate::hub::host_name() };
        live.motion = if place.moves { Motion::Playing } else { Motion::Stopped };
        if let Standing::Joined(Seated { rate: Some(rate), .. }) = self.shared.standing()
            && place.rate > 0.0
        {
            let at = place.at as f64 * f64::from(rate) / f64::from(place.rate);
            live.position = Frames(at.round() as i64);
        }
        let alone = self.shared.alone.place();
        live.audition = alone.map(|((source, from, to), at)| Audition { source, from, to, at });
        let is_moving = place.moves || live.audition.is_some();
        self.show_levels();
        self.show_instance(place.moves, place.rate);
        self.show_lost();
        if is_moving {
            context.request_repaint_after(GLANCE);
        }
    }

    /// Looks whether the files of the session are there.
    pub(super) fn look_after_files(&self) -> Option<Files> {
        let Standing::Joined(Seated { dir, .. }) = self.shared.standing() else { return None };
        let check = move |source: &Source| {
            let why = file_of(source, &dir).err()?.to_string();
            let is_there = Path::new(&source.path).is_file();
            let loss = if is_there { Loss::Changed } else { Loss::Gone };
            Some(Lost { loss, why })
        };
        // Without a thread, clips are drawn as if all files were there; the meters still show silence.
        Files::new(check, self.waker()).ok()
    }

    /// Reads samples of the session for zooms nearer than the hub's columns.
    pub(super) fn read_samples(&self) -> Option<Samples> {
        let Standing::Joined(Seated { dir, .. }) = self.shared.standing() else { return None };
        // Without a thread the hub's columns have to do.
        Samples::new(move |source, rate| open(source, &dir, rate), self.waker()).ok()
    }

    /// Has floating windows show the session.
    pub(super) fn show_contents(&mut self) {
        let Standing::Joined(Seated { dir, .. }) = self.shared.standing() else { return };
        let pictures = spectrogram::of(dir.clone());
        // Without a thread the windows say that they have nothing to show.
        self.contents = Contents::new(&dir, pictures, self.waker()).ok();
        let boxed = |it: &Contents| Box::new(it.clone()) as Box<dyn Resources>;
        self.model.resources = self.contents.as_ref().map(boxed);
    }

    /// Draws the session in its current state.
    pub(super) fn follow_session(&mut self) {
        let (Some(head), Some(session)) = (self.model.head(), self.model.session()) else { return };
        self.waves.follow(session);
        if let Some(contents) = &self.contents {
            contents.follow(head, session);
        }
    }

    /// Has the window drawn again, from any thread, while there is an instance.
    pub(super) fn waker(&self) -> impl Fn() + Send + 'static {
        let shared = Arc::downgrade(&self.shared);
        move || {
            if let Some(shared) = shared.upgrade() {
                shared.repaint.request_repaint();
            }
        }
    }

    /// Shows which files are gone.
    pub(super) fn show_lost(&mut self) {
        let Some(files) = &mut self.files else { return };
        if let (Some(head), Some(session)) = (self.model.head(), self.model.session()) {
            files.follow(head, session);
        }
        self.model.live.lost = files.lost();
    }

    /// Meters of every instance of this process: each measures what leaves it.
    pub(super) fn show_levels(&mut self) {
        let live = &mut self.model.live;
        live.tracks.clear();
        live.reductions = self.shared.shown_reductions();
        for (Seated { track, .. }, one) in self.shared.peers() {
            live.tracks.insert(track, levels(&one.meter.reading()));
        }
    }

    /// What this instance plays now.
    fn show_instance(&mut self, moves: bool, rate: f32) {
        let learning = self.follow_learning(moves, Instant::now());
        let Standing::Joined(Seated { track, .. }) = self.shared.standing() else { return };
        let Shared { params, steps, meter, .. } = &*self.shared;
        let settings = params.settings(steps);
        self.model.live.instance = Some(Instance {
            track,
            gain: Decibels(f64::from(settings.gain)),
            spectrum: meter.scope().spectrum(rate as u32),
            learning,
        });
    }

    pub(super) fn ask_for_waves(&self, context: &egui::Context) {
        if let Some(link) = &self.link {
            self.waves.ask(|op| link.submit(op));
        }
        if self.waves.is_waiting() {
            context.request_repaint_after(GLANCE);
        }
    }

    /// Applies the settings of this window: the provider and its look. Sound belongs to the host.
    pub(super) fn settle(&mut self, context: &egui::Context) {
        let window = self.shared.saved.now().window;
        self.model.set_light(window.is_light);
        let (wanted, is_armed) = (Capturing::now(), self.shared.saved.is_armed());
        let mode = match (is_armed, wanted.rolls) {
            (true, _) => CaptureMode::Armed,
            (false, true) => CaptureMode::Rolling,
            (false, false) => CaptureMode::Off,
        };
        let Capturing { minutes, most_gb, .. } = wanted;
        let (providers, provider) = self.show_providers();
        self.model.settings = Some(Settings {
            capture: Some(CaptureSettings { mode, minutes, most_gb }),
            providers,
            provider,
            takes_servers: true,
            is_light: window.is_light,
            zoom: context.zoom_factor(),
            reduces_motion: window.reduces_motion,
            ..Settings::default()
        });
    }

    /// The providers and the current one. Also reports what went wrong with them.
    fn show_providers(&mut self) -> (Vec<Provider>, Option<String>) {
        let Some(providers) = &mut self.providers else { return (Vec::new(), None) };
        if let Some(wrong) = providers.look() {
            self.model.tell("providers", wrong);
        }
        providers.shown()
    }

    /// The helper changes the provider; a running hub reads it at the next turn.
    fn set_provider(&mut self, change: SettingsChange) {
        let is_local_only = self.model.is_local_only();
        let Some(providers) = &mut self.providers else { return };
        match change {
            SettingsChange::Provider(id) => providers.ask(Asked::Use { id }),
            SettingsChange::Model { provider: id, model } => {
                let default = providers.shown().1;
                providers.ask(Asked::Model { id, model, default });
            }
            SettingsChange::Server { address, model } => {
                providers.ask(Asked::Add { address, model });
            }
            SettingsChange::Key { provider: id, key } => providers.ask(Asked::Key { id, key }),
            SettingsChange::Test { provider } => providers.test(provider, is_local_only),
            _ => {}
        }
    }

    /// Applies a setting; the project stores it with the instance.
    pub(super) fn set(&mut self, change: SettingsChange, context: &egui::Context) {
        let saved = &self.shared.saved;
        match change {
            SettingsChange::Light(on) => saved.change(|saved| saved.window.is_light = on),
            SettingsChange::ReduceMotion(on) => {
                saved.change(|saved| saved.window.reduces_motion = on);
            }
            SettingsChange::Capture(CaptureSettings { mode, minutes, most_gb }) => {
                saved.change(|saved| saved.armed = mode == CaptureMode::Armed);
                // Arming here does not affect the capture of other instances.
                let rolls = match mode {
                    CaptureMode::Rolling => true,
                    CaptureMode::Armed => Capturing::now().rolls,
                    CaptureMode::Off => false,
                };
                self.chair.capture(Capturing { rolls, minutes, most_gb });
            }
            SettingsChange::Provider(_)
            | SettingsChange::Model { .. }
            | SettingsChange::Key { .. }
            | SettingsChange::Server { .. }
            | SettingsChange::Test { .. } => self.set_provider(change),
            // The next drawing reports the new zoom, which is then saved.
            SettingsChange::Zoom(zoom) => context.set_zoom_factor(zoom),
            other => {
                if let Some(op) = other.op() {
                    self.submit(op);
                }
            }
        }
    }
}

fn levels(reading: &Reading) -> Levels {
    let lufs =
        |energy: f32| Lufs::from_energy(energy.into()).map_or(f32::NEG_INFINITY, |it| it.0 as f32);
    let [momentary, short_term] = reading.energies.map(lufs);
    Levels {
        peak: reading.peak,
        rms: reading.mean_square.map(f32::sqrt),
        momentary,
        short_term,
        integrated: f32::NEG_INFINITY,
        true_peak: reading.true_peak,
    }
}
