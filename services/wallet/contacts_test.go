package wallet_test

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func (v *visitor) contacts() (*walletv1.GetContactsResponse, error) {
	return call[walletv1.GetContactsResponse](v, walletv1.WalletService_GetContacts_FullMethodName, &walletv1.GetContactsRequest{})
}

func (v *visitor) setContacts(wallet string, version int64, blob []byte) (*walletv1.SetContactsResponse, error) {
	return call[walletv1.SetContactsResponse](v, walletv1.WalletService_SetContacts_FullMethodName,
		&walletv1.SetContactsRequest{WalletId: wallet, Version: version, Blob: blob})
}

func TestContactsAreThoseOfEveryDeviceOfAUser(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		_, err := v.contacts()
		refused(t, err, faultv1.Reason_REASON_WALLET_ABSENT)
		_, err = v.setContacts(newID(), 0, []byte("contacts"))
		refused(t, err, faultv1.Reason_REASON_WALLET_ABSENT)
		id := must(v.createWallet())(t).GetWalletId()
		if empty := must(v.contacts())(t); empty.GetVersion() != 0 || len(empty.GetBlob()) != 0 {
			t.Errorf("a new wallet has %v", empty)
		}
		blob := random(64 << 10)
		if got := must(v.setContacts(id, 0, blob))(t).GetVersion(); got != 1 {
			t.Errorf("the first version is %d", got)
		}
		second := w.visitor()
		second.logIn(alice)
		if got := must(second.contacts())(t); got.GetVersion() != 1 || !bytes.Equal(got.GetBlob(), blob) {
			t.Errorf("the other device has version %d, %d bytes", got.GetVersion(), len(got.GetBlob()))
		}

		mallory := w.visitor()
		mallory.logIn("mallory@example.org")
		must(mallory.createWallet())(t)
		if got := must(mallory.contacts())(t); got.GetVersion() != 0 || len(got.GetBlob()) != 0 {
			t.Errorf("another user has %v", got)
		}
		_, err = mallory.setContacts(id, 1, []byte("contacts"))
		refused(t, err, faultv1.Reason_REASON_WALLET_ABSENT)
		v.Caller.Device.AccessToken = ""
		_, err = v.contacts()
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
	})
}

func TestContactsOfAnotherVersionAreNotOverwritten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		id := must(v.createWallet())(t).GetWalletId()
		_, err := v.setContacts(id, 1, []byte("late"))
		refused(t, err, faultv1.Reason_REASON_CONTACTS_CHANGED)
		must(v.setContacts(id, 0, []byte("one")))(t)
		_, err = v.setContacts(id, 0, []byte("again"))
		refused(t, err, faultv1.Reason_REASON_CONTACTS_CHANGED)
		must(v.setContacts(id, 1, []byte("two")))(t)
		if got := must(v.contacts())(t); got.GetVersion() != 2 || string(got.GetBlob()) != "two" {
			t.Errorf("contacts %v", got)
		}
	})
}

func TestOneOfTheDevicesThatWriteAtOnceIsStored(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		var id string
		devices := make([]*visitor, 4)
		for i := range devices {
			devices[i] = w.visitor()
			devices[i].logIn(alice)
			if i == 0 {
				id = must(devices[i].createWallet())(t).GetWalletId()
			}
		}
		failed := make([]error, len(devices))
		var writing sync.WaitGroup
		for i, v := range devices {
			writing.Go(func() { _, failed[i] = v.setContacts(id, 0, []byte{byte(i + 1)}) })
		}
		writing.Wait()
		stored := slices.Index(failed, nil)
		for i, err := range failed {
			if i != stored {
				refused(t, err, faultv1.Reason_REASON_CONTACTS_CHANGED)
			}
		}
		if got := must(devices[0].contacts())(t); got.GetVersion() != 1 || !bytes.Equal(got.GetBlob(), []byte{byte(stored + 1)}) {
			t.Errorf("device %d stored contacts, which are %v", stored, got)
		}
	})
}
