// Package etherscan lists the transactions of an account from an index with the account API of Etherscan, such as Etherscan's or Blockscout's. Only
// hashes are used: the content of the transactions is read from the chain's nodes.
package etherscan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hawser-dev/hawser/services/activity/node"
	"github.com/hawser-dev/hawser/services/onchain/evm"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

const (
	// callTimeout bounds one call, responseLimit its response in bytes.
	callTimeout   = 10 * time.Second
	responseLimit = 16 << 20
	// pageLimit is how many transactions one response holds. If a response has that many, the range may have more.
	pageLimit = 1_000
	// pace is the pause between two calls. Free keys allow five per second.
	pace = 250 * time.Millisecond
)

// errTooMany is returned for a range with more transactions than one response holds.
var errTooMany = errors.New("the range has more transactions than one response holds")

// Archive calls the indexes of several chains.
type Archive struct {
	urls map[string]string
	http http.Client

	mu   sync.Mutex
	next time.Time
}

// New returns an archive of the APIs at urls, by CAIP-2 chain id, such as
// `https://api.etherscan.io/v2/api?chainid=1&apikey=${KEY}`; ${NAME} is taken from the environment. The error does not
// contain the URL, which may contain a key.
func New(urls map[string]string) (*Archive, error) {
	a := &Archive{urls: map[string]string{}, http: http.Client{
		Transport: upstream.NewMeter("history", "").Transport(),
		// A redirect would send the key to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for chainID, raw := range urls {
		expanded, err := config.Expand(raw)
		if err != nil {
			return nil, fmt.Errorf("the archive of %s: %w", chainID, err)
		}
		u, err := url.Parse(expanded)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return nil, fmt.Errorf("the archive of %s is not an http or https URL", chainID)
		}
		a.urls[chainID] = expanded
	}
	return a, nil
}

// Covers reports whether there is an index of the chain.
func (a *Archive) Covers(chainID string) bool {
	_, ok := a.urls[chainID]
	return ok
}

// Transactions lists what the account sent or received from block from to block to, failures included.
func (a *Archive) Transactions(ctx context.Context, chainID string, account evm.Address, from, to uint64) ([]node.Hash, error) {
	u, err := url.Parse(a.urls[chainID])
	if err != nil {
		return nil, errors.New("not a URL")
	}
	q := u.Query()
	for key, value := range map[string]string{
		"module": "account", "action": "txlist", "address": strings.ToLower(account.String()), "sort": "desc", "page": "1",
		"startblock": strconv.FormatUint(from, 10), "endblock": strconv.FormatUint(to, 10), "offset": strconv.Itoa(pageLimit),
	} {
		q.Set(key, value)
	}
	u.RawQuery = q.Encode()
	response, err := a.get(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Host, err)
	}
	hashes, err := parse(response)
	// One block cannot be read in parts: those that one response holds are listed.
	if errors.Is(err, errTooMany) && from == to {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Host, err)
	}
	return hashes, nil
}

func (a *Archive) get(ctx context.Context, u *url.URL) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := a.wait(ctx); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, errors.New("not a URL")
	}
	res, err := a.http.Do(req)
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return nil, failure.Err
	}
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", res.StatusCode)
	}
	return io.ReadAll(io.LimitReader(res.Body, responseLimit))
}

// wait blocks until pace has passed since the call before.
func (a *Archive) wait(ctx context.Context) error {
	a.mu.Lock()
	now := time.Now()
	due := a.next
	if due.Before(now) {
		due = now
	}
	a.next = due.Add(pace)
	a.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(due.Sub(now)):
		return nil
	}
}

// parse reads a response, and returns errTooMany with the hashes of a full one. Status 0 is a failure or an empty list, depending on the type of the result.
func parse(response []byte) ([]node.Hash, error) {
	var envelope struct {
		Status  string          `json:"status"`
		Message string          `json:"message"`
		Result  json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(response, &envelope); err != nil {
		return nil, errors.New("the response is not JSON")
	}
	var list []struct {
		Hash node.Hash `json:"hash"`
	}
	if err := json.Unmarshal(envelope.Result, &list); err != nil || list == nil || envelope.Status != "1" && len(list) > 0 {
		return nil, fmt.Errorf("status %q: %.100s", envelope.Status, envelope.Message)
	}
	hashes := make([]node.Hash, len(list))
	for i, t := range list {
		hashes[i] = t.Hash
	}
	if len(list) >= pageLimit {
		return hashes, errTooMany
	}
	return hashes, nil
}
