/* The membership node as an engineer would write it: sets of nodes are bit masks, and nothing here knows the model. */
#ifndef MEMBER_H
#define MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#define MOST_NODES 32

typedef uint32_t nodes; /* bit k - 1 is node k */

typedef struct {
    int from;
    nodes heard, proposal;
} alive;

typedef struct {
    int me;
    nodes heard, proposal, view;
    bool reading;
    nodes has;                /* of whom there is a message in the inbox */
    alive inbox[MOST_NODES];  /* the latest of each sender, by its number less one */
} member;

/* One activation: gives the message for all neighbours. */
alive member_activate(member *self);

#endif
