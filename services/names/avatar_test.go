package names_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	nftsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/nfts/v1"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// fakePictures replaces the nfts service: it returns the address of every picture as its content, except for those it
// refuses.
type fakePictures struct {
	mu        sync.Mutex
	refuses   map[string]error
	requested []*nftsv1.ShowPictureRequest
}

func (a *fakePictures) ShowPicture(_ context.Context, r *nftsv1.ShowPictureRequest, _ ...grpc.CallOption) (*nftsv1.ShowPictureResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requested = append(a.requested, r)
	return &nftsv1.ShowPictureResponse{MediaType: "image/png", Data: []byte(r.GetUri())}, a.refuses[r.GetUri()]
}

func (s display) identity(t *testing.T, of signaturetest.Account) *namesv1.GetIdentityResponse {
	t.Helper()
	got, err := s.client.GetIdentity(t.Context(), &namesv1.GetIdentityRequest{Address: of.Address().String()})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (s display) picture(t *testing.T, of signaturetest.Account) (string, *fault.Error) {
	t.Helper()
	got, err := s.client.GetAvatar(t.Context(), &namesv1.GetAvatarRequest{Address: strings.ToLower(of.Address().String()), V: "whatever"})
	if err != nil {
		return "", fault.From(err)
	}
	return got.GetContentType() + " " + string(got.GetData()), nil
}

// registerWith registers a name with an avatar for an account.
func (s display) registerWith(t *testing.T, name string, by signaturetest.Account, avatar string) {
	t.Helper()
	message := fmt.Sprintf(`{"name":%q,"attributes":{"avatar":%q},"timestamp":%d}`, name, avatar, time.Now().Unix())
	_, err := s.client.RegisterName(t.Context(), &namesv1.RegisterNameRequest{
		Message: message, Signature: by.Sign(message), CoinType: 60, Address: by.Address().String(),
	})
	if err != nil {
		t.Fatal(err)
	}
}

const token = "eip155:1/erc721:0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85/1"

func TestAvatarURLsAreLoadableByBrowsers(t *testing.T) {
	ens := resolvertest.Start(t)
	s := showing(t)
	for n, tt := range []struct {
		avatar string
		// browsers load it unchanged
		loaded bool
	}{
		{"https://pictures.example/1.png", true},
		{"data:image/svg+xml;base64," + strings.Repeat("A", 1000), true},
		{"ipfs://bafybeigdyrzt/1.png", false},
		{token, false},
		{strings.Replace(token, "erc721", "erc1155", 1), false},
	} {
		account, name := signaturetest.NewAccount(201+n), fmt.Sprintf("n%d.picture", n)
		ens.Claim(t, account.Address(), name)
		ens.Lead(t, name, account.Address(), tt.avatar)
		got := s.identity(t, account)
		path := "/v1/identity/" + account.Address().String() + "/avatar?v="
		if !strings.HasPrefix(got.GetPicture(), path) || (got.GetAvatar() == tt.avatar) != tt.loaded || (got.GetAvatar() == got.GetPicture()) == tt.loaded {
			t.Errorf("%.60s: got %v", tt.avatar, got)
		}
		if shown, f := s.picture(t, account); shown != "image/png "+tt.avatar {
			t.Errorf("%.60s: got %q %v", tt.avatar, shown, f)
		}
		if r := s.requested[len(s.requested)-1]; r.GetOwner() != account.Address().String() {
			t.Errorf("%.60s: asked for %v, not as its account", tt.avatar, r)
		}
	}
}

func TestRegisteredNameHasAnAvatar(t *testing.T) {
	resolvertest.Start(t)
	s := showing(t)
	seen := map[string]bool{}
	for n, avatar := range []string{"http://pictures.example/1.png", "https://pictures.example/1.png", "ipfs://bafybeigdyrzt/1.png", token} {
		account := signaturetest.NewAccount(221 + n)
		s.registerWith(t, fmt.Sprintf("picture%d.hawser.id", n), account, avatar)
		got := s.identity(t, account)
		edition := got.GetPicture()[strings.LastIndex(got.GetPicture(), "=")+1:]
		if seen[edition] || len(edition) != 16 {
			t.Errorf("%s: its edition is %q", avatar, edition)
		}
		seen[edition] = true
		if shown, f := s.picture(t, account); shown != "image/png "+avatar {
			t.Errorf("%s: got %q %v", avatar, shown, f)
		}
	}
}

func TestAvatarErrorsHaveAReason(t *testing.T) {
	ens := resolvertest.Start(t)
	s := showing(t)
	s.refuses = map[string]error{
		"https://pictures.example/none": fault.New(codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE, "id", "There is no such picture"),
		token:                           fault.New(codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE, "chainId", "The chain is temporarily unavailable"),
	}
	for n, tt := range []struct {
		avatar string
		code   codes.Code
		reason faultv1.Reason
	}{
		{"", codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE},
		{"javascript:alert(1)", codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE},
		{"https://pictures.example/none", codes.NotFound, faultv1.Reason_REASON_MEDIA_UNAVAILABLE},
		{token, codes.Unavailable, faultv1.Reason_REASON_CHAIN_UNAVAILABLE},
	} {
		account, name := signaturetest.NewAccount(241+n), fmt.Sprintf("n%d.nopicture", n)
		ens.Claim(t, account.Address(), name)
		ens.Lead(t, name, account.Address(), tt.avatar)
		if _, f := s.picture(t, account); f == nil || f.Code != tt.code || f.Reason != tt.reason {
			t.Errorf("%q: got %v", tt.avatar, f)
		}
	}
	if _, f := s.picture(t, signaturetest.NewAccount(249)); f == nil || f.Code != codes.NotFound || f.Field != "address" {
		t.Errorf("an account without a name: got %v", f)
	}
	_, err := s.client.GetAvatar(t.Context(), &namesv1.GetAvatarRequest{Address: "0x12"})
	if f := fault.From(err); f.Reason != faultv1.Reason_REASON_ADDRESS_INVALID {
		t.Errorf("no address: got %v", f)
	}
}

func TestPrimaryNameInAZoneUsesTheRegistryRecord(t *testing.T) {
	ens := resolvertest.Start(t)
	s, account := showing(t), signaturetest.NewAccount(251)
	// The chain still has the previous record.
	ens.Lead(t, "mirror.picture", account.Address(), "https://pictures.example/old.png")
	ens.Claim(t, account.Address(), "mirror.picture")
	s.registerWith(t, "mirror.hawser.id", account, "https://pictures.example/new.png")
	if got := s.identity(t, account).GetAvatar(); got != "https://pictures.example/old.png" {
		t.Errorf("another name: got %s", got)
	}
	s.registerWith(t, "other.hawser.id", account, "https://pictures.example/other.png")
	ens.Lead(t, "other.hawser.id", account.Address(), "https://pictures.example/old.png")
	ens.Claim(t, account.Address(), "other.hawser.id")
	other := showing(t)
	other.registerWith(t, "first.hawser.id", account, "https://pictures.example/first.png")
	other.registerWith(t, "other.hawser.id", account, "https://pictures.example/new.png")
	if got := other.identity(t, account); got.GetName() != "other.hawser.id" || got.GetAvatar() != "https://pictures.example/new.png" {
		t.Errorf("got %v", got)
	}
}

// TestIdentityIsReadAgainAfterItsNameChanged simulates another replica: the event comes from whichever replica made the
// change.
func TestIdentityIsReadAgainAfterItsNameChanged(t *testing.T) {
	ens := resolvertest.Start(t)
	s := showing(t)
	for n, event := range []func(address string) proto.Message{
		func(address string) proto.Message {
			return &namesv1.NameRegistered{Name: "a.hawser.id", Address: address}
		},
		func(address string) proto.Message {
			return &namesv1.NameChanged{Name: "a.hawser.id", Addresses: []string{signaturetest.NewAccount(1).Address().String(), address}}
		},
	} {
		account, name := signaturetest.NewAccount(261+n), fmt.Sprintf("n%d.again", n)
		ens.Claim(t, account.Address(), name)
		ens.Lead(t, name, account.Address(), "https://pictures.example/1.png")
		s.wantIdentity(t, account, "https://pictures.example/1.png", name)
		ens.Lead(t, name, account.Address(), "https://pictures.example/2.png")
		s.wantIdentity(t, account, "https://pictures.example/1.png", name)
		if err := s.bus.Publish(t.Context(), event(account.Address().String())); err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(20 * time.Second)
		for s.identity(t, account).GetAvatar() != "https://pictures.example/2.png" {
			if time.Now().After(deadline) {
				t.Fatalf("%T: what was kept is still shown", event(""))
			}
			time.Sleep(time.Millisecond)
		}
	}
}
