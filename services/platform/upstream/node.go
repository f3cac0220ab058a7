package upstream

import (
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
)

const (
	// KnownFor is how long after its last answer the state of a node is reported.
	KnownFor = time.Minute
	// RefreshPause is how long operators are shown the last answers of nodes before the nodes are called again, because
	// a request may cost money.
	RefreshPause = 5 * time.Second
)

// NodeFacts are the facts that determine the state of a node.
type NodeFacts struct {
	// OtherChain is true if the node is on another chain than configured.
	OtherChain bool
	// Failing is true if its latest calls failed.
	Failing bool
	// Known is true if it answered recently.
	Known bool
	// Behind is how many blocks it is below the chain's height, and MaxLag how many it may be.
	Behind, MaxLag uint64
}

// State returns the state that operators see.
func (f NodeFacts) State() statusv1.NodeState {
	switch {
	case f.OtherChain:
		return statusv1.NodeState_NODE_STATE_WRONG_CHAIN
	case f.Failing:
		return statusv1.NodeState_NODE_STATE_DOWN
	case !f.Known:
		return statusv1.NodeState_NODE_STATE_UNKNOWN
	case f.Behind > f.MaxLag:
		return statusv1.NodeState_NODE_STATE_BEHIND
	default:
		return statusv1.NodeState_NODE_STATE_UP
	}
}
