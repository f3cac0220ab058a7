package endpoint

import (
	"context"

	"github.com/hawser-dev/hawser/services/platform/routine"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

// pipelineDepth is how many messages of one connection are stored at once.
const pipelineDepth = 8

// pipeline stores messages of one connection at once: those of different topics, because those of one topic must be stored in the order in which they came,
// also if one has to be sent to the server again. Its zero value is ready. Its methods are called by one goroutine.
type pipeline struct {
	running routine.WaitGroup
	// places has a value for each message that is being stored; nil before the first one.
	places chan struct{}
	// topics has a channel that is closed when the last message of a topic was handled, for topics that had one since wait was called.
	topics map[mailbox.Topic]chan struct{}
}

// isIdle reports whether no message is being stored.
func (p *pipeline) isIdle() bool { return len(p.places) == 0 }

// run calls work in a new goroutine, after the work of the messages of the topic before it, and failed if it panics. It waits while there are as many as may be.
func (p *pipeline) run(ctx context.Context, topic mailbox.Topic, work func(), failed func(error)) {
	if p.places == nil {
		p.places = make(chan struct{}, pipelineDepth)
	}
	if len(p.topics) >= pipelineDepth {
		p.wait()
	}
	if p.topics == nil {
		p.topics = map[mailbox.Topic]chan struct{}{}
	}
	before, done := p.topics[topic], make(chan struct{})
	p.topics[topic] = done
	p.places <- struct{}{}
	p.running.Go(ctx, func() {
		defer func() { close(done); <-p.places }()
		if before != nil {
			<-before
		}
		work()
	}, failed)
}

// wait returns when every message was handled.
func (p *pipeline) wait() {
	p.running.Wait()
	p.topics = nil
}
