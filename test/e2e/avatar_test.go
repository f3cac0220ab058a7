package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/genproto/googleapis/api/httpbody"

	namesv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1"
	"github.com/hawser-dev/hawser/proto/gen/go/hawser/names/v1/namesv1connect"
	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// picturePath is where an account's picture is at the gateway.
func picturePath(account evm.Address, avatar string) string {
	edition := sha256.Sum256([]byte(avatar))
	return "/v1/identity/" + account.String() + "/avatar?v=" + hex.EncodeToString(edition[:8])
}

// TestAnAccountLooksLikeTheNFTItOwns names the same NFT for two accounts, in every protocol: only one of them owns it.
func TestAnAccountLooksLikeTheNFTItOwns(t *testing.T) {
	devnet := devnettest.Start(t)
	chain := devnet.Chain(t, devChain)
	contract := chain.Contracts["ANCHOR"]
	avatar := devChain + "/erc721:" + contract + "/2"
	owner, other := signaturetest.NewAccount(301), signaturetest.NewAccount(302)
	giver := evm.MustAddress(devnet.Accounts[0].Address)
	giveAnchor(t, chain, contract, giver, owner.Address())
	defer giveAnchor(t, chain, contract, owner.Address(), giver)
	// The chain says that the owner has no ENS name.
	resolvertest.Start(t).Claim(t, owner.Address(), "nowhere.resolved")
	eachShape(t, func(t *testing.T, s *suite) {
		s.registerWith(t, "anchored.hawser.id", owner, avatar)
		s.registerWith(t, "pretender.hawser.id", other, avatar)

		path := picturePath(owner.Address(), avatar) + "&projectId=" + project
		s.wantAvatar(t, owner.Address(), s.url+path)
		picture := s.wantPicture(t, path)
		res, body := s.open(t, picturePath(other.Address(), avatar)+"&projectId="+project)
		if res.StatusCode != http.StatusNotFound || !bytes.Contains(body, []byte("MEDIA_UNAVAILABLE")) || res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("of another's NFT: status %d, kept %q: %s", res.StatusCode, res.Header.Get("Cache-Control"), body)
		}
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) {
				got, err := s.avatar(t, owner.Address(), options)
				if err != nil || got.GetContentType() != "image/png" || !bytes.Equal(got.GetData(), picture) {
					t.Errorf("got %v, %v", got, err)
				}
				if _, err := s.avatar(t, other.Address(), options); connect.CodeOf(err) != connect.CodeNotFound {
					t.Errorf("of another's NFT: got %v", err)
				}
			})
		}
	})
}

// giveAnchor moves anchor 2, whose picture is stored on the chain.
func giveAnchor(t *testing.T, chain devnettest.Chain, contract string, from, to evm.Address) {
	t.Helper()
	id := make([]byte, 32)
	id[31] = 2
	call := append(evm.Selector("transferFrom(address,address,uint256)"), evm.Word(from)...)
	call = append(append(call, evm.Word(to)...), id...)
	chain.Call(t, "anvil_setBalance", from.String(), "0x56bc75e2d63100000")
	chain.Call(t, "anvil_impersonateAccount", from.String())
	hash := chain.Call(t, "eth_sendTransaction", map[string]string{"from": from.String(), "to": contract, "data": hexutil.Encode(call)})
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if receipt := chain.Call(t, "eth_getTransactionReceipt", hash); strings.Contains(string(receipt), `"0x1"`) {
			return
		}
	}
	t.Fatalf("%s was not mined", hash)
}

func (s *suite) registerWith(t *testing.T, name string, by signaturetest.Account, avatar string) {
	t.Helper()
	message := fmt.Sprintf(`{"name":%q,"attributes":{"avatar":%q},"timestamp":%d}`, name, avatar, time.Now().Unix())
	s.post(t, "/v1/profile/account", envelope(message, by.Sign(message), ether, by))
}

// post sends a signed text, which must be accepted.
func (s *suite) post(t *testing.T, path, body string) {
	t.Helper()
	res, err := http.Post(s.url+path+"?projectId="+project, "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d", path, res.StatusCode)
	}
}

// wantAvatar is the URL that a page gets in place of one that browsers cannot load.
func (s *suite) wantAvatar(t *testing.T, of evm.Address, want string) {
	t.Helper()
	_, body := s.open(t, "/v1/identity/"+of.String()+"?projectId="+project)
	var identity struct{ Avatar string }
	if err := json.Unmarshal(body, &identity); err != nil || identity.Avatar != want {
		t.Errorf("got %s, want avatar %s", body, want)
	}
}

func (s *suite) wantPicture(t *testing.T, path string) []byte {
	t.Helper()
	res, picture := s.open(t, path)
	if res.StatusCode != http.StatusOK || !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Fatalf("status %d: %.80s", res.StatusCode, picture)
	}
	for header, want := range map[string]string{
		"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox", "Cache-Control": "max-age=300",
	} {
		if got := res.Header.Get(header); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %s in it", header, got, want)
		}
	}
	return picture
}

func (s *suite) avatar(t *testing.T, of evm.Address, options []connect.ClientOption) (*httpbody.HttpBody, error) {
	t.Helper()
	client := connect.NewClient[namesv1.GetAvatarRequest, httpbody.HttpBody](http2Client, s.url+namesv1connect.NamesServiceGetAvatarProcedure, options...)
	req := connect.NewRequest(&namesv1.GetAvatarRequest{Address: of.String()})
	req.Header().Set("Hawser-Project-Id", project)
	res, err := client.CallUnary(t.Context(), req)
	if err != nil {
		return nil, err
	}
	return res.Msg, nil
}
