package social

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/hawser-dev/hawser/services/platform/openid"
)

// maxAnswer bounds a provider's response about a user, in bytes.
const maxAnswer = 64 << 10

// dialect describes how a provider of OAuth 2.0 differs from others.
type dialect struct {
	authorize, token, user string
	scopes                 []string
	style                  oauth2.AuthStyle
	// read parses the account from the provider's response about the user.
	read func(raw []byte) (Account, error)
}

var dialects = map[string]dialect{
	"github": {
		authorize: "https://github.com/login/oauth/authorize", token: "https://github.com/login/oauth/access_token", user: "https://api.github.com/user",
		scopes: []string{"read:user"}, style: oauth2.AuthStyleInParams,
		read: reading(func(u struct {
			ID    json.Number `json:"id"`
			Login string      `json:"login"`
		},
		) Account {
			return Account{u.ID.String(), u.Login}
		}),
	},
	"x": {
		authorize: "https://x.com/i/oauth2/authorize", token: "https://api.x.com/2/oauth2/token", user: "https://api.x.com/2/users/me",
		scopes: []string{"users.read", "tweet.read"}, style: oauth2.AuthStyleInHeader,
		read: reading(func(u struct {
			Data struct{ ID, Username string } `json:"data"`
		},
		) Account {
			return Account{u.Data.ID, u.Data.Username}
		}),
	},
	"discord": {
		authorize: "https://discord.com/oauth2/authorize", token: "https://discord.com/api/oauth2/token", user: "https://discord.com/api/users/@me",
		scopes: []string{"identify"}, style: oauth2.AuthStyleInHeader,
		read: reading(func(u struct{ ID, Username string }) Account { return Account{u.ID, u.Username} }),
	},
	"facebook": {
		authorize: "https://www.facebook.com/v23.0/dialog/oauth", token: "https://graph.facebook.com/v23.0/oauth/access_token",
		user:   "https://graph.facebook.com/v23.0/me?fields=id,name",
		scopes: []string{"public_profile"}, style: oauth2.AuthStyleInParams,
		read: reading(func(u struct{ ID, Name string }) Account { return Account{u.ID, u.Name} }),
	},
}

// reading returns a parser of JSON. The parser fails if there is no subject.
func reading[T any](account func(T) Account) func([]byte) (Account, error) {
	return func(raw []byte) (Account, error) {
		var body T
		if err := json.Unmarshal(raw, &body); err != nil {
			return Account{}, err
		}
		a := account(body)
		if a.Subject == "" {
			return Account{}, errors.New("the user has no id")
		}
		return a, nil
	}
}

// oauthProvider is a provider of OAuth 2.0 without OpenID Connect.
type oauthProvider struct {
	dialect
	config oauth2.Config
}

func newOAuth(d dialect, c Client) *oauthProvider {
	d.user = at(c.Address, "/user", d.user)
	return &oauthProvider{d, oauth2.Config{
		ClientID: c.ID, ClientSecret: c.Secret, Scopes: d.scopes,
		Endpoint: oauth2.Endpoint{AuthURL: at(c.Address, "/authorize", d.authorize), TokenURL: at(c.Address, "/token", d.token), AuthStyle: d.style},
	}}
}

// Address returns the address that the popup opens.
func (p *oauthProvider) Address(_ context.Context, redirect, state, _, verifier string) (string, error) {
	c := p.config
	c.RedirectURL = redirect
	return c.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)), nil
}

// Redeem returns the account of a callback. These providers do not add an issuer to the callback, so a callback with an
// issuer is from another provider.
func (p *oauthProvider) Redeem(ctx context.Context, redirect, _, verifier string, c Callback) (Account, error) {
	if c.Issuer != "" {
		return Account{}, ErrFailed
	}
	conf := p.config
	conf.RedirectURL = redirect
	token, err := conf.Exchange(ctx, c.Code, oauth2.VerifierOption(verifier))
	if err != nil {
		return Account{}, openid.Refusal("exchange the code", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.user, nil)
	if err != nil {
		return Account{}, err
	}
	token.SetAuthHeader(req)
	req.Header.Set("Accept", "application/json")
	res, err := openid.ClientIn(ctx).Do(req)
	if err != nil {
		return Account{}, openid.Refusal("fetch the user", err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil || res.StatusCode != http.StatusOK {
		return Account{}, fmt.Errorf("%w: fetch the user: status %d", ErrFailed, res.StatusCode)
	}
	a, err := p.read(raw)
	if err != nil {
		return Account{}, fmt.Errorf("%w: fetch the user: %w", ErrFailed, err)
	}
	return a, nil
}
