package caller_test

import (
	"context"
	"testing"

	"google.golang.org/grpc/metadata"

	"github.com/hawser-dev/hawser/services/platform/caller"
)

func TestAServiceLearnsWhoTheGatewayTold(t *testing.T) {
	want := caller.Caller{Project: "0123", Origin: "https://shop.example", Address: "192.0.2.1", OrderTokens: "one,two", SessionToken: "three", NonceToken: "four",
		Device: caller.Device{AccessToken: "five", Proof: "six", BodyHash: "seven"}}
	ctx := metadata.NewIncomingContext(context.Background(), caller.OutgoingMetadata(caller.NewOutgoingContext(context.Background(), want)))
	if got := caller.From(ctx); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestForwardLeavesTokensOut(t *testing.T) {
	secret := caller.Caller{Project: "0123", Origin: "https://shop.example", OrderTokens: "one", SessionToken: "two", NonceToken: "three", Device: caller.Device{Proof: "four"}}
	got := caller.FromOutgoing(caller.Forward(caller.NewIncomingContext(context.Background(), secret)))
	if want := (caller.Caller{Project: "0123", Origin: "https://shop.example"}); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestWhatIsToldTwiceIsToldByNobody(t *testing.T) {
	md := caller.OutgoingMetadata(caller.NewOutgoingContext(context.Background(), caller.Caller{Project: "ours"}))
	ctx := metadata.NewIncomingContext(context.Background(), metadata.Join(md, metadata.Pairs("hawser-caller-project", "theirs")))
	if got := caller.From(ctx).Project; got != "" {
		t.Errorf("the project is %q", got)
	}
}

func TestACallThatTellsNothingHasNoCaller(t *testing.T) {
	if got := caller.From(context.Background()); got != (caller.Caller{}) {
		t.Errorf("got %+v", got)
	}
}

func TestWhatNoHeaderCanCarryIsLeftOut(t *testing.T) {
	outgoing := caller.OutgoingMetadata(caller.NewOutgoingContext(context.Background(), caller.Caller{Project: "ours", Origin: "https://b\u00fccher.example\n"}))
	got := caller.From(metadata.NewIncomingContext(context.Background(), outgoing))
	if want := (caller.Caller{Project: "ours"}); got != want {
		t.Errorf("got %+v", got)
	}
}
