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

	"github.com/hawser-dev/hawser/services/evm"
	"github.com/hawser-dev/hawser/services/names/ens"
	"github.com/hawser-dev/hawser/services/names/ens/deploy"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// nodeTimeout and nodeAnswer bound one call to a node, the latter in bytes.
	nodeTimeout = 20 * time.Second
	nodeAnswer  = 1 << 20
	// minedTimeout is how long a transaction may take until the chain has it.
	minedTimeout = 10 * time.Minute
)

// resolverCommand is what the command line says about a resolver contract.
type resolverCommand struct {
	chain, keyFile, gateway, owner string
}

func (d *resolverCommand) flags(flags *flag.FlagSet) {
	flags.StringVar(&d.chain, "chain", "eip155:1", "chain of the name service, of which chains.nodes has a node")
	flags.StringVar(&d.keyFile, "key-file", "", "file with the private key of the account that pays, 64 hex digits")
	flags.StringVar(&d.gateway, "url", "", "where clients reach this gateway, as https://gateway.example.org")
	flags.StringVar(&d.owner, "owner", "", "account that may change the resolver's gateways and signers; the one that pays when left out")
}

// deploy puts a resolver on the chain, which takes the answers of this installation's signers, and says where it is.
func (d *resolverCommand) deploy(ctx context.Context, c Config, out io.Writer) error {
	nodes := c.Chains.Nodes[d.chain]
	if len(nodes) == 0 {
		return usagef("chains.nodes has no node of %s", d.chain)
	}
	chainID, err := d.chainID()
	if err != nil {
		return err
	}
	gateway, err := d.template()
	if err != nil {
		return err
	}
	payer, err := d.payer()
	if err != nil {
		return err
	}
	owner := payer.Address()
	if d.owner != "" {
		if owner, err = evm.ParseAddress(d.owner); err != nil {
			return usagef("-owner is %s", err)
		}
	}
	signers, err := ensSigners(ctx, c)
	if err != nil {
		return err
	}
	node, leave := connectNode(os.ExpandEnv(nodes[0]))
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, minedTimeout)
	defer cancel()
	made, err := deploy.Deploy(ctx, node, chainID, payer, deploy.Resolver{Owner: owner, URLs: []string{gateway}, Signers: signers})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "resolver     %s\nchain        %s\ntransaction  %s\nowner        %s\ngateway      %s\nsigner       %s\n\n"+
		"Make it the resolver of %s where that is registered, and its names resolve everywhere.\n",
		made.Contract, d.chain, evm.Hex(made.Transaction[:]), owner, gateway, signers[0], strings.Join(c.Names.Zones, ", "))
	return err
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
func connectNode(node string) (_ evm.Transport, leave func()) {
	client := upstream.New(nodeTimeout, nodeAnswer)
	return func(ctx context.Context, body []byte) ([]byte, error) {
		status, answer, err := client.PostJSON(ctx, node, body)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("the node answers %d", status)
		}
		return answer, err
	}, client.Close
}
