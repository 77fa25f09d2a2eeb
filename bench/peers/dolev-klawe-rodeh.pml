/* Dolev, Klawe and Rodeh's election, state by state as models/dolev-klawe-rodeh.scrut has it: a start, the hand-over of a
 * message with all that the handler does, and the sending of what waits for room are one step each. -DN=… and -DIDS=… (ranks
 * from 1, one for each member, with commas) come from the command line; what is hidden is said in chang-roberts.pml. */

#define FIRST   1
#define SECOND  2
#define WINNER  3
#define NOTHING 0

#define WAITING 0
#define RUNNING 1
#define HALTED  2

hidden byte id[N] = { IDS };
hidden byte kind, number;               /* of the message that is handed over */

chan channel[N] = [1] of { byte, byte };    /* from member i to the next one */

#define INTO  channel[(_pid + N - 1) % N]
#define OUT   channel[_pid]

/* At the end of a step: on the channel if there is room, otherwise into the outbox. */
inline send(k, v) {
    if
    :: nfull(OUT) -> OUT!k, v
    :: full(OUT) -> waiting = k; content = v
    fi
}

active [N] proctype member() {
    unsigned mode : 2 = WAITING;
    unsigned waiting : 2 = NOTHING;     /* the outbox: at most one message, for each step sends one at most */
    unsigned content : 5 = 0;
    bit active_ = 1;
    unsigned maximum : 5 = id[_pid];
    unsigned left : 5 = 0;              /* 0: none */
    unsigned leader : 5 = 0;            /* 0: none */

end:
    do
    :: d_step { mode == WAITING ->
            mode = RUNNING;
            send(FIRST, maximum)
        }
    :: d_step { waiting != NOTHING && nfull(OUT) ->
            OUT!waiting, content;
            waiting = NOTHING;
            content = 0
        }
    :: d_step { mode == RUNNING && waiting == NOTHING && nempty(INTO) ->
            INTO?kind, number;
            if
            :: kind == FIRST && !active_ -> send(FIRST, number)
            :: kind == FIRST && active_ && number != maximum ->
                left = number;
                send(SECOND, number)
            :: kind == FIRST && active_ && number == maximum ->
                leader = number;
                assert(leader == N);
                send(WINNER, number)
            :: kind == SECOND && !active_ -> send(SECOND, number)
            :: kind == SECOND && active_ && left > number && left > maximum ->
                maximum = left;
                left = 0;
                send(FIRST, maximum)
            :: kind == SECOND && active_ && !(left > number && left > maximum) ->
                left = 0;
                active_ = 0
            :: kind == WINNER ->
                if
                :: leader == 0 -> leader = number; send(WINNER, number)
                :: else -> skip
                fi;
                mode = HALTED;
                assert(leader == N)
            fi
        }
    od
}
