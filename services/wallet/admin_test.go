package wallet_test

import (
	"fmt"
	"strings"
	"testing"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	walletv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/wallet/v1"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func (w *world) admin() walletv1.UserAdminServiceClient {
	return walletv1.NewUserAdminServiceClient(&w.Local)
}

// Tables of an earlier release, also if a process of it goes on to write, have wallets whose addresses are not listed.
func TestUsersOfEarlierReleasesAreFoundByAddress(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		const wallets = 1_203
		if err := db.InTx(t.Context(), func(tx *store.Tx) error {
			for n := range wallets {
				id := fmt.Sprintf("%032x", n)
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO wallet_users (id, project, account, kit_at, created_at) VALUES ($1, $2, 1, 0, 7000)`, id, project); err != nil {
					return err
				}
				accounts := fmt.Sprintf(`[{"namespace":"eip155","address":"0x%039XA"},{"namespace":"solana","address":"So%dana"}]`, n, n)
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO wallet_wallets (id, user_id, version, blob, accounts, created_at) VALUES ($1, $1, 1, '', $2, $3)`, id, accounts, n); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for address, want := range map[string]string{
			fmt.Sprintf("0x%039xa", 7): fmt.Sprintf("%032x", 7), fmt.Sprintf("0x%039XA", wallets-1): fmt.Sprintf("%032x", wallets-1), "So600ana": fmt.Sprintf("%032x", 600), "so600ana": "",
		} {
			found := must(w.admin().FindUsers(t.Context(), &walletv1.FindUsersRequest{By: &walletv1.FindUsersRequest_Address{Address: address}}))(t).GetUsers()
			got := ""
			if len(found) == 1 {
				got = found[0].GetId()
			}
			if got != want || len(found) > 1 {
				t.Errorf("%s: %v, want %q", address, found, want)
			}
		}
	})
}

func TestAUserIsFoundByEmailAddressAndID(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		created := must(v.createWallet())(t)
		id := must(v.user())(t).GetId()
		w.visitor().logIn("bob@example.org")
		address := created.GetAccounts()[0].GetAddress()
		find := func(r *walletv1.FindUsersRequest) (ids []string) {
			t.Helper()
			found := must(w.admin().FindUsers(t.Context(), r))(t)
			for _, u := range found.GetUsers() {
				ids = append(ids, u.GetId())
				if u.GetId() == id && (u.GetEmail() != alice || u.GetProjectId() != project || u.GetCreatedAt() != w.clock.Now().Unix()) {
					t.Errorf("%v", u)
				}
			}
			return ids
		}
		for what, r := range map[string]*walletv1.FindUsersRequest{
			"email in other letters": {By: &walletv1.FindUsersRequest_Email{Email: " ALICE@Example.org "}},
			"address":                {By: &walletv1.FindUsersRequest_Address{Address: address}},
			"address in lower case":  {By: &walletv1.FindUsersRequest_Address{Address: strings.ToLower(address)}},
			"id":                     {By: &walletv1.FindUsersRequest_Id{Id: id}},
		} {
			if got := find(r); len(got) != 1 || got[0] != id {
				t.Errorf("by %s: %v", what, got)
			}
		}
		for what, r := range map[string]*walletv1.FindUsersRequest{
			"a part of an email":   {By: &walletv1.FindUsersRequest_Email{Email: "lice@example.org"}},
			"a part of an address": {By: &walletv1.FindUsersRequest_Address{Address: address[:30]}},
			"a pattern":            {By: &walletv1.FindUsersRequest_Address{Address: "0x" + strings.Repeat("_", 40)}},
			"every address":        {By: &walletv1.FindUsersRequest_Address{Address: strings.Repeat("%", 20)}},
			"a namespace":          {By: &walletv1.FindUsersRequest_Address{Address: "eip155"}},
			"an unknown id":        {By: &walletv1.FindUsersRequest_Id{Id: strings.Repeat("0", 32)}},
		} {
			if got := find(r); len(got) != 0 {
				t.Errorf("by %s: %v", what, got)
			}
		}
		_, err := w.admin().FindUsers(t.Context(), &walletv1.FindUsersRequest{By: &walletv1.FindUsersRequest_Email{Email: "no email"}})
		refused(t, err, faultv1.Reason_REASON_EMAIL_INVALID)
	})
}

func TestAUserIsDescribedWithoutSecrets(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		must(v.createWallet())(t)
		id := must(v.user())(t).GetId()
		got := must(w.admin().DescribeUser(t.Context(), &walletv1.DescribeUserRequest{Id: id}))(t)
		if got.GetUser().GetEmail() != alice || len(got.GetIdentities()) != 1 || got.GetWalletId() == "" || len(got.GetAccounts()) == 0 || len(got.GetFactors()) != 1 || len(got.GetSessions()) != 1 || got.GetHasBackupFactor() {
			t.Errorf("%v", got)
		}
		for _, f := range got.GetFactors() {
			if len(f.GetRecord()) > 0 || len(f.GetParameters()) > 0 {
				t.Errorf("a factor has what it stores: %v", f)
			}
		}
		_, err := w.admin().DescribeUser(t.Context(), &walletv1.DescribeUserRequest{Id: strings.Repeat("0", 32)})
		refused(t, err, faultv1.Reason_REASON_USER_UNKNOWN)
	})
}

func TestAnOperatorSignsAUserOut(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		other := w.visitor()
		other.logIn("bob@example.org")
		id, mails := must(v.user())(t).GetId(), len(w.inbox.Mails(alice))
		if got := must(w.admin().SignOutUser(t.Context(), &walletv1.SignOutUserRequest{Id: id}))(t); got.GetEnded() != 1 {
			t.Errorf("%v", got)
		}
		_, err := v.user()
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
		must(other.user())(t)
		if told := len(w.inbox.Mails(alice)) - mails; told != 1 {
			t.Errorf("the user got %d mails", told)
		}
		_, err = w.admin().SignOutUser(t.Context(), &walletv1.SignOutUserRequest{Id: strings.Repeat("0", 32)})
		refused(t, err, faultv1.Reason_REASON_USER_UNKNOWN)
	})
}

func TestAnOperatorDeletesTheUserThatWasSeen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		w := newWorld(t, db)
		v := w.visitor()
		v.logIn(alice)
		must(v.createWallet())(t)
		id := must(v.user())(t).GetId()
		_, err := w.admin().RemoveUser(t.Context(), &walletv1.RemoveUserRequest{Id: id, CreatedAt: 1})
		refused(t, err, faultv1.Reason_REASON_USER_CHANGED)
		must(v.user())(t)
		must(w.admin().RemoveUser(t.Context(), &walletv1.RemoveUserRequest{Id: id, CreatedAt: w.clock.Now().Unix()}))(t)
		_, err = v.user()
		refused(t, err, faultv1.Reason_REASON_SESSION_ABSENT)
		_, err = w.admin().DescribeUser(t.Context(), &walletv1.DescribeUserRequest{Id: id})
		refused(t, err, faultv1.Reason_REASON_USER_UNKNOWN)
		if found := must(w.admin().FindUsers(t.Context(), &walletv1.FindUsersRequest{By: &walletv1.FindUsersRequest_Email{Email: alice}}))(t); len(found.GetUsers()) != 0 {
			t.Errorf("%v", found)
		}
	})
}
