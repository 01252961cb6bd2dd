//! A window without a screen that shows a session, as the measurements of the views need it.

use deskhand_editor::{Model, Waves, install, show};
use deskhand_protocol::{CallId, Event, News, Op, Read, Snapshot, Status, ToolResult};
use deskhand_session::{Author, RevisionId, Session};
use egui::{Event as Input, PointerButton, Pos2, Rect, Vec2, pos2};
use std::time::{Duration, Instant};

/// A window without a screen.
pub(crate) struct Screen<'a> {
    context: egui::Context,
    pub(crate) model: Model,
    waves: &'a dyn Waves,
    size: Vec2,
    number: u32,
    /// The places of controls in the newest frame, by name.
    named: Vec<(String, Pos2)>,
}

impl<'a> Screen<'a> {
    /// A window of `size` points that shows `session`.
    pub(crate) fn new(session: Session, waves: &'a dyn Waves, size: Vec2) -> Self {
        let context = egui::Context::default();
        install(&context);
        Self { context, model: opened(session), waves, size, number: 0, named: Vec::new() }
    }

    /// One frame: the time of layout and tessellation, and the number of corners that were drawn.
    pub(crate) fn frame(&mut self, events: Vec<Input>) -> (Duration, usize) {
        self.number += 1;
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(f64::from(self.number) / 60.0),
            events,
            ..egui::RawInput::default()
        };
        let (model, waves) = (&mut self.model, self.waves);
        let started = Instant::now();
        let mut output = self.context.run_ui(input, |ui| drop(show(ui, model, waves)));
        let shapes = std::mem::take(&mut output.shapes);
        let meshes = self.context.tessellate(shapes, output.pixels_per_point);
        let took = started.elapsed();
        let corners = |mesh: &egui::ClippedPrimitive| match &mesh.primitive {
            egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
            egui::epaint::Primitive::Callback(_) => 0,
        };
        let nodes = output.platform_output.accesskit_update.into_iter().flat_map(|tree| tree.nodes);
        let named = nodes.filter_map(|(_, node)| {
            let at = node.bounds()?;
            let middle = pos2(((at.x0 + at.x1) / 2.0) as f32, ((at.y0 + at.y1) / 2.0) as f32);
            Some((node.label()?.to_owned(), middle))
        });
        self.named = named.collect();
        output.textures_delta.clear();
        (took, meshes.iter().map(corners).sum())
    }

    /// Clicks the control of that name; the time of the slowest frame until it has its effect.
    pub(crate) fn press(&mut self, name: &str) -> Duration {
        self.context.enable_accesskit();
        for _ in 0..30 {
            self.frame(Vec::new());
        }
        let at = self.place(name);
        self.click(at, true);
        let took = self.click(at, false).max(self.frame(Vec::new()).0);
        self.context.disable_accesskit();
        took
    }

    /// The middle of the control of that name, as it was last drawn for screen readers.
    pub(crate) fn place(&self, name: &str) -> Pos2 {
        let place = self.named.iter().find(|(known, _)| known == name);
        place.expect("there is a control of that name").1
    }

    fn click(&mut self, pos: Pos2, pressed: bool) -> Duration {
        let (button, modifiers) = (PointerButton::Primary, egui::Modifiers::NONE);
        let press = Input::PointerButton { pos, button, pressed, modifiers };
        self.frame(vec![Input::PointerMoved(pos), press]).0
    }
}

/// As the hub answers a window that opens `session`.
fn opened(session: Session) -> Model {
    let mut model = Model::new();
    let snapshot = Snapshot {
        folder: "/music/large.deskhand".into(),
        is_attended: true,
        ..Snapshot::of(session, RevisionId(1))
    };
    let answer = Some(serde_json::to_value(&snapshot).expect("a snapshot is JSON"));
    let result = ToolResult { answer, ..ToolResult::new(Status::Ok, "read", RevisionId(1)) };
    model.sent(CallId(1), &Op::Read { what: Read::Snapshot });
    let news = News::Done { result: Box::new(result) };
    let event = Event { number: 1, author: Author::User, call: Some(CallId(1)), news };
    drop(model.hear(&event));
    model
}
