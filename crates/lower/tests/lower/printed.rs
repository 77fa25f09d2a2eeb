//! The Machines of small models as text.

use super::{RING, Text};
use expect_test::expect;

#[test]
fn the_ring() {
    expect![[r#"
        (ids 1)
        (message Election (candidate id))
        (message Elected (winner id))
        (kind Member 1)
        (map next 1)
        (map previous 1)
        (edges (1 1))
        (channel fifo 1)
        (frozen Member id id arrangement)
        @1 (var Member leader (option id) (is (none id)))
        @19 (persistent-ghost Member "sent(Elected)" (int 0 2) (is 0))
        @28 (block Member start start
          @24 (send @26 (new Election @25 (frozen id self)) @27 (map next self)))
        @43 (block Member "on Election"
          (on Election)
          (locals (self node) (m (record Election)) (sender node))
          @29 (if
            @29 (> @30 (field Election candidate m) @31 (frozen id self))
            (do @32 (send m @33 (map next self)))
            (do
              @34 (if
                @34 (= @35 (field Election candidate m) @36 (frozen id self))
                (do
                  @37 (:= leader (some @38 (frozen id self)))
                  @39 (send @41 (new Elected @40 (frozen id self)) @42 (map next self))
                  @39 (:= "sent(Elected)" (min (+ (var "sent(Elected)" self) 1) 2)))))))
        @52 (block Member "on Elected"
          (on Elected)
          (locals (self node) (m (record Elected)) (sender node))
          @44 (if
            @44 (!= @45 (field Elected winner m) @46 (frozen id self))
            (do
              @47 (:= leader (some @48 (field Elected winner m)))
              @49 (send m @50 (map next self))
              @49 (:= "sent(Elected)" (min (+ (var "sent(Elected)" self) 1) 2))))
          @51 (halt))
        (claim termination
          (locals (k node))
          @5 (eventually (state @4 (all k @2 (nodes Member) @3 (halted k)))))
        (claim agreement
          (locals (k node) (k.2 node))
          @17 (always
            (state
              @16 (all k
                @6 (nodes Member)
                @15 (implies
                  @7 (halted k)
                  @14 (=
                    @8 (var leader k)
                    (some @13 (frozen id @12 @11 (largest k.2 @9 (nodes Member) @10 (frozen id k.2))))))))))
        (claim sent_once
          (locals (k node))
          @23 (always (state @22 (all k @18 (nodes Member) @21 (<= @20 (var "sent(Elected)" k) 1)))))
    "#]].assert_eq(&Text::new(RING).first(0).machine.to_string());
}

#[test]
fn the_ring_with_given_ids() {
    let lowered = Text::new(RING).first(1);
    assert!(matches!(
        lowered.machine.frozen_vars[0].order,
        machine::Order::Given(_)
    ));
    expect!["Given([Id(5), Id(8), Id(3), Id(4), Id(1), Id(2), Id(10), Id(9), Id(7), Id(6)])"]
        .assert_eq(&format!("{:?}", lowered.machine.frozen_vars[0].order));
    expect!["#10 #11 #12 #21 #32 #37 #41 #45 #87 #99"].assert_eq(&lowered.labels.ids.join(" "));
}

#[test]
fn a_variant_and_a_condition() {
    let text = Text::new(RING);
    let silent = text.first(3).machine;
    let blocks: Vec<&str> = silent.blocks.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(blocks, ["start", "on Election", "on Elected"]);
    assert_eq!(silent.blocks[2].body.len(), 1);
    let possible = text.first(2);
    expect![[r#"
        (possible possible
          (locals (k node) (k.2 node))
          @14 (exists k
            @2 (nodes Member)
            @13 (and
              @9 (and @3 (halted k) @8 (!= k @7 @6 (largest k.2 @4 (nodes Member) @5 (frozen id k.2))))
              @12 (not @11 (halted @10 @6 (largest k.2 @4 (nodes Member) @5 (frozen id k.2)))))))
    "#]].assert_eq(&last_item(&possible.machine.to_string()));
}

#[test]
fn names_of_nodes() {
    let text =
        Text::new("node A { }\nnode B[3] { }\nnetwork star { }\nclaim c: always true\ncheck c");
    let labels = text.first(0).labels;
    assert_eq!(labels.nodes, ["A", "node 2", "node 3", "node 4"]);
}

#[test]
fn counts_saturate_where_claims_cannot_distinguish() {
    let text = Text::new(
        "message M\nmessage N\n\
         node A[2] { start { broadcast M; send N to next }\n on M { }\n on N { } }\n\
         network ring { }\n\
         let all_sent = sum k in A: k.sent(M)\n\
         claim a: always (all_sent + 2 <= 5)\n\
         claim b: always (all k in A: k.sent(M) < 7 or 2 * k.sent(N) > 3)\n\
         claim c: always ((count k in A: k.sent(N) == 0) > 1)\n\
         check a\ncheck b\ncheck c\ncheck a, c",
    );
    let ghosts = |check| {
        let machine = text.first(check).machine;
        let ghosts = machine.vars.iter().filter(|v| v.ghost);
        let shown: Vec<String> = ghosts.map(|v| format!("{}: {:?}", v.name, v.ty)).collect();
        shown.join("; ")
    };
    expect!["sent(M): Int(0, 4)"].assert_eq(&ghosts(0));
    expect!["sent(M): Int(0, 7); sent(N): Int(0, 4)"].assert_eq(&ghosts(1));
    expect!["sent(N): Int(0, 1)"].assert_eq(&ghosts(2));
    expect!["sent(M): Int(0, 4); sent(N): Int(0, 1)"].assert_eq(&ghosts(3));
}

#[test]
fn everything_else() {
    let text = Text::new(
        "param size = 2\nparam quick: Bool = true\nenum Colour { Red, Green }\n\
         message Paint { colour: Colour, to: Option<Node>, left: 0..size }\nmessage Done\n\
         node Boss { var colour: Colour = Red\n var best: Option<0..3> = none\n\
           start { choose c in { Red, Green }\n colour = c\n\
                   send Paint { colour: c, to: none, left: 1 } to Worker minus { self } }\n\
           on Done from s when colour == Red { halt }\n on Done { ignore_it() }\n }\n\
         node Worker[size] { rank: 1..3\n ghost var seen: 0..9 = 0\n var told: Option<Paint> = none\n\
           var busy: Bool = any in { false }\n\
           on Paint as p from boss { let before = rank; seen = min(seen + 1, 9); told = p\n\
             if p.to is t and t != self { send p to t } else { busy = not busy; assert before <= 3 } }\n\
           when rest: busy and quick { busy = false; send Done to Boss }\n\
           every any { broadcast Done }\n ignore Done }\n\
         network star { channel unordered; to self }\n\
         faults lose at most 2 messages of Paint\nfaults repeat any messages\n\
         initially all k in Worker: k.rank != 2\n\
         world Small { network complete { channel fifo(size) }\n faults none\n initially true }\n\
         claim c(x: 0..9): all k in Worker: always (k.busy leads to (not k.busy until Boss.halted) or quiescent)\n\
         claim d: eventually (in_flight(Paint, Boss, the k in Worker: k.rank == 1) == floor(size / 2))\n\
         check c(3), d for rank = [1, 3] assuming (exists k in Worker: k.busy)\n\
         check c(3) in Small"
            .replace("{ ignore_it() }", "{ }")
            .as_str(),
    );
    expect![[r#"
        (enum Colour Red Green)
        (message Paint (colour (enum Colour)) (to (option node)) (left (int 0 2)))
        (message Done)
        (kind Boss 1)
        (kind Worker 2 (ignores Done))
        (edges (1 1) (1 2) (1 3) (2 1) (2 2) (3 1) (3 3))
        (channel unordered)
        (lose at-most 2 of Paint)
        (repeat)
        (frozen Worker rank (int 1 3) (given 1 3))
        @1 (var Boss colour (enum Colour) (is (name Colour Red)))
        @2 (var Boss best (option (int 0 3)) (is (none (int 0 0))))
        @3 (ghost Worker seen (int 0 9) (is 0))
        @4 (var Worker told (option (record Paint)) (is (none (record Paint))))
        @6 (var Worker busy bool (any-in @5 (set bool false)))
        @41 (block Boss start start
          (locals (self node) (c (enum Colour)))
          @33 (choose c @34 (set (enum Colour) (name Colour Red) (name Colour Green)))
          @35 (:= colour c)
          @36 (send @37 (new Paint c (none node) 1) @40 (minus @38 (nodes Worker) @39 (set node self))))
        @45 (block Boss "on Done"
          (on Done @43 (= @42 (var colour self) (name Colour Red)))
          (locals (self node) (message (record Done)) (s node))
          @44 (halt))
        @46 (block Boss "on Done".2 (on Done))
        @66 (block Worker "on Paint"
          (on Paint)
          (locals (self node) (p (record Paint)) (boss node) (before (int 1 3)) (t node))
          @47 (let before @48 (frozen rank self))
          @49 (:= seen @52 (min @51 (+ @50 (var seen self) 1) 9))
          @53 (:= told (some p))
          @54 (if
            @54 (and @56 (is-some @55 (field Paint to p)) @58 (!= @57 (unwrap @55 (field Paint to p)) self))
            (do @59 (let t @59 (unwrap @55 (field Paint to p))) @60 (send p t))
            (do @61 (:= busy @63 (not @62 (var busy self))) @64 (assert @65 (<= before 3)))))
        @73 (block Worker "when rest"
          (when @68 (and @67 (var busy self) true))
          @69 (:= busy false)
          @70 (send @71 (new Done) @72 (nodes Boss)))
        @76 (block Worker "every any" (every any) @74 (send @75 (new Done) (neighbours self)))
        (initially (locals (k node)) @10 (all k @7 (nodes Worker) @9 (!= @8 (frozen rank k) 2)))
        (initially (locals (k node)) @13 (exists k @11 (nodes Worker) @12 (var busy k)))
        (claim "c(3)"
          (locals (k node))
          @24 (all k
            @14 (nodes Worker)
            @23 (always
              @22 (leads-to
                (state @15 (var busy k))
                @21 (or
                  @19 (until (state @17 (not @16 (var busy k))) (state @18 (halted (node 1))))
                  (state @20 quiescent))))))
        (claim d
          (locals (k node))
          @32 (eventually
            (state
              @31 (=
                @29 (in-flight Paint (node 1) @28 (the k @25 (nodes Worker) @27 (= @26 (frozen rank k) 1)))
                @30 (floor 2 2)))))
    "#]].assert_eq(&text.first(0).machine.to_string());
    let small = text.first(1).machine;
    assert!(small.faults.is_empty());
    assert_eq!(small.channel, machine::Channel::Fifo(Some(2)));
    assert_eq!(small.edges.len(), 6);
    assert_eq!(small.initially.len(), 1);
}

fn last_item(text: &str) -> String {
    let start = text.rfind("\n(").map_or(0, |i| i + 1);
    text[start..].to_string()
}
