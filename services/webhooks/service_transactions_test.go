package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"google.golang.org/grpc/codes"

	chainsv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/chains/v1"
	webhooksv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/webhooks/v1"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/caller"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
	"github.com/hawser-dev/hawser/services/platform/fault"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
)

const localChain = "eip155:31337"

// localChains has the first local chain, whose blocks are final at once.
type localChains struct{ chain devnettest.Chain }

func (c localChains) Network(_ context.Context, id string) (chainclient.Network, bool, error) {
	return chainclient.Network{ChainID: id}, id == localChain, nil
}

func (c localChains) Transport(string) chainclient.Transport { return c.chain.Forward }

// newTransactionSuite returns the service with a local chain.
func newTransactionSuite(t *testing.T, db *store.DB) (*suite, devnettest.Chain) {
	t.Helper()
	chain := devnettest.Start(t).Chain(t, localChain)
	s := newSuite(t, db)
	s.stop()
	s.chains = localChains{chain}
	s.start()
	return s, chain
}

// follow has a transaction followed by a page of a project.
func (s *suite) follow(project, chainID, hash, reference string) error {
	ctx := caller.NewOutgoingContext(s.t.Context(), caller.Caller{Project: project, Address: "192.0.2.1"})
	_, err := s.FollowTransaction(ctx, &webhooksv1.FollowTransactionRequest{ChainId: chainID, Hash: hash, Reference: reference})
	return err
}

// followed returns how many transactions are followed.
func (s *suite) followed() (n int) {
	s.t.Helper()
	if err := s.db.Reader().QueryRowContext(s.t.Context(), `SELECT count(*) FROM webhooks_transactions`).Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// mined is what a test compares of a receipt.
type mined struct{ TransactionHash, BlockHash, ContractAddress string }

func send(t *testing.T, chain devnettest.Chain, transaction map[string]any) (m mined) {
	t.Helper()
	if err := json.Unmarshal(chain.Send(t, transaction), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

var changing = regexp.MustCompile(`"timestamp":"[^"]*"|"blockTime":"[^"]*"|"blockNumber":\d+|"confirmations":\d+`)

func TestWhatASiteGetsOfATransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s, chain := newTransactionSuite(t, db)
		shop, accounts := newSite(t), devnettest.Start(t).Accounts
		_, secret := s.create(project, shop.url, deliveries.TransactionConfirmed, deliveries.TransactionFailed)
		shop.trust(secret)
		from, to := accounts[3].Address, accounts[4].Address
		paid := send(t, chain, map[string]any{"from": from, "to": to, "value": "0xde0b6b3a7640000"})
		failed := send(t, chain, map[string]any{"from": from, "to": chain.Tokens[0].Address, "data": "0xdeadbeef", "gas": "0x30d40"})
		created := send(t, chain, map[string]any{"from": from, "data": "0x00", "gas": "0x30d40"})
		for _, one := range []struct{ hash, reference string }{
			{paid.TransactionHash, "order 1"}, {strings.ToUpper(paid.TransactionHash[2:]), "order 1"}, {failed.TransactionHash, ""}, {created.TransactionHash, ""},
		} {
			if err := s.follow(project, localChain, "0x"+strings.TrimPrefix(one.hash, "0x"), one.reference); err != nil {
				t.Fatal(err)
			}
		}
		got := shop.received(3)
		for i := range got {
			got[i] = changing.ReplaceAllString(got[i], "…")
		}
		body := func(status string, m mined, parties, reference string) string {
			return fmt.Sprintf(`{"type":"transaction.%s",…,"data":{"projectId":%q,"transaction":{"chainId":%q,"hash":%q,"status":%q,"from":%q,%s,…,"blockHash":%q,…,…%s}}}`,
				status, project, localChain, m.TransactionHash, status, from, parties, m.BlockHash, reference)
		}
		for _, want := range []string{
			body("confirmed", paid, fmt.Sprintf(`"to":%q,"value":"1000000000000000000"`, to), `,"reference":"order 1"`),
			body("failed", failed, fmt.Sprintf(`"to":%q,"value":"0"`, chain.Tokens[0].Address), ""),
			strings.Replace(body("confirmed", created, `"contract":"?","value":"0"`, ""), `"?"`, `"`+common.HexToAddress(created.ContractAddress).String()+`"`, 1),
		} {
			if !strings.Contains(strings.Join(got, "\n"), want) {
				t.Errorf("got\n%s\nwithout\n%s", strings.Join(got, "\n"), want)
			}
		}
		// The same one again has the same id, which the endpoint has already.
		if err := s.follow(project, localChain, paid.TransactionHash, "order 1"); err != nil {
			t.Fatal(err)
		}
		s.publish(&chainsv1.Head{ChainId: localChain})
		for s.followed() > 0 {
			s.publish(&chainsv1.Head{ChainId: localChain})
		}
		list, err := s.ListDeliveries(t.Context(), &webhooksv1.ListDeliveriesRequest{ProjectId: project})
		if err != nil || len(list.GetDeliveries()) != 3 {
			t.Errorf("%v %v", list, err)
		}
	})
}

// Nothing is stored for a site that did not ask for transactions, whoever has its project id.
func TestNothingIsFollowedForASiteWithoutAnEndpointForIt(t *testing.T) {
	s, _ := newTransactionSuite(t, storetest.Open(t, storetest.SQLite(t)))
	s.create(project, newSite(t).url)
	if err := s.follow(project, localChain, "0x"+strings.Repeat("ab", 32), ""); err != nil || s.followed() != 0 {
		t.Errorf("%d followed, %v", s.followed(), err)
	}
}

func TestTransactionsThatAreNotFollowed(t *testing.T) {
	s, _ := newTransactionSuite(t, storetest.Open(t, storetest.SQLite(t)))
	s.create(project, newSite(t).url, deliveries.TransactionConfirmed)
	hash := "0x" + strings.Repeat("ab", 32)
	for _, chain := range []string{"eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"} {
		if f := fault.From(s.follow(project, chain, hash, "")); f == nil || f.Code != codes.InvalidArgument || f.Field != "chainId" {
			t.Errorf("%s: %v", chain, f)
		}
	}
	for i := range DefaultConfig().FollowsPerHour {
		if err := s.follow(project, "eip155:31337", fmt.Sprintf("0x%064x", i), ""); err != nil {
			t.Fatalf("transaction %d: %v", i, err)
		}
	}
	if f := fault.From(s.follow(project, localChain, hash, "")); f == nil || f.Code != codes.ResourceExhausted {
		t.Errorf("one more in an hour: %v", f)
	}
}
