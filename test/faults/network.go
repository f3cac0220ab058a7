package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// host is a machine as far as the network is concerned: a network namespace that one veth pair connects to that of the suite.
type host struct {
	n      int
	holder *exec.Cmd
}

// address is the address of the host, and link that of the suite's end of the veth pair.
func (h host) address() string { return fmt.Sprintf("10.77.%d.2", h.n) }
func (h host) link() string    { return fmt.Sprintf("10.77.%d.1", h.n) }

// newNetwork makes the suite's own network a router without firewall rules.
func newNetwork() error {
	return errors.Join(
		system("ip", "link", "set", "lo", "up"),
		os.WriteFile("/proc/sys/net/ipv4/ip_forward", []byte("1"), 0o600),
		system("nft", "add table ip faults"),
		system("nft", "add chain ip faults input { type filter hook input priority 0; }"),
		system("nft", "add chain ip faults output { type filter hook output priority 0; }"),
		system("nft", "add chain ip faults forward { type filter hook forward priority 0; }"),
	)
}

// newHost makes a host, which ends with the program.
func newHost(n int) (host, error) {
	h := host{n: n, holder: exec.Command("sleep", "infinity")}
	h.holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := h.holder.Start(); err != nil {
		return host{}, err
	}
	cable := "host" + strconv.Itoa(n)
	inside := fmt.Sprintf("ip link set lo up && ip addr add %s/30 dev eth0 && ip link set eth0 up && ip route add default via %s", h.address(), h.link())
	for _, command := range [][]string{
		{"ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", h.pid()},
		{"ip", "addr", "add", h.link() + "/30", "dev", cable},
		{"ip", "link", "set", cable, "up"},
		{"nsenter", "-t", h.pid(), "-n", "sh", "-c", inside},
	} {
		if err := system(command[0], command[1:]...); err != nil {
			return host{}, err
		}
	}
	return h, nil
}

func (h host) pid() string { return strconv.Itoa(h.holder.Process.Pid) }

// within returns a command that runs on the host.
func (h host) within(program string, args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"-t", h.pid(), "-n", program}, args...)...)
}

// drop drops every packet from and to the host on its way through some chains of the firewall: without an answer, as on a broken line.
func (h host) drop(chains ...string) error {
	var errs []error
	for _, chain := range chains {
		for _, direction := range []string{"saddr", "daddr"} {
			errs = append(errs, system("nft", "add rule ip faults", chain, "ip", direction, h.address(), "drop"))
		}
	}
	return errors.Join(errs...)
}

// heal removes the rules of every host.
func heal() error {
	return errors.Join(system("nft", "flush chain ip faults input"), system("nft", "flush chain ip faults output"), system("nft", "flush chain ip faults forward"))
}
