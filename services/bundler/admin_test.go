package bundler

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	bundlerv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/bundler/v1"
	"github.com/hawser-dev/hawser/services/bundler/sqlstore"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestTheOperatorSeesWhatTheBundlerHasAndWhatWaits(t *testing.T) {
	w := newWorld(t, open(t), func(c *Config) { c.Chains["eip155:1"] = Chain{URL: "https://bundler.example"} })
	admin := adminServer{server: w.server}
	p := w.newPerson()
	w.withhold.Store(true)
	sent := w.send(p.sign(p.estimated(p.delegate(p.operation(common.HexToAddress("0xdead"), 1)))))
	empty := w.executor.Load().Addresses()[0]
	w.chain.Call(t, "anvil_setBalance", empty, "0x1")

	got, err := admin.GetBundler(t.Context(), &bundlerv1.GetBundlerRequest{})
	if err != nil || len(got.GetChains()) != 2 || got.GetProjectLimitWei() != w.cfg.Paymaster.ProjectPerDay {
		t.Fatalf("%v, %v", got, err)
	}
	other, own := got.GetChains()[0], got.GetChains()[1]
	if other.GetChainId() != "eip155:1" || !other.GetForwarded() || !other.GetUnread() || len(other.GetFunds()) != 0 {
		t.Errorf("a chain whose nodes hang: %v", other)
	}
	if own.GetForwarded() || own.GetUnread() || len(own.GetFunds()) != 3 || own.GetLossLimitWei() != w.cfg.Limits.LossPerHour || own.GetLowBelowWei() == "" {
		t.Fatalf("%v", own)
	}
	for i, f := range own.GetFunds() {
		wantRole, wantLow := bundlerv1.FundsRole_FUNDS_ROLE_EXECUTOR, f.GetAccount() == empty.Hex()
		if i == 2 {
			wantRole = bundlerv1.FundsRole_FUNDS_ROLE_PAYMASTER
		}
		if f.GetRole() != wantRole || f.GetLow() != wantLow || wantLow && f.GetWei() != "1" {
			t.Errorf("account %d is %v", i, f)
		}
	}
	lost, ok := new(big.Int).SetString(own.GetLostWei(), 10)
	if !ok || lost.Sign() <= 0 || len(own.GetProjects()) != 1 {
		t.Fatalf("%v", own)
	}
	if row := own.GetProjects()[0]; row.GetProjectId() != project || row.GetLostWei() != own.GetLostWei() || row.GetSponsoredWei() != "0" {
		t.Errorf("%v", row)
	}

	list, err := admin.ListOperations(t.Context(), &bundlerv1.ListOperationsRequest{Waiting: true})
	if err != nil || len(list.GetOperations()) != 1 || list.GetNext() != "" {
		t.Fatalf("%v, %v", list, err)
	}
	o := list.GetOperations()[0]
	if o.GetHash() != sent.Hex() || o.GetSender() != p.key.Address().Hex() || o.GetProjectId() != project || o.GetChainId() != local || o.GetRemoval() ||
		o.GetState() != bundlerv1.OperationState_OPERATION_STATE_WAITING || o.GetTransactions() != 1 || common.HexToHash(o.GetTransaction()) == (common.Hash{}) ||
		!slices.Contains(w.executor.Load().Addresses(), common.HexToAddress(o.GetExecutor())) {
		t.Errorf("%v", o)
	}
	for _, cursor := range []string{"x", "1 2", "x eip155:1 0x00"} {
		if _, err := admin.ListOperations(t.Context(), &bundlerv1.ListOperationsRequest{Cursor: cursor}); err == nil {
			t.Errorf("the cursor %q is accepted", cursor)
		}
	}
}

func TestOperationsAreInPagesTheNewestFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		kept, err := sqlstore.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		admin := adminServer{server: &server{store: kept}}
		const count = 2*operationsPage + 7
		err = db.InTx(t.Context(), func(tx *store.Tx) error {
			for i := range count {
				// Three operations each arrive in the same millisecond, and every second one waits.
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO bundler_operations
					(chain_id, hash, project, entry_point, sender, nonce, body, state, block_number, received_at) VALUES ($1, $2, 'p', '0x1', $3, $4, '', $5, 0, $6)`,
					fmt.Sprintf("eip155:%d", i%2), hashOf(i), hashOf(i)[:42], fmt.Sprint(i), 1+i%2*3, i/3); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for waiting, want := range map[bool]int{false: count, true: (count + 1) / 2} {
			seen := map[string]bool{}
			last, cursor, pages := int64(count), "", 0
			for {
				page, err := admin.ListOperations(t.Context(), &bundlerv1.ListOperationsRequest{Waiting: waiting, Cursor: cursor})
				if err != nil || len(page.GetOperations()) > operationsPage {
					t.Fatalf("%d operations, %v", len(page.GetOperations()), err)
				}
				for _, o := range page.GetOperations() {
					if o.GetReceivedAt() > last || seen[o.GetHash()] || waiting && o.GetState() != bundlerv1.OperationState_OPERATION_STATE_WAITING {
						t.Errorf("after %d: %v", last, o)
					}
					last, seen[o.GetHash()] = o.GetReceivedAt(), true
				}
				pages++
				if cursor = page.GetNext(); cursor == "" {
					break
				}
			}
			if len(seen) != want || pages != (want+operationsPage-1)/operationsPage {
				t.Errorf("%d operations in %d pages, want %d", len(seen), pages, want)
			}
		}
	})
}

func hashOf(i int) string { return fmt.Sprintf("0x%064x", i+1) }

func TestTheProjectsThatWerePaidMostForAreShown(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		kept, err := sqlstore.New(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
		hour, day := now.Truncate(time.Hour).UnixMilli(), now.Truncate(24*time.Hour).UnixMilli()
		err = db.InTx(t.Context(), func(tx *store.Tx) error {
			for _, row := range []struct {
				kind, subject string
				starts        int64
				amount        string
			}{
				{"sponsored", "a", day, "9"}, {"sponsored", "b", day, "10"}, {"sponsored", "c", day, "2"}, {"sponsored", "0xaccount", day, "500"}, {"sponsored", "d", day, "0"},
				{"sponsored", "e", hour, "70"}, {"loss", "", hour, "12"}, {"loss", "c", hour, "7"}, {"loss", "a", hour, "5"}, {"loss", "b", day, "100"},
			} {
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO bundler_sums (chain_id, kind, subject, starts_at, amount) VALUES ($1, $2, $3, $4, $5)`,
					local, row.kind, row.subject, row.starts, row.amount); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := kept.MostPaid(t.Context(), local, now, 2)
		want := []sqlstore.ProjectSums{{Project: "b", Lost: "0", Sponsored: "10"}, {Project: "a", Lost: "5", Sponsored: "9"}, {Project: "c", Lost: "7", Sponsored: "2"}}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
		if lost, err := kept.Lost(t.Context(), local, now); err != nil || lost != "12" {
			t.Errorf("%s, %v", lost, err)
		}
		if lost, err := kept.Lost(t.Context(), local, now.Add(time.Hour)); err != nil || lost != "0" {
			t.Errorf("%s, %v", lost, err)
		}
	})
}
