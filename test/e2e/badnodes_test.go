package e2e

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/chains/chainstest"
	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// startBehindBadNodes runs every service in one process, on a chain with seven bad nodes before its good one.
func startBehindBadNodes(t *testing.T) *suite {
	t.Helper()
	devnet := devnettest.Start(t).With(devnettest.StartSolana(t))
	good := devnet.Chain(t, devChain).RPCURL
	var other string
	for _, c := range devnet.Chains {
		if c.CAIP2 != devChain {
			other = c.RPCURL
		}
	}
	var nodes []string
	for _, fault := range []chainstest.Fault{chainstest.Hung, chainstest.Broken, chainstest.TooMany} {
		nodes = append(nodes, chainstest.Start(t, good, fault).URL)
	}
	// A healthy node of another chain.
	nodes = append(nodes, chainstest.Start(t, other, chainstest.None).URL)
	for _, fault := range []chainstest.Fault{chainstest.Lagging, chainstest.HTML, chainstest.SlowBody, chainstest.None} {
		nodes = append(nodes, chainstest.Start(t, good, fault).URL)
	}
	s := newSuite(t, raced, devnet)
	text := settings(s.dir, s.url, s.sellers, devnet)
	before, after := fmt.Sprintf("%q: [%q]", devChain, good), fmt.Sprintf("%q: [%q]", devChain, strings.Join(nodes, `","`))
	if !strings.Contains(text, before) {
		t.Fatal("the settings do not name the chain's node")
	}
	text = strings.Replace(text, before, strings.ReplaceAll(after, `\"`, `"`), 1)
	s.gateway = s.write(t, "hawser.yaml", text+listeners{gateway: s.address()}.section())
	s.config = s.gateway
	s.restart(t)
	s.wait(t)
	return s
}

// sealed is the reference of a picture, which only the suite that issued it can read.
var sealed = regexp.MustCompile(`/v1/nft-media/[^"?]*|"mediaId":"[^"]*"`)

// answerTo is the answer to a GET, without what differs between suites.
func (s *suite) answerTo(t *testing.T, path string) string {
	t.Helper()
	res, err := http.Get(s.url + path + "projectId=" + project)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("%s: status %d, %s, %v", path, res.StatusCode, body, err)
	}
	return sealed.ReplaceAllString(strings.ReplaceAll(string(body), s.url, ""), "picture")
}

// TestSevenBadNodesBeforeAGoodOneChangeNoAnswer reads balances, prices, names, identity, quotes and the JSON-RPC endpoint over REST. It compares a history,
// collectibles and approvals, which take longer, with those of a suite whose only node is the good one. Signed requests are left out: one good node is not enough to
// verify a contract's signature.
func TestSevenBadNodesBeforeAGoodOneChangeNoAnswer(t *testing.T) {
	skipInShort(t)
	t.Parallel()
	devnet := devnettest.Start(t)
	s := startBehindBadNodes(t)
	names := caseNames(t)
	names["gateway"] = s.url
	matrix := readMatrix{}
	for _, c := range readCases(t, names) {
		read := slices.Contains([]string{"balances", "convert", "jsonrpc", "nfts", "portfolio", "prices", "wallet"}, c.file)
		if !read && (c.file != "names" || !strings.HasPrefix(c.rest, "GET")) {
			continue
		}
		matrix.add(c.file, t.Run(c.file+"/"+c.name, func(t *testing.T) { s.askREST(t, c) }))
	}
	healthy := shared(t, allInOne)
	for _, what := range []string{"history?chainId=" + devChain + "&", "nfts?chainId=" + devChain + "&", "approvals?chainId=" + devChain + "&"} {
		kind := strings.Split(what, "?")[0]
		matrix.add(kind, t.Run(kind, func(t *testing.T) {
			path := "/v1/account/" + devnet.Accounts[0].Address + "/" + what
			deadline := time.Now().Add(startTimeout)
			for {
				want, got := healthy.answerTo(t, path), s.answerTo(t, path)
				if got == want && len(want) > len(`{"data":[],"next":null}`) {
					return
				}
				if time.Now().After(deadline) {
					t.Fatalf("got  %.600s\nwant %.600s", got, want)
				}
				time.Sleep(200 * time.Millisecond)
			}
		}))
	}
	t.Log(matrix)
}

// readMatrix counts the reads behind bad nodes by what they read: how many there were, and how many were answered as by a good node.
type readMatrix map[string]struct{ reads, right int }

func (m readMatrix) add(kind string, isRight bool) {
	row := m[kind]
	row.reads++
	if isRight {
		row.right++
	}
	m[kind] = row
}

func (m readMatrix) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-12s %6s %6s\n", "", "reads", "right")
	for _, kind := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%-12s %6d %6d\n", kind, m[kind].reads, m[kind].right)
	}
	return b.String()
}
