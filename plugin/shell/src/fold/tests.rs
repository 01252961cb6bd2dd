//! A host that is asked, in formats and on threads of every kind.

use super::*;
use crate::params::DeskhandParams;
use crate::state::SavedField;
use nice_plug::context::gui::GuiContextInner;
use nice_plug::params::internals::ParamPtr;
use nice_plug::prelude::PluginState;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

type Said = Arc<Mutex<Vec<&'static str>>>;

/// Writes down how its parameters are touched.
struct Host(PluginApi, Said);

#[allow(unsafe_code, reason = "the framework's interface; no pointer is followed")]
impl GuiContextInner for Host {
    fn plugin_api(&self) -> PluginApi {
        self.0
    }
    unsafe fn raw_begin_set_parameter(&self, _: ParamPtr) {
        lock(&self.1).push("begin");
    }
    unsafe fn raw_set_parameter_normalized(&self, _: ParamPtr, _: f32) {
        lock(&self.1).push("set");
    }
    unsafe fn raw_end_set_parameter(&self, _: ParamPtr) {
        lock(&self.1).push("end");
    }
    fn get_state(&self) -> PluginState {
        unreachable!("nobody asks")
    }
    fn set_state(&self, _: PluginState) {}
    fn request_restart(&self) {}
}

struct Scene {
    fold: Fold,
    gains: Arc<Gains>,
    coming: Coming,
    params: DeskhandParams,
    said: Said,
    asked: Arc<AtomicUsize>,
}

impl Scene {
    /// A desk gain that has stood long enough, in an instance without a window.
    fn new() -> Self {
        let gains = Arc::new(Gains::default());
        let params = DeskhandParams::new(SavedField::new(&gains), &gains);
        gains.set_desk(-6.0);
        let asked = Arc::new(AtomicUsize::new(0));
        let fold = Fold::default();
        let count = Arc::clone(&asked);
        fold.set_call(Box::new(move || {
            count.fetch_add(1, Ordering::SeqCst);
        }));
        fold.let_in();
        let long_ago = Instant::now().checked_sub(SETTLED).unwrap();
        *lock(&fold.watch) = Watch { desk: -6.0, since: Some(long_ago), given: None, left: None };
        Self { fold, gains, coming: Coming::default(), params, said: Arc::default(), asked }
    }

    fn open(&self, api: PluginApi) {
        self.fold.opened(GuiContext::new(Arc::new(Host(api, Arc::clone(&self.said)))));
    }

    fn asked_behind_window(&self) -> usize {
        self.fold.look_behind_window(&self.gains, &self.coming);
        self.asked.load(Ordering::SeqCst)
    }

    fn asked_in_window(&self) -> usize {
        self.fold.look_in_window(&self.gains, &self.coming);
        self.asked.load(Ordering::SeqCst)
    }

    fn make(&self) -> Vec<&'static str> {
        self.fold.make(&self.gains, &self.coming, &self.params.trim);
        lock(&self.said).clone()
    }

    /// Looks this long after now.
    fn look_after(&self, wait: Duration) {
        self.fold.is_due(&self.gains, &self.coming, Instant::now() + wait);
    }
}

#[test]
fn nobody_is_asked_where_no_window_was_and_once_where_one_was() {
    let scene = Scene::new();
    assert_eq!(scene.asked_behind_window(), 0);
    scene.open(PluginApi::Clap);
    assert_eq!([scene.asked_behind_window(), scene.asked_behind_window()], [1, 1]);
    assert_eq!(scene.make(), ["begin", "set", "end"]);
    assert_eq!(scene.make().len(), 3, "it waits for the answer");
    assert_eq!(scene.asked_behind_window(), 1);
    scene.gains.host_trim(-6.0);
    assert_eq!((scene.gains.pair().trim, scene.gains.pair().desk), (-6.0, 0.0));
    scene.look_after(SETTLED * 2);
    assert_eq!(scene.asked_behind_window(), 1, "there is nothing to move");
}

#[test]
fn the_gesture_is_made_on_the_thread_of_the_window_s_host_and_on_no_other() {
    let scene = Scene::new();
    scene.open(PluginApi::Vst3);
    thread::scope(|scope| {
        scope.spawn(|| assert!(scene.make().is_empty()));
    });
    assert!(!scene.gains.is_folding());
    assert_eq!(scene.asked_in_window(), 0, "such a host is left alone for a while");
    let scene = Scene::new();
    scene.open(PluginApi::Vst3);
    assert_eq!(scene.asked_in_window(), 1);
    assert_eq!(scene.make(), ["begin", "set", "end"]);
}

#[test]
fn behind_a_vst3_window_the_host_is_asked_where_it_has_a_main_thread() {
    let scene = Scene::new();
    scene.open(PluginApi::Vst3);
    let has_one = cfg!(any(target_os = "macos", target_os = "windows"));
    assert_eq!(scene.asked_behind_window(), usize::from(has_one));
}

#[test]
fn an_instance_that_may_be_destroyed_asks_nobody() {
    let scene = Scene::new();
    scene.open(PluginApi::Clap);
    scene.fold.keep_out();
    assert_eq!(scene.asked_behind_window(), 0);
    scene.fold.let_in();
    assert_eq!(scene.asked_behind_window(), 1);
}

#[test]
fn the_instance_waits_until_nobody_of_it_is_in_the_host() {
    let scene = Scene::new();
    let (came, comes) = crossbeam_channel::bounded(0);
    let (goes, go) = crossbeam_channel::bounded::<()>(0);
    let is_out = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let inside = lock(&scene.fold.inside);
            came.send(()).unwrap();
            go.recv().unwrap();
            is_out.store(true, Ordering::SeqCst);
            drop(inside);
        });
        comes.recv().unwrap();
        scope.spawn(move || goes.send(()).unwrap());
        scene.fold.keep_out();
        assert!(is_out.load(Ordering::SeqCst));
    });
}

#[test]
fn what_waits_for_its_frame_or_moves_is_left_alone() {
    let scene = Scene::new();
    scene.open(PluginApi::Clap);
    scene.coming.set(-3.0, 0.0, Some(96_000));
    assert_eq!(scene.asked_behind_window(), 0);
    scene.coming.take(&scene.gains);
    assert_eq!(scene.asked_behind_window(), 0, "it has just moved");
}

#[test]
fn a_late_answer_of_clap_is_awaited_and_one_that_may_be_lost_is_not() {
    for (api, waits) in [(PluginApi::Clap, true), (PluginApi::Vst3, false)] {
        let scene = Scene::new();
        scene.open(api);
        scene.make();
        scene.look_after(PATIENCE / 2);
        assert!(scene.gains.is_folding());
        scene.look_after(PATIENCE * 2);
        assert_eq!(scene.gains.is_folding(), waits, "{api:?}");
        scene.gains.host_trim(-6.0);
        assert_eq!(scene.gains.pair().sum(), -6.0, "{api:?}: the sum never jumps");
    }
}

#[test]
fn behind_a_panic_the_gain_stays_where_it_is_until_a_window_is_opened() {
    let scene = Scene::new();
    scene.open(PluginApi::Clap);
    scene.gains.begin_fold(LEAST_TRIM, MOST_TRIM);
    scene.fold.broke(&scene.gains);
    assert!(!scene.gains.is_folding());
    assert_eq!(scene.asked_behind_window(), 0);
    scene.open(PluginApi::Clap);
    assert_eq!(scene.asked_behind_window(), 1);
}

#[test]
fn what_makes_up_for_a_loaded_state_stays_until_it_changes() {
    let scene = Scene::new();
    scene.open(PluginApi::Clap);
    scene.fold.leave(-6.0);
    assert_eq!(scene.asked_behind_window(), 0);
    scene.look_after(SETTLED * 2);
    assert_eq!((scene.asked_in_window(), scene.make().len()), (0, 0));
    // A plan moves it: then all of it goes.
    scene.gains.set_desk(-4.0);
    let long_ago = Instant::now().checked_sub(SETTLED).unwrap();
    *lock(&scene.fold.watch) =
        Watch { desk: -4.0, since: Some(long_ago), given: None, left: Some(-6.0) };
    assert_eq!(scene.asked_behind_window(), 1);
    assert_eq!(scene.make(), ["begin", "set", "end"]);
}
