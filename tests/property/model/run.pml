// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* A run as run/session/protocol.hpp and run/session/run.hpp do it, on three threads:
 *
 *   calling thread   pull, deliver
 *   thread 1         a     one batch ahead: reads `raw`, writes `middle`
 *   thread 2         b     reads `middle`, writes `out`
 *
 * `raw` and `out` have one copy, `middle` has two. Any task may fail at any batch, the user may
 * leave after any progress, the source may end after any number of batches up to MOST. (A stop
 * request that drains the run is such an end.) With -DABANDON a stop may be requested at any time, and
 * every thread asks before each of its tasks; it may see the request late as well.
 *
 * Only signals order memory: that the pipeline stops, and how many batches there are, are relaxed
 * accesses, which a thread may see late as long as no signal has told it.
 *
 * Shown, for every interleaving: nobody waits for ever; every task sees its own batch in its slots,
 * and nobody changes them meanwhile; nothing runs on a batch that does not exist; an undisturbed run
 * delivers all batches.
 *
 * Variants, by -D:
 *   BARRIER   threads meet after every progress
 *   SILENT    who stops tells nobody: the check must find a thread that waits for ever
 *   BLIND     a thread that wakes up does not look whether it was told to stop: it must find a task
 *             that sees a foreign batch
 *   FORGETFUL (with ABANDON) who sees the request stops, but does not note it down for the others: the
 *             same
 *   CROWDED   `middle` has one copy, but waits are as if it had two: the same
 */

#ifndef MOST
#define MOST 3
#endif
#define PULL 0
#define A 1
#define B 2
#define DELIVER 3
#define LAG 1          /* of b and deliver: the largest lookahead */
#define FOR_GOOD 100
#define UNKNOWN 50
#define NONE 60
#ifdef CROWDED
#define COPIES 1
#else
#define COPIES 2
#endif

byte signal[4];        /* by node: progresses run */
bool tells_stop[4];    /* what else who waits for the signal gets to know */
bool tells_end[4];
byte opened = 0;
bool opened_stop = false, opened_end = false;
byte closed[3];
bool closed_stop[3], closed_end[3];

bool stop = false;
byte end = UNKNOWN;
bool sees_stop[3], sees_end[3]; /* by thread */

byte raw = NONE, middle[2], out = NONE; /* which batch they hold */
byte left = 0;                          /* threads that have left the run */
byte delivered = 0;
bool disturbed = false;
bool requested = false; /* a stop */

inline learn(t, s, e) {
  sees_stop[t] = sees_stop[t] || s;
  sees_end[t] = sees_end[t] || e
}
/* Until node n has run in progress p - delta. */
inline await(t, n, p, delta) {
  d_step {
    signal[n] + delta >= p + 1;
    learn(t, tells_stop[n], tells_end[n])
  }
}
inline publish(t, n, value) {
  d_step {
    signal[n] = value;
    tells_stop[n] = sees_stop[t];
    tells_end[n] = sees_end[t]
  }
}
inline tell_to_stop(t) {
  disturbed = true;
  stop = true;
  sees_stop[t] = true
}
/* Into `yes`: a thread may be late to see what no signal told it. */
inline stopping(t) {
  if
  :: sees_stop[t] -> yes = true
  :: !sees_stop[t] && stop -> sees_stop[t] = true; yes = true
#ifdef ABANDON
  :: !sees_stop[t] && requested ->
#ifdef FORGETFUL
     disturbed = true;
#else
     tell_to_stop(t);
#endif
     yes = true
#endif
  :: !sees_stop[t] -> yes = false
  fi
}
inline batches(t) {
  if
  :: sees_end[t] -> known = end
  :: !sees_end[t] && end != UNKNOWN -> sees_end[t] = true; known = end
  :: !sees_end[t] -> known = UNKNOWN
  fi
}
#ifdef SILENT
#define LAST p
#else
#define LAST FOR_GOOD
#endif

inline open(t, value) {
  d_step {
    opened = value;
    opened_stop = sees_stop[t];
    opened_end = sees_end[t]
  }
}
inline close(t, value) {
  d_step {
    closed[t] = value;
    closed_stop[t] = sees_stop[t];
    closed_end[t] = sees_end[t]
  }
}

inline a_waits() {
  await(1, PULL, p, 0);
#ifndef BARRIER
  await(1, B, p, 1) /* middle's copy */
#endif
}
inline a_body() {
  assert(end == UNKNOWN || p < end);
  assert(raw == p);
  middle[p % COPIES] = p;
  assert(raw == p)
}
inline b_waits() {
#ifndef BARRIER
  await(2, A, p, 1);
  await(2, DELIVER, p, 1) /* out's copy */
#else
  skip
#endif
}
inline b_body() {
  assert(end == UNKNOWN || p - LAG < end);
  assert(middle[(p - LAG) % COPIES] == p - LAG);
  out = p - LAG;
  assert(middle[(p - LAG) % COPIES] == p - LAG)
}

/* A thread with one task n. */
inline work(t, n, lag) {
  do
  :: true ->
     batches(t);
     if
     :: known != UNKNOWN && p >= known + LAG -> break
     :: else -> skip
     fi;
#ifdef BARRIER
     if
     :: n == A -> skip /* it waits for the pull of this progress, which comes later */
     :: else -> d_step { opened >= p + 1; learn(t, opened_stop, opened_end) }
     fi;
#endif
     if
     :: n == A -> a_waits()
     :: else -> b_waits()
     fi;
     stopping(t);
#ifndef BLIND
     if
     :: yes -> break
     :: else -> skip
     fi;
#endif
     batches(t);
     if
     :: p >= lag && p - lag < known ->
        if
        :: n == A -> a_body()
        :: n == B -> b_body()
        :: tell_to_stop(t); break /* it throws */
        fi
     :: else -> skip
     fi;
     publish(t, n, p + 1);
#ifdef BARRIER
     close(t, p + 1);
#endif
     p++
  od;
  publish(t, n, LAST);
#ifdef BARRIER
  close(t, LAST);
#endif
  left++
}

active proctype caller() {
  byte p = 0;
  bool yes;
  byte known;
  byte i;
  do
  :: true ->
     batches(0);
     if
     :: known != UNKNOWN && p >= known + LAG -> break
     :: else -> skip
     fi;
#ifdef BARRIER
     open(0, p + 1);
#else
     publish(0, DELIVER, p); /* the user has let go of the last result */
     await(0, A, p, 1);      /* raw's copy */
#endif
     stopping(0);
#ifndef BLIND
     if
     :: yes -> break
     :: else -> skip
     fi;
#endif
     if
     :: end == UNKNOWN ->
        if
        :: p < MOST -> raw = p
        :: end = p; sees_end[0] = true
        :: tell_to_stop(0); break
        fi
     :: else -> skip
     fi;
     publish(0, PULL, p + 1);
     await(0, B, p, 0);
     stopping(0);
#ifndef BLIND
     if
     :: yes -> break
     :: else -> skip
     fi;
#endif
#ifdef BARRIER
     i = 1;
     do
     :: i < 3 ->
        d_step { closed[i] >= p + 1; learn(0, closed_stop[i], closed_end[i]) };
        i++
     :: else -> break
     od;
     stopping(0);
#ifndef BLIND
     if
     :: yes -> break
     :: else -> skip
     fi;
#endif
#endif
     if
     :: p >= LAG && p - LAG < end ->
        assert(out == p - LAG);
        delivered++
     :: else -> skip
     fi;
     p++;
     if /* the user goes on, or leaves */
     :: skip
     :: tell_to_stop(0); break
     fi
  od;
  publish(0, DELIVER, LAST);
  publish(0, PULL, LAST);
#ifdef BARRIER
  open(0, LAST);
#endif
  left == 2;
  assert(disturbed || delivered == end)
}

active proctype thread_1() {
  byte p = 0;
  bool yes;
  byte known;
  work(1, A, 0)
}

active proctype thread_2() {
  byte p = 0;
  bool yes;
  byte known;
  work(2, B, LAG)
}

#ifdef ABANDON
active proctype somebody() {
  requested = true
}
#endif
