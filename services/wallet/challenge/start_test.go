package challenge_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet/challenge"
	"github.com/hawser-dev/hawser/services/wallet/schema"
	"github.com/hawser-dev/hawser/services/wallet/secret"
)

// slow sends no mail before its caller leaves.
type slow struct {
	challenge.Mails

	leave context.CancelFunc
}

func (m slow) SendCode(ctx context.Context, _ *challenge.Challenge, _ string) error {
	m.leave()
	return ctx.Err()
}

func TestAMailWhoseCallerLeftDoesNotDelayTheNextAttempt(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	if err := schema.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		c := challenge.New(challenge.NewSQLStore(db), slow{leave: cancel}, clocktest.StoppedAt(time.Now()), challenge.Limits{}, secret.Fixed([]byte("pepper")))
		_, err := c.Start(ctx, challenge.Requester{Project: "p", Device: "d"}, challenge.Options{Purpose: challenge.Login, Email: "alice@example.org"})
		if _, waits := errors.AsType[*challenge.WaitError](err); err == nil || waits {
			t.Errorf("the caller left: %v", err)
		}
	}
}
