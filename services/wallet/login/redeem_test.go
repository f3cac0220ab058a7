package login_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/wallet/call"
	"github.com/hawser-dev/hawser/services/wallet/login"
	"github.com/hawser-dev/hawser/services/wallet/secret"
	"github.com/hawser-dev/hawser/services/wallet/social"
)

// raced is a store in which the provider's callback proves a login after it was read.
type raced struct {
	social.Store

	login social.Login
}

func (r *raced) Find(context.Context, string) (*social.Login, error) {
	read := r.login
	r.login.Stage, r.login.Subject = social.Proven, "alice"
	return &read, nil
}

func (r *raced) Use(context.Context, string) error {
	if r.login.Stage != social.Proven {
		return social.ErrFailed
	}
	r.login.Stage = social.Used
	return nil
}

func TestALoginThatIsProvenWhileItIsReadKeepsItsAccount(t *testing.T) {
	now := time.Now()
	kept := &raced{login: social.Login{Requester: social.Requester{Project: "p", Device: "d"}, Provider: "google", Stage: social.Redeeming, Expires: now.Add(time.Minute)}}
	s := login.NewServer(login.Deps{Logins: social.New(kept, clocktest.StoppedAt(now), secret.Fixed(nil), "", nil, nil)}, nil)
	c := call.Call{Key: "d"}
	c.Project = "p"
	if identity, err := s.Redeem(t.Context(), c, "handle"); !errors.Is(err, social.ErrFailed) {
		t.Errorf("before it is proven: %+v, %v", identity, err)
	}
	if identity, err := s.Redeem(t.Context(), c, "handle"); err != nil || identity.Subject != "alice" {
		t.Errorf("after it is proven: %+v, %v", identity, err)
	}
}
