//! The editor in the host's window.
//!
//! Thread: window (on X11 one of its own, else the host's main thread); what the host calls comes on its
//! main thread
//!
//! The app object outlives the window: the conversation stays when it closes.

mod app;
mod providers;
mod spectrogram;
mod waves;
mod zoom;

use crate::guard::{Entry, caught};
use crate::hub::Chair;
use crate::shared::{HostTrack, Shared, WindowLink};
use crate::state::{self, HEIGHTS, WIDTHS};
use app::App;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{LogicalSize, NativeSize, PhysicalSize};
use nice_plug::editor::{
    Editor, EditorHandle, HostMethods, ParentWindowHandle, ResizeHint, SizeConstraints,
    SpawnedEditor,
};
use nice_plug::prelude::{TrackColor, TrackInfo};
use nice_plug_egui::baseview::{HandlerError, WindowSize};
use nice_plug_egui::{
    EguiEditor, EguiEditorHandle, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp,
    RepaintNotifier, create_egui_editor,
};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use zoom::Zoom;

/// Makes windows for one instance.
pub struct Window {
    shared: Arc<Shared>,
    chair: Arc<Chair>,
    app: Arc<Mutex<App>>,
    given: Arc<Mutex<Given>>,
}

/// What the system gave last.
#[derive(Clone, Copy)]
struct Given {
    /// Pixels of a point without zoom.
    scale: f64,
    /// Pixels of the window, while one is open.
    size: Option<PhysicalSize<u32>>,
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Window {
    pub(crate) fn new(shared: Arc<Shared>, chair: Arc<Chair>) -> Self {
        let app = App::new(Arc::clone(&shared), Arc::clone(&chair));
        let app = Arc::new(Mutex::new(app));
        let given = Arc::new(Mutex::new(Given { scale: 1.0, size: None }));
        Self { shared, chair, app, given }
    }

    fn editor(&self) -> Option<EguiEditor<Visit>> {
        let state::Window { width, height, zoom, .. } = self.shared.saved.now().window;
        let size = LogicalSize::new(f64::from(width), f64::from(height));
        let state = EguiEditorState::from_size(size, zoom);
        let settings = EguiNiceSettings::new()
            .with_tile("Deskhand")
            .with_resize_hint(Editor::resize_hint(self));
        // A new one for each window: one that was asked before would ask for a picture of a window that is not shown yet.
        let repaint = RepaintNotifier::new();
        create_egui_editor(state, repaint.clone(), settings, self.visit(repaint))
    }
}

impl Window {
    fn visit(&self, repaint: RepaintNotifier) -> Visit {
        let (app, shared) = (Arc::clone(&self.app), Arc::clone(&self.shared));
        let zoom = Zoom::new(shared.saved.now().window.zoom, Instant::now());
        let (given, is_shown) = (Arc::clone(&self.given), Arc::new(AtomicBool::new(false)));
        Visit { app, shared, given, repaint, is_shown, context: None, zoom }
    }
}

impl Editor for Window {
    type Handle = EguiEditorHandle;

    fn spawn(
        &self,
        parent: Option<ParentWindowHandle>,
        wait_for_parent: bool,
        fallback_scale_factor: Option<f64>,
        gui_context: GuiContext,
        host: Option<HostMethods>,
    ) -> Result<SpawnedEditor<Self::Handle>, Box<dyn Error>> {
        let spawned = caught(Entry::Window, &self.shared.faults, || {
            self.chair.sit(&self.shared);
            let editor = self.editor().ok_or("no editor")?;
            let spawned =
                editor.spawn(parent, wait_for_parent, fallback_scale_factor, gui_context, host)?;
            runs(&spawned);
            Ok::<_, Box<dyn Error>>(spawned)
        });
        spawned.unwrap_or_else(|| Err(Entry::Window.message().into()))
    }

    fn size(&self) -> NativeSize<u32> {
        let size = caught(Entry::Size, &self.shared.faults, || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Size);
            let Given { scale, size } = *lock(&self.given);
            let closed = || native(self.shared.saved.now().window, scale);
            size.map_or_else(closed, |size| NativeSize::from_size(size.into(), scale))
        });
        size.unwrap_or_else(|| native(state::Window::default(), 1.0))
    }

    fn resize_hint(&self) -> ResizeHint {
        let size = |end: fn([u32; 2]) -> u32| {
            Some(LogicalSize::new(end(WIDTHS) as f32, end(HEIGHTS) as f32))
        };
        let (min_size, max_size) = (size(|[least, _]| least), size(|[_, most]| most));
        let size_constraints = SizeConstraints::Logical { min_size, max_size };
        ResizeHint { size_constraints, ..ResizeHint::resizable() }
    }

    fn track_info_updated(&self, info: TrackInfo) {
        caught(Entry::Window, &self.shared.faults, || {
            let name = Some(info.name().trim().to_owned()).filter(|name| !name.is_empty());
            let color = info.color().and_then(color);
            self.shared.set_host_track(HostTrack { name, color });
            self.shared.repaint.request_repaint();
        });
    }
}

/// Waits until the thread of a window runs. If it is asked to end before that, it forgets the request: the
/// event loop of baseview 0.4.2 on X11 clears the flag as it begins. A host that closes a window at once
/// would then wait forever. The request made here changes nothing, since the window is not shown yet.
fn runs(spawned: &SpawnedEditor<EguiEditorHandle>) {
    if cfg!(target_os = "linux") {
        drop(spawned.handle.hide(&spawned.window));
    }
}

/// The size that a window opens with: its points are as large as its zoom.
fn native(window: state::Window, scale: f64) -> NativeSize<u32> {
    let [width, height] =
        [window.width, window.height].map(|points| f64::from(points) * f64::from(window.zoom));
    NativeSize::from_size(LogicalSize::new(width, height).into(), scale)
}

fn color(color: TrackColor) -> Option<deskhand_session::Color> {
    let (red, green, blue, alpha) = color.rgba();
    // Some hosts say "no color" as a transparent one.
    (alpha > 0).then(|| format!("#{red:02x}{green:02x}{blue:02x}").try_into().ok()).flatten()
}

/// The app while a window shows it.
struct Visit {
    app: Arc<Mutex<App>>,
    shared: Arc<Shared>,
    given: Arc<Mutex<Given>>,
    /// Asks the window for a new picture.
    repaint: RepaintNotifier,
    /// Whether it was drawn once. A repaint requested before that would be the last one: baseview 0.4.2
    /// waits for an answer that X11 never sends before the window is mapped.
    is_shown: Arc<AtomicBool>,
    /// Once it is built.
    context: Option<egui::Context>,
    zoom: Zoom,
}

impl Visit {
    /// Draws it at the zoom that the window has room for.
    fn settle_zoom(&mut self, context: &egui::Context) {
        let Given { scale, size } = *lock(&self.given);
        let points = |pixels: u32| (f64::from(pixels) / scale) as f32;
        let window = size.map_or_else(
            || context.content_rect().size() * context.zoom_factor(),
            |size| egui::vec2(points(size.width), points(size.height)),
        );
        if let Some(words) = self.zoom.settle(context, window, Instant::now()) {
            lock(&self.app).say_of_zoom(words);
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        lock(&self.given).size = None;
        // A closed window does not count as a person who could decide.
        *self.shared.window() = WindowLink::Closed;
        self.shared.repaint.set(None);
        caught(Entry::Window, &self.shared.faults, || lock(&self.app).closed());
    }
}

impl NiceEguiApp for Visit {
    fn build(
        &mut self,
        context: egui::Context,
        _: GuiContext,
        frame: &mut Frame,
    ) -> Result<(), HandlerError> {
        let (waker, is_shown) = (frame.baseview_window().waker(), Arc::clone(&self.is_shown));
        context.set_request_repaint_callback(move |asked| {
            if is_shown.load(Ordering::Relaxed) {
                waker.request_redraw_after(asked.delay);
            }
        });
        *self.shared.window() = WindowLink::Wanted;
        caught(Entry::Window, &self.shared.faults, || lock(&self.app).opened(&context));
        self.context = Some(context);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut Frame) {
        if !self.is_shown.swap(true, Ordering::Relaxed) {
            self.shared.repaint.set(Some(self.repaint.clone()));
        }
        let shared = Arc::clone(&self.shared);
        let shown = caught(Entry::Window, &shared.faults, || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Window);
            self.settle_zoom(ui.ctx());
            lock(&self.app).show(ui);
        });
        if shown.is_none() {
            caught(Entry::Window, &self.shared.faults, || lock(&self.app).broke());
        }
    }

    fn resized(&mut self, size: WindowSize) {
        caught(Entry::Size, &self.shared.faults, || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Size);
            let zoom = self.context.as_ref().map_or(1.0, egui::Context::zoom_factor);
            let scale = size.scale_factor / f64::from(zoom);
            *lock(&self.given) = Given { scale, size: Some(size.physical) };
            let (width, height) = (size.logical.width as u32, size.logical.height as u32);
            self.shared.saved.change(|saved| {
                saved.window.width = width.clamp(WIDTHS[0], WIDTHS[1]);
                saved.window.height = height.clamp(HEIGHTS[0], HEIGHTS[1]);
            });
        });
    }

    fn zoom_factor_changed(&mut self, zoom: f32) {
        caught(Entry::Size, &self.shared.faults, || {
            #[cfg(feature = "test-probes")]
            crate::planted_faults::trip(Entry::Size);
            let zoom = self.zoom.kept(zoom);
            self.shared.saved.change(|saved| saved.window.zoom = zoom);
        });
    }
}

#[cfg(all(test, feature = "test-probes"))]
mod tests;
