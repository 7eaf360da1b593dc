"""The walls a child builds around itself before it runs a learner's code (Linux).

The child starts inside bubblewrap or bare.  It then moves to namespaces of its own, so
that one submission can neither see nor touch the process the next one is forked from,
gives up every capability, limits itself, and forbids itself the system calls that start
processes, open sockets, mount or trace.  Loaded inside the sandbox: standard library only.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_THREAD = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x10000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_PDEATHSIG = 4, 22, 38, 1
OVERFLOW = 65534
SCRATCH = "32m"

# system calls that no exercise needs: numbers on x86_64 and aarch64
DENIED = {
    "x86_64": {
        "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "ptrace": 101, "socket": 41, "shmget": 29, "msgget": 68,
        "semget": 64, "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161,
        "process_vm_readv": 310, "process_vm_writev": 311, "memfd_create": 319, "bpf": 321, "perf_event_open": 298,
        "userfaultfd": 323, "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425, "open_tree": 428,
        "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
        "name_to_handle_at": 303, "open_by_handle_at": 304, "kexec_load": 246, "init_module": 175, "finit_module": 313,
        "reboot": 169, "acct": 163, "swapon": 167, "pidfd_open": 434, "pidfd_getfd": 438,
    },
    "aarch64": {
        "execve": 221, "execveat": 281, "ptrace": 117, "socket": 198, "shmget": 194, "msgget": 186, "semget": 190,
        "unshare": 97, "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "process_vm_readv": 270,
        "process_vm_writev": 271, "memfd_create": 279, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
        "add_key": 217, "request_key": 218, "keyctl": 219, "io_uring_setup": 425, "open_tree": 428, "move_mount": 429,
        "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442, "name_to_handle_at": 264,
        "open_by_handle_at": 265, "kexec_load": 104, "init_module": 105, "finit_module": 273, "reboot": 142, "acct": 89,
        "swapon": 224, "pidfd_open": 434, "pidfd_getfd": 438,
    },
}  # fmt: skip
ARCHITECTURES = {"x86_64": (0xC000003E, 56), "aarch64": (0xC00000B7, 220)}  # audit number, clone
CLONE3 = 435  # the same everywhere
ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def namespaces() -> None:
    """Leave for user, mount, process and IPC namespaces of our own; the next fork is process 1 there."""
    user, group = os.getuid(), os.getgid()
    _check(_libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{OVERFLOW} {user} 1"), ("gid_map", f"{OVERFLOW} {group} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def scratch() -> None:
    """A small empty /tmp of our own, and an empty /proc over the shared one."""
    flags = MS_NOSUID | MS_NODEV
    _check(_libc.mount(b"scratch", b"/tmp", b"tmpfs", flags, f"size={SCRATCH},nr_inodes=4k,mode=0700".encode()), "mount /tmp")
    _check(_libc.mount(b"none", b"/proc", b"tmpfs", flags | MS_RDONLY | MS_NOEXEC, b"size=4k"), "mount /proc")
    os.chdir("/tmp")


def limits(memory: int, cpu: int) -> None:
    """Finite limits on everything; ``memory`` bytes on top of what the process maps now."""
    import resource

    limited = {"CPU": cpu, "FSIZE": 16 << 20, "CORE": 0, "NOFILE": 64, "MEMLOCK": 0, "MSGQUEUE": 0}
    if memory:
        limited["AS"] = _mapped() + memory
    for name, value in limited.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            hard = resource.getrlimit(kind)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            # past the soft CPU limit comes SIGXCPU, which tells itself from running out of memory
            resource.setrlimit(kind, (max(value - 2, 1) if name == "CPU" else value, value))


def _mapped() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30


def powerless() -> None:
    """No capabilities, no way to gain any."""
    _check(_libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    header, data = struct.pack("=Ii", 0x20080522, 0), bytes(24)
    _check(_libc.capset(header, data), "capset")


def seccomp() -> bool:
    """Forbid the calls above; False where this processor's numbers are not known."""
    machine = platform.machine()
    if machine not in ARCHITECTURES:
        return False
    program = b"".join(struct.pack("=HBBI", *step) for step in _filter(machine))
    buffer = ctypes.create_string_buffer(program)
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    _check(_libc.prctl(PR_SET_SECCOMP, 2, header, 0, 0), "seccomp")
    return True


def _filter(machine: str) -> list[tuple[int, int, int, int]]:
    """A BPF program: (operation, jump if true, jump if false, value) per step."""
    audit, clone = ARCHITECTURES[machine]
    load, equal, at_least, mask, answer = 0x20, 0x15, 0x35, 0x54, 0x06
    steps = [(load, 0, 0, 4), (equal, 1, 0, audit), (answer, 0, 0, KILL), (load, 0, 0, 0)]
    if machine == "x86_64":  # the x32 numbers would be a way around
        steps += [(at_least, 0, 1, 0x40000000), (answer, 0, 0, KILL)]
    for number in DENIED[machine].values():
        steps += [(equal, 0, 1, number), (answer, 0, 0, EPERM)]
    steps += [(equal, 0, 1, CLONE3), (answer, 0, 0, ENOSYS)]
    # clone may make threads, nothing else
    steps += [(equal, 0, 4, clone), (load, 0, 0, 16), (mask, 0, 0, CLONE_THREAD), (equal, 0, 1, 0), (answer, 0, 0, EPERM)]
    return [*steps, (answer, 0, 0, ALLOW)]


def unreadable() -> None:
    """Keep other processes of the same user out of this one's memory."""
    _libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def first_to_go() -> None:
    """Where the machine runs out of memory, let the kernel end this process rather than the grader."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:  # a system that does not let us: the limits still hold
        pass


def die_with_parent() -> None:
    _libc.prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
