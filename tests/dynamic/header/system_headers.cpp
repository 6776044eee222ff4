// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only its macros are looked at: those of the standard library, POSIX, glibc and Linux, as far as
// they are there.

#if __has_include(<aio.h>)
#  include <aio.h>
#endif
#if __has_include(<alloca.h>)
#  include <alloca.h>
#endif
#if __has_include(<argp.h>)
#  include <argp.h>
#endif
#if __has_include(<arpa/inet.h>)
#  include <arpa/inet.h>
#endif
#if __has_include(<cassert>)
#  include <cassert>
#endif
#if __has_include(<cerrno>)
#  include <cerrno>
#endif
#if __has_include(<cfenv>)
#  include <cfenv>
#endif
#if __has_include(<cfloat>)
#  include <cfloat>
#endif
#if __has_include(<cinttypes>)
#  include <cinttypes>
#endif
#if __has_include(<climits>)
#  include <climits>
#endif
#if __has_include(<clocale>)
#  include <clocale>
#endif
#if __has_include(<complex.h>)
#  include <complex.h>
#endif
#if __has_include(<csignal>)
#  include <csignal>
#endif
#if __has_include(<cstdio>)
#  include <cstdio>
#endif
#if __has_include(<cstdlib>)
#  include <cstdlib>
#endif
#if __has_include(<cwchar>)
#  include <cwchar>
#endif
#if __has_include(<dirent.h>)
#  include <dirent.h>
#endif
#if __has_include(<dlfcn.h>)
#  include <dlfcn.h>
#endif
#if __has_include(<elf.h>)
#  include <elf.h>
#endif
#if __has_include(<err.h>)
#  include <err.h>
#endif
#if __has_include(<fcntl.h>)
#  include <fcntl.h>
#endif
#if __has_include(<fts.h>)
#  include <fts.h>
#endif
#if __has_include(<ftw.h>)
#  include <ftw.h>
#endif
#if __has_include(<glob.h>)
#  include <glob.h>
#endif
#if __has_include(<grp.h>)
#  include <grp.h>
#endif
#if __has_include(<ifaddrs.h>)
#  include <ifaddrs.h>
#endif
#if __has_include(<link.h>)
#  include <link.h>
#endif
#if __has_include(<linux/futex.h>)
#  include <linux/futex.h>
#endif
#if __has_include(<math.h>)
#  include <math.h>
#endif
#if __has_include(<mqueue.h>)
#  include <mqueue.h>
#endif
#if __has_include(<net/if.h>)
#  include <net/if.h>
#endif
#if __has_include(<netdb.h>)
#  include <netdb.h>
#endif
#if __has_include(<netinet/in.h>)
#  include <netinet/in.h>
#endif
#if __has_include(<netinet/ip.h>)
#  include <netinet/ip.h>
#endif
#if __has_include(<netinet/tcp.h>)
#  include <netinet/tcp.h>
#endif
#if __has_include(<poll.h>)
#  include <poll.h>
#endif
#if __has_include(<pthread.h>)
#  include <pthread.h>
#endif
#if __has_include(<pwd.h>)
#  include <pwd.h>
#endif
#if __has_include(<regex.h>)
#  include <regex.h>
#endif
#if __has_include(<resolv.h>)
#  include <resolv.h>
#endif
#if __has_include(<sched.h>)
#  include <sched.h>
#endif
#if __has_include(<search.h>)
#  include <search.h>
#endif
#if __has_include(<semaphore.h>)
#  include <semaphore.h>
#endif
#if __has_include(<setjmp.h>)
#  include <setjmp.h>
#endif
#if __has_include(<signal.h>)
#  include <signal.h>
#endif
#if __has_include(<spawn.h>)
#  include <spawn.h>
#endif
#if __has_include(<sys/epoll.h>)
#  include <sys/epoll.h>
#endif
#if __has_include(<sys/eventfd.h>)
#  include <sys/eventfd.h>
#endif
#if __has_include(<sys/ioctl.h>)
#  include <sys/ioctl.h>
#endif
#if __has_include(<sys/mman.h>)
#  include <sys/mman.h>
#endif
#if __has_include(<sys/param.h>)
#  include <sys/param.h>
#endif
#if __has_include(<sys/queue.h>)
#  include <sys/queue.h>
#endif
#if __has_include(<sys/resource.h>)
#  include <sys/resource.h>
#endif
#if __has_include(<sys/select.h>)
#  include <sys/select.h>
#endif
#if __has_include(<sys/socket.h>)
#  include <sys/socket.h>
#endif
#if __has_include(<sys/stat.h>)
#  include <sys/stat.h>
#endif
#if __has_include(<sys/sysmacros.h>)
#  include <sys/sysmacros.h>
#endif
#if __has_include(<sys/time.h>)
#  include <sys/time.h>
#endif
#if __has_include(<sys/timerfd.h>)
#  include <sys/timerfd.h>
#endif
#if __has_include(<sys/types.h>)
#  include <sys/types.h>
#endif
#if __has_include(<sys/uio.h>)
#  include <sys/uio.h>
#endif
#if __has_include(<sys/un.h>)
#  include <sys/un.h>
#endif
#if __has_include(<sys/utsname.h>)
#  include <sys/utsname.h>
#endif
#if __has_include(<sys/wait.h>)
#  include <sys/wait.h>
#endif
#if __has_include(<syslog.h>)
#  include <syslog.h>
#endif
#if __has_include(<termios.h>)
#  include <termios.h>
#endif
#if __has_include(<tgmath.h>)
#  include <tgmath.h>
#endif
#if __has_include(<time.h>)
#  include <time.h>
#endif
#if __has_include(<ucontext.h>)
#  include <ucontext.h>
#endif
#if __has_include(<unistd.h>)
#  include <unistd.h>
#endif
#if __has_include(<utime.h>)
#  include <utime.h>
#endif
#if __has_include(<version>)
#  include <version>
#endif
