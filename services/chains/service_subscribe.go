package chains

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/chains/heads"
	"github.com/hawser-dev/hawser/services/chains/pubsub"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// subscriptionServer implements SubscriptionService.
type subscriptionServer struct {
	chainsv1.UnimplementedSubscriptionServiceServer
	*server
}

// subscriptionBytes is about what a subscription holds beside its filter: its queue, its stream, and its goroutines.
const subscriptionBytes = 32 << 10

// subscribeTime bounds the start of a subscription.
const subscribeTime = 10 * time.Second

// source is a subscription that delivers messages.
type source interface {
	Messages() <-chan []byte
	Ended() <-chan struct{}
	Reason() error
}

// Subscribe sends the messages of a subscription until the caller leaves.
func (s subscriptionServer) Subscribe(req *chainsv1.SubscribeRequest, stream chainsv1.SubscriptionService_SubscribeServer) error {
	held := s.memory.HoldOwn("subscriptions")
	defer held.Close()
	if err := held.Grow(subscriptionBytes + int64(proto.Size(req))); err != nil {
		return tooMany(err)
	}
	if req.GetSolana() != nil {
		return s.subscribeSolana(req, stream)
	}
	ctx := stream.Context()
	if !s.heads.Streams(req.GetChainId()) {
		return unsupported(req.GetChainId())
	}
	matcher, err := matcherOf(req.GetLogs())
	if err != nil {
		return err
	}
	subscription, err := s.heads.Subscribe(ctx, req.GetChainId(), matcher)
	if err != nil {
		return unavailable(req.GetChainId(), err)
	}
	defer subscription.Close()
	return deliver(req.GetChainId(), subscription, stream)
}

// subscribeSolana is Subscribe for Solana.
func (s subscriptionServer) subscribeSolana(req *chainsv1.SubscribeRequest, stream chainsv1.SubscriptionService_SubscribeServer) error {
	hub, ok := s.hubs[req.GetChainId()]
	if !ok {
		return unsupported(req.GetChainId())
	}
	topic, err := pubsub.ParseTopic(req.GetSolana().GetMethod(), req.GetSolana().GetParams())
	if err != nil {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "params", "%s", err)
	}
	ctx, cancel := context.WithTimeout(stream.Context(), subscribeTime)
	defer cancel()
	subscription, err := hub.Subscribe(ctx, topic)
	switch {
	case errors.Is(err, pubsub.ErrFull):
		return tooMany(err)
	case err != nil:
		return unavailable(req.GetChainId(), err)
	}
	defer subscription.Close()
	return deliver(req.GetChainId(), subscription, stream)
}

func tooMany(cause error) error {
	return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "There are too many subscriptions to this network").Because(cause)
}

// deliver sends messages until the caller leaves or the subscription ends.
func deliver(chainID string, s source, stream chainsv1.SubscriptionService_SubscribeServer) error {
	if err := stream.SendHeader(metadata.MD{}); err != nil {
		return err
	}
	for {
		select {
		case <-stream.Context().Done():
			return nil
		case message := <-s.Messages():
			if err := stream.Send(&chainsv1.SubscribeResponse{Result: message}); err != nil {
				return err
			}
		case <-s.Ended():
			if !errors.Is(s.Reason(), pubsub.ErrDone) {
				return subscriptionFault(chainID, s.Reason())
			}
			// The message was queued before.
			select {
			case message := <-s.Messages():
				return stream.Send(&chainsv1.SubscribeResponse{Result: message})
			default:
				return nil
			}
		}
	}
}

func subscriptionFault(chainID string, reason error) error {
	if errors.Is(reason, heads.ErrSlow) || errors.Is(reason, pubsub.ErrSlow) {
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_READER_SLOW, "", "The subscription was not read").Because(reason)
	}
	return unavailable(chainID, reason)
}

// matcherOf returns the matcher for a subscription to logs; nil for one to blocks.
func matcherOf(logs *chainsv1.SubscribeRequest_Logs) (*heads.LogMatcher, error) {
	if logs == nil {
		return nil, nil
	}
	topics := make([][]string, len(logs.GetTopics()))
	for i, topic := range logs.GetTopics() {
		topics[i] = topic.GetAnyOf()
	}
	m, err := heads.NewLogMatcher(logs.GetAddresses(), topics)
	if err != nil {
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "logs", "The filter is not one of logs: %s", err)
	}
	return m, nil
}
