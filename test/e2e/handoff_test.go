package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"connectrpc.com/connect"

	handoffv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/handoff/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/handoff/v1/handoffv1connect"
)

// TestAHandoffIntroducesAPageToAWallet creates and claims a hand-off over REST and in every RPC protocol.
func TestAHandoffIntroducesAPageToAWallet(t *testing.T) {
	// The project of the tests lists no origin; pages of localhost may start a hand-off in development.
	const page = "http://localhost:5173"
	commitment, first, second := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32), bytes.Repeat([]byte{3}, 32)
	eachShape(t, func(t *testing.T, s *suite) {
		t.Run("rest", func(t *testing.T) {
			var created struct{ ID, Secret, ExpiresAt string }
			s.postJSON(t, "/v1/handoffs?projectId="+project, page, map[string]any{"commitment": commitment}, http.StatusOK, &created)
			keepPrivate("secret of a hand-off", created.Secret)
			var claimed struct {
				ProjectID, ProjectName, Origin string
				Commitment                     []byte
			}
			at := "/v1/handoffs/" + created.ID
			s.postJSON(t, at+"/claim", "", map[string]any{"publicKey": first}, http.StatusOK, &claimed)
			if claimed.ProjectID != project || claimed.ProjectName != "Test" || claimed.Origin != page || !bytes.Equal(claimed.Commitment, commitment) {
				t.Errorf("%+v", claimed)
			}
			s.postJSON(t, at+"/claim", "", map[string]any{"publicKey": second}, http.StatusConflict, nil)
			var state struct {
				PublicKey     []byte
				RefusedClaims uint32
			}
			s.postJSON(t, at+"?projectId="+project, page, map[string]any{"secret": created.Secret}, http.StatusOK, &state)
			if !bytes.Equal(state.PublicKey, first) || state.RefusedClaims != 1 {
				t.Errorf("%+v", state)
			}
		})
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) {
				site := handoffv1connect.NewHandoffServiceClient(http.DefaultClient, s.url, append(options, connect.WithInterceptors(headers{"Origin": page, "Hawser-Project-Id": project}))...)
				wallet := handoffv1connect.NewHandoffServiceClient(http.DefaultClient, s.url, options...)
				commitment := sha256.Sum256([]byte(dialect))
				created, err := site.CreateHandoff(t.Context(), &handoffv1.CreateHandoffRequest{Commitment: commitment[:]})
				if err != nil {
					t.Fatal(err)
				}
				keepPrivate("secret of a hand-off", created.GetSecret())
				claimed, err := wallet.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: created.GetId(), PublicKey: first})
				if err != nil || claimed.GetOrigin() != page || claimed.GetProjectName() != "Test" {
					t.Errorf("%v, %v", claimed, err)
				}
				if _, err := wallet.ClaimHandoff(t.Context(), &handoffv1.ClaimHandoffRequest{Id: created.GetId(), PublicKey: second}); connect.CodeOf(err) != connect.CodeAlreadyExists {
					t.Errorf("a second key: %v", err)
				}
				state, err := site.GetHandoff(t.Context(), &handoffv1.GetHandoffRequest{Id: created.GetId(), Secret: created.GetSecret()})
				if err != nil || !bytes.Equal(state.GetPublicKey(), first) || state.GetRefusedClaims() != 1 {
					t.Errorf("%v, %v", state, err)
				}
			})
		}
	})
}

// postJSON posts a body from a page of an origin, empty for none, and decodes the answer.
func (s *suite) postJSON(t *testing.T, path, origin string, body any, status int, into any) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		t.Fatalf("POST %s: %d, want %d, %v: %s", path, res.StatusCode, status, err, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
	}
}
