//! Machines with periodic schedules, inboxes and faults.

use super::Text;
use expect_test::{Expect, expect};
use lower::{Candidates, candidates};
use model::Constant;
use rational::Rational;

pub(super) const ELECTION: &str = include_str!("../../../syntax/tests/data/thales-election.scrut");
const MEMBERSHIP: &str = include_str!("../../../syntax/tests/data/membership.scrut");

/// The lines of the text of a Machine that contain one of these strings.
fn lines(machine: &machine::Machine, begin: &[&str]) -> String {
    let text = machine.to_string();
    let wanted = text
        .lines()
        .filter(|l| begin.iter().any(|b| l.trim_start().contains(b)));
    wanted.map(|l| format!("{}\n", l.trim())).collect()
}

#[track_caller]
fn refused(text: &str, expected: Expect) {
    let text = Text::new(text);
    let requests = text.instances(0, &[]).unwrap_or_else(|e| panic!("{e}"));
    let shown = text.lower(&requests[0]).expect_err("this is wrong");
    expected.assert_eq(&shown);
}

#[test]
fn election() {
    let text = Text::new(ELECTION);
    let request = &text.instances(0, &[]).unwrap()[0];
    let values = [Constant::Int(3), Constant::Int(4)];
    let asked = request.with(&text.model, &values).unwrap();
    let lowered = text.lower(&asked).unwrap();
    assert_eq!(lowered.labels.unit.as_deref(), Some("ms"));
    assert_eq!(lowered.labels.blocks, ["activation"]);
    expect![[r#"
        (ids 2)
        (enum Role Follower Candidate Leader)
        (message Hello (sender id) (role (enum Role)))
        (kind Elector 2)
        (edges (1 1) (1 2) (2 1) (2 2))
        (channel instant)
        (inbox one-from-each)
        (faulty at-most 1 off)
        (frozen Elector id id arrangement)
        @1 (var Elector role (enum Role) any)
        @2 (var Elector turn (int 0 1) any)
        @8 (persistent-ghost Elector activations (int 0 4) (is 0))
        @51 (block Elector "every 49 ms .. 51 ms"
          (every 49 51 fixed (per-gap 1/2) (first 0 period))
          (locals (self node) (m (record Hello)) (higher bool))
          @51 (:= activations (min (+ (var activations self) 1) 4))
          @28 (if
            @28 (= @29 (var turn self) 0)
            (do
              @30 (let higher
                @35 (exists m
                  @31 (inbox Hello self)
                  @34 (> @32 (field Hello sender m) @33 (frozen id self))))
              @36 (clear-inbox)
              @37 (if higher
                (do @38 (:= role (name Role Follower)))
                (do
                  @39 (if
                    @39 (= @40 (var role self) (name Role Follower))
                    (do @41 (:= role (name Role Candidate)))
                    (do @42 (:= role (name Role Leader))))))))
          @43 (:= turn @46 (mod @45 (+ @44 (var turn self) 1) 2))
          @47 (send @50 (new Hello @48 (frozen id self) @49 (var role self)) (neighbours self)))
        (claim "elected(3)"
          (locals (k node) (k.2 node) (k.3 node) (k.4 node))
          @27 (always
            (state
              @26 (implies
                @11 (all k.2
                  @7 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                  @10 (>= @9 (var activations k.2) 3))
                @25 (and
                  @18 (=
                    @17 (var role
                      @16 @15 (largest k.4
                        @13 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                        @14 (frozen id k.4)))
                    (name Role Leader))
                  @24 (all k.3
                    @12 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                    @23 (implies
                      @20 (!= k.3
                        @19 @15 (largest k.4
                          @13 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                          @14 (frozen id k.4)))
                      @22 (= @21 (var role k.3) (name Role Follower)))))))))
        (claim "elected(4)"
          (locals (k node) (k.2 node) (k.3 node) (k.4 node))
          @27 (always
            (state
              @26 (implies
                @11 (all k.2
                  @7 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                  @10 (>= @9 (var activations k.2) 4))
                @25 (and
                  @18 (=
                    @17 (var role
                      @16 @15 (largest k.4
                        @13 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                        @14 (frozen id k.4)))
                    (name Role Leader))
                  @24 (all k.3
                    @12 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                    @23 (implies
                      @20 (!= k.3
                        @19 @15 (largest k.4
                          @13 @6 (filter k @3 (nodes Elector) @5 (not @4 (fault off k)))
                          @14 (frozen id k.4)))
                      @22 (= @21 (var role k.3) (name Role Follower)))))))))
    "#]]
    .assert_eq(&lowered.machine.to_string());
}

#[test]
fn what_is_sought() {
    let text = Text::new(ELECTION);
    let least = text.instances(0, &[]).unwrap();
    assert_eq!(least.len(), 5);
    let among = candidates(&text.model, &least[0], 0);
    assert_eq!(among, Ok(Some(Candidates::Numbers(0, 40))));
    // For a sought parameter of the model, each value gives another Machine.
    let greatest = &text.instances(3, &[]).unwrap()[0];
    let among = candidates(&text.model, greatest, 0);
    assert_eq!(among, Ok(Some(Candidates::Times)));
    let third = Constant::Duration(Rational::new(47, 3));
    let request = greatest.with(&text.model, &[third]).unwrap();
    assert_eq!(request.set[1], ("wobble".into(), "47/3 ms".into()));
    let machine = text.lower(&request).unwrap().machine;
    expect![[r#"
        (every 49 51 fixed (per-gap 47/3) (first 0 period))
        (claim "elected(4)"
    "#]]
    .assert_eq(&lines(&machine, &["(every", "(claim"]));
    assert!(text.instances(3, &["wobble=3ms"]).is_err());
    // `every p` begins at the lower end of the range of p.
    let every = &text.instances(1, &[]).unwrap()[0];
    assert_eq!(every.params[0], Constant::Int(1));
    assert_eq!(every.every, [model::ParamId(0)]);
    assert_eq!(every.set, [("p".into(), "1, 2, …".into())]);
    assert!(text.instances(1, &["p=3"]).unwrap()[0].every.is_empty());
}

#[test]
fn times_on_the_command_line() {
    let text = Text::new(ELECTION);
    let wobble = |define: &str| text.instances(2, &[define]).map(|r| r[0].params[2].clone());
    let time = |n, d| Ok(Constant::Duration(Rational::new(n, d)));
    assert_eq!(wobble("wobble=25ms"), time(25, 1));
    assert_eq!(wobble("wobble=0.025 s"), time(25, 1));
    assert_eq!(wobble("wobble=47/3 ms"), time(47, 3));
    expect![[r#"
        E0510 7: `wobble` `-D wobble=25`: `wobble` is a time
    "#]]
    .assert_eq(&wobble("wobble=25").unwrap_err());
    expect![[r#"
        E0510 7: `wobble` `-D wobble=25m`: `wobble` is a time
    "#]]
    .assert_eq(&wobble("wobble=25m").unwrap_err());
}

#[test]
fn faults_of_two_kinds() {
    let text = Text::new(
        "message M { x: 0..1 }\n\
         node A[2] { every any { broadcast M { x: 0 } }\n ignore M }\n\
         node B { var n: 0..3 = 0\n every any { n = min(count m in inbox: m.x == 0, 3); clear inbox; broadcast M { x: 1 } } }\n\
         network complete { delivery instant; inbox latest per sender, starts with anything }\n\
         faults at most 1 A: mute, isolated from start\n\
         faults any nodes: off from start\n\
         let whole = { k in A: k.faultless and not B.off }\n\
         claim c: always (all k in whole: k.sent(M) <= 2 and not k.crashed)\n\
         claim d: all k in whole: eventually (k.sent(M) > 1)\n\
         check c, d",
    );
    expect![[r#"
        (message M (x (int 0 1)))
        (kind A 2 (ignores M))
        (kind B 1)
        (edges (1 2) (1 3) (2 1) (2 3) (3 1) (3 2))
        (channel instant)
        (inbox latest copies anything)
        (faulty at-most 1 of A mute isolated)
        (faulty off)
        (var B n (int 0 3) (is 0))
        @8 (persistent-ghost A "sent(M)" (int 0 3) (is 0))
        @22 (block A "every any"
          (every any)
          @20 (send @21 (new M 0) (neighbours self))
          @20 (:= "sent(M)"
            (min
              (+
                (var "sent(M)" self)
                (if (or (fault mute self) (fault isolated self)) 0 (size (neighbours self))))
              3)))
        @32 (block B "every any".2
          (every any)
          (locals (self node) (m (record M)))
          @23 (:= n @28 (min @27 (count m @24 (inbox M self) @26 (= @25 (field M x m) 0)) 3))
          @29 (clear-inbox)
          @30 (send @31 (new M 1) (neighbours self)))
        (claim c
          (locals (k node) (k.2 node))
          @14 (always
            (state
              @13 (all k.2
                @7 @6 (filter k
                  @1 (nodes A)
                  @5 (and
                    @2 (not (or (or (fault off k) (fault mute k)) (fault isolated k)))
                    @4 (not @3 (fault off (node 3)))))
                @12 (and @10 (<= @9 (var "sent(M)" k.2) 2) @11 (not false))))))
        (claim d
          (locals (k node) (k.2 node))
          @19 (all k.2
            @15 @6 (filter k
              @1 (nodes A)
              @5 (and
                @2 (not (or (or (fault off k) (fault mute k)) (fault isolated k)))
                @4 (not @3 (fault off (node 3)))))
            @18 (eventually (state @17 (> @16 (var "sent(M)" k.2) 1)))))
    "#]]
    .assert_eq(&text.first(0).machine.to_string());
}

#[test]
fn rounds() {
    let text = Text::new(
        "param ahead = 2\n\
         node A[2] { var x: 0..3 = 0\n every round(ahead) { x = min(x + 1, 3) } }\n\
         claim c: always (all i, j in A: i.activations <= 5 implies i.activations - j.activations <= 2)\n\
         check c",
    );
    expect![[r#"
        (kind A 2)
        (channel fifo)
        (var A x (int 0 3) (is 0))
        @2 (persistent-ghost A activations (int 0 6) (is 0))
        @17 (block A "every round(2)"
          (every round 2)
          @17 (:= activations (min (+ (var activations self) 1) 6))
          @13 (:= x @16 (min @15 (+ @14 (var x self) 1) 3)))
        (claim c
          (locals (i node) (j node))
          @12 (always
            (state
              @11 (all i
                @1 (nodes A)
                @10 (all j
                  @1 (nodes A)
                  @9 (implies
                    @4 (<= @3 (var activations i) 5)
                    @8 (<= @7 (- @5 (var activations i) @6 (var activations j)) 2)))))))
    "#]]
    .assert_eq(&text.first(0).machine.to_string());
}

const CLOCKS: &str = "param slow = 2\n\
     timing beat: round\n\
     node A[2] { every beat { } }\n\
     world Clocks { timing beat: 30 s ± 1 %, first 0 s }\n\
     world Grid { timing beat: 30 s .. slow * 1 min fixed, jitter ± 100 ms on the grid }\n\
     world Later { timing beat: 30 s ± 100 ppm, first period / 2 .. period }\n\
     world Any { timing beat: any }\n\
     claim c: always true\n";

#[test]
fn timings_of_worlds() {
    let text = Text::new(
        &(CLOCKS.replace("period / 2 .. period", "period")
            + "check c\ncheck c in Clocks\ncheck c in Grid\ncheck c in Later\ncheck c in Any"),
    );
    let shown: Vec<String> = (0..5)
        .map(|check| {
            let lowered = text.first(check);
            assert_eq!(lowered.labels.blocks, ["beat"]);
            assert_eq!(lowered.machine.blocks[0].name, "every beat");
            lines(&lowered.machine, &["(every"])
        })
        .collect();
    expect![[r#"
        @1 (block A "every beat" (every round 1))
        @1 (block A "every beat" (every 297/10 303/10 (first 0 0)))
        @1 (block A "every beat" (every 30 120 fixed (on-grid 1/10) (first 0 period)))
        @1 (block A "every beat" (every 29997/1000 30003/1000 (first 30003/1000 30003/1000)))
        @1 (block A "every beat" (every any))
    "#]]
    .assert_eq(&shown.concat());
}

#[test]
fn rounds_and_times_do_not_meet() {
    refused(
        "timing beat: round\nnode A { every beat { } }\nnode B { every 5 .. 6 { } }\n\
         claim c: always true\ncheck c",
        expect![[r#"
            E0518 3: `every 5 .. 6` in one check there are rounds or real times; here are times
        "#]],
    );
}

#[test]
fn schedules_invalid_for_some_parameters() {
    let with = |values: &str, every: &str, expected: Expect| {
        refused(
            &format!(
                "param a: Duration = 49 ms\nparam b: Duration = 51 ms\nparam j: Duration = 0 ms\n\
                 param d = 1\nnode A {{ every {every} {{ }} }}\nclaim c: always true\ncheck c for {values}"
            ),
            expected,
        );
    };
    with(
        "a = 60 ms",
        "a .. b",
        expect![[r#"
        E0420 5: `a .. b` with these parameters the gap would be from 60 ms to 51 ms: the first end is the larger one
    "#]],
    );
    with(
        "j = 49 ms",
        "a .. b, jitter ± j per gap",
        expect![[r#"
        E0420 5: `a .. b` with these parameters the least gap, jitter included, is 0 ms; it must be more than nothing
    "#]],
    );
    with(
        "j = 24.5 ms",
        "a .. b fixed, jitter ± j on the grid",
        expect![[r#"
            E0420 5: `a .. b` with these parameters the least gap, jitter included, is 0 ms; it must be more than nothing
        "#]],
    );
    with(
        "j = 0 ms",
        "a .. b, jitter ± j on the grid",
        expect![[r#"
        E0420 5: `jitter ± j on the grid` with these parameters a jitter on the grid is around a strict beat, and here the gaps vary freely
    "#]],
    );
    with(
        "j = -1 ms",
        "a .. b, jitter ± j per gap",
        expect![[r#"
        E0420 5: `jitter ± j per gap` with these parameters a jitter of ± -1 ms is negative
    "#]],
    );
    with(
        "a = -1 ms",
        "50 ms, first a .. b",
        expect![[r#"
        E0420 5: `a .. b` with these parameters the first activation would be at -1 ms, before the start
    "#]],
    );
    with(
        "a = 50 ms",
        "b, first 60 ms .. a + 1 ms",
        expect![[r#"
        E0420 5: `60 ms .. a + 1 ms` with these parameters the first activation would be from 60 ms to 51 ms: the first end is the larger one
    "#]],
    );
    with(
        "d = 0",
        "round(d)",
        expect![[r#"
        E0313 5: `d` a node must be able to be one ahead of the others; this is 0
    "#]],
    );
}

#[test]
fn counts_go_as_far_as_claims_can_tell() {
    let most = |claim: &str| {
        let text = Text::new(&format!(
            "node A[3] {{ every any {{ }} }}\nlet most = max k in A: k.activations\n\
             let high = {{ k in A: not k.off }}\nclaim c: always ({claim})\ncheck c"
        ));
        let requests = text.instances(0, &[]).unwrap();
        let lowered = text.lower(&requests[0]);
        lowered.map_or("none".to_string(), |l| match l.machine.vars[0].ty {
            machine::Type::Int(0, most) => most.to_string(),
            _ => "?".into(),
        })
    };
    let cases = [
        ("all k in A: k.activations >= 4", "4"),
        ("all k in A: k.activations > 4", "5"),
        ("all k in A: 4 <= k.activations", "4"),
        ("all k in A: k.activations < 4", "4"),
        ("all k in A: k.activations == 4", "5"),
        ("all k in A: not (k.activations in 2..4)", "5"),
        // If one count is bounded, the other is counted only as far as the difference requires.
        (
            "all i, j in A: i.activations <= 18 implies i.activations - j.activations <= 2",
            "19",
        ),
        (
            "all i, j in A: j.activations - i.activations <= 9 or i.activations >= 3",
            "12",
        ),
        (
            "all i, j in A: i.activations - j.activations <= 2 or not (i.activations <= 18)",
            "19",
        ),
        (
            "most <= 7 implies (all i, j in A: i.activations <= j.activations + 2)",
            "8",
        ),
        (
            "(all k in high: k.activations < 8) implies (all i, j in high: i.activations <= j.activations)",
            "8",
        ),
        (
            "(all k in high: k.activations < 8) implies (all i, j in A: i.activations <= j.activations)",
            "none",
        ),
        (
            "all i, j in A: max(i.activations, j.activations) <= 7 implies i.activations == j.activations",
            "8",
        ),
        (
            "all i, j in A: if i.activations <= 4 then i.activations < j.activations else true",
            "5",
        ),
        (
            "all i, j in A: if i.activations <= 4 then true else i.activations < j.activations",
            "none",
        ),
        (
            "all i, j in A: i.activations >= 18 implies i.activations - j.activations <= 2",
            "none",
        ),
        (
            "all i, j in A: i.activations <= 3 implies j.activations <= 2 * i.activations",
            "7",
        ),
        (
            "(sum k in A: k.activations) <= 4 implies (all i, j in A: i.activations != j.activations)",
            "5",
        ),
    ];
    for (claim, expected) in cases {
        assert_eq!(most(claim), expected, "{claim}");
    }
}

#[test]
fn membership() {
    let text = Text::new(MEMBERSHIP);
    let request = &text.instances(1, &[]).unwrap()[0];
    let machine = text.lower(request).unwrap().machine;
    expect![[r#"
        (inbox latest one-from-each)
        (faulty off isolated mute)
        @7 (persistent-ghost Member activations (int 0 8) (is 0))
        (every 49 51 fixed (per-gap 1/2) (first 0 period))
        @71 (:= activations (min (+ (var activations self) 1) 8))
        @45 (let told @49 (union @47 (set (record Alive) @46 (var said self)) @48 (inbox Alive self)))
        @61 (union @59 (set node self) @60 (senders self))
        @4 (not (or (or (fault off k) (fault mute k)) (fault isolated k))))
        @9 (>= @8 (var activations k.2) 2)
        @17 (or @15 (or @13 (fault off k.3) @14 (fault mute k.3)) @16 (fault isolated k.3))))))))))
        @4 (not (or (or (fault off k) (fault mute k)) (fault isolated k))))
        @27 (>= @26 (var activations k.2) 5)
        @4 (not (or (or (fault off k) (fault mute k)) (fault isolated k))))))))))
        @4 (not (or (or (fault off k) (fault mute k)) (fault isolated k))))
        @37 (>= @36 (var activations k.2) 8)
        @4 (not (or (or (fault off k) (fault mute k)) (fault isolated k))))))))))
    "#]].assert_eq(&lines(
        &machine,
        &[
            "(inbox",
            "(faulty",
            "(every",
            "(senders",
            "(fault ",
            "activations",
        ],
    ));
}
