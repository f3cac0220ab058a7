// Package caller tells a service who is behind a call: the gateway knows, and whatever a service keeps may belong to a project.
package caller

import (
	"context"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Caller is who is behind a call.
type Caller struct {
	// Project is the id of the project that the call counts for; empty where none was named.
	Project string
	// Origin is the page's, as its browser tells; empty where no browser called.
	Origin string
	// Address is where the call came from, an IP address.
	Address string
	// OrderTokens prove which purchases are the caller's, separated by commas, see package proof; empty where none are told.
	OrderTokens string
}

const (
	projectKey = "hawser-caller-project"
	originKey  = "hawser-caller-origin"
	addressKey = "hawser-caller-address"
	ordersKey  = "hawser-caller-orders"
)

// Tell returns a context whose calls tell who is behind them, and nothing else.
func Tell(ctx context.Context, c Caller) context.Context {
	return metadata.NewOutgoingContext(ctx, metadata.Pairs(projectKey, plain(c.Project), originKey, plain(c.Origin), addressKey, plain(c.Address),
		ordersKey, plain(c.OrderTokens)))
}

// plain leaves out what no header of HTTP/2 can carry: a call must not fail for it.
func plain(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return value
}

// Told returns what [Tell] put into a context.
func Told(ctx context.Context) metadata.MD {
	md, _ := metadata.FromOutgoingContext(ctx)
	return md
}

// Forward returns a context whose calls tell who is behind the call that a service answers: what it asks of other services for a caller
// counts for that caller. What the caller proves is told to nobody else.
func Forward(ctx context.Context) context.Context {
	c := From(ctx)
	c.OrderTokens = ""
	if c == (Caller{}) {
		return ctx
	}
	return Tell(ctx, c)
}

// Behind returns a context in which a call of c's is answered, for work that goes on after the call.
func Behind(ctx context.Context, c Caller) context.Context {
	return metadata.NewIncomingContext(ctx, Told(Tell(ctx, c)))
}

// From returns who is behind the call that a service answers.
func From(ctx context.Context) Caller {
	md, _ := metadata.FromIncomingContext(ctx)
	return Caller{Project: only(md, projectKey), Origin: only(md, originKey), Address: only(md, addressKey), OrderTokens: only(md, ordersKey)}
}

func only(md metadata.MD, key string) string {
	if values := md.Get(key); len(values) == 1 {
		return values[0]
	}
	return ""
}
