// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A failure that ends a run (run/first_failure.hpp, run/session/protocol.hpp), on four threads:
 *
 *   reader           pull
 *   thread 1         y (newest batch: reads `raw`), c (two behind: reads `mid`, writes `out`)
 *   thread 2         x (one behind: reads `raw`, writes `mid`)
 *   calling thread   deliver (two behind)
 *
 * With two copies of each slot, that c comes after x of its batch is implied by y's wait for a pull that waited for x: who is
 * passed over has to wait all the same, and who does not wait for a pull for what that would have waited for. Runs of tasks
 * and pulls may throw, at most two of all. Once one has, the source may never come back.
 *
 * Shown: the error is told, even so; it is that of the first failure in the order of batches and their tasks; all batches
 * before it are handed out, with their own values; nobody but the source's thread waits for ever.
 *
 * Variants, by -D:
 *   EAGER     a task that is passed over does not wait: the check must find a value of another batch
 *   TRUSTING  nor does one for what the pull would have waited for: likewise
 *   UNTOLD    a failure gives no signal in the source's place: it must find a thread that waits for ever
 *   UNFENCED  the source's thread may ask the source once more after that (with COPIES=3): likewise
 *   BATCHES   failures are told apart by batch alone (with TWO and COPIES=3): it must find another error than the first
 */
#ifndef MOST
#define MOST 4
#endif
#ifndef COPIES
#define COPIES 2        /* of `raw` and `mid` */
#endif
#define PULL 0
#define Y 1
#define X 2
#define C 3
#define DELIVER 4
#define NODES 5
#define LAG 2
#define FOR_GOOD 100
#define UNKNOWN 90
#define NOTHING 80
#define NEVER 255

byte signal[5];
byte tells_cut[5];
byte tells_end[5];
byte cut = NEVER, end = UNKNOWN;
byte first_fails = NEVER, second_fails = NEVER;  /* places */
byte known_cut[4], known_end[4];                 /* by thread */
byte raw[COPIES], mid[COPIES], out = NOTHING;
byte delivered = 0;
byte failed = NEVER;                             /* what is to be thrown */
bool told = false, begun = false;

inline learn(t, k, e) {
  if :: k < known_cut[t] -> known_cut[t] = k :: else -> skip fi;
  if :: e < known_end[t] -> known_end[t] = e :: else -> skip fi
}
inline await(t, n, p, delta) {
  d_step {
    signal[n] + delta >= p + 1;
    learn(t, tells_cut[n], tells_end[n])
  }
}
inline publish(t, n, value) {
  d_step {
    signal[n] = value;
    tells_cut[n] = known_cut[t];
    tells_end[n] = known_end[t]
  }
}
/* Relaxed loads: a thread may be late to see what no signal told it. */
inline look(t) {
  if
  :: learn(t, cut, end)
  :: true
  fi
}
#define PLACE(n, b) ((b) * NODES + n)
#ifdef BATCHES
#define SAID(place) ((place) / NODES * NODES)
#else
#define SAID(place) (place)
#endif
#define CUT_OFF(t, n, b) (SAID(PLACE(n, b)) >= known_cut[t])
#define IS_CUT(t) (known_cut[t] != NEVER)
#define THROWS(n, b) (first_fails == PLACE(n, b) || second_fails == PLACE(n, b))

inline fail(who, what, batch) {
  d_step { /* under a lock; `end` behind `cut` */
    if
    :: SAID(PLACE(what, batch)) < cut -> cut = SAID(PLACE(what, batch)); failed = PLACE(what, batch)
    :: else -> skip
    fi;
    if :: batch + 1 < end -> end = batch + 1 :: else -> skip fi;
    learn(who, cut, end)
  }
#ifndef UNFENCED
  d_step { learn(0, cut, end) } /* the heavy fence: whatever the source's thread loads from now on */
#endif
#ifndef UNTOLD
  if :: what != PULL -> publish(who, PULL, FOR_GOOD) :: else -> skip fi
#endif
}
/* What y waits for. */
inline await_pull() {
  if
  :: IS_CUT(1) && p >= known_end[1] -> skip
  :: else -> await(1, PULL, p, 0)
  fi;
#ifndef TRUSTING
  if
  :: IS_CUT(1) && p >= known_end[1] -> await(1, X, p, COPIES - 1)
  :: else -> skip
  fi
#endif
}
inline is_over(t) { over = (known_end[t] != UNKNOWN && p >= known_end[t] + LAG) }
inline does_fire(t, n, lag) {
  look(t);
  fires = (p >= lag && p - lag < known_end[t] && !CUT_OFF(t, n, p - lag))
}

active proctype reader() {
  byte p = 0; bool over;
  begun;
  do
  :: true ->
     atomic { is_over(0); if :: over -> break :: else -> skip fi };
     await(0, X, p, COPIES - 1);
     await(0, Y, p, COPIES);
     atomic { look(0) };
     if
     :: known_end[0] == UNKNOWN && !IS_CUT(0) ->
        if
        :: true
        :: cut != NEVER ->
end_inside: /* the user's function, for ever */
           false
        fi;
        if
        :: THROWS(PULL, p) -> fail(0, PULL, p)
        :: !THROWS(PULL, p) && p < MOST -> raw[p % COPIES] = p
        :: !THROWS(PULL, p) && p == MOST ->
           d_step {
             if :: p < end -> end = p :: else -> skip fi;
             learn(0, NEVER, end)
           }
        fi
     :: else -> skip
     fi;
     publish(0, PULL, p + 1);
     p++
  od;
  publish(0, PULL, FOR_GOOD)
}

active proctype thread_1() {
  byte p = 0; bool over; bool fires;
  begun;
  do
  :: true ->
     atomic { is_over(1); if :: over -> break :: else -> skip fi };
#ifdef EAGER
     if :: IS_CUT(1) && CUT_OFF(1, Y, p) -> goto passed :: else -> skip fi;
#endif
     await_pull();
     atomic { does_fire(1, Y, 0) };
     if :: IS_CUT(1) -> await_pull(); atomic { does_fire(1, Y, 0) } :: else -> skip fi;
     if
     :: fires ->
        assert(raw[p % COPIES] == p);
        if
        :: THROWS(Y, p) -> fail(1, Y, p)
        :: else -> skip
        fi
     :: else -> skip
     fi;
passed:
     publish(1, Y, p + 1);
#if COPIES > 2
     await(1, X, p, 1);
#endif
     atomic { await(1, DELIVER, p, 1); does_fire(1, C, 2) };
     if
     :: fires ->
        assert(mid[(p - 2) % COPIES] == p - 2);
        if
        :: THROWS(C, p - 2) -> fail(1, C, p - 2)
        :: else -> out = p - 2
        fi;
        assert(mid[(p - 2) % COPIES] == p - 2)
     :: else -> skip
     fi;
     publish(1, C, p + 1);
     p++
  od;
  publish(1, Y, FOR_GOOD);
  publish(1, C, FOR_GOOD)
}

active proctype thread_2() {
  byte p = 0; bool over; bool fires;
  begun;
  do
  :: true ->
     atomic { is_over(2); if :: over -> break :: else -> skip fi };
     if
     :: IS_CUT(2) && p >= known_end[2] + 1 -> await(2, Y, p, COPIES + 1)
     :: else -> await(2, PULL, p, 1)
     fi;
     atomic { await(2, C, p, COPIES - 1); does_fire(2, X, 1) };
     if
     :: fires ->
        assert(raw[(p - 1) % COPIES] == p - 1);
        if
        :: THROWS(X, p - 1) -> fail(2, X, p - 1)
        :: else -> mid[(p - 1) % COPIES] = p - 1
        fi;
        assert(raw[(p - 1) % COPIES] == p - 1)
     :: else -> skip
     fi;
     publish(2, X, p + 1);
     p++
  od;
  publish(2, X, FOR_GOOD)
}

init {
  byte p = 0; bool over; bool fires; byte i = 0;
  d_step {
    do :: p < 4 -> known_cut[p] = NEVER; known_end[p] = UNKNOWN; p++ :: else -> break od;
    p = 0;
    do :: p < 5 -> tells_cut[p] = NEVER; tells_end[p] = UNKNOWN; p++ :: else -> break od;
    p = 0;
    do :: p < COPIES -> raw[p] = NOTHING; mid[p] = NOTHING; p++ :: else -> break od;
    p = 0
  }
  do
  :: i < MOST * NODES - 1 -> i++
  :: i % NODES != DELIVER -> first_fails = i; break
  :: break
  od;
#ifdef TWO
  i = 0;
  do
  :: i < MOST * NODES - 1 -> i++
  :: i % NODES != DELIVER && first_fails != NEVER -> second_fails = i; break
  :: break
  od;
#endif
  i = 0;
  begun = true;
  do
  :: true ->
     atomic { is_over(3); if :: over -> break :: else -> skip fi };
     publish(3, DELIVER, p); /* the user is done with the last result */
     atomic { await(3, C, p, 0); does_fire(3, DELIVER, 2) };
     if
     :: fires ->
        assert(out == p - 2);
        assert(delivered == p - 2);
        delivered++
     :: else -> skip
     fi;
     p++
  od;
  publish(3, DELIVER, FOR_GOOD);
  atomic { learn(3, cut, end) }; /* acquire */
  if
  :: cut != NEVER ->
     told = true;
     assert(failed == (first_fails < second_fails -> first_fails : second_fails));
     assert(delivered == failed / NODES)
  :: else -> assert(delivered == MOST)
  fi
}
