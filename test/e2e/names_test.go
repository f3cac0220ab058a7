package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/resolver/resolvertest"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/signature/signaturetest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// The coin types of Ethereum and of the local chain (ENSIP-11).
const ether, local = "60", "2147514985"

// TestTheLifeOfAName registers a name in every protocol, changes all of it, transfers it, and releases it.
func TestTheLifeOfAName(t *testing.T) {
	nameless := signaturetest.NewAccount(163)
	resolvertest.Start(t).Claim(t, nameless.Address(), "nowhere.resolved")
	eachShape(t, func(t *testing.T, s *suite) {
		t.Run("rest", func(t *testing.T) {
			live(t, "rest", 1, func(t *testing.T, c askCase) { s.askREST(t, c) })
		})
		n := 3
		for dialect, options := range dialects {
			t.Run(dialect, func(t *testing.T) {
				live(t, dialect, n, func(t *testing.T, c askCase) { s.askRPC(t, c, options) })
			})
			n += 2
		}
		t.Run("an identity says how long it may be kept", func(t *testing.T) { s.wantIdentityKept(t, nameless.Address()) })
	})
}

// live does so in one protocol. The owner is account n, and then account n+1.
func live(t *testing.T, protocol string, n int, ask func(*testing.T, askCase)) {
	alice, bob := signaturetest.NewAccount(n), signaturetest.NewAccount(n+1)
	name := "alice-" + protocol + ".hawser.id"
	account := "/v1/profile/account/" + name
	step := func(behaviour string, c askCase) {
		t.Helper()
		c.project = project
		t.Run(behaviour, func(t *testing.T) { ask(t, c) })
	}
	change := func(action, message string, by signaturetest.Account) (rest, body, ask string) {
		body = envelope(message, by.Sign(message), local, by)
		return "POST " + account + "/" + action + "?projectId=" + project, body, `{"name":"` + name + `",` + body[1:]
	}

	register := fmt.Sprintf(`{"name":%q,"attributes":{"bio":"Hello","avatar":"https://example.org/a.png"},"timestamp":%d}`, name, time.Now().Unix())
	registration := askCase{rest: "POST /v1/profile/account", rpc: "hawser.names.v1.NamesService/RegisterName"}
	refused := registration
	refused.status, refused.code, refused.reason = "401", "unauthenticated", "SIGNATURE_INVALID"
	for behaviour, signature := range map[string]string{"of another account": bob.Sign(register), "with s in the upper half": alice.SignHigh(register), "too long": "0x" + strings.Repeat("00", 33<<10)} {
		refused.body = envelope(register, signature, local, alice)
		refused.ask = refused.body
		refused.wantError = `{"field":"signature","description":"Signature validation error: Invalid signature"}`
		if behaviour == "of another account" {
			refused.wantError = `{"field":"signature","description":"Signature validation error: Signature verification error"}`
		}
		step("a signature "+behaviour+" registers nothing", refused)
	}

	registered := fmt.Sprintf(`{"name":%q,"registered_at":"~time","registered":"~seconds","updated_at":"~time","updated":"~seconds",`+
		`"attributes":{"bio":"Hello","avatar":"https://example.org/a.png"},"addresses":{"60":%[2]s,"2147514985":%[2]s}`, name, address(alice))
	granted := registration
	granted.body = envelope(register, alice.Sign(register), local, alice)
	granted.ask, granted.status, granted.code = granted.body, "200", "ok"
	granted.restWant = registered + `,"success":true}`
	granted.want = `{"name":` + granted.restWant + `}`
	step("its owner registers it, without a project", granted)

	taken := granted
	taken.want, taken.restWant, taken.status, taken.code, taken.reason = "", "", "400", "already_exists", "NAME_TAKEN"
	taken.wantError = `{"field":"name","description":"Name is already registered: ` + name + `"}`
	step("it is not registered again", taken)

	step("it is found", askCase{
		rest: "GET " + account + "?apiVersion=2&projectId=" + project, rpc: "hawser.names.v1.NamesService/GetName", ask: `{"name":"` + name + `"}`,
		status: "200", code: "ok", restWant: registered + "}", want: `{"name":` + registered + `}}`,
	})
	step("its owner is found by an address in lower case", askCase{
		rest: "GET /v1/profile/reverse/" + strings.ToLower(alice.Address().String()) + "?apiVersion=2&projectId=" + project,
		rpc:  "hawser.names.v1.NamesService/ListNames", ask: `{"address":"` + strings.ToLower(alice.Address().String()) + `"}`,
		status: "200", code: "ok", restWant: "[" + registered + "}]", want: `{"names":[` + registered + `}]}`,
	})
	identity := askCase{
		rest: "GET /v1/identity/" + alice.Address().String() + "?projectId=" + project, rpc: "hawser.names.v1.NamesService/GetIdentity",
		ask: `{"address":"` + alice.Address().String() + `"}`, status: "200", code: "ok",
		want: `{"name":"` + name + `","avatar":"https://example.org/a.png","resolvedAt":"~time","names":["` + name + `"],"picture":"` +
			picturePath(alice.Address(), "https://example.org/a.png") + `"}`,
	}
	step("its owner is shown by it", identity)

	resolved := askCase{
		rest: "GET /v1/resolve/" + name + "?coinType=2147483649&projectId=" + project, rpc: "hawser.names.v1.NamesService/ResolveName",
		ask: `{"name":"` + name + `","coin_type":2147483649}`, status: "200", code: "ok",
		want: fmt.Sprintf(`{"name":%q,"address":%q,"coinType":60,"source":"registry"}`, name, alice.Address()),
	}
	step("it resolves", resolved)

	attributes := fmt.Sprintf(`{"attributes":{"url":"https://example.org"},"timestamp":%d}`, time.Now().Unix())
	changed := askCase{rpc: "hawser.names.v1.NamesService/SetAttributes", status: "200", code: "ok", want: `{"attributes":{"url":"https://example.org"}}`, restWant: `{"url":"https://example.org"}`}
	changed.rest, changed.body, changed.ask = change("attributes", attributes, alice)
	step("its owner changes what it says", changed)

	again := changed
	again.want, again.restWant, again.status, again.code, again.reason = "", "", "401", "unauthenticated", "SIGNATURE_USED"
	again.wantError = `{"field":"signature","description":"Signature validation error: the signed message was used before"}`
	step("the same text counts once", again)

	foreign := again
	foreign.rest, foreign.body, foreign.ask = change("attributes", attributes, bob)
	foreign.reason, foreign.wantError = "OWNER_MISMATCH", `{"field":"address","description":"Name owner validation error"}`
	step("only its owner changes it", foreign)

	set := askCase{rpc: "hawser.names.v1.NamesService/SetAddress", status: "200", code: "ok", restWant: `{"60":` + address(bob) + `}`}
	set.want = `{"addresses":` + set.restWant + `}`
	set.rest, set.body, set.ask = change("address", fmt.Sprintf(`{"coin_type":2147483649,"address":%q,"timestamp":%d}`, bob.Address(), time.Now().Unix()), alice)
	step("its owner changes where it leads on Ethereum", set)
	resolved.want = fmt.Sprintf(`{"name":%q,"address":%q,"coinType":60,"source":"registry"}`, name, bob.Address())
	step("it resolves to that at once", resolved)

	given := askCase{rpc: "hawser.names.v1.NamesService/TransferName", status: "200", code: "ok"}
	given.rest, given.body, given.ask = change("transfer",
		fmt.Sprintf(`{"transfer":%q,"to":%q,"coin_type":60,"timestamp":%d}`, name, bob.Address(), time.Now().Unix()), alice)
	given.restWant = fmt.Sprintf(`{"name":%q,"registered_at":"~time","registered":"~seconds","updated_at":"~time","updated":"~seconds","attributes":{},"addresses":{"60":%s}}`, name, address(bob))
	given.want = `{"name":` + given.restWant + `}`
	step("its owner gives it away", given)

	identity.want = `{"name":null,"avatar":null,"resolvedAt":"~time","names":[]}`
	step("its former owner is not shown by it", identity)

	unaccepted := strings.TrimSuffix(given.restWant, "}") + `,"given":true}`
	step("its new owner finds it among all that is his", askCase{
		rest: "GET /v1/profile/reverse/" + bob.Address().String() + "?owned=true&apiVersion=2&projectId=" + project,
		rpc:  "hawser.names.v1.NamesService/ListNames", ask: `{"address":"` + bob.Address().String() + `","owned":true}`,
		status: "200", code: "ok", restWant: "[" + unaccepted + "]", want: `{"names":[` + unaccepted + `]}`,
	})

	released := askCase{rpc: "hawser.names.v1.NamesService/ReleaseName", status: "200", code: "ok", want: `{"success":true}`}
	release := fmt.Sprintf(`{"release":%q,"timestamp":%d}`, name, time.Now().Unix())
	released.rest, _, _ = change("release", release, bob)
	released.body = envelope(release, bob.Sign(release), ether, bob)
	released.ask = `{"name":"` + name + `",` + released.body[1:]
	step("its new owner gives it up", released)
	step("it is not registered then", askCase{
		rest: "GET " + account + "?projectId=" + project, rpc: "hawser.names.v1.NamesService/GetName", ask: `{"name":"` + name + `"}`,
		status: "404", code: "not_found", reason: "NAME_ABSENT", wantError: `{"field":"name","description":"Name is not found in the database: ` + name + `"}`,
	})
}

// TestAContractRegistersAName does so with a contract that is there (ERC-1271), and with one that is not deployed yet (ERC-6492).
func TestAContractRegistersAName(t *testing.T) {
	devnet := devnettest.Start(t)
	const other = "2147514986"
	wallet := evm.MustAddress("0x000000000000000000000000000000000000a11c")
	devnet.Chains[0].Call(t, "anvil_setCode", wallet.String(), signaturetest.WalletCode)
	eachShape(t, func(t *testing.T, s *suite) {
		message := fmt.Sprintf(`{"name":"vault.hawser.id","timestamp":%d}`, time.Now().Unix())
		step := func(coin string, account evm.Address, signature []byte, message string) askCase {
			quotedMessage, _ := json.Marshal(message)
			return askCase{
				rest: "POST /v1/profile/account", status: "200",
				body: fmt.Sprintf(`{"message":%s,"signature":%q,"coin_type":%s,"address":%q}`, quotedMessage, hexutil.Encode(signature), coin, account),
			}
		}
		leads := func(name string, to evm.Address) string {
			return fmt.Sprintf(`{"name":%q,"registered_at":"~time","registered":"~seconds","updated_at":"~time","updated":"~seconds","attributes":{},`+
				`"addresses":{"2147514985":{"address":%q,"created_at":"~time","created":"~seconds"}},"success":true}`, name, to)
		}

		foreign := step(other, wallet, signaturetest.WalletSignature(message), message)
		foreign.status, foreign.reason = "401", "SIGNATURE_INVALID"
		foreign.wantError = `{"field":"signature","description":"Signature validation error: Signature verification error"}`
		s.askREST(t, foreign)

		own := step(local, wallet, signaturetest.WalletSignature(message), message)
		own.want = leads("vault.hawser.id", wallet)
		s.askREST(t, own)

		later := strings.Replace(message, "vault", "later", 1)
		account, signature := signaturetest.Counterfactual(later)
		undeployed := step(local, account, signature, later)
		undeployed.want = leads("later.hawser.id", account)
		s.askREST(t, undeployed)
	})
}

// tryRegister reports whether a registration was acknowledged.
func (s *suite) tryRegister(name string, by signaturetest.Account) bool {
	message := fmt.Sprintf(`{"name":%q,"timestamp":%d}`, name, time.Now().Unix())
	res, err := http.Post(s.url+"/v1/profile/account?projectId="+project, "text/plain", strings.NewReader(envelope(message, by.Sign(message), ether, by)))
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (s *suite) wantIdentityKept(t *testing.T, of evm.Address) {
	res, _ := s.open(t, "/v1/identity/"+of.String()+"?projectId="+project)
	if kept := res.Header.Get("Cache-Control"); kept != "public, max-age=10, s-maxage=10" {
		t.Errorf("Cache-Control: %s", kept)
	}
}

// envelope is a signed text as it is sent.
func envelope(message, signature, coinType string, by signaturetest.Account) string {
	keepPrivate("signature", signature)
	quotedMessage, _ := json.Marshal(message)
	return fmt.Sprintf(`{"message":%s,"signature":%q,"coin_type":%s,"address":%q}`, quotedMessage, signature, coinType, by.Address())
}

// address is the JSON of an address that a name resolves to.
func address(a signaturetest.Account) string {
	return fmt.Sprintf(`{"address":%q,"created_at":"~time","created":"~seconds"}`, a.Address())
}
