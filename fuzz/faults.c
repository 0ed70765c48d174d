/* Let the calls that change files fail, end short, or end the process; and turn the clock back.

   Calls count that touch a path under FAULT_WHERE, or standard output if that is "stdout". The one
   with the number FAULT_AT, from 1, fails with the errno FAULT_HOW, writes less if that is "short",
   or ends the process if it is "kill". Each counted call adds a byte to FAULT_LOG. With FAULT_CLOCK
   each look at the clock is a second before the last. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int inside(const char *path) {
    const char *where = getenv("FAULT_WHERE");
    return where && path && strncmp(path, where, strlen(where)) == 0;
}

static int counted(int fd) {
    char link[64], path[4096];
    const char *where = getenv("FAULT_WHERE");
    if (where && strcmp(where, "stdout") == 0) return fd == 1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    path[size < 0 ? 0 : size] = 0;
    return inside(path);
}

/* Counts a call; returns 1 if it is to fail, 2 if it is to end short. */
static int due(void) {
    static int count;
    const char *at = getenv("FAULT_AT"), *how = getenv("FAULT_HOW"), *log = getenv("FAULT_LOG");
    count++;
    if (log) {
        int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
        syscall(SYS_write, fd, ".", 1);
        syscall(SYS_close, fd);
    }
    if (!at || !how || atoi(at) != count) return 0;
    if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(how, "short") == 0) return 2;
    errno = atoi(how);
    return 1;
}

ssize_t write(int fd, const void *data, size_t size) {
    int fault = counted(fd) ? due() : 0;
    if (fault == 1) return -1;
    return REAL(write)(fd, data, fault == 2 && size > 1 ? size / 2 : size);
}

int fsync(int fd) { return counted(fd) && due() == 1 ? -1 : REAL(fsync)(fd); }

int rename(const char *from, const char *to) {
    return inside(to) && due() == 1 ? -1 : REAL(rename)(from, to);
}

int link(const char *from, const char *to) {
    return inside(to) && due() == 1 ? -1 : REAL(link)(from, to);
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    return inside(to) && due() == 1 ? -1 : REAL(linkat)(a, from, b, to, flags);
}

int unlink(const char *path) { return inside(path) && due() == 1 ? -1 : REAL(unlink)(path); }

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if ((flags & (O_WRONLY | O_RDWR)) && inside(path) && due() == 1) return -1;
    return REAL(open64)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if ((flags & (O_WRONLY | O_RDWR)) && inside(path) && due() == 1) return -1;
    return REAL(open)(path, flags, mode);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static long back;
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (getenv("FAULT_CLOCK") && now->tv_sec > back + 100) now->tv_sec -= back++;
    return status;
}
