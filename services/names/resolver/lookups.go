package resolver

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/hawser-dev/hawser/services/onchain/evm/calldata"
	"github.com/hawser-dev/hawser/services/platform/fetch"
)

const (
	// maxLookups bounds the off-chain lookups of one resolution, and maxURLs the servers that are tried for one lookup.
	maxLookups, maxURLs = 4, 4
	// maxAddress bounds the URL of a lookup, in bytes, with its parameters.
	maxAddress = 8 << 10
	// maxResponse bounds the response of a server, in bytes: some contain proofs of another chain's state.
	maxResponse = 256 << 10
	// senderPlace and dataPlace are the placeholders of a URL template for the contract and its call data.
	senderPlace, dataPlace = "{sender}", "{data}"
	// localGateway is the URL of lookups that the client makes itself (ENSIP-21).
	localGateway = "x-batch-gateway:true"
)

// Gateways sends requests to untrusted servers; [fetch.Client] implements it.
type Gateways interface {
	Get(ctx context.Context, address string, want fetch.Want) ([]byte, error)
	PostJSON(ctx context.Context, address string, document []byte, want fetch.Want) ([]byte, error)
}

// lookups makes the off-chain lookups of one resolution.
type lookups struct {
	gateways Gateways
	// left is how many more lookups are allowed, and batches how many more batches: batches can be nested.
	left, batches int
	// failed is the error of a lookup whose failure was reported to the contract; nil if none failed.
	failed error
}

// request makes one lookup and returns the response for the contract. It fails with [ErrGateway].
func (l *lookups) request(ctx context.Context, q lookup) ([]byte, error) {
	if slices.Contains(q.urls, localGateway) {
		return l.requestEach(ctx, q.data)
	}
	if l.left == 0 {
		return nil, fmt.Errorf("%w: the resolver wants too many", ErrGateway)
	}
	l.left--
	failed := fmt.Errorf("%w: the resolver names none", ErrGateway)
	for _, url := range q.urls {
		response, err := l.fetch(ctx, url, q)
		if err == nil {
			return response, nil
		}
		failed = fmt.Errorf("%w: %w", ErrGateway, err)
		if refuses(err) {
			break
		}
	}
	return nil, failed
}

// batchResults are the results of a batch gateway (ENSIP-21).
var batchResults = calldata.Types("(bool[],bytes[])")

// requestEach makes several lookups, each of which may fail, and returns (bool[] failures, bytes[] responses) for the contract.
func (l *lookups) requestEach(ctx context.Context, call []byte) ([]byte, error) {
	all, ok := readQuery(call, maxLookups)
	if !ok || l.batches == 0 {
		return nil, fmt.Errorf("%w: the resolver wants too many, or none that can be read", ErrGateway)
	}
	l.batches--
	failures, responses := make([]bool, len(all)), make([][]byte, len(all))
	for i, q := range all {
		response, err := l.request(ctx, q)
		if err != nil {
			response = failure(err)
		}
		if err != nil && !isAbsent(err) {
			l.failed = err
		}
		failures[i], responses[i] = err != nil, response
	}
	return batchResults.Write(failures, responses), nil
}

// fetch sends one request: GET or POST, as the URL template requires.
func (l *lookups) fetch(ctx context.Context, template string, q lookup) ([]byte, error) {
	sender, data := strings.ToLower(q.sender.String()), hexutil.Encode(q.data)
	address := strings.ReplaceAll(template, senderPlace, sender)
	want := fetch.Want{MaxBytes: maxResponse, MediaTypes: []string{"application/json", "text/plain"}}
	if places := strings.Count(address, dataPlace); places > 0 {
		if len(address)+places*len(data) > maxAddress {
			return nil, errAddress
		}
		answer, err := l.gateways.Get(ctx, strings.ReplaceAll(address, dataPlace, data), want)
		return readAnswer(answer, err)
	}
	document, err := json.Marshal(map[string]string{"sender": sender, "data": data})
	if err != nil {
		return nil, err
	}
	answer, err := l.gateways.PostJSON(ctx, address, document, want)
	return readAnswer(answer, err)
}

var (
	errAddress = errors.New("its address is too long")
	errAnswer  = errors.New("its answer holds no data")
)

// readAnswer parses `{"data": "0x…"}`.
func readAnswer(body []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	var answer struct {
		Data string `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, errAnswer
	}
	digits, ok := strings.CutPrefix(answer.Data, "0x")
	response, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, errAnswer
	}
	return response, nil
}

// refuses reports whether a server refused the request with a 4xx status, after which other servers are not tried (ERC-3668).
func refuses(err error) bool {
	status, ok := errors.AsType[*fetch.StatusError](err)
	return ok && status.Status >= http.StatusBadRequest && status.Status < http.StatusInternalServerError
}

// isAbsent reports whether a server answered that the record does not exist.
func isAbsent(err error) bool {
	status, ok := errors.AsType[*fetch.StatusError](err)
	return ok && status.Status == http.StatusNotFound
}

// failure encodes a failed lookup for the contract (ENSIP-21).
func failure(err error) []byte {
	if status, ok := errors.AsType[*fetch.StatusError](err); ok {
		return calldata.Parse("HttpError(uint16,string)").Write(uint64(status.Status), []byte(nil))
	}
	return calldata.Parse("Error(string)").Write([]byte("no response"))
}
