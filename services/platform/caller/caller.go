// Package caller passes the caller of a request from the gateway to the services, as gRPC metadata.
package caller

import (
	"context"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Caller is the origin of a request.
type Caller struct {
	// Project is the id of the project; empty for none.
	Project string
	// Origin is the Origin header of the browser; empty for other clients.
	Origin string
	// Address is the IP address.
	Address string
	// OrderTokens prove which purchases are the caller's, separated by commas ([NewOrderToken]); empty for none.
	OrderTokens string
	// SessionToken proves which sign-in session is the caller's, and NonceToken which nonce. Both are sent only to the
	// auth service.
	SessionToken, NonceToken string
	// Device proves a call of the embedded wallet's pages; it is sent to the wallet service, and to the sessions service, which sends it on there.
	Device Device
}

// Device is the proof of a call of the embedded wallet's pages (RFC 9449).
type Device struct {
	// AccessToken is the token of `Authorization: DPoP`; empty before login.
	AccessToken string
	// Proof is the DPoP header: a JWT that the key of the browser signed.
	Proof string
	// BodyHash is the SHA-256 of the request body, in base64url without padding. The gateway computes it.
	BodyHash string
}

const (
	projectKey = "hawser-caller-project"
	originKey  = "hawser-caller-origin"
	addressKey = "hawser-caller-address"
	ordersKey  = "hawser-caller-orders"
	sessionKey = "hawser-caller-session"
	nonceKey   = "hawser-caller-nonce"
	accessKey  = "hawser-caller-access"
	proofKey   = "hawser-caller-proof"
	bodyKey    = "hawser-caller-body"
)

// NewOutgoingContext returns a context whose calls carry the caller, and no other metadata.
func NewOutgoingContext(ctx context.Context, c Caller) context.Context {
	md := metadata.Pairs(projectKey, plain(c.Project), originKey, plain(c.Origin), addressKey, plain(c.Address), ordersKey, plain(c.OrderTokens))
	for key, token := range map[string]string{
		sessionKey: c.SessionToken, nonceKey: c.NonceToken,
		accessKey: c.Device.AccessToken, proofKey: c.Device.Proof, bodyKey: c.Device.BodyHash,
	} {
		if token != "" {
			md.Set(key, plain(token))
		}
	}
	return metadata.NewOutgoingContext(ctx, md)
}

// plain returns the empty string for a value that HTTP/2 headers cannot carry, so that the call does not fail.
func plain(value string) string {
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		return ""
	}
	return value
}

// FromOutgoing returns the caller of [NewOutgoingContext].
func FromOutgoing(ctx context.Context) Caller { return of(OutgoingMetadata(ctx)) }

// OutgoingMetadata returns the metadata of [NewOutgoingContext].
func OutgoingMetadata(ctx context.Context) metadata.MD {
	md, _ := metadata.FromOutgoingContext(ctx)
	return md
}

// Forward returns a context whose calls carry the caller of the incoming call, so that they count for it. Tokens and proofs are not forwarded.
func Forward(ctx context.Context) context.Context {
	c := From(ctx)
	c.OrderTokens, c.SessionToken, c.NonceToken, c.Device = "", "", "", Device{}
	if c == (Caller{}) {
		return ctx
	}
	return NewOutgoingContext(ctx, c)
}

// NewIncomingContext returns a context with the caller c, as in a call of c, for work that continues after the call.
func NewIncomingContext(ctx context.Context, c Caller) context.Context {
	return metadata.NewIncomingContext(ctx, OutgoingMetadata(NewOutgoingContext(ctx, c)))
}

// From returns the caller of an incoming call.
func From(ctx context.Context) Caller {
	md, _ := metadata.FromIncomingContext(ctx)
	return of(md)
}

func of(md metadata.MD) Caller {
	return Caller{
		Project: only(md, projectKey), Origin: only(md, originKey), Address: only(md, addressKey), OrderTokens: only(md, ordersKey),
		SessionToken: only(md, sessionKey), NonceToken: only(md, nonceKey),
		Device: Device{AccessToken: only(md, accessKey), Proof: only(md, proofKey), BodyHash: only(md, bodyKey)},
	}
}

func only(md metadata.MD, key string) string {
	if values := md.Get(key); len(values) == 1 {
		return values[0]
	}
	return ""
}
