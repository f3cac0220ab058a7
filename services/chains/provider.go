package chains

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// Poster sends one JSON body to one URL.
type Poster interface {
	PostJSON(ctx context.Context, url string, body []byte) (status int, answer []byte, err error)
}

// response is a node's JSON-RPC 2.0 response, read as far as the door needs it.
type response struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc.Error  `json:"error"`
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
func judge(q request, status int, answer []byte) (response, verdict, error) {
	if err := judgeStatus(status); err != nil {
		return response{}, failure, err
	}
	var r response
	if err := json.Unmarshal(answer, &r); err != nil {
		return response{}, failure, errors.New("node answered something that is not JSON-RPC")
	}
	v, err := r.judge(q)
	if err == nil && !r.answers(singleID) {
		return response{}, failure, errors.New("node answered another request")
	}
	return r, v, err
}

// judgeBatch is judge for a batch: the answers in the order of the requests, or, where the node refused the batch as a whole, that refusal.
func judgeBatch(asked []request, status int, answer []byte) (parts []response, refusal response, v verdict, err error) {
	if err := judgeStatus(status); err != nil {
		return nil, refusal, failure, err
	}
	var said []response
	if json.Unmarshal(answer, &said) != nil {
		if json.Unmarshal(answer, &refusal) != nil || refusal.Error == nil {
			return nil, response{}, failure, errors.New("node answered something that is not a batch")
		}
		v, err = refusal.judge(request{})
		return nil, refusal, v, err
	}
	if len(said) != len(asked) {
		return nil, refusal, failure, fmt.Errorf("node answered %d of %d requests", len(said), len(asked))
	}
	parts = make([]response, len(asked))
	worst := settled
	for _, part := range said {
		place, ok := part.number()
		if !ok || place >= len(asked) || parts[place].ID != nil {
			return nil, refusal, failure, errors.New("node answered another request")
		}
		v, err := part.judge(asked[place])
		if err != nil {
			return nil, refusal, failure, err
		}
		parts[place] = part
		worst = max(worst, v)
	}
	return parts, refusal, worst, nil
}

// number is the response's id, where it is a whole number that is not negative.
func (r response) number() (int, bool) {
	var id float64
	if len(r.ID) == 0 || json.Unmarshal(r.ID, &id) != nil || id < 0 || id != float64(int(id)) || string(r.ID) == "null" {
		return 0, false
	}
	return int(id), true
}

func judgeStatus(status int) error {
	if status != http.StatusOK && status != http.StatusBadRequest {
		return fmt.Errorf("node answered HTTP %d", status)
	}
	return nil
}

func (r response) judge(q request) (verdict, error) {
	switch {
	case r.Error == nil && r.Result == nil:
		return failure, errors.New("node answered neither a result nor an error")
	case r.Error == nil:
		if err := q.fits(r.Result); err != nil {
			return failure, err
		}
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
func (r response) answers(id int) bool {
	if r.Error != nil && (len(r.ID) == 0 || string(r.ID) == "null") {
		return true
	}
	number, ok := r.number()
	return ok && number == id
}

// callersFault is the answer to a caller whose request cannot be answered by this node nor by another: nil where the node is at fault. A short
// answer that is too large, or a short request that is, is the node's doing.
func (c call) callersFault(status int, err error) *jsonrpc.Error {
	switch {
	case errors.Is(err, upstream.ErrTooLarge) && (c.batch || c.heavy || c.lookup):
		return &jsonrpc.Error{Code: jsonrpc.CodeLimitExceeded, Message: "the answer is too large: ask for less at once"}
	case err != nil:
		return nil
	case status == http.StatusRequestEntityTooLarge && len(c.body) > shortBody:
		return &jsonrpc.Error{Code: jsonrpc.CodeLimitExceeded, Message: "the request is too large for the chain's node"}
	case status == http.StatusUnprocessableEntity && len(c.asked) > 0:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the chain's node cannot process the request"}
	}
	return nil
}

// shortBody is a request that every node takes, in bytes.
const shortBody = 1 << 10

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

func isNodeFailure(e jsonrpc.Error) bool {
	return e.Code == jsonrpc.CodeLimitExceeded || isServerError(e) && mentions(e, nodeFailures)
}

// isMissingBlock reports whether a node lacks the block. Anvil says so with the code of invalid parameters.
func isMissingBlock(e jsonrpc.Error) bool {
	return (isServerError(e) || e.Code == jsonrpc.CodeInvalidParams) && mentions(e, missingBlocks)
}

// isTooMuch reports whether a node refuses for the size of the answer alone.
func isTooMuch(e jsonrpc.Error) bool {
	return (isServerError(e) || e.Code == jsonrpc.CodeInvalidParams) && mentions(e, tooMuch)
}

func isServerError(e jsonrpc.Error) bool { return e.Code >= -32099 && e.Code <= -32000 }

func mentions(e jsonrpc.Error, phrases []string) bool {
	message := strings.ToLower(e.Message)
	return slices.ContainsFunc(phrases, func(s string) bool { return strings.Contains(message, s) })
}
