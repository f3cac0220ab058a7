package chains

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// subscriptionServer tells what happens on a chain as it happens.
type subscriptionServer struct {
	chainsv1.UnimplementedSubscriptionServiceServer
	*server
}

// Subscribe tells blocks or logs until the caller leaves.
func (s subscriptionServer) Subscribe(req *chainsv1.SubscribeRequest, stream chainsv1.SubscriptionService_SubscribeServer) error {
	ctx := stream.Context()
	c, ok := s.heads.chains[req.GetChainId()]
	if !ok || !c.network.isEVM() {
		return unsupported(req.GetChainId())
	}
	filter, err := matchOf(req.GetLogs())
	if err != nil {
		return err
	}
	listener, err := c.listen(ctx, filter)
	if err != nil {
		return unavailable(req.GetChainId(), err)
	}
	defer c.feed.leave(listener)
	s.heads.touch(req.GetChainId())
	if err := stream.SendHeader(metadata.MD{}); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-listener.ended:
			return listenerFault(req.GetChainId(), listener.reason)
		case message := <-listener.messages:
			if err := stream.Send(&chainsv1.SubscribeResponse{Result: message}); err != nil {
				return err
			}
		}
	}
}

// listen joins the feed at the chain's head of this moment.
func (c *followed) listen(ctx context.Context, filter *logMatch) (*listener, error) {
	now, err := c.door.pool.look(ctx)
	if errors.Is(err, errBehind) {
		now, err = c.door.pool.looks.last(), nil
	}
	if err != nil {
		return nil, err
	}
	return c.feed.join(now, filter), nil
}

func listenerFault(chainID string, reason error) error {
	if errors.Is(reason, errSlow) {
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_READER_SLOW, "", "The subscription was not read").Because(reason)
	}
	return unavailable(chainID, reason)
}

// matchOf is the filter that a request names; nil asks for blocks.
func matchOf(logs *chainsv1.SubscribeRequest_Logs) (*logMatch, error) {
	if logs == nil {
		return nil, nil
	}
	topics := make([][]string, len(logs.GetTopics()))
	for i, topic := range logs.GetTopics() {
		topics[i] = topic.GetAnyOf()
	}
	m, err := newLogMatch(logs.GetAddresses(), topics)
	if err != nil {
		return nil, fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "logs", "The filter is not one of logs: %s", err)
	}
	return m, nil
}
