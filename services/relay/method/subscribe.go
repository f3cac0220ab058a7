package method

import (
	"context"
	"encoding/json"

	"github.com/hawser-dev/hawser/services/relay/wire"
)

// topicParams are the params of requests about one topic.
type topicParams struct {
	Topic string `json:"topic"`
}

func subscribe(_ context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	return c.subscribeTo(p.Topic)
}

func batchSubscribe(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	topics, failure := decodeTopics(ctx, c, params)
	if failure != nil {
		return nil, failure
	}
	ids := make([]string, len(topics))
	for i, topic := range topics {
		if ids[i], failure = c.subscribeTo(topic); failure != nil {
			return nil, failure
		}
	}
	return ids, nil
}

// batchSubscribeBlocking reports the failure of each topic separately.
func batchSubscribeBlocking(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	topics, failure := decodeTopics(ctx, c, params)
	if failure != nil {
		return nil, failure
	}
	type outcome struct {
		ID    string      `json:"id,omitempty"`
		Error *wire.Error `json:"error,omitempty"`
	}
	outcomes := make([]outcome, len(topics))
	for i, topic := range topics {
		outcomes[i].ID, outcomes[i].Error = c.subscribeTo(topic)
	}
	return outcomes, nil
}

func unsubscribe(_ context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	return true, c.unsubscribeFrom(p.Topic)
}

func batchUnsubscribe(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		Subscriptions batch[topicParams] `json:"subscriptions"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	if failure := checkBatch(ctx, c, len(p.Subscriptions)); failure != nil {
		return nil, failure
	}
	for _, one := range p.Subscriptions {
		if failure := c.unsubscribeFrom(one.Topic); failure != nil {
			return nil, failure
		}
	}
	return true, nil
}

func createTopic(_ context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p topicParams
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	_, failure := c.subscribeTo(p.Topic)
	return true, failure
}
