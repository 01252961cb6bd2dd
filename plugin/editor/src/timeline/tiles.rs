//! Waveforms as meshes of 512 columns, kept until their clip, zoom or color changes.

use crate::kit::wave;
use crate::waves::Waves;
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, SourceId};
use egui::epaint::Mesh;
use egui::{Color32, Painter, Pos2, Rect, Shape, pos2};
use std::collections::HashMap;
use std::sync::Arc;

const COLUMNS: usize = 512;
/// The most columns that are kept. Beyond that, columns not drawn in the last frame are dropped.
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
    /// The columns were not as fine as they can be.
    is_coarse: bool,
    /// Around the left middle of the tile.
    meshes: [Mesh; 2],
    placed: Option<(Pos2, [Arc<Mesh>; 2])>,
    used: u64,
}

#[derive(Default)]
pub(crate) struct Tiles {
    tiles: HashMap<Key, Tile>,
    columns: usize,
    frame: u64,
    /// Meshes that were built or moved in this frame.
    pub(crate) made: usize,
}

#[derive(Clone, Copy)]
pub(super) struct Picture<'a> {
    pub(super) id: ClipId,
    pub(super) clip: &'a Clip,
    pub(super) is_preview: bool,
    /// The place of the whole clip; the part outside the painter's clip is not drawn.
    pub(super) rect: Rect,
    /// Its left end, which may be far outside.
    pub(super) left: f64,
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

    /// Draws the visible part; false if the audio is not read yet.
    pub(super) fn paint(
        &mut self,
        painter: &Painter,
        picture: &Picture<'_>,
        waves: &dyn Waves,
    ) -> bool {
        let column = 1.0 / f64::from(painter.pixels_per_point());
        let width = COLUMNS as f64 * column;
        let per_column = picture.frames_per_point * column;
        let view = painter.clip_rect().intersect(picture.rect);
        if view.width() <= 0.0 {
            return true;
        }
        let total = (picture.clip.length.0 as f64 / per_column).ceil() as usize + 1;
        let tile = |x: f32| ((f64::from(x) - picture.left) / width).floor().max(0.0) as usize;
        let mut all = true;
        for index in tile(view.left())..=tile(view.right()) {
            let begin = index * COLUMNS;
            // One more, so that tiles meet.
            let count = (COLUMNS + 1).min(total.saturating_sub(begin));
            if count < 2 {
                continue;
            }
            let start = picture.clip.start.0 + (begin as f64 * per_column) as i64;
            let gain = picture.clip.gain.amplitude();
            let numbers = [per_column, column, f64::from(picture.rect.height()), gain];
            let key = Key {
                clip: picture.id,
                is_preview: picture.is_preview,
                source: picture.clip.source,
                start: Frames(start),
                count,
                shape: numbers.map(f64::to_bits),
                tones: picture.tones,
            };
            let x = (picture.left + index as f64 * width) as f32;
            let at = pos2(x, picture.rect.center().y);
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
        let fine = || waves.are_fine(key.source, key.start, per_column, key.count);
        let known = self.tiles.get(&key);
        if known.is_none_or(|tile| tile.is_coarse && fine()) {
            let is_coarse = !fine();
            let Some(columns) = waves.columns(key.source, key.start, per_column, key.count) else {
                return false;
            };
            self.made += 1;
            if known.is_none() {
                self.columns += key.count;
            }
            let meshes = build(painter, &key, &columns);
            let tile = Tile { is_coarse, meshes, placed: None, used: 0 };
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
