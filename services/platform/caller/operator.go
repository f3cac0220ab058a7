package caller

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// Operator is the origin of a call of the operator's console. The console service decides who it is, and whether the call is made.
type Operator struct {
	// Session is the token of the session in the caller's cookie; empty for none.
	Session string
	// NewSession is the token that a session gets if the call starts one.
	NewSession string
	// LoginToken is the token in the cookie of a login at an identity provider, which the call finishes; empty for none.
	LoginToken string
	// Address is the IP address.
	Address string
	// Browser is the User-Agent header.
	Browser string
	// Origin is that of the page which calls, as its browser says; empty if it is not known.
	Origin string
	// CrossSite is set if a browser sent the call for a page that is not the console's.
	CrossSite bool
}

const (
	operatorSessionKey    = "hawser-operator-session"
	operatorNewSessionKey = "hawser-operator-new-session"
	operatorLoginTokenKey = "hawser-operator-login-token"
	operatorAddressKey    = "hawser-operator-address"
	operatorBrowserKey    = "hawser-operator-browser"
	operatorOriginKey     = "hawser-operator-origin"
	operatorCrossSiteKey  = "hawser-operator-cross-site"
)

// maxBrowser is how much of a User-Agent header is kept, in bytes.
const maxBrowser = 200

// NewOperatorContext returns a context whose calls carry the operator, and no other metadata.
func NewOperatorContext(ctx context.Context, o Operator) context.Context {
	browser := plain(o.Browser)
	md := metadata.Pairs(operatorAddressKey, plain(o.Address), operatorBrowserKey, browser[:min(len(browser), maxBrowser)])
	for key, token := range map[string]string{operatorSessionKey: o.Session, operatorNewSessionKey: o.NewSession, operatorLoginTokenKey: o.LoginToken, operatorOriginKey: o.Origin} {
		if token != "" {
			md.Set(key, plain(token))
		}
	}
	if o.CrossSite {
		md.Set(operatorCrossSiteKey, "true")
	}
	return metadata.NewOutgoingContext(ctx, md)
}

// OperatorFrom returns the operator of an incoming call.
func OperatorFrom(ctx context.Context) Operator {
	md, _ := metadata.FromIncomingContext(ctx)
	return Operator{
		Session: only(md, operatorSessionKey), NewSession: only(md, operatorNewSessionKey), LoginToken: only(md, operatorLoginTokenKey), Address: only(md, operatorAddressKey), Browser: only(md, operatorBrowserKey),
		Origin: only(md, operatorOriginKey), CrossSite: len(md.Get(operatorCrossSiteKey)) > 0,
	}
}
