package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// Poster sends one JSON body to one URL.
type Poster interface {
	PostJSON(ctx context.Context, url string, body []byte) (status int, answer []byte, err error)
}

// response is a node's JSON-RPC 2.0 response, read as far as the door needs it.
type response struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

// isNull reports whether the node found nothing.
func (r response) isNull() bool { return r.Error == nil && string(r.Result) == "null" }

// verdict is what an answer is worth.
type verdict int

const (
	// settled is an answer for the caller.
	settled verdict = iota
	// doubtful is an answer that another node may know better: it does not have the block yet, or will not give so much at once.
	doubtful
	// failure is no answer: the node is at fault.
	failure
)

// judge says what a node's answer to one request is worth; the error says why it is a failure.
func judge(id json.RawMessage, status int, answer []byte) (response, verdict, error) {
	if err := judgeStatus(status); err != nil {
		return response{}, failure, err
	}
	var r response
	if err := json.Unmarshal(answer, &r); err != nil {
		return response{}, failure, errors.New("node answered something that is not JSON-RPC")
	}
	v, err := r.judge()
	if err == nil && !r.answers(id) {
		return response{}, failure, errors.New("node answered another request")
	}
	return r, v, err
}

// judgeBatch is judge for a batch with that many requests that want an answer.
func judgeBatch(wanted int, status int, answer []byte) (verdict, error) {
	if err := judgeStatus(status); err != nil {
		return failure, err
	}
	var parts []response
	if json.Unmarshal(answer, &parts) != nil {
		_, v, err := judge(nil, status, answer)
		return v, err
	}
	if len(parts) != wanted {
		return failure, fmt.Errorf("node answered %d of %d requests", len(parts), wanted)
	}
	worst := settled
	for _, part := range parts {
		v, err := part.judge()
		if err != nil {
			return failure, err
		}
		worst = max(worst, v)
	}
	return worst, nil
}

func judgeStatus(status int) error {
	if status != http.StatusOK && status != http.StatusBadRequest {
		return fmt.Errorf("node answered HTTP %d", status)
	}
	return nil
}

func (r response) judge() (verdict, error) {
	switch {
	case r.Error == nil && r.Result == nil:
		return failure, errors.New("node answered neither a result nor an error")
	case r.Error == nil:
		return settled, nil
	case isTooMuch(*r.Error) || isMissingBlock(*r.Error):
		return doubtful, nil
	case isNodeFailure(*r.Error):
		return failure, fmt.Errorf("node answered error %d", r.Error.Code)
	default:
		return settled, nil
	}
}

// answers reports whether r is the response to the request with that id. A node that could not read a request answers with null.
func (r response) answers(id json.RawMessage) bool {
	if len(id) == 0 || string(r.ID) == string(id) || r.Error != nil && (len(r.ID) == 0 || string(r.ID) == "null") {
		return true
	}
	var got, want any
	if json.Unmarshal(r.ID, &got) != nil || json.Unmarshal(id, &want) != nil {
		return false
	}
	return reflect.DeepEqual(got, want)
}

// What nodes and the services in front of them say in the codes -32099 to -32000 that JSON-RPC leaves to servers. Anything else, such
// as a revert, is an answer.
var (
	// nodeFailures: out of quota, or broken.
	nodeFailures = []string{
		"rate limit", "quota exceed", "exceeded quota", "upgrade plan", "your plan", "current plan", "subscription", "compute units",
		"you reached", "too many requests", "no matched providers found",
		"cannot unmarshal", "go value", "deserialization error", "node error", "try again later",
	}
	// missingBlocks: another node may have it.
	missingBlocks = []string{
		"header not found", "unknown block", "block not found", "missing trie node", "header for hash not found", "blockoutofrange",
	}
	// tooMuch: the same in smaller parts would do.
	tooMuch = []string{
		"query returned more than", "block range", "too many results", "response size", "range is too", "range too", "max results", "exceeds the range",
	}
)

func isNodeFailure(e rpcError) bool {
	// EIP-1474: -32005 is limit exceeded.
	return e.Code == -32005 || isServerError(e) && mentions(e, nodeFailures)
}

func isMissingBlock(e rpcError) bool { return isServerError(e) && mentions(e, missingBlocks) }

// isTooMuch reports whether a node refuses for the size of the answer alone.
func isTooMuch(e rpcError) bool {
	return (isServerError(e) || e.Code == -32602) && mentions(e, tooMuch)
}

func isServerError(e rpcError) bool { return e.Code >= -32099 && e.Code <= -32000 }

func mentions(e rpcError, phrases []string) bool {
	message := strings.ToLower(e.Message)
	return slices.ContainsFunc(phrases, func(s string) bool { return strings.Contains(message, s) })
}
