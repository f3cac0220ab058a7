package bus_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/bus/bustest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// fullDiskDir makes this test binary the process whose disk fills up; exitNoMount says that it may not mount one.
const (
	fullDiskDir = "HAWSER_TEST_FULL_DISK"
	noMount     = "mounting is not permitted here"
)

// TestTheServerInThisProcessRecoversFromAFullDisk runs in a process with its own mount namespace, in which the server's
// folder is a disk of 16 MiB.
func TestTheServerInThisProcessRecoversFromAFullDisk(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(fullDiskDir); dir != "" {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16m"); err != nil {
			t.Fatalf("%s: %v", noMount, err)
		}
		fillAndFree(t, dir)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), fullDiskDir+"="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, os.ErrPermission) || strings.Contains(string(out), noMount) {
		t.Skip("needs a namespace in which it may mount a small disk")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func fillAndFree(t *testing.T, disk string) {
	b := bustest.Open(t, bus.Config{Dir: filepath.Join(disk, "nats")})
	db := storetest.Open(t, storetest.SQLite(t))
	o := newOutbox(t, db)
	relay(t, o, b)
	got := make(chan string, 10_000)
	subscribeIDs(t, b, "", got)
	add(t, db, o, "before")
	if id := receive(t, got); id != "before" {
		t.Fatalf("received %q", id)
	}

	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	for n := range 1000 {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := b.Publish(ctx, &projectsv1.ProjectChanged{Id: fmt.Sprint(n, strings.Repeat("x", 100<<10))})
		cancel()
		if err != nil {
			break
		}
	}
	add(t, db, o, "while it was full")
	deadline := time.Now().Add(30 * time.Second)
	for b.Ready(t.Context()) == nil {
		if time.Now().After(deadline) {
			t.Fatal("a bus that stores nothing says that it is ready")
		}
		time.Sleep(50 * time.Millisecond)
	}

	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	for {
		select {
		case id := <-got:
			if id != "while it was full" {
				continue
			}
			t.Logf("received %s after there was room", time.Since(freed))
			waitUntilEmpty(t, db)
			waitUntilReady(t, b)
			return
		case <-time.After(time.Minute):
			t.Fatal("events do not come back")
		}
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, name string) {
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}
