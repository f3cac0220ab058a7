package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	authv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/auth/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	onrampv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/onramp/v1"
	sessionsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/sessions/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

// reader is the name of the group of replicas that reads events.
const reader = "webhooks"

// readAgain are the pauses before an event is read again that could not be stored: for as long as the bus keeps it.
var readAgain = slices.Concat([]time.Duration{time.Second, 5 * time.Second, 30 * time.Second}, slices.Repeat([]time.Duration{time.Minute}, 3*24*60))

// subscribe takes the events of other services, and calls wake for those that an endpoint gets.
func subscribe(ctx context.Context, b *bus.Bus, registry *deliveries.Registry, wake func()) error {
	options := bus.SubscribeOptions{Durable: reader, InOrder: true, Retries: readAgain}
	take := func(ctx context.Context, e deliveries.Event, ok bool) error {
		if !ok || e.Project == "" {
			return nil
		}
		stored, err := registry.Take(ctx, e)
		if stored {
			wake()
		}
		return err
	}
	return errors.Join(
		bus.Subscribe(ctx, b, options, func(ctx context.Context, e *walletv1.UserCreated) error { return take(ctx, userCreated(e), true) }),
		bus.Subscribe(ctx, b, options, func(ctx context.Context, e *onrampv1.OrderUpdated) error {
			event, ok := orderUpdated(e)
			return take(ctx, event, ok)
		}),
		bus.Subscribe(ctx, b, options, func(ctx context.Context, e *sessionsv1.SessionChanged) error {
			event, ok := sessionChanged(e)
			return take(ctx, event, ok)
		}),
		bus.Subscribe(ctx, b, options, func(ctx context.Context, e *namesv1.NameRegistered) error { return take(ctx, nameRegistered(e), true) }),
		bus.Subscribe(ctx, b, options, func(ctx context.Context, e *authv1.SignedIn) error { return take(ctx, signedIn(e), true) }),
	)
}

// withBody returns the event with its body: type, time and data.
func withBody(e deliveries.Event, data map[string]any) deliveries.Event {
	data["projectId"] = e.Project
	// These values can always be marshalled.
	e.Body, _ = json.Marshal(struct {
		Type      string         `json:"type"`
		Timestamp string         `json:"timestamp"`
		Data      map[string]any `json:"data"`
	}{e.Kind, e.At.UTC().Format(time.RFC3339Nano), data})
	return e
}

// accountOf returns an address in the form in which its events are compared: an address of EVM chains is the same in any case.
func accountOf(address string) string {
	if strings.HasPrefix(address, "0x") || strings.HasPrefix(address, "0X") {
		return strings.ToLower(address)
	}
	return address
}

func userCreated(e *walletv1.UserCreated) deliveries.Event {
	return withBody(deliveries.Event{
		Project: e.GetProjectId(), Kind: deliveries.UserCreated, Key: e.GetUserId(), Account: "user:" + e.GetUserId(), At: time.UnixMilli(e.GetCreatedAt()),
	}, map[string]any{"user": map[string]string{"id": e.GetUserId()}})
}

// orderKinds are the states that a site gets. An order that was only opened is left out: the page opened it.
var orderKinds = map[onrampv1.OrderState]string{
	onrampv1.OrderState_ORDER_STATE_PENDING:   deliveries.OrderPending,
	onrampv1.OrderState_ORDER_STATE_PAID:      deliveries.OrderPaid,
	onrampv1.OrderState_ORDER_STATE_COMPLETED: deliveries.OrderCompleted,
	onrampv1.OrderState_ORDER_STATE_EXPIRED:   deliveries.OrderExpired,
	onrampv1.OrderState_ORDER_STATE_CANCELLED: deliveries.OrderCancelled,
	onrampv1.OrderState_ORDER_STATE_FAILED:    deliveries.OrderFailed,
	onrampv1.OrderState_ORDER_STATE_REFUNDED:  deliveries.OrderRefunded,
}

// order is an order as webhooks have it. It has no text of a provider, and nothing that opens the order.
type order struct {
	ID              string  `json:"id"`
	State           string  `json:"state"`
	ServiceProvider string  `json:"serviceProvider"`
	WalletAddress   string  `json:"walletAddress"`
	ChainID         string  `json:"chainId,omitempty"`
	Payment         *amount `json:"payment,omitempty"`
	Purchase        *amount `json:"purchase,omitempty"`
	Transaction     string  `json:"transaction,omitempty"`
	Failure         string  `json:"failure,omitempty"`
	Sandbox         bool    `json:"sandbox"`
	CreatedAt       string  `json:"createdAt"`
	UpdatedAt       string  `json:"updatedAt"`
}

// amount is an amount in whole units.
type amount struct {
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

func amountOf(a *onrampv1.OrderAmount) *amount {
	if a == nil {
		return nil
	}
	return &amount{a.GetAmount(), a.GetCurrency()}
}

// orderUpdated returns the event of a state of an order; false if sites do not get it. An order whose transaction becomes known after its state is sent again.
func orderUpdated(e *onrampv1.OrderUpdated) (deliveries.Event, bool) {
	o := e.GetOrder()
	kind, ok := orderKinds[o.GetState()]
	updated, err := time.Parse(time.RFC3339, o.GetUpdatedAt())
	if !ok || err != nil {
		return deliveries.Event{}, false
	}
	_, state, _ := strings.Cut(kind, ".")
	shown := order{
		ID: o.GetId(), State: state, ServiceProvider: o.GetServiceProvider(), WalletAddress: o.GetWalletAddress(), ChainID: o.GetChainId(),
		Payment: amountOf(o.GetPayment()), Purchase: amountOf(o.GetPurchase()), Transaction: o.GetTransaction(), Sandbox: o.GetSandbox(),
		CreatedAt: o.GetCreatedAt(), UpdatedAt: o.GetUpdatedAt(),
	}
	if o.Failure != nil {
		shown.Failure = strings.TrimPrefix(o.GetFailure().String(), "ORDER_FAILURE_")
	}
	return withBody(deliveries.Event{
		Project: e.GetProjectId(), Kind: kind, Key: o.GetId() + " " + o.GetTransaction(), Account: accountOf(o.GetWalletAddress()), At: updated,
	}, map[string]any{"order": shown}), true
}

func sessionChanged(e *sessionsv1.SessionChanged) (deliveries.Event, bool) {
	kind, ok := map[sessionsv1.SessionChanged_Change]string{
		sessionsv1.SessionChanged_CHANGE_GRANTED: deliveries.SessionGranted, sessionsv1.SessionChanged_CHANGE_REVOKED: deliveries.SessionRevoked,
	}[e.GetChange()]
	address := e.GetAccount()[strings.LastIndexByte(e.GetAccount(), ':')+1:]
	return withBody(deliveries.Event{
		Project: e.GetProjectId(), Kind: kind, Key: e.GetPci(), Account: accountOf(address), At: time.UnixMilli(e.GetChangedAt()),
	}, map[string]any{"session": map[string]string{
		"id": e.GetPci(), "account": e.GetAccount(), "expiresAt": time.Unix(e.GetExpiry(), 0).UTC().Format(time.RFC3339),
	}}), ok
}

func nameRegistered(e *namesv1.NameRegistered) deliveries.Event {
	return withBody(deliveries.Event{
		Project: e.GetProjectId(), Kind: deliveries.NameRegistered, Key: e.GetName() + " " + strconv.FormatInt(e.GetRegisteredAt(), 10),
		Account: accountOf(e.GetAddress()), At: time.UnixMilli(e.GetRegisteredAt()),
	}, map[string]any{"name": map[string]string{"name": e.GetName(), "address": e.GetAddress()}})
}

func signedIn(e *authv1.SignedIn) deliveries.Event {
	return withBody(deliveries.Event{
		Project: e.GetProjectId(), Kind: deliveries.WalletConnected, Key: e.GetAddress() + " " + strconv.FormatInt(e.GetSignedInAt(), 10),
		Account: accountOf(e.GetAddress()), At: time.UnixMilli(e.GetSignedInAt()),
	}, map[string]any{"wallet": map[string]any{"address": e.GetAddress(), "chainIds": e.GetChainIds()}})
}
