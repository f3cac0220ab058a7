package chains

import (
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/chains/heads"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// subscriptionServer implements SubscriptionService.
type subscriptionServer struct {
	chainsv1.UnimplementedSubscriptionServiceServer
	*server
}

// Subscribe sends blocks or logs until the caller leaves.
func (s subscriptionServer) Subscribe(req *chainsv1.SubscribeRequest, stream chainsv1.SubscriptionService_SubscribeServer) error {
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
	if err := stream.SendHeader(metadata.MD{}); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-subscription.Ended():
			return subscriptionFault(req.GetChainId(), subscription.Reason())
		case message := <-subscription.Messages():
			if err := stream.Send(&chainsv1.SubscribeResponse{Result: message}); err != nil {
				return err
			}
		}
	}
}

func subscriptionFault(chainID string, reason error) error {
	if errors.Is(reason, heads.ErrSlow) {
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_READER_SLOW, "", "The subscription was not read").Because(reason)
	}
	return unavailable(chainID, reason)
}

// matcherOf returns the matcher for a request for logs; nil for one for blocks.
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
