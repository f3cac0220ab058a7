// Package resolvertest registers names in the ENS of the local chain, for tests.
package resolvertest

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/ens/deploy"
	"github.com/hawser-dev/hawser/services/onchain/devnet"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// Service is the name service of a local chain.
type Service struct {
	devnettest.Chain
	devnet.NameService
}

// Start starts the local chains. Connections to them are closed when the test ends.
func Start(t *testing.T) Service {
	t.Helper()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	d := devnettest.Start(t)
	var described devnet.Description
	if err := json.Unmarshal(d.Raw, &described); err != nil {
		t.Fatal(err)
	}
	chain, _ := described.Chain("eip155:31337")
	if chain.ENS == nil {
		t.Fatal("the local chain describes no ENS")
	}
	return Service{d.Chain(t, "eip155:31337"), *chain.ENS}
}

// Claim sets the primary name of an account.
func (s Service) Claim(t *testing.T, account evm.Address, name string) {
	t.Helper()
	reverse := strings.ToLower(account.String()[2:]) + ".addr.reverse"
	s.resolve(t, reverse, map[string]ens.Record{"name(bytes32)": ens.StringRecord(name)})
}

// Lead sets the address and the avatar of a name.
func (s Service) Lead(t *testing.T, name string, account evm.Address, avatar string) {
	t.Helper()
	s.resolve(t, name, map[string]ens.Record{
		"addr(bytes32)": ens.AddressRecord(account), "text(bytes32,string)": ens.StringRecord(avatar),
	})
}

// resolve deploys a resolver for a name.
func (s Service) resolve(t *testing.T, name string, records map[string]ens.Record) {
	t.Helper()
	resolver := addressOf("resolver of " + name)
	s.Call(t, "anvil_setCode", resolver.String(), hexutil.Encode(program(t, records)))
	s.put(t, name, resolver)
}

// Delegate sets a resolver for a name and all its subdomains that redirects to gateways and accepts answers signed by
// signer. It returns the contract.
func (s Service) Delegate(t *testing.T, name string, signer ens.Key, gateways ...string) evm.Address {
	t.Helper()
	s.Call(t, "anvil_setBalance", signer.Address().String(), "0x56bc75e2d63100000")
	chainID := new(big.Int).SetUint64(s.ChainID)
	made, err := deploy.Deploy(t.Context(), s.Forward, chainID, signer, deploy.Resolver{URLs: gateways, Signers: []evm.Address{signer.Address()}})
	if err != nil {
		t.Fatal(err)
	}
	s.put(t, name, made.Contract)
	return made.Contract
}

// put sets the resolver of a name, as the owners of its parents.
func (s Service) put(t *testing.T, name string, resolver evm.Address) {
	t.Helper()
	labels := strings.Split(name, ".")
	for i := len(labels) - 1; i > 0; i-- {
		if s.owner(t, labels[i:]) == (evm.Address{}) {
			s.give(t, labels[i:], s.owner(t, labels[i+1:]), evm.Address{})
		}
	}
	s.give(t, labels, s.owner(t, labels[1:]), resolver)
}

// Own sets the owner of a name, as the owners of its parents.
func (s Service) Own(t *testing.T, name string, account evm.Address) {
	t.Helper()
	s.put(t, name, evm.Address{})
	s.give(t, strings.Split(name, "."), account, evm.Address{})
}

// give creates a subname.
func (s Service) give(t *testing.T, labels []string, to, resolver evm.Address) {
	t.Helper()
	owner, above, label := s.owner(t, labels[1:]), node(labels[1:]), hashOf(labels[0])
	data := calldata.Parse("setSubnodeRecord(bytes32,bytes32,address,address,uint64)").Write(above, label, to, resolver, 0)
	s.Call(t, "anvil_setBalance", owner.String(), "0x56bc75e2d63100000")
	s.Call(t, "anvil_impersonateAccount", owner.String())
	var hash string
	s.into(t, &hash, "eth_sendTransaction", map[string]string{"from": owner.String(), "to": s.Registry.String(), "data": hexutil.Encode(data)})
	s.Call(t, "evm_mine")
	var receipt struct{ Status string }
	s.into(t, &receipt, "eth_getTransactionReceipt", hash)
	if receipt.Status != "0x1" {
		t.Fatalf("%v was not put into the registry: %+v", labels, receipt)
	}
}

func (s Service) owner(t *testing.T, labels []string) evm.Address {
	t.Helper()
	hash := node(labels)
	var word string
	s.into(t, &word, "eth_call", map[string]string{"to": s.Registry.String(), "data": hexutil.Encode(append(evm.Selector("owner(bytes32)"), hash[:]...))}, "latest")
	return evm.MustAddress("0x" + word[len(word)-40:])
}

func (s Service) into(t *testing.T, into any, method string, params ...any) {
	t.Helper()
	if err := json.Unmarshal(s.Call(t, method, params...), into); err != nil {
		t.Fatal(err)
	}
}

// program returns the code of a contract that returns a record for each function, whatever its arguments, and reverts
// for other functions.
func program(t *testing.T, records map[string]ens.Record) []byte {
	t.Helper()
	source, answers := &strings.Builder{}, &strings.Builder{}
	fmt.Fprintln(source, "0x04 0x00 0x1c CALLDATACOPY")
	for function, record := range records {
		place := strings.ToLower(hex.EncodeToString(evm.Selector(function)))
		fmt.Fprintf(source, "0x00 MLOAD 0x%s EQ @%s JUMPI\n", place, place)
		fmt.Fprintf(answers, "%s:\n", place)
		for at := 0; at < len(record); at += 32 {
			fmt.Fprintf(answers, "0x%x 0x%04x MSTORE\n", []byte(record[at:at+32]), at)
		}
		fmt.Fprintf(answers, "0x%04x 0x00 RETURN\n", len(record))
	}
	code, err := evm.Assemble(source.String()+"0x00 0x00 REVERT\n"+answers.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func node(labels []string) (hash [32]byte) {
	for i := len(labels) - 1; i >= 0; i-- {
		label := hashOf(labels[i])
		hash = crypto.Keccak256Hash(append(hash[:], label[:]...))
	}
	return hash
}

func hashOf(text string) [32]byte { return crypto.Keccak256Hash([]byte(text)) }

func addressOf(text string) evm.Address {
	hash := hashOf(text)
	return evm.Address(hash[12:])
}
