package status

import (
	"fmt"
	"slices"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
)

// Kind is what kind of thing is wrong.
type Kind int

// The kinds.
const (
	// Absent is a process that does not answer.
	Absent Kind = iota
	// NotReady is a service that is not ready.
	NotReady
	// DatabaseFault is a database that does not answer or takes no writes, and Outdated are tables of an older release.
	DatabaseFault
	Outdated
	// BusFault is a process without events, and StreamFault a stream without a quorum or without some of its copies.
	BusFault
	StreamFault
	// NodeFault is a node that cannot be used, and ChainFault one of a chain of which no node can be.
	NodeFault
	ChainFault
	// VendorFault is a vendor that is not asked after failures.
	VendorFault
)

// Problem is one thing that is wrong.
type Problem struct {
	Kind Kind
	// Text describes it.
	Text string
	// Subject is where it is: the address of a process, the name of a stream, or a chain (CAIP-2).
	Subject string
	// Severe is set if calls of visitors fail, or soon will.
	Severe bool
}

// Faults lists what an operator should check, in the order of the description; none if all is well.
func Faults(suite *statusv1.Suite) (faults []string) {
	for _, p := range Problems(suite) {
		faults = append(faults, p.Text)
	}
	return faults
}

// Problems lists what an operator should check, in the order of the description; none if all is well.
func Problems(suite *statusv1.Suite) (found []Problem) {
	for _, p := range suite.GetProcesses() {
		found = append(found, processProblems(p)...)
	}
	for _, s := range suite.GetStreams() {
		if fault := streamFault(s); fault != "" {
			found = append(found, Problem{Kind: StreamFault, Text: fault, Subject: s.GetName(), Severe: !s.GetQuorum()})
		}
	}
	return found
}

func processProblems(p *statusv1.Process) (found []Problem) {
	add := func(kind Kind, severe bool, subject, format string, args ...any) {
		found = append(found, Problem{Kind: kind, Text: fmt.Sprintf(format, args...), Subject: subject, Severe: severe})
	}
	at := p.GetAddress()
	if p.GetError() != "" {
		add(Absent, true, at, "%s at %s: %s", p.GetTarget(), at, p.GetError())
		return found
	}
	for _, s := range p.GetServices() {
		if !s.GetReady() {
			add(NotReady, true, at, "%s at %s is not ready: %s", s.GetName(), at, s.GetError())
		}
	}
	if d := p.GetDatabase(); d.GetError() != "" {
		add(DatabaseFault, true, at, "the %s database of %s: %s", d.GetKind(), at, d.GetError())
	}
	for _, m := range p.GetDatabase().GetMigrations() {
		if m.GetApplied() < m.GetNewest() {
			add(Outdated, true, at, "the tables of %s have version %d of %d", m.GetPart(), m.GetApplied(), m.GetNewest())
		}
	}
	if e := p.GetBus().GetError(); e != "" {
		add(BusFault, true, at, "NATS at %s: %s", at, e)
	}
	for _, v := range p.GetVendors() {
		if v.GetPausedSeconds() > 0 {
			add(VendorFault, false, at, "%s vendor %s of %s is paused after failures", v.GetKind(), v.GetName(), at)
		}
	}
	for _, c := range p.GetChains() {
		kind := NodeFault
		if !slices.ContainsFunc(c.GetNodes(), func(n *statusv1.Node) bool { return !isFaulty(n) }) {
			kind = ChainFault
		}
		for i, n := range c.GetNodes() {
			if isFaulty(n) {
				add(kind, kind == ChainFault, c.GetChainId(), "node %d of %s, %s, is %s", i+1, c.GetChainId(), n.GetHost(), nodeText(n))
			}
		}
	}
	return found
}

func isFaulty(n *statusv1.Node) bool {
	return n.GetState() != statusv1.NodeState_NODE_STATE_UP && n.GetState() != statusv1.NodeState_NODE_STATE_UNKNOWN
}

// nodeText describes the state of a node.
func nodeText(n *statusv1.Node) string {
	switch n.GetState() {
	case statusv1.NodeState_NODE_STATE_UP:
		return "up"
	case statusv1.NodeState_NODE_STATE_BEHIND:
		return "behind"
	case statusv1.NodeState_NODE_STATE_DOWN:
		return "down"
	case statusv1.NodeState_NODE_STATE_WRONG_CHAIN:
		return "on another chain"
	default:
		return "not probed yet"
	}
}

func streamFault(s *statusv1.Stream) string {
	switch current := copies(s); {
	case !s.GetQuorum():
		return fmt.Sprintf("stream %s has no quorum, and takes no messages", s.GetName())
	case current < s.GetCopies():
		return fmt.Sprintf("stream %s has %d of %d copies", s.GetName(), current, s.GetCopies())
	default:
		return ""
	}
}

// copies counts the copies of a stream that have every message.
func copies(s *statusv1.Stream) (n uint32) {
	if len(s.GetReplicas()) == 0 && s.GetQuorum() {
		return s.GetCopies()
	}
	for _, r := range s.GetReplicas() {
		if r.GetCurrent() {
			n++
		}
	}
	return n
}
