//! The editor in the host's window.
//!
//! Thread: window (on X11 one of its own, else the host's main thread); what the host calls comes on its
//! main thread
//!
//! The app object outlives the window: what was said stays when it closes.

mod app;
mod providers;
mod spectrogram;
mod waves;

use crate::guard::{Entry, caught};
use crate::hub::Chair;
use crate::shared::{HostTrack, Shared, WindowLink};
use crate::state::{self, HEIGHTS, WIDTHS};
use app::App;
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{LogicalSize, NativeSize};
use nice_plug::editor::{
    Editor, HostMethods, ParentWindowHandle, ResizeHint, SizeConstraints, SpawnedEditor,
};
use nice_plug::prelude::{TrackColor, TrackInfo};
use nice_plug_egui::baseview::{HandlerError, WindowSize};
use nice_plug_egui::{
    EguiEditor, EguiEditorHandle, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp,
    create_egui_editor,
};
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Makes windows for one instance.
pub struct Window {
    shared: Arc<Shared>,
    chair: Arc<Chair>,
    app: Arc<Mutex<App>>,
    scale: Arc<Mutex<f64>>,
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Window {
    pub(crate) fn new(shared: Arc<Shared>, chair: Arc<Chair>) -> Self {
        let app = App::new(Arc::clone(&shared), Arc::clone(&chair));
        let app = Arc::new(Mutex::new(app));
        Self { shared, chair, app, scale: Arc::new(Mutex::new(1.0)) }
    }

    fn editor(&self) -> Option<EguiEditor<Visit>> {
        let state::Window { width, height, zoom, .. } = self.shared.saved.now().window;
        let size = LogicalSize::new(f64::from(width), f64::from(height));
        let state = EguiEditorState::from_size(size, zoom);
        let settings = EguiNiceSettings::new()
            .with_tile("Deskhand")
            .with_resize_hint(Editor::resize_hint(self));
        let (app, shared, scale) =
            (Arc::clone(&self.app), Arc::clone(&self.shared), Arc::clone(&self.scale));
        create_egui_editor(state, shared.repaint.clone(), settings, Visit { app, shared, scale })
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
        let gui = gui_context.clone();
        let spawned = caught(Entry::Window, &self.shared.faults, || {
            self.chair.sit(&self.shared);
            let editor = self.editor().ok_or("no editor")?;
            editor.spawn(parent, wait_for_parent, fallback_scale_factor, gui_context, host)
        });
        let is_open = matches!(spawned, Some(Ok(_)));
        #[cfg(feature = "plant")]
        let is_open = is_open || crate::plant::is_blind();
        if is_open {
            self.shared.fold.opened(gui);
        }
        spawned.unwrap_or_else(|| Err(Entry::Window.message().into()))
    }

    fn size(&self) -> NativeSize<u32> {
        let size = caught(Entry::Size, &self.shared.faults, || {
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Size);
            native(self.shared.saved.now().window, *lock(&self.scale))
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

fn native(window: state::Window, scale: f64) -> NativeSize<u32> {
    let size = LogicalSize::new(f64::from(window.width), f64::from(window.height));
    NativeSize::from_size(size.into(), scale)
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
    scale: Arc<Mutex<f64>>,
}

impl Drop for Visit {
    fn drop(&mut self) {
        // A window that is closed is nobody who could decide.
        *self.shared.window() = WindowLink::Closed;
        caught(Entry::Window, &self.shared.faults, || lock(&self.app).closed());
    }
}

impl NiceEguiApp for Visit {
    fn build(
        &mut self,
        context: egui::Context,
        _: GuiContext,
        _: &mut Frame,
    ) -> Result<(), HandlerError> {
        *self.shared.window() = WindowLink::Wanted;
        caught(Entry::Window, &self.shared.faults, || lock(&self.app).opened(&context));
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut Frame) {
        let shown = caught(Entry::Window, &self.shared.faults, || {
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Window);
            lock(&self.app).show(ui);
        });
        if shown.is_none() {
            caught(Entry::Window, &self.shared.faults, || lock(&self.app).broke());
        }
    }

    fn resized(&mut self, size: WindowSize) {
        caught(Entry::Size, &self.shared.faults, || {
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Size);
            *lock(&self.scale) = size.scale_factor;
            let (width, height) = (size.logical.width as u32, size.logical.height as u32);
            self.shared.saved.change(|saved| {
                saved.window.width = width.clamp(WIDTHS[0], WIDTHS[1]);
                saved.window.height = height.clamp(HEIGHTS[0], HEIGHTS[1]);
            });
        });
    }

    fn zoom_factor_changed(&mut self, zoom: f32) {
        caught(Entry::Size, &self.shared.faults, || {
            #[cfg(feature = "plant")]
            crate::plant::trip(Entry::Size);
            let [least, most] = state::ZOOMS;
            self.shared.saved.change(|saved| saved.window.zoom = zoom.clamp(least, most));
        });
    }
}

#[cfg(all(test, feature = "plant"))]
mod tests;
