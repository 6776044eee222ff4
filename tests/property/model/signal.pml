// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/* The signal of run/wait/signal.hpp and its sleep (run/wait/futex.hpp): one thread publishes epochs,
 * others wait for them and may fall asleep. Memory is that of a processor with store buffers (TSO):
 * what is stored is seen by others later, in order; a full fence and every system call empty the
 * buffer first. Shown: nobody sleeps for ever, and nobody goes on before the epoch is there.
 *
 * Variants, by -D:
 *   FENCE     the publisher does a full fence of its own (seq_cst), as where the kernel has no
 *             membarrier; otherwise the sleeper asks for one from afar: once it has slept for a
 *             while without, or at once if it sleeps habitually; then the publisher fences for all
 *             sleepers to come, until one that came awake says that it need not
 *   CARELESS  neither: the check must find a sleeper that nobody wakes
 *   LATE      it asks for the fence, and looks, before it announces itself: likewise
 *   TRUSTING  when the while is over, it sleeps on without asking: likewise
 *   HASTY     others are told that the publisher fences before it has done so once: likewise
 *   STALE     whether the publisher fences is read before a sleeper announces itself: likewise
 */

#ifndef WAITERS
#define WAITERS 2
#endif
#define EPOCHS 2

byte epoch = 0;    /* as in memory */
byte sleepers = 0;         /* one word with the next */
bool owner_fences = false;
byte data = 0;     /* what the epochs are about; written before them */
chan stores = [3] of { byte }; /* the publisher's store buffer: data and epoch move as one */

bool asleep[WAITERS];

/* Stores reach memory whenever the processor likes. */
active proctype processor() {
  byte value;
end:
  do
  :: atomic { stores?value -> epoch = value; data = value }
  od
}

inline fence() {
  empty(stores)
}

inline wake_all() {
  fence(); /* the system call is one */
  d_step {
    i = 0;
    do
    :: i < WAITERS -> asleep[i] = false; i++
    :: else -> break
    od;
    i = 0
  }
}

active proctype publisher() {
  byte next = 1;
  byte i = 0;
  do
  :: next <= EPOCHS ->
     stores!next;
#ifdef FENCE
     fence();
#endif
     if
     :: sleepers != 0 || owner_fences ->
        fence(); /* publish_fenced(): the epoch is stored again, seq_cst */
        if
        :: sleepers != 0 -> wake_all()
        :: else -> skip
        fi
     :: else -> skip
     fi;
     next++
  :: else -> break
  od
}

active [WAITERS] proctype waiter() {
  byte me = _pid - 2;
  byte wanted = 1;
  byte now;
  bool fenced;
  do
  :: wanted <= EPOCHS ->
     now = epoch; /* spinning: any number of looks come to one */
     if
     :: now >= wanted ->
        if
        :: owner_fences = false /* a trial that succeeded */
        :: skip
        fi
     :: now < wanted ->
#ifdef LATE
        fence();
        now = epoch;
        sleepers++;
#else
#ifdef STALE
        fenced = owner_fences;
        sleepers++;
#else
        atomic { sleepers++; fenced = owner_fences }
#endif
#ifndef CARELESS
#ifndef FENCE
        if
        :: fenced -> skip
        :: !fenced -> /* habitually */
#ifdef HASTY
           owner_fences = true;
           fence()
#else
           fence(); /* on every other thread: asymmetric_fence_heavy() */
           owner_fences = true
#endif
        :: !fenced ->
           now = epoch; /* sleep_unfenced() */
           do
           :: now >= wanted -> break
           :: else ->
              atomic {
                if
                :: epoch == now -> asleep[me] = true
                :: else -> skip
                fi
              }
              if
              :: !asleep[me] -> now = epoch
              :: atomic { asleep[me] -> asleep[me] = false }; /* the while is over */
                 break
              fi
           od;
#ifndef TRUSTING
           if
           :: now >= wanted -> skip
           :: else -> fence()
           fi
#endif
        fi;
#endif
#endif
        now = epoch;
#endif
        do
        :: now >= wanted -> break
        :: else ->
           /* The kernel compares and queues in one step. */
           atomic {
             if
             :: epoch == now -> asleep[me] = true
             :: else -> skip
             fi
           }
           !asleep[me];
           now = epoch
        od;
        sleepers--
     fi;
     assert(data >= wanted);
     wanted++
  :: else -> break
  od
}
