package upstream

import (
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
)

const (
	// KnownFor is how long what a node answered is believed of its state.
	KnownFor = time.Minute
	// RefreshPause is how long operators are shown what nodes answered last, before these are asked again: a request may cost money.
	RefreshPause = 5 * time.Second
)

// NodeFacts are what the state of a node follows from.
type NodeFacts struct {
	// OtherChain: the node is of another chain than configured.
	OtherChain bool
	// Failing: its latest calls failed.
	Failing bool
	// Known: it answered not long ago.
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
