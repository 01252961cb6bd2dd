//! Waveforms as meshes of 512 columns, kept until their clip, zoom or color changes.

use crate::kit::wave;
use crate::waves::Waves;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, SourceId};
use egui::epaint::Mesh;
use egui::{Color32, Painter, Pos2, Rect, Shape, pos2};
use std::collections::HashMap;
use std::sync::Arc;

/// Columns in a tile.
const COLUMNS: usize = 512;
/// Columns that are kept; beyond, what was not drawn in the last frame goes.
const KEPT: usize = 150_000;

/// What a tile shows; two with the same key are the same picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    clip: ClipId,
    is_preview: bool,
    source: SourceId,
    start: Frames,
    count: usize,
    /// Bits of frames in a column, points in a column, height and amplitude.
    shape: [u64; 4],
    tones: [Color32; 2],
}

struct Tile {
    /// Around the left middle of the tile.
    meshes: [Mesh; 2],
    placed: Option<(Pos2, [Arc<Mesh>; 2])>,
    used: u64,
}

/// The tiles of the timeline.
#[derive(Default)]
pub(crate) struct Tiles {
    tiles: HashMap<Key, Tile>,
    columns: usize,
    frame: u64,
    /// Meshes that were built or moved in this frame.
    pub(crate) made: usize,
}

/// A waveform to draw.
#[derive(Clone, Copy)]
pub(super) struct Picture<'a> {
    pub(super) id: ClipId,
    pub(super) clip: &'a Clip,
    pub(super) is_preview: bool,
    /// Where the whole clip is; what is outside of the painter's clip is left out.
    pub(super) rect: Rect,
    pub(super) frames_per_point: f64,
    /// Peak and RMS.
    pub(super) tones: [Color32; 2],
}

impl Tiles {
    /// A new frame begins.
    pub(super) fn begin(&mut self) {
        if self.columns > KEPT {
            let last = self.frame;
            self.tiles.retain(|_, tile| tile.used == last);
            self.columns = self.tiles.keys().map(|key| key.count).sum();
        }
        self.frame += 1;
        self.made = 0;
    }

    /// Draws what is in view; false when the audio is not read yet.
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        picture: &Picture<'_>,
        waves: &dyn Waves,
    ) -> bool {
        let column = 1.0 / painter.pixels_per_point();
        let width = COLUMNS as f32 * column;
        let per_column = picture.frames_per_point * f64::from(column);
        let view = painter.clip_rect().intersect(picture.rect);
        if view.width() <= 0.0 {
            return true;
        }
        let total = (picture.rect.width() / column).ceil() as usize + 1;
        let first = ((view.left() - picture.rect.left()) / width).floor().max(0.0) as usize;
        let last = ((view.right() - picture.rect.left()) / width).floor().max(0.0) as usize;
        let mut all = true;
        for index in first..=last {
            let begin = index * COLUMNS;
            // One more, so that tiles meet.
            let count = (COLUMNS + 1).min(total.saturating_sub(begin));
            if count < 2 {
                continue;
            }
            let start = picture.clip.start.0 + (begin as f64 * per_column) as i64;
            let gain = picture.clip.gain.amplitude();
            let numbers = [per_column, f64::from(column), f64::from(picture.rect.height()), gain];
            let key = Key {
                clip: picture.id,
                is_preview: picture.is_preview,
                source: picture.clip.source,
                start: Frames(start),
                count,
                shape: numbers.map(f64::to_bits),
                tones: picture.tones,
            };
            let at = pos2(picture.rect.left() + index as f32 * width, picture.rect.center().y);
            all &= self.tile(painter, key, per_column, waves, at);
        }
        all
    }

    fn tile(
        &mut self,
        painter: &Painter,
        key: Key,
        per_column: f64,
        waves: &dyn Waves,
        at: Pos2,
    ) -> bool {
        if !self.tiles.contains_key(&key) {
            let Some(columns) = waves.columns(key.source, key.start, per_column, key.count) else {
                return false;
            };
            self.made += 1;
            self.columns += key.count;
            let tile = Tile { meshes: build(painter, &key, &columns), placed: None, used: 0 };
            self.tiles.insert(key, tile);
        }
        let Some(tile) = self.tiles.get_mut(&key) else { return false };
        tile.used = self.frame;
        let fresh = tile.placed.as_ref().is_none_or(|(place, _)| *place != at);
        if fresh {
            self.made += 1;
        }
        let place = |mesh: &Mesh| {
            let mut mesh = mesh.clone();
            mesh.translate(at.to_vec2());
            Arc::new(mesh)
        };
        if fresh {
            tile.placed = Some((at, tile.meshes.each_ref().map(place)));
        }
        for mesh in tile.placed.iter().flat_map(|(_, meshes)| meshes) {
            painter.add(Shape::mesh(Arc::clone(mesh)));
        }
        true
    }
}

fn build(painter: &Painter, key: &Key, columns: &[wave::Column]) -> [Mesh; 2] {
    let [_, column, height, gain] = key.shape.map(f64::from_bits);
    let width = (columns.len() - 1) as f32 * column as f32;
    let half = height as f32 / 2.0;
    let rect = Rect::from_min_max(pos2(0.0, -half), pos2(width, half));
    let feather = 1.0 / painter.pixels_per_point();
    let band = |value: fn(&wave::Column) -> f32, tone| {
        let edge: Vec<f32> = columns.iter().map(|it| (value(it) * gain as f32).min(1.0)).collect();
        wave::band_mesh(rect, &edge, feather, tone)
    };
    [band(|it| it.peak, key.tones[0]), band(|it| it.rms, key.tones[1])]
}
