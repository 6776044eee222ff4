// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* User threads that are attached to thread groups, as run/threads/attached_threads.hpp does it.
 *
 * The maker makes RUNS runs, each of which it may give up while slots are empty (a stop request), and
 * then destroys the pipeline. There are SLOTS slots. Each of several threads acquires a slot up to TURNS
 * times, and may go before a run begins (its own stop request) or never come.
 *
 * Waiting is as in the code: look at `changes`, ask, sleep until `changes` is another.
 *
 * Shown, for every interleaving: a run begins with all slots taken and each of them works in it; a
 * run ends when all have worked; nobody sleeps for ever who has something to wait for; nobody touches
 * the pipeline when it is gone.
 *
 * Variants, by -D:
 *   HASTY    the run begins when all slots were seen taken, without committing the threads: the check
 *            must find a run that waits for a thread that has gone
 *   SILENT   who leaves before a run tells nobody: it must find a destructor that sleeps for ever
 *   LATE     a thread looks at `changes` after it has asked: it must find one that sleeps for ever
 *   LINGERS  a thread touches the pipeline after it has released its slot: it must find it gone
 */

#ifndef RUNS
#define RUNS 2
#endif
#define SLOTS 2
#ifndef TURNS
#define TURNS 2
#endif

#define VACANT 0
#define WAITING 1
#define COMMITTED 2
#define WORKING 3

byte slot[SLOTS];
bool changed[4]; /* by thread: whether `changes` is another than it has seen */
bool closing = false;
bool gone = false;
byte left = 0;      /* threads that have left the run */
byte begun = 0;     /* runs */
byte over[SLOTS];   /* by slot: threads that do not take it any more */

#define touch assert(!gone)
inline moved() {
  d_step { changed[0] = true; changed[1] = true; changed[2] = true; changed[3] = true }
}

/* Two threads for slot 0, one for slot 1. */
proctype attached(byte me; byte s) {
  byte turns = 0;
  byte mine;
  do
  :: turns == TURNS || closing -> break
  :: atomic {
       turns < TURNS && !closing -> /* nobody calls a pipeline that is being destroyed */
       turns++;
       if
       :: slot[s] == VACANT -> slot[s] = WAITING
       :: else -> goto next /* another thread has it: an error for the user */
       fi
     };
     moved();
  look:
#ifndef LATE
     changed[me] = false;
#endif
     touch;
     if
     :: slot[s] == WORKING -> goto work
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
       :: slot[s] == WAITING -> slot[s] = VACANT; goto left_slot
       :: else -> skip
       fi
     };
  sleeping:
#ifdef LATE
     changed[me] = false;
#endif
     changed[me];
     goto look;
  left_slot:
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
     slot[s] = VACANT;
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
    :: s < SLOTS -> yes = yes && slot[s] == what; s++
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
  run attached(1, 0);
  run attached(2, 0);
  run attached(3, 1);
  do
  :: runs == RUNS -> break
  :: runs < RUNS ->
     runs++;
     if
     :: may_stop = true
     :: may_stop = false
     fi;
  await_all:
     changed[0] = false;
     all_are(WAITING);
     if
     :: yes -> goto commit
     :: else ->
        if
        :: changed[0] -> goto await_all
        :: may_stop -> goto given_up
        :: over[0] == 2 || over[1] == 1 -> goto given_up /* without a token it waits for ever */
        fi
     fi;
  commit:
#ifndef HASTY
     s = 0;
     do
     :: s < SLOTS ->
        atomic {
          if
          :: slot[s] == WAITING -> slot[s] = COMMITTED; s++
          :: else -> goto revert
          fi
        }
     :: else -> break
     od;
     goto begin;
  revert:
     do
     :: s > 0 -> s--; assert(slot[s] == COMMITTED); slot[s] = WAITING
     :: else -> break
     od;
     moved();
     goto await_all;
  begin:
#endif
     left = 0;
     begun++;
     s = 0;
     do
     :: s < SLOTS ->
#ifndef HASTY
        assert(slot[s] == COMMITTED);
#endif
        slot[s] = WORKING;
        s++
     :: else -> break
     od;
     moved();
     left == SLOTS;
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
