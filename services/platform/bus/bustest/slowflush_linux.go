package bustest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// notification and response are struct seccomp_notif and struct seccomp_notif_resp of Linux.
type (
	notification struct {
		id         uint64
		pid, flags uint32
		call       [64]byte
	}
	response struct {
		id    uint64
		value int64
		error int32
		flags uint32
	}
)

// slowFlush is the filter of this process. A filter cannot be removed, so that it is installed once.
var slowFlush struct {
	once sync.Once
	err  error
	// delay is in nanoseconds.
	delay, flushes atomic.Int64
}

// SlowFlush makes each fsync and fdatasync of this process take longer by a delay, for the length of a test, as a slow disk would: the thread that calls it waits in
// the kernel, and calls of several threads wait at once. Writes to files that were opened with O_SYNC are not slower. It returns how many there were since. A test is
// skipped if the kernel does not permit the filter. Tests that call it must not run at the same time.
func SlowFlush(t testing.TB, delay time.Duration) (flushes func() int64) {
	t.Helper()
	slowFlush.once.Do(func() { slowFlush.err = installSlowFlush() })
	if slowFlush.err != nil {
		t.Skipf("flushes cannot be made slow: %v", slowFlush.err)
	}
	slowFlush.delay.Store(int64(delay))
	t.Cleanup(func() { slowFlush.delay.Store(0) })
	before := slowFlush.flushes.Load()
	return func() int64 { return slowFlush.flushes.Load() - before }
}

// installSlowFlush makes the kernel ask this process before each flush of its threads.
func installSlowFlush() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const numberOfCall = 0 // the offset in struct seccomp_data
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: numberOfCall},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 2, K: unix.SYS_FSYNC},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.SYS_FDATASYNC},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF},
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	const flags = unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH | unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
	listener, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return errno
	}
	go delayFlushes(listener)
	return nil
}

// delayFlushes lets each flush begin after the delay, until the process ends.
func delayFlushes(listener uintptr) {
	for {
		var n notification
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			continue // A signal interrupted the flush, or this call.
		}
		slowFlush.flushes.Add(1)
		time.AfterFunc(time.Duration(slowFlush.delay.Load()), func() {
			r := response{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
			// It fails if a signal has interrupted the flush, which then begins again.
			_, _, _ = unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
		})
	}
}
