// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* User threads that host thread groups, as run/threads/hosted_threads.hpp does it.
 *
 * The maker makes RUNS runs, each of which it may give up while seats are empty (a stop request), and
 * then destroys the pipeline. There are SEATS seats. Each of HOSTS threads takes a seat up to TURNS
 * times, and may go before a run begins (its own stop request) or never come.
 *
 * Waiting is as in the code: look at `moves`, ask, sleep until `moves` is another.
 *
 * Shown, for every interleaving: a run begins with all seats taken and each of them works in it; a
 * run ends when all have worked; nobody sleeps for ever who has something to wait for; nobody touches
 * the pipeline when it is gone.
 *
 * Variants, by -D:
 *   HASTY    the run begins when all seats were seen taken, without engaging who sits there: the check
 *            must find a run that waits for a host who has gone
 *   SILENT   who leaves before a run tells nobody: it must find a destructor that sleeps for ever
 *   LATE     a host looks at `moves` after it has asked: it must find one that sleeps for ever
 *   LINGERS  a host touches the pipeline after it has left its seat: it must find it gone
 */

#ifndef RUNS
#define RUNS 2
#endif
#define SEATS 2
#ifndef TURNS
#define TURNS 2
#endif

#define VACANT 0
#define WAITING 1
#define ENGAGED 2
#define WORKING 3

byte seat[SEATS];
bool changed[4]; /* by thread: whether `moves` is another than it has seen */
bool closing = false;
bool gone = false;
byte left = 0;      /* hosts that have left the run */
byte begun = 0;     /* runs */
byte over[SEATS];   /* by seat: threads that do not take it any more */

#define touch assert(!gone)
inline moved() {
  d_step { changed[0] = true; changed[1] = true; changed[2] = true; changed[3] = true }
}

/* Two hosts for seat 0, one for seat 1. */
proctype host(byte me; byte s) {
  byte turns = 0;
  byte mine;
  do
  :: turns == TURNS || closing -> break
  :: atomic {
       turns < TURNS && !closing -> /* nobody calls a pipeline that is being destroyed */
       turns++;
       if
       :: seat[s] == VACANT -> seat[s] = WAITING
       :: else -> goto next /* somebody sits there: an error for the user */
       fi
     };
     moved();
  look:
#ifndef LATE
     changed[me] = false;
#endif
     touch;
     if
     :: seat[s] == WORKING -> goto work
     :: else -> skip
     fi;
     if
     :: closing -> goto leaving
     :: !closing -> goto leaving /* its token says so */
     :: !closing
     fi;
     goto sleeping;
  leaving:
     atomic {
       touch;
       if
       :: seat[s] == WAITING -> seat[s] = VACANT; goto left_seat
       :: else -> skip
       fi
     };
  sleeping:
#ifdef LATE
     changed[me] = false;
#endif
     changed[me];
     goto look;
  left_seat:
#ifndef SILENT
     moved();
#endif
     goto next;
  work:
     touch;
     mine = begun;
     assert(mine > 0);
     left++;
     assert(begun == mine); /* the run waits for it */
     seat[s] = VACANT;
#ifdef LINGERS
     touch;
#endif
     moved();
  next:
     skip
  od;
  over[s]++
}

inline all_are(what) {
  d_step {
    yes = true;
    s = 0;
    do
    :: s < SEATS -> yes = yes && seat[s] == what; s++
    :: else -> break
    od;
    s = 0
  }
}

active proctype maker() {
  byte runs = 0;
  byte s = 0;
  bool yes;
  bool may_stop;
  run host(1, 0);
  run host(2, 0);
  run host(3, 1);
  do
  :: runs == RUNS -> break
  :: runs < RUNS ->
     runs++;
     if
     :: may_stop = true
     :: may_stop = false
     fi;
  fill:
     changed[0] = false;
     all_are(WAITING);
     if
     :: yes -> goto engage
     :: else ->
        if
        :: changed[0] -> goto fill
        :: may_stop -> goto given_up
        :: over[0] == 2 || over[1] == 1 -> goto given_up /* without a token it waits for ever */
        fi
     fi;
  engage:
#ifndef HASTY
     s = 0;
     do
     :: s < SEATS ->
        atomic {
          if
          :: seat[s] == WAITING -> seat[s] = ENGAGED; s++
          :: else -> goto revert
          fi
        }
     :: else -> break
     od;
     goto begin;
  revert:
     do
     :: s > 0 -> s--; assert(seat[s] == ENGAGED); seat[s] = WAITING
     :: else -> break
     od;
     moved();
     goto fill;
  begin:
#endif
     left = 0;
     begun++;
     s = 0;
     do
     :: s < SEATS ->
#ifndef HASTY
        assert(seat[s] == ENGAGED);
#endif
        seat[s] = WORKING;
        s++
     :: else -> break
     od;
     moved();
     left == SEATS;
  given_up:
     skip
  od;
  closing = true;
  moved();
awaiting:
  changed[0] = false;
  all_are(VACANT);
  if
  :: yes -> skip
  :: else -> changed[0]; goto awaiting
  fi;
  gone = true
}
