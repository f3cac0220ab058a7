package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// isolatedFlag says that the program runs in namespaces of its own.
const isolatedFlag = "-isolated"

// isolate runs the program again with a network and mounts of its own, where the user may make them, and exits as that does. It returns where
// the user may not.
func isolate() {
	if os.Getuid() != 0 {
		return
	}
	cmd := exec.Command("/proc/self/exe", append([]string{isolatedFlag}, os.Args[1:]...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return
	}
	// An interrupt of the terminal reaches the other one as well, which ends by itself.
	ignoreInterrupts()
	err := cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		os.Exit(0)
	case errors.As(err, &exit):
		os.Exit(max(1, exit.ExitCode()))
	default:
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

// system runs a command of the operating system.
func system(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(out))
	}
	return nil
}
