package status

import (
	"fmt"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
)

// Faults lists what an operator should check, in the order of the description; none if all is well.
func Faults(suite *statusv1.Suite) (faults []string) {
	for _, p := range suite.GetProcesses() {
		faults = append(faults, processFaults(p)...)
	}
	for _, s := range suite.GetStreams() {
		if fault := streamFault(s); fault != "" {
			faults = append(faults, fault)
		}
	}
	return faults
}

func processFaults(p *statusv1.Process) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if p.GetError() != "" {
		add("%s at %s: %s", p.GetTarget(), p.GetAddress(), p.GetError())
		return faults
	}
	for _, s := range p.GetServices() {
		if !s.GetReady() {
			add("%s at %s is not ready: %s", s.GetName(), p.GetAddress(), s.GetError())
		}
	}
	if d := p.GetDatabase(); d.GetError() != "" {
		add("the %s database of %s: %s", d.GetKind(), p.GetAddress(), d.GetError())
	}
	for _, m := range p.GetDatabase().GetMigrations() {
		if m.GetApplied() < m.GetNewest() {
			add("the tables of %s have version %d of %d", m.GetPart(), m.GetApplied(), m.GetNewest())
		}
	}
	if e := p.GetBus().GetError(); e != "" {
		add("NATS at %s: %s", p.GetAddress(), e)
	}
	for _, v := range p.GetVendors() {
		if v.GetPausedSeconds() > 0 {
			add("%s vendor %s of %s is paused after failures", v.GetKind(), v.GetName(), p.GetAddress())
		}
	}
	for _, c := range p.GetChains() {
		for i, n := range c.GetNodes() {
			if isFaulty(n) {
				add("node %d of %s, %s, is %s", i+1, c.GetChainId(), n.GetHost(), nodeText(n))
			}
		}
	}
	return faults
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
