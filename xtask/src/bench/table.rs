//! The figures as rows: ours, the peer's, the ratio, and the goal.

use crate::figures::Figure;
use std::time::Duration;

/// A measured amount with its unit.
#[derive(Clone, Copy)]
pub(super) enum Amount {
    Time(Duration),
    /// Memory in bytes.
    Bytes(u64),
    /// A share of something, 1 is all of it.
    Share(f64),
}

impl Amount {
    fn text(self) -> String {
        match self {
            Self::Time(time) if time < Duration::from_millis(100) => {
                format!("{:.2} ms", time.as_secs_f64() * 1e3)
            }
            Self::Time(time) => format!("{:.2} s", time.as_secs_f64()),
            Self::Bytes(bytes) => format!("{:.0} MB", bytes as f64 / 1e6),
            Self::Share(share) => format!("{:.1} %", share * 100.0),
        }
    }

    fn value(self) -> f64 {
        match self {
            Self::Time(time) => time.as_secs_f64(),
            Self::Bytes(bytes) => bytes as f64,
            Self::Share(share) => share,
        }
    }
}

/// The goal for a figure.
enum Goal {
    /// The peer needs at least this many times as much.
    Ratio { peer: &'static str, amount: Amount, at_least: f64 },
    /// Ours is under this.
    Under(Amount),
    /// Ours is under this; a peer that does a part of the work says how much of it cannot be saved.
    UnderBeside { limit: Amount, peer: &'static str, amount: Amount },
    /// Ours is at least the best peer's, where there is one.
    Ahead(Option<(&'static str, f64)>),
}

/// One line of the table.
pub(super) struct Row {
    workload: String,
    ours: Option<Amount>,
    goal: Option<Goal>,
    note: String,
}

impl Row {
    /// `peer` should need at least `at_least` times what we need.
    pub(super) fn ratio(
        workload: &str,
        ours: Duration,
        peer: (&'static str, Duration),
        at_least: f64,
    ) -> Self {
        let amount = Amount::Time(peer.1);
        Self {
            workload: workload.to_owned(),
            ours: Some(Amount::Time(ours)),
            goal: Some(Goal::Ratio { peer: peer.0, amount, at_least }),
            note: String::new(),
        }
    }

    /// Ours should be under `limit`.
    pub(super) fn under(workload: &str, ours: Amount, limit: Amount) -> Self {
        Self {
            workload: workload.to_owned(),
            ours: Some(ours),
            goal: Some(Goal::Under(limit)),
            note: String::new(),
        }
    }

    /// Ours should be under `limit`. `peer` does only a part of the work.
    pub(super) fn under_beside(
        workload: &str,
        ours: Duration,
        limit: Duration,
        peer: (&'static str, Duration),
    ) -> Self {
        let (limit, amount) = (Amount::Time(limit), Amount::Time(peer.1));
        Self {
            workload: workload.to_owned(),
            ours: Some(Amount::Time(ours)),
            goal: Some(Goal::UnderBeside { limit, peer: peer.0, amount }),
            note: String::new(),
        }
    }

    /// A score of ours, 0 to 1, that should be at least that of the best peer.
    pub(super) fn ahead(workload: &str, ours: f64, best: Option<(&'static str, f64)>) -> Self {
        Self {
            workload: workload.to_owned(),
            ours: Some(Amount::Share(ours)),
            goal: Some(Goal::Ahead(best)),
            note: String::new(),
        }
    }

    /// Nothing to compare with: the peer is not installed.
    pub(super) fn skipped(workload: &str, why: &str) -> Self {
        Self {
            workload: workload.to_owned(),
            ours: None,
            goal: None,
            note: format!("skipped: {why}"),
        }
    }

    /// The workload did not run to its end.
    pub(super) fn failed(workload: &str, error: &anyhow::Error) -> Self {
        Self {
            workload: workload.to_owned(),
            ours: None,
            goal: None,
            note: format!("failed: {error:#}"),
        }
    }

    pub(super) fn long(&self) -> String {
        let [workload, ours, peer, ratio, goal, met] = self.cells();
        format!("{workload}: ours {ours}, peer {peer}, {ratio} (goal {goal}) {met}")
    }

    /// The row in its stored form, if there is a figure.
    pub(super) fn figure(&self, part: &str) -> Option<Figure> {
        self.ours?;
        let [workload, ours, other, ratio, goal, met] = self.cells();
        Some(Figure { part: part.to_owned(), workload, ours, other, ratio, goal, met })
    }

    fn cells(&self) -> [String; 6] {
        let dash = || "-".to_owned();
        let ours = self.ours.map_or_else(dash, Amount::text);
        let (peer, ratio, goal, met) = match (&self.goal, self.ours) {
            (Some(Goal::Ratio { peer, amount, at_least }), Some(own)) => {
                let ratio = amount.value() / own.value().max(1e-9);
                let met = yes_or_no(ratio >= *at_least);
                (
                    format!("{peer} {}", amount.text()),
                    format!("{ratio:.1}x"),
                    format!("{at_least}x"),
                    met,
                )
            }
            (Some(Goal::Under(limit)), Some(own)) => {
                let met = yes_or_no(own.value() < limit.value());
                (dash(), dash(), format!("under {}", limit.text()), met)
            }
            (Some(Goal::UnderBeside { limit, peer, amount }), Some(own)) => {
                let ratio = amount.value() / own.value().max(1e-9);
                let met = yes_or_no(own.value() < limit.value());
                let peer = format!("{peer} {}", amount.text());
                (peer, format!("{ratio:.3}x"), format!("under {}", limit.text()), met)
            }
            (Some(Goal::Ahead(Some((peer, score)))), Some(own)) => {
                let ratio = own.value() / score.max(1e-9);
                let met = yes_or_no(own.value() >= *score);
                let peer = format!("{peer} {}", Amount::Share(*score).text());
                (peer, format!("{ratio:.2}x"), "at least theirs".into(), met)
            }
            _ => (dash(), dash(), dash(), self.note.clone()),
        };
        [self.workload.clone(), ours, peer, ratio, goal, met]
    }
}

fn yes_or_no(met: bool) -> String {
    if met { "yes" } else { "no" }.to_owned()
}

pub(super) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| workload | ours | peer | ratio | goal | met |\n|---|---|---|---|---|---|\n",
    );
    for row in rows {
        text.push_str(&format!("| {} |\n", row.cells().join(" | ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_whether_the_goal_is_met() {
        let second = Duration::from_secs(1);
        let rows = [
            Row::ratio("scan, CPU", second, ("ffmpeg", second * 12), 10.0),
            Row::ratio("scan, CPU", second, ("ffmpeg", second * 9), 10.0),
            Row::under("mix", Amount::Bytes(80_000_000), Amount::Bytes(300_000_000)),
            Row::under("engine", Amount::Share(0.4), Amount::Share(0.3)),
            Row::under_beside("open", second, second * 2, ("lines", second / 100)),
            Row::skipped("scan", "no ffmpeg"),
        ];
        let expected = "\
| workload | ours | peer | ratio | goal | met |
|---|---|---|---|---|---|
| scan, CPU | 1.00 s | ffmpeg 12.00 s | 12.0x | 10x | yes |
| scan, CPU | 1.00 s | ffmpeg 9.00 s | 9.0x | 10x | no |
| mix | 80 MB | - | - | under 300 MB | yes |
| engine | 40.0 % | - | - | under 30.0 % | no |
| open | 1.00 s | lines 10.00 ms | 0.010x | under 2.00 s | yes |
| scan | - | - | - | - | skipped: no ffmpeg |
";
        assert_eq!(markdown(&rows), expected);
        assert_eq!(rows[2].figure("mix").unwrap().ours, "80 MB");
        assert_eq!(rows[5].figure("mix"), None);
    }
}
