#include "member.h"

alive member_activate(member *self)
{
    alive message;
    if (self->reading) {
        bool agree = true;
        nodes common = self->heard;
        int k;
        for (k = 0; k < MOST_NODES; k++) {
            if ((self->has >> k & 1) == 0)
                continue;
            if (self->inbox[k].proposal != self->proposal)
                agree = false;
            common &= self->inbox[k].heard;
        }
        if (agree)
            self->view = self->proposal;
        self->proposal = common;
        self->heard = self->has | (nodes)1 << (self->me - 1);
#ifndef PLANTED /* A mistake on purpose, for those who want to see a test fail: old messages stay. */
        self->has = 0;
#endif
    }
    self->reading = !self->reading;
    message.from = self->me;
    message.heard = self->heard;
    message.proposal = self->proposal;
    return message;
}
