package wallet_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"google.golang.org/protobuf/proto"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet/account"
)

// ofSessions is the path of a call of another service.
const ofSessions = "/hawser.sessions.v1.SmartSessionsService/ListSessions"

// owner makes another service request the owner of a call with a device proof for path.
func (v *visitor) owner(path string) (*walletv1.GetOwnerResponse, error) {
	body, err := proto.Marshal(&walletv1.RevokeAllSessionsRequest{})
	if err != nil {
		v.w.t.Fatal(err)
	}
	as := v.Call(path, body)
	return callAs[walletv1.GetOwnerResponse](v, as, walletv1.OwnerService_GetOwner_FullMethodName, &walletv1.GetOwnerRequest{Path: ofSessions})
}

func TestOtherServicesLearnWhoseADeviceProofIs(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	_, err := v.owner(ofSessions)
	refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	v.logIn(alice)
	_, err = v.owner(ofSessions)
	refused(t, err, faultv1.Reason_REASON_WALLET_ABSENT)
	created := must(v.createWallet())(t)
	if got := must(v.owner(ofSessions))(t).GetAddress(); got != created.GetAccounts()[0].GetAddress() {
		t.Errorf("the owner is %s", got)
	}
	_, err = v.owner(walletv1.WalletService_GetUser_FullMethodName)
	refused(t, err, faultv1.Reason_REASON_DEVICE_PROOF_INVALID)
}

func TestAnAddressIsProvenByItsKey(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	victim := evmKey(t)
	other := w.visitor()
	other.logIn(alice)
	ofOther := other.newWallet(victim).GetOwnerProof()
	v := w.visitor()
	v.logIn("mallory@example.org")
	for name, change := range map[string]func(*walletv1.CreateWalletRequest){
		"no proof":        func(r *walletv1.CreateWalletRequest) { r.OwnerProof = "" },
		"of another user": func(r *walletv1.CreateWalletRequest) { r.OwnerProof = ofOther },
		"of another installation": func(r *walletv1.CreateWalletRequest) {
			u := must(v.user())(t)
			r.OwnerProof = hexutil.Encode(victim.Sign(account.OwnerHash("https://wallet.example.net", u.GetId(), victim.Address())))
		},
		"of another key": func(r *walletv1.CreateWalletRequest) { r.OwnerProof = v.newWallet(evmKey(t)).GetOwnerProof() },
		"a second address": func(r *walletv1.CreateWalletRequest) {
			r.Accounts = append(r.Accounts, v.newWallet(evmKey(t)).GetAccounts()...)
		},
		"not an address":    func(r *walletv1.CreateWalletRequest) { r.Accounts[0].Address = "0x00" },
		"zero as signature": func(r *walletv1.CreateWalletRequest) { r.OwnerProof = "0x" + strings.Repeat("00", 65) },
	} {
		t.Run(name, func(t *testing.T) {
			r := v.newWallet(victim)
			change(r)
			_, err := call[walletv1.CreateWalletResponse](v, walletv1.WalletService_CreateWallet_FullMethodName, r)
			refused(t, err, faultv1.Reason_REASON_SIGNATURE_INVALID)
		})
	}
	_, err := v.owner(ofSessions)
	refused(t, err, faultv1.Reason_REASON_WALLET_ABSENT)
}

// The addresses of wallets from earlier releases are not proven.
func TestAnAddressWithoutAProofIsNoOwner(t *testing.T) {
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	v := w.visitor()
	v.logIn(alice)
	must(v.createWallet())(t)
	if err := w.db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE wallet_wallets SET accounts = '[{"namespace":"eip155","address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"}]'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	_, err := v.owner(ofSessions)
	refused(t, err, faultv1.Reason_REASON_SIGNATURE_INVALID)
}
