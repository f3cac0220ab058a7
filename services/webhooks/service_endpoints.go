package webhooks

import (
	"cmp"
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	webhooksv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

// defaultLimit is how many deliveries are listed if the caller does not say.
const defaultLimit = 50

type server struct {
	webhooksv1.UnimplementedWebhooksServiceServer

	registry *deliveries.Registry
	projects projectsv1.ProjectsServiceClient
	wake     func()
}

// CreateEndpoint adds an endpoint.
func (s *server) CreateEndpoint(ctx context.Context, r *webhooksv1.CreateEndpointRequest) (*webhooksv1.CreateEndpointResponse, error) {
	if _, err := s.projects.GetProject(ctx, &projectsv1.GetProjectRequest{Id: r.GetProjectId()}); err != nil {
		return nil, err
	}
	e, secret, err := s.registry.Create(ctx, r.GetProjectId(), r.GetUrl(), r.GetKinds())
	if err != nil {
		return nil, explain(err)
	}
	return &webhooksv1.CreateEndpointResponse{Endpoint: endpointProto(e), Secret: secret}, nil
}

// ListEndpoints returns the endpoints of a project.
func (s *server) ListEndpoints(ctx context.Context, r *webhooksv1.ListEndpointsRequest) (*webhooksv1.ListEndpointsResponse, error) {
	all, err := s.registry.Store.List(ctx, r.GetProjectId())
	if err != nil {
		return nil, err
	}
	res := &webhooksv1.ListEndpointsResponse{Kinds: deliveries.Kinds()}
	for _, e := range all {
		res.Endpoints = append(res.Endpoints, endpointProto(e))
	}
	return res, nil
}

// RotateSecret gives an endpoint a new secret.
func (s *server) RotateSecret(ctx context.Context, r *webhooksv1.RotateSecretRequest) (*webhooksv1.RotateSecretResponse, error) {
	e, secret, err := s.registry.Rotate(ctx, r.GetProjectId(), r.GetEndpointId(), time.Duration(r.GetKeepSeconds())*time.Second)
	if err != nil {
		return nil, explain(err)
	}
	return &webhooksv1.RotateSecretResponse{Endpoint: endpointProto(e), Secret: secret}, nil
}

// SetEndpointEnabled stops sending to an endpoint, or sends again.
func (s *server) SetEndpointEnabled(ctx context.Context, r *webhooksv1.SetEndpointEnabledRequest) (*webhooksv1.SetEndpointEnabledResponse, error) {
	e, err := s.registry.SetEnabled(ctx, r.GetProjectId(), r.GetEndpointId(), r.GetEnabled())
	if err != nil {
		return nil, explain(err)
	}
	s.wake()
	return &webhooksv1.SetEndpointEnabledResponse{Endpoint: endpointProto(e)}, nil
}

// DeleteEndpoint deletes an endpoint.
func (s *server) DeleteEndpoint(ctx context.Context, r *webhooksv1.DeleteEndpointRequest) (*webhooksv1.DeleteEndpointResponse, error) {
	return &webhooksv1.DeleteEndpointResponse{}, explain(s.registry.Store.Delete(ctx, r.GetProjectId(), r.GetEndpointId()))
}

var states = map[webhooksv1.DeliveryState]deliveries.State{
	webhooksv1.DeliveryState_DELIVERY_STATE_WAITING:   deliveries.Waiting,
	webhooksv1.DeliveryState_DELIVERY_STATE_DELIVERED: deliveries.Delivered,
	webhooksv1.DeliveryState_DELIVERY_STATE_FAILED:    deliveries.Failed,
}

// ListDeliveries returns deliveries of a project.
func (s *server) ListDeliveries(ctx context.Context, r *webhooksv1.ListDeliveriesRequest) (*webhooksv1.ListDeliveriesResponse, error) {
	all, err := s.registry.Store.Deliveries(ctx, r.GetProjectId(), deliveries.Filter{
		Endpoint: r.GetEndpointId(), State: states[r.GetState()], Before: r.GetBefore(), Limit: cmp.Or(int(r.GetLimit()), defaultLimit),
	})
	if err != nil {
		return nil, err
	}
	res := &webhooksv1.ListDeliveriesResponse{}
	for _, d := range all {
		res.Deliveries = append(res.Deliveries, deliveryProto(d))
	}
	return res, nil
}

// GetDelivery returns a delivery with its attempts.
func (s *server) GetDelivery(ctx context.Context, r *webhooksv1.GetDeliveryRequest) (*webhooksv1.GetDeliveryResponse, error) {
	d, attempts, err := s.registry.Store.Delivery(ctx, r.GetProjectId(), r.GetId())
	if err != nil {
		return nil, explain(err)
	}
	res := &webhooksv1.GetDeliveryResponse{Delivery: deliveryProto(d), Body: d.Body}
	for _, a := range attempts {
		res.Attempts = append(res.Attempts, &webhooksv1.Attempt{
			Number: uint32(a.Number), StartedAt: unixMilli(a.StartedAt), Took: uint32(a.Took.Milliseconds()), Status: uint32(a.Status), Error: a.Error,
		})
	}
	return res, nil
}

// ReplayDeliveries sends deliveries again.
func (s *server) ReplayDeliveries(ctx context.Context, r *webhooksv1.ReplayDeliveriesRequest) (*webhooksv1.ReplayDeliveriesResponse, error) {
	n, more, err := s.registry.Replay(ctx, r.GetProjectId(), deliveries.Range{
		ID: r.GetId(), From: time.UnixMilli(r.GetFrom()), To: time.UnixMilli(r.GetTo()), Endpoint: r.GetEndpointId(), FailedOnly: r.GetFailedOnly(),
	})
	if err != nil {
		return nil, explain(err)
	}
	s.wake()
	return &webhooksv1.ReplayDeliveriesResponse{Replayed: uint32(n), More: more}, nil
}

func endpointProto(e deliveries.Endpoint) *webhooksv1.Endpoint {
	return &webhooksv1.Endpoint{
		Id: e.ID, ProjectId: e.Project, Url: e.URL, Kinds: e.Kinds, Enabled: e.Enabled, Failures: uint32(e.Failures), PausedUntil: unixMilli(e.PausedUntil),
		Waiting: uint64(e.Waiting), Dropped: uint64(e.Dropped), PreviousUntil: unixMilli(e.PreviousUntil), CreatedAt: unixMilli(e.CreatedAt),
	}
}

func deliveryProto(d deliveries.Delivery) *webhooksv1.Delivery {
	m := &webhooksv1.Delivery{
		Id: d.ID, EndpointId: d.Endpoint, MessageId: d.MessageID, Kind: d.Kind, Account: d.Account, Attempts: uint32(d.Attempts), LastStatus: uint32(d.LastStatus),
		LastError: d.LastError, CreatedAt: unixMilli(d.CreatedAt), ExpiresAt: unixMilli(d.ExpiresAt), EndedAt: unixMilli(d.EndedAt),
	}
	for state, known := range states {
		if known == d.State {
			m.State = state
		}
	}
	return m
}

// unixMilli returns the Unix milliseconds of a time, and 0 for the zero time.
func unixMilli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// explain converts an error to the fault for the caller.
func explain(err error) error {
	if invalid, ok := errors.AsType[*deliveries.Invalid](err); ok {
		return fault.New(codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, invalid.Field, "Invalid parameter: %s", invalid)
	}
	switch {
	case errors.Is(err, deliveries.ErrUnknownEndpoint):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_PARAMETER_INVALID, "endpointId", "The project has no such endpoint").Because(err)
	case errors.Is(err, deliveries.ErrUnknownDelivery):
		return fault.New(codes.NotFound, faultv1.Reason_REASON_PARAMETER_INVALID, "id", "The project has no such delivery, or it has not ended").Because(err)
	case errors.Is(err, deliveries.ErrTooMany):
		return fault.New(codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "", "The project has too many endpoints").Because(err)
	}
	return err
}
