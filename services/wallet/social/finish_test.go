package social_test

import (
	"context"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/wallet/secret"
	"github.com/hawser-dev/hawser/services/wallet/social"
)

// oneLogin is a store with one login.
type oneLogin struct {
	social.Store

	login social.Login
}

func (s *oneLogin) Redeem(context.Context, string, time.Time) (*social.Login, error) {
	return &s.login, nil
}

func (s *oneLogin) SetStage(ctx context.Context, _ string, stage social.Stage, a social.Account) error {
	if ctx.Err() == nil {
		s.login.Stage, s.login.Subject = stage, a.Subject
	}
	return ctx.Err()
}

// closing is a provider during whose answer the visitor closes the popup.
type closing struct {
	social.Provider

	closePopup context.CancelFunc
}

func (p closing) Redeem(ctx context.Context, _, _, _ string, _ social.Callback) (social.Account, error) {
	p.closePopup()
	return social.Account{Subject: "alice"}, ctx.Err()
}

func TestALoginIsNotLostIfThePopupIsClosedEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	kept := &oneLogin{login: social.Login{Provider: "google"}}
	providers := map[string]social.Provider{"google": closing{closePopup: cancel}}
	logins := social.New(kept, clocktest.StoppedAt(time.Now()), secret.Fixed(nil), "", providers, nil)
	if _, err := logins.Finish(ctx, "state", social.Callback{Code: "code"}); err != nil || kept.login.Stage != social.Proven || kept.login.Subject != "alice" {
		t.Errorf("the login is %+v, %v", kept.login, err)
	}
}
