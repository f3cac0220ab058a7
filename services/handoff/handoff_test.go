package handoff_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	handoffv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/handoff/v1"
	projectsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/projects/v1"
	"github.com/hawser-dev/hawser/services/handoff"
	"github.com/hawser-dev/hawser/services/handoff/handofftest"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

const (
	projectID = "00000000000000000000000000000001"
	page      = "https://shop.example"
)

func TestStores(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, err := handoff.NewSQLStore(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		handofftest.RunStore(t, s)
	})
}

// projects are the projects of a test, by id.
type projects map[string]*projectsv1.Project

func (p projects) Find(_ context.Context, id string) (*projectsv1.Project, error) { return p[id], nil }

// world is a service on a database.
type world struct {
	handoffv1.HandoffServiceServer

	clock   *clocktest.Stopped
	project *projectsv1.Project
	counted *counted
	created byte
}

// counted is a store that has more hand-offs than were stored.
type counted struct {
	*handoff.SQLStore

	ofProject, others int
}

func (c *counted) Count(ctx context.Context, project string, now time.Time) (ofProject, total int, err error) {
	ofProject, total, err = c.SQLStore.Count(ctx, project, now)
	return ofProject + c.ofProject, total + c.ofProject + c.others, err
}

func newWorld(t *testing.T, localPages bool) *world {
	t.Helper()
	kept, err := handoff.NewSQLStore(t.Context(), storetest.Open(t, storetest.SQLite(t)))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		clock:   clocktest.StoppedAt(time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)),
		project: &projectsv1.Project{Id: projectID, Name: "Shop", AllowedOrigins: []string{page, "https://*.shop.example"}, Enabled: true},
	}
	w.counted = &counted{SQLStore: kept}
	w.HandoffServiceServer = handoff.NewServer(handoff.NewIntroductions(w.counted, w.clock, rand.Reader, localPages), projects{projectID: w.project}, limit.NewLocal(w.clock, 100))
	return w
}

// from returns the context of a call by a page of an origin.
func from(t *testing.T, origin string) context.Context {
	return caller.NewIncomingContext(t.Context(), caller.Caller{Project: projectID, Origin: origin})
}

// key returns a public key, or a commitment, of 32 equal bytes.
func key(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func (w *world) create(t *testing.T) *handoffv1.CreateHandoffResponse {
	t.Helper()
	w.created++
	h, err := w.CreateHandoff(from(t, page), &handoffv1.CreateHandoffRequest{Commitment: key(w.created)})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// refused checks the fault of an error.
func refused(t *testing.T, err error, code codes.Code, reason faultv1.Reason, field string) {
	t.Helper()
	if f := fault.From(err); err == nil || f.Code != code || f.Reason != reason || f.Field != field {
		t.Errorf("%v: %s %s %q", err, f.Code, f.Reason, f.Field)
	}
}

func TestAWalletPageLearnsWhichSiteStartedTheHandoff(t *testing.T) {
	w := newWorld(t, false)
	h := w.create(t)
	got, err := w.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: h.GetId(), PublicKey: key(2)})
	if err != nil || got.GetProjectId() != projectID || got.GetProjectName() != "Shop" || got.GetOrigin() != page ||
		!bytes.Equal(got.GetCommitment(), key(1)) || got.GetExpiresAt() != "2026-05-06T07:12:09Z" || got.GetExpiresAt() != h.GetExpiresAt() {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTheIDOfAHandoffIsItsCommitment(t *testing.T) {
	w := newWorld(t, false)
	if h := w.create(t); h.GetId() != "AQEBAQEBAQEBAQEBAQEBAQ" {
		t.Errorf("id %s", h.GetId())
	}
	_, err := w.CreateHandoff(from(t, page), &handoffv1.CreateHandoffRequest{Commitment: key(1)})
	refused(t, err, codes.InvalidArgument, faultv1.Reason_REASON_PARAMETER_INVALID, "commitment")
}

func TestThePageLearnsTheKeyThatClaimedFirst(t *testing.T) {
	w := newWorld(t, false)
	h := w.create(t)
	ask := &handoffv1.GetHandoffRequest{Id: h.GetId(), Secret: h.GetSecret()}
	if got, err := w.GetHandoff(from(t, page), ask); err != nil || len(got.GetPublicKey()) != 0 || got.GetRefusedClaims() != 0 {
		t.Errorf("before: %v, %v", got, err)
	}
	if _, err := w.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: h.GetId(), PublicKey: key(2)}); err != nil {
		t.Fatal(err)
	}
	_, err := w.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: h.GetId(), PublicKey: key(3)})
	refused(t, err, codes.AlreadyExists, faultv1.Reason_REASON_HANDOFF_CLAIMED, "id")
	if got, err := w.GetHandoff(from(t, page), ask); err != nil || !bytes.Equal(got.GetPublicKey(), key(2)) || got.GetRefusedClaims() != 1 {
		t.Errorf("after: %v, %v", got, err)
	}
}

func TestOnlyThePageThatCreatedAHandoffReadsIt(t *testing.T) {
	w := newWorld(t, false)
	h, other := w.create(t), w.create(t)
	for _, secret := range []string{"", other.GetSecret(), h.GetId()} {
		_, err := w.GetHandoff(from(t, page), &handoffv1.GetHandoffRequest{Id: h.GetId(), Secret: secret})
		refused(t, err, codes.NotFound, faultv1.Reason_REASON_HANDOFF_UNKNOWN, "id")
	}
	if h.GetId() == other.GetId() || len(h.GetId()) != 22 || len(h.GetSecret()) != 43 {
		t.Errorf("%v and %v", h, other)
	}
}

func TestAHandoffExpiresAfterFourMinutes(t *testing.T) {
	w := newWorld(t, false)
	h := w.create(t)
	w.clock.Pass(4*time.Minute - time.Millisecond)
	if _, err := w.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: h.GetId(), PublicKey: key(2)}); err != nil {
		t.Errorf("before: %v", err)
	}
	w.clock.Pass(time.Millisecond)
	_, err := w.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: h.GetId(), PublicKey: key(2)})
	refused(t, err, codes.NotFound, faultv1.Reason_REASON_HANDOFF_UNKNOWN, "id")
	_, err = w.GetHandoff(from(t, page), &handoffv1.GetHandoffRequest{Id: h.GetId(), Secret: h.GetSecret()})
	refused(t, err, codes.NotFound, faultv1.Reason_REASON_HANDOFF_UNKNOWN, "id")
}

func TestAHandoffOfADisabledProjectCannotBeClaimed(t *testing.T) {
	w := newWorld(t, false)
	h := w.create(t)
	w.project.Enabled = false
	_, err := w.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: h.GetId(), PublicKey: key(2)})
	refused(t, err, codes.NotFound, faultv1.Reason_REASON_HANDOFF_UNKNOWN, "id")
}

func TestOnlyListedOriginsStartAHandoff(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		allowed    []string
		origin     string
		localPages bool
		want       bool
	}{
		"a listed origin":                          {[]string{page}, page, false, true},
		"an origin that matches a pattern":         {[]string{"https://*.shop.example"}, "https://app.shop.example", false, true},
		"another origin":                           {[]string{page}, "https://evil.example", false, false},
		"a project that allows every origin":       {nil, page, false, false},
		"a caller that is no page":                 {[]string{page}, "", false, false},
		"a page without an origin":                 {[]string{page}, "null", false, false},
		"localhost":                                {nil, "http://localhost:5173", false, false},
		"localhost in development":                 {nil, "http://localhost:5173", true, true},
		"another origin in development":            {nil, "https://evil.example", true, false},
		"localhost that is not listed":             {[]string{page}, "http://localhost:5173", false, false},
		"localhost that is listed":                 {[]string{"http://localhost:5173"}, "http://localhost:5173", false, true},
		"localhost not on the list in development": {[]string{page}, "http://localhost:5173", true, true},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := newWorld(t, tt.localPages)
			w.project.AllowedOrigins = tt.allowed
			_, err := w.CreateHandoff(from(t, tt.origin), &handoffv1.CreateHandoffRequest{Commitment: key(1)})
			if tt.want {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refused(t, err, codes.PermissionDenied, faultv1.Reason_REASON_ORIGIN_REFUSED, "origin")
		})
	}
}

func TestHandoffsAreBounded(t *testing.T) {
	for behaviour, tt := range map[string]struct {
		ofProject, others int
		want              string
	}{
		"by project": {9_999, 0, "The project has 10000 hand-offs at once, which is the limit of a project. Try again later"},
		"in total":   {1_000, 48_999, "There are 50000 hand-offs at once, which is the limit of all projects. Try again later"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			w := newWorld(t, false)
			w.counted.ofProject, w.counted.others = tt.ofProject, tt.others
			w.create(t)
			_, err := w.CreateHandoff(from(t, page), &handoffv1.CreateHandoffRequest{Commitment: key(2)})
			refused(t, err, codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "")
			if got := fault.From(err).Public; got != tt.want {
				t.Errorf("%q", got)
			}
			w.clock.Pass(4 * time.Minute)
			w.create(t)
		})
	}
}

func TestACallerStartsFewHandoffs(t *testing.T) {
	w := newWorld(t, false)
	for range 60 {
		w.create(t)
	}
	_, err := w.CreateHandoff(from(t, page), &handoffv1.CreateHandoffRequest{Commitment: key(61)})
	refused(t, err, codes.ResourceExhausted, faultv1.Reason_REASON_RATE_LIMITED, "")
	w.clock.Pass(time.Second)
	w.create(t)
}

func TestADatabaseHasNoSecretOfAHandoff(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	kept, err := handoff.NewSQLStore(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	introductions := handoff.NewIntroductions(kept, clocktest.StoppedAt(time.Now()), rand.Reader, false)
	h, secret, err := introductions.Create(t.Context(), projectID, page, []string{page}, key(1))
	if err != nil || h.SecretHash == secret || h.Commitment != hex.EncodeToString(key(1)) {
		t.Fatalf("%+v, %v", h, err)
	}
	if _, err := introductions.Find(t.Context(), h.ID, h.SecretHash); !errors.Is(err, handoff.ErrUnknown) {
		t.Errorf("the stored hash opens it: %v", err)
	}
}
