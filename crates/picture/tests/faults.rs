//! Runs with delays, timers and faults: stories, timelines, charts, pages and traces.

mod faulty;
mod markup;
mod walks;

use expect_test::expect;
use picture::{Caption, Chart, Show, Text, Timeline, page, story};
use walks::Walk;

const CAPTION: Caption<'_> = Caption {
    title: "it fails",
    subtitle: "in time, with faults",
};

fn told(walk: &Walk) -> String {
    story(&walk.telling()).join("\n")
}

#[test]
fn a_retry_that_comes_too_late() {
    expect![[r#"
          start  as the text says
         0.0 ms  Client  starts               tries 0 → 1   sets retry (9 .. 11 ms)   → Ask 0 to Server
         3.0 ms  Server  never gets Ask 0: it is lost
        10.0 ms  Client  timer retry expires  tries 1 → 2   sets retry (9 .. 11 ms)   → Ask 1 to Server
        11.5 ms  Server  gets Ask 1           → Answer 1 to Client
        13.0 ms  nothing happens until here; Answer 1 has been on its way to Client for 1.5 ms
        here the claim is false:  Client.phase == Done
        Client.phase = Asking"#]].assert_eq(&told(&faulty::retry()));
}

#[test]
fn a_retry_that_is_not_needed() {
    expect![[r#"
        start  as the text says
         0 ms  Client  starts         tries 0 → 1   sets retry (9 .. 11 ms)   → Ask 0 to Server
         4 ms  Server  gets Ask 0     → Answer 0 to Client
         5 ms  Client  gets Answer 0  phase Asking → Done   halts"#]].assert_eq(&told(&faulty::answered()));
}

#[test]
fn a_crash_in_the_middle_of_a_broadcast() {
    expect![[r#"
        start  as the text says
          1.0  Leader    crashes while it wakes up  → Go to Member 1 only
          2.5  Member 1  gets Go                    went false → true
          6.0  nothing happens until here
        here the claim is false:  i.went == j.went
        for i = Member 1, j = Member 2:  i.went = true, j.went = false"#]].assert_eq(&told(&faulty::broadcast()));
}

#[test]
fn a_stop_and_a_new_beginning() {
    expect![[r#"
               start  as the text says
                      (left out: 3 events on which nothing depends, with Ping)
                0 ms  Sensor  starts                  boots 0 → 1
        same instant  Watch   activation 1            sets patience (25 ms)   → Ping 1 to Sensor
                3 ms  Sensor  gets Ping 1             → Pong 1 to Watch
                5 ms  Watch   gets Pong 1             seen 0 → 1   sets patience anew (25 ms)
                9 ms  Sensor  stops
               10 ms  Watch   activation 2            → Ping 2 to Sensor
               13 ms  Sensor  has stopped: Ping 2 is dropped
               30 ms  Watch   timer patience expires  halts
        here the claim is false:  not Watch.halted
        Watch.halted"#]].assert_eq(&told(&faulty::reboot()));
}

/// Runs of the agreement algorithm: of many messages only those are told of which something comes.
#[test]
fn agreement_in_time() {
    expect![[r#"
               start  Proc 1 input 1; Proc 2 input 1; Proc 3 input 0
                      (left out: 29 events on which nothing depends, with Alive and Round)
                   0  Proc 3  crashes while it wakes up  → Alive to Proc 1 only   → Round 1 to nobody
        same instant  Proc 1  activation 1               r 0 → 1   got[0] {} → { Proc 1 }   → Round 0 to Proc 2
        same instant  Proc 2  activation 1               r 0 → 1   got[0] {} → { Proc 2 }   → Round 0 to Proc 1
                   1  Proc 1  gets Round 0 from Proc 2   got[0] { Proc 1 } → { Proc 1, Proc 2 }
        same instant  Proc 2  gets Round 0               got[0] { Proc 2 } → { Proc 1, Proc 2 }
                   ⋯  20 events of Proc 1, Proc 2 and Proc 3, with Alive
                   5  Proc 1  activation 6               decision none → 1   got[2] {} → { Proc 1 }   gone {} → { Proc 3 }   halts   → Round 2 to Proc 2
                   6  Proc 2  gets Round 2               got[2] {} → { Proc 1 }
        same instant  Proc 2  activation 5               decision none → 1   got[2] { Proc 1 } → { Proc 1, Proc 2 }   gone {} → { Proc 3 }   halts"#]].assert_eq(&told(&faulty::agreement(3, 7)));
}

/// Without the faults and times of others they are told like everything else.
#[test]
fn random_runs_are_told_and_drawn() {
    let mut marks = [0; 4];
    for seed in 0..240 {
        let walk = faulty::random(seed, 6 + (seed as usize * 7) % 50);
        let telling = walk.telling();
        let events = walk.run.choices.len();
        for line in story(&telling) {
            assert!(!line.trim().is_empty());
        }
        for caption in [CAPTION, Caption::default()] {
            let timeline = Timeline::new(&telling, &caption);
            check_texts(&timeline.texts, timeline.width, timeline.height, seed);
            let mut seen = vec![0; events];
            for hit in &timeline.hits {
                (hit.first..=hit.last).for_each(|event| seen[event] += 1);
            }
            assert!(seen.iter().all(|count| *count == 1), "{seed}: {seen:?}");
            let svg = timeline.svg();
            assert_eq!(markup::well_formed(&svg)[0], "svg");
            for (count, sign) in marks
                .iter_mut()
                .zip(["sc-crash", "sc-timer", "sc-now", "sc-dash"])
            {
                *count += usize::from(svg.contains(&format!("class=\"{sign}")));
            }
            for show in [Show::All, Show::Mattering] {
                let chart = Chart::new(&telling, &caption, show);
                check_texts(&chart.texts, chart.width, chart.height, seed);
                assert_eq!(markup::well_formed(&chart.svg())[0], "svg");
            }
        }
        picture::itf::itf(&telling, "it");
        page(&telling, &CAPTION, Some(0));
    }
    assert!(marks.iter().take(3).all(|count| *count > 20), "{marks:?}");
}

fn check_texts(texts: &[Text], width: f64, height: f64, seed: u64) {
    for (i, text) in texts.iter().enumerate() {
        let [left, top, right, bottom] = text.bounds();
        assert!(
            left >= 0.0 && top >= 0.0 && right <= width + 0.01 && bottom <= height,
            "{seed}: outside of {width} × {height}: {text:?}"
        );
        if let Some(other) = texts[..i].iter().find(|other| meet(text, other)) {
            panic!("{seed}: {text:?} meets {other:?}");
        }
    }
}

fn meet(a: &Text, b: &Text) -> bool {
    let ([al, at, ar, ab], [bl, bt, br, bb]) = (a.bounds(), b.bounds());
    al < br - 0.01 && bl < ar - 0.01 && at < bb - 0.01 && bt < ab - 0.01
}

/// Writes pictures for people who want to look at them: `SHOW=dir cargo test --test faults show -- --ignored`.
#[test]
#[ignore = "for people"]
fn show() {
    let dir = std::path::PathBuf::from(std::env::var("SHOW").expect("a directory"));
    let mut walks = vec![
        ("retry".to_string(), faulty::retry()),
        ("answered".into(), faulty::answered()),
        ("broadcast".into(), faulty::broadcast()),
        ("reboot".into(), faulty::reboot()),
    ];
    walks.extend((0..6).map(|seed| (format!("agreement-{seed}"), faulty::agreement(seed, 7))));
    walks.extend((0..10).map(|seed| (format!("random-{seed}"), faulty::random(seed, 30))));
    for (name, walk) in walks {
        let telling = walk.telling();
        let svg = Timeline::new(&telling, &CAPTION).svg();
        std::fs::write(dir.join(format!("{name}.svg")), svg).expect("a file");
        let chart = Chart::new(&telling, &CAPTION, Show::All).svg();
        std::fs::write(dir.join(format!("{name}-chart.svg")), chart).expect("a file");
        let page = page(&telling, &CAPTION, Some(0));
        std::fs::write(dir.join(format!("{name}.html")), page).expect("a file");
        let story = picture::story(&telling).join("\n");
        std::fs::write(dir.join(format!("{name}.txt")), story).expect("a file");
    }
}
