// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The end of a coroutine's call, as run/suspended_call.hpp has it: the owner begins CALLS calls, one after the
 * other, and awaits the end of each; another thread, handed the coroutine, ends it. What the call did is seen by
 * the owner only as far as the memory orders say: a load that acquires sees what the store that it reads released.
 *
 * Shown, for every interleaving: behind the end of a call the owner sees what that did; it does not sleep for ever;
 * nobody touches the call when it is gone.
 *
 * Variants, by -D:
 *   CARELESS  an exchange that fails, since the call has just ended, does not acquire: the check must find an end
 *             behind which the owner does not see what was done
 *   BARE      the end does not release: likewise
 *   SILENT    the end wakes nobody: it must find an owner that sleeps for ever
 *   HASTY     the end is published before the owner is woken: it must find a touch of what is gone
 */

#define CALLS 2

#define NONE 0
#define UNDER_WAY 1
#define AWAITED 2
#define ENDING 3

byte state = NONE;
byte released = 0; /* the calls whose work is published by what `state` is now */
bool asleep = false;
bool gone = false;
chan coroutine = [1] of { byte };

#define touch assert(!gone)

inline load_acquire() {
  seen = state;
  sees = (released > sees -> released : sees)
}

active proctype owner() {
  byte calls = 0;
  byte seen;
  byte sees = 0; /* the calls whose work it sees */
  do
  :: atomic { load_acquire() };
  again:
     if
     :: seen == NONE -> goto ended
     :: seen == ENDING -> goto look /* until it has ended */
     :: seen == AWAITED -> goto sleep
     :: seen == UNDER_WAY ->
        atomic {
          if
          :: state == UNDER_WAY -> state = AWAITED; goto sleep /* a read-modify-write: `released` stays */
          :: else ->
#ifdef CARELESS
             seen = state;
#else
             load_acquire();
#endif
             goto again
          fi
        }
     fi;
  sleep:
     atomic {
       if
       :: state == AWAITED -> asleep = true
       :: state != AWAITED -> goto look
       :: goto look /* woken for nothing */
       fi
     };
     !asleep;
  look:
     skip;
     goto next;
  ended:
     assert(sees == calls);
     if
     :: calls == CALLS -> break
     :: else -> skip
     fi;
     calls++;
     atomic { state = UNDER_WAY; released = 0 };
     coroutine!calls; /* whatever it waits for hands it over */
  next:
     skip
  od;
  gone = true
}

inline publish_end() {
  atomic {
    touch;
    state = NONE;
#ifndef BARE
    released = call
#endif
  }
}

active proctype resumer() {
  byte call = 0;
  byte before;
  do
  :: call == CALLS -> break
  :: else ->
     coroutine?call;
     atomic { touch; before = state; state = ENDING };
#ifdef HASTY
     publish_end();
#endif
#ifndef SILENT
     if
     :: before == AWAITED -> atomic { touch; asleep = false }
     :: else -> skip
     fi;
#endif
#ifndef HASTY
     publish_end();
#endif
  od
}
