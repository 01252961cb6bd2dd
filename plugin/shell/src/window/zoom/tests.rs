//! The zoom in hosts that give room for it, and in hosts that do not.

use super::*;
use egui::{Pos2, RawInput, Rect, ViewportId, vec2};

/// A host with a window, and the window system between them, which asks for a window that grows with the zoom.
struct Host {
    context: Context,
    zoom: Zoom,
    /// Of the window, in points without zoom, and the most that the host gives when it is asked.
    size: Vec2,
    most: Vec2,
    drawn: f32,
    now: Instant,
    told: Vec<String>,
}

impl Host {
    /// It gives as much when it is asked.
    fn of(most: Vec2) -> Self {
        let now = Instant::now();
        let (context, zoom) = (Context::default(), Zoom::new(1.0, now));
        let size = vec2(900.0, 600.0);
        let mut host = Self { context, zoom, size, most, drawn: 1.0, now, told: Vec::new() };
        host.goes_on();
        host
    }

    fn frame(&mut self) {
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size / self.drawn));
        let input = RawInput { screen_rect, ..RawInput::default() };
        let context = self.context.clone();
        let mut output = context.run_ui(input, |ui| {
            self.told.extend(self.zoom.settle(ui.ctx(), self.size, self.now));
        });
        // Nobody paints here.
        output.textures_delta.clear();
        let (before, zoom) = (self.drawn, self.context.zoom_factor());
        let mut asked = (before != zoom).then(|| self.size / before * zoom);
        self.drawn = zoom;
        for command in &output.viewport_output[&ViewportId::ROOT].commands {
            if let ViewportCommand::InnerSize(points) = command {
                asked = Some(*points * zoom);
            }
        }
        if let Some(asked) = asked {
            self.size = asked.min(self.most);
        }
    }

    /// Two seconds pass.
    fn goes_on(&mut self) {
        for _ in 0..20 {
            self.frame();
            self.now += Duration::from_millis(100);
        }
    }

    fn sets(&mut self, zoom: f32) {
        self.context.set_zoom_factor(zoom);
        self.goes_on();
    }

    /// Checks that the window is drawn at `zoom`, has this `size`, and keeps `kept`.
    #[track_caller]
    fn is(&self, zoom: f32, size: Vec2, kept: f32) {
        assert!(is_same(self.drawn, zoom), "drawn at {}", self.drawn);
        assert!((self.size - size).length() < 0.5, "{:?}", self.size);
        assert!(is_same(self.zoom.kept(self.drawn), kept), "{}", self.zoom.kept(self.drawn));
        let points = self.size / self.drawn;
        assert!(points.x >= 719.5 && points.y >= 479.5, "the layout has no room: {points:?}");
    }
}

#[test]
fn a_host_that_gives_the_room_shows_the_zoom_that_is_set() {
    let mut host = Host::of(vec2(3_000.0, 2_000.0));
    host.is(1.0, vec2(900.0, 600.0), 1.0);
    host.sets(2.0);
    host.is(2.0, vec2(1_800.0, 1_200.0), 2.0);
    host.sets(0.8);
    host.is(0.8, vec2(720.0, 480.0), 0.8);
    assert!(host.told.is_empty(), "{:?}", host.told);
}

#[test]
fn where_the_host_gives_no_room_the_layout_fits_and_the_window_stays() {
    let mut host = Host::of(vec2(1_000.0, 700.0));
    host.sets(2.0);
    host.is(1.35, vec2(1_000.0, 700.0), 2.0);
    let words = "This window has room for 135\u{a0}%; a larger one shows 200\u{a0}%.";
    assert_eq!(host.told, [words], "and that is said once");
    // The host makes it larger by itself.
    host.size = vec2(1_900.0, 1_300.0);
    host.most = host.size;
    host.goes_on();
    host.is(2.0, vec2(1_900.0, 1_300.0), 2.0);
    // And as small as it may be.
    host.size = vec2(720.0, 480.0);
    host.most = host.size;
    host.goes_on();
    host.is(1.0, vec2(720.0, 480.0), 2.0);
    assert_eq!(host.told.len(), 1);
}

#[test]
fn what_is_set_while_there_is_no_room_for_more_is_what_is_kept() {
    let mut host = Host::of(vec2(1_000.0, 700.0));
    host.sets(2.0);
    host.sets(1.2);
    host.is(1.2, vec2(888.9, 622.2), 1.2);
}

#[test]
fn a_window_opens_at_the_zoom_that_was_kept_as_far_as_there_is_room() {
    let mut host = Host::of(vec2(1_000.0, 700.0));
    host.zoom = Zoom::new(1.5, host.now);
    host.goes_on();
    host.is(1.25, vec2(900.0, 600.0), 1.5);
    assert!(host.told.is_empty(), "nobody set it just now: {:?}", host.told);
}
