package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/ens/deploy"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// nodeTimeout and nodeAnswer bound one call to a node, the latter in bytes.
	nodeTimeout = 20 * time.Second
	nodeAnswer  = 1 << 20
	// minedTimeout is how long a transaction may take until the chain has it.
	minedTimeout = 10 * time.Minute
)

// resolverCommand are the flags of the command.
type resolverCommand struct {
	chain, keyFile, gateway, owner, registry string
}

func (d *resolverCommand) flags(flags *flag.FlagSet) {
	flags.StringVar(&d.chain, "chain", "eip155:1", "chain of the name service, of which chains.nodes has a node")
	flags.StringVar(&d.keyFile, "key-file", "", "file with the private key of the account that pays, 64 hex digits")
	flags.StringVar(&d.gateway, "url", "", "where clients reach this gateway, as https://gateway.example.org")
	flags.StringVar(&d.owner, "owner", "", "account that may change the resolver's gateways and signers; the one that pays when left out")
	flags.StringVar(&d.registry, "registry", "", "registry of ENS in which it is made the resolver of names.zones, which the account that pays has to own there; "+
		"Ethereum's is 0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e; it is left to you when left out")
}

// deployResolver is `hawser names deploy-resolver`.
func deployResolver(ctx context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	var d resolverCommand
	d.flags(flags)
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	return d.deploy(ctx, c, out)
}

// deploy deploys a resolver that trusts the signers of this installation, and prints its address.
func (d *resolverCommand) deploy(ctx context.Context, c Config, out io.Writer) error {
	p, err := d.plan(ctx, c)
	if err != nil {
		return err
	}
	node, leave := connectNode(p.node)
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, minedTimeout)
	defer cancel()
	registry := deploy.Registry{Node: node, ChainID: p.chainID, Address: p.registry}
	for _, zone := range p.zones {
		if err := registry.MayAttach(ctx, p.payer.Address(), zone); err != nil {
			return err
		}
	}
	made, err := deploy.Deploy(ctx, node, p.chainID, p.payer, p.resolver)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(out, "resolver     %s\nchain        %s\ntransaction  %s\nowner        %s\ngateway      %s\nsigner       %s\n",
		made.Contract, d.chain, hexutil.Encode(made.Transaction[:]), p.resolver.Owner, p.resolver.URLs[0], p.resolver.Signers[0]); err != nil {
		return err
	}
	for _, zone := range p.zones {
		hash, err := registry.Attach(ctx, p.payer, zone, made.Contract)
		if err != nil {
			return fmt.Errorf("make %s the resolver of %s: %w", made.Contract, zone, err)
		}
		if _, err := fmt.Fprintf(out, "zone         %s\ntransaction  %s\n", zone, hexutil.Encode(hash[:])); err != nil {
			return err
		}
	}
	if len(p.zones) > 0 {
		_, err = fmt.Fprintf(out, "\nIt is the resolver of %s, whose names resolve everywhere.\n", strings.Join(p.zones, ", "))
		return err
	}
	_, err = fmt.Fprintf(out, "\nMake it the resolver of %s where that is registered, and its names resolve everywhere.\n", strings.Join(c.Names.Zones, ", "))
	return err
}

// resolverPlan is what to deploy, according to the command line and the configuration.
type resolverPlan struct {
	// node is a URL that may hold a key.
	node     string
	chainID  *big.Int
	payer    ens.Key
	resolver deploy.Resolver
	// zones are the zones whose resolver is set in the registry; empty if the operator does that.
	zones    []string
	registry evm.Address
}

func (d *resolverCommand) plan(ctx context.Context, c Config) (p resolverPlan, err error) {
	nodes := c.Chains.Nodes[d.chain]
	if len(nodes) == 0 {
		return p, usagef("chains.nodes has no node of %s", d.chain)
	}
	p.node = os.ExpandEnv(nodes[0])
	if p.chainID, err = d.chainID(); err != nil {
		return p, err
	}
	gateway, err := d.template()
	if err != nil {
		return p, err
	}
	p.resolver.URLs = []string{gateway}
	if p.payer, err = d.payer(); err != nil {
		return p, err
	}
	p.resolver.Owner = p.payer.Address()
	if d.owner != "" {
		if p.resolver.Owner, err = evm.ParseAddress(d.owner); err != nil {
			return p, usagef("-owner is %s", err)
		}
	}
	if d.registry != "" {
		p.zones = c.Names.Zones
		if p.registry, err = evm.ParseAddress(d.registry); err != nil {
			return p, usagef("-registry is %s", err)
		}
	}
	p.resolver.Signers, err = ensSigners(ctx, c)
	return p, err
}

// chainID is the number of an EVM chain.
func (d *resolverCommand) chainID() (*big.Int, error) {
	reference, isEVM := strings.CutPrefix(d.chain, "eip155:")
	n, ok := new(big.Int).SetString(reference, 10)
	if !isEVM || !ok {
		return nil, usagef("-chain wants an EVM chain, as eip155:1, not %q", d.chain)
	}
	return n, nil
}

// template is the URL template of the gateway (ERC-3668).
func (d *resolverCommand) template() (string, error) {
	u, err := url.Parse(d.gateway)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", usagef("-url wants where clients reach this gateway, as https://gateway.example.org")
	}
	return strings.TrimSuffix(d.gateway, "/") + "/v1/ens/{sender}/{data}.json", nil
}

func (d *resolverCommand) payer() (ens.Key, error) {
	if d.keyFile == "" {
		return ens.Key{}, usagef("-key-file wants a file with the private key of the account that pays")
	}
	raw, err := os.ReadFile(d.keyFile)
	if err != nil {
		return ens.Key{}, err
	}
	key, err := ens.ParseKey(strings.TrimSpace(string(raw)))
	if err != nil {
		return ens.Key{}, fmt.Errorf("%s: %w", d.keyFile, err)
	}
	return key, nil
}

// connectNode reaches one node by its URL, which errors do not show: there may be a key in it.
func connectNode(node string) (_ chainclient.Transport, leave func()) {
	client := upstream.New(nodeTimeout, nodeAnswer)
	return func(ctx context.Context, body []byte) ([]byte, error) {
		status, answer, err := client.PostJSON(ctx, node, body)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("the node answers %d", status)
		}
		return answer, err
	}, client.Close
}
