package run

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc/balancer"
	"google.golang.org/grpc/balancer/base"
)

// balancerName is the name of the balancer below in the service config.
const balancerName = "hawser_round_robin"

// gRPC looks up balancers by name in a table of the process.
func init() {
	balancer.Register(base.NewBalancerBuilder(balancerName, pickers{}, base.Config{HealthCheck: true}))
}

// pickers builds a picker each time the set of healthy connections changes.
type pickers struct{}

// Build implements base.PickerBuilder.
func (pickers) Build(info base.PickerBuildInfo) balancer.Picker {
	if len(info.ReadySCs) == 0 {
		return base.NewErrPicker(balancer.ErrNoSubConnAvailable)
	}
	p := &roundRobin{}
	for sc := range info.ReadySCs {
		p.ready = append(p.ready, sc)
	}
	p.next.Store(rand.Uint32())
	return p
}

// roundRobin distributes calls over the healthy replicas in turn. It skips replicas that the peer avoids if there is
// another.
type roundRobin struct {
	ready []balancer.SubConn
	next  atomic.Uint32
}

// Pick implements balancer.Picker.
func (p *roundRobin) Pick(info balancer.PickInfo) (balancer.PickResult, error) {
	turn := int(p.next.Add(1) % uint32(len(p.ready)))
	c, _ := info.Ctx.Value(choiceKey{}).(*choice)
	if c == nil {
		return balancer.PickResult{SubConn: p.ready[turn]}, nil
	}
	if c.only != nil {
		return balancer.PickResult{SubConn: c.only}, nil
	}
	picked, others := p.ready[turn], 0
	for i := range p.ready {
		sc := p.ready[(turn+i)%len(p.ready)]
		if c.peer.avoids(sc) {
			continue
		}
		if others == 0 {
			picked = sc
		}
		others++
	}
	if others > 0 {
		others--
	}
	c.set(picked, others)
	return balancer.PickResult{SubConn: picked}, nil
}

// choiceKey is the key of a [choice] in a call's context.
type choiceKey struct{}

// choice passes values between a call and the picker.
type choice struct {
	peer *peer
	// only is the one replica that the call may go to; nil for any.
	only balancer.SubConn

	mu      sync.Mutex
	replica balancer.SubConn
	others  int
}

// set records the replica of the call, and how many other replicas it could have been sent to.
func (c *choice) set(replica balancer.SubConn, others int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replica, c.others = replica, others
}

// chosen returns the recorded replica; nil if none was picked yet.
func (c *choice) chosen() (replica balancer.SubConn, others int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.replica, c.others
}
