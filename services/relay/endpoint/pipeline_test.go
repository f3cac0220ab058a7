package endpoint

import (
	"sync/atomic"
	"testing"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
)

func TestMessagesOfOneTopicAreStoredInOrderAndOthersBesideThem(t *testing.T) {
	var p pipeline
	failed := func(err error) { t.Error(err) }
	blocked, second, other := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var ended atomic.Bool
	p.run(t.Context(), mailbox.Topic{1}, func() { <-blocked; ended.Store(true) }, failed)
	p.run(t.Context(), mailbox.Topic{1}, func() {
		if !ended.Load() {
			t.Error("the second message was stored before the first one")
		}
		close(second)
	}, failed)
	p.run(t.Context(), mailbox.Topic{2}, func() { close(other) }, failed)
	<-other
	close(blocked)
	<-second
	p.wait()
	if !p.isIdle() {
		t.Error("it is not idle after all messages were handled")
	}
}

func TestAConnectionStoresFewMessagesAtOnce(t *testing.T) {
	var p pipeline
	var running, most atomic.Int32
	for i := range 5 * pipelineDepth {
		p.run(t.Context(), mailbox.Topic{byte(i)}, func() {
			n := running.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			running.Add(-1)
		}, func(err error) { t.Error(err) })
		if len(p.topics) > pipelineDepth {
			t.Fatalf("%d topics are remembered", len(p.topics))
		}
	}
	p.wait()
	if most.Load() > pipelineDepth {
		t.Errorf("%d messages were stored at once", most.Load())
	}
}

func TestAfterAPanicTheNextMessageOfTheTopicIsStored(t *testing.T) {
	var p pipeline
	failed, stored := make(chan error, 1), make(chan struct{})
	p.run(t.Context(), mailbox.Topic{1}, func() { panic("broken") }, func(err error) { failed <- err })
	p.run(t.Context(), mailbox.Topic{1}, func() { close(stored) }, func(err error) { t.Error(err) })
	<-stored
	if <-failed == nil {
		t.Error("the panic is not reported")
	}
}
