package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/hawser-dev/hawser/services/chains/rpc"
	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
	"github.com/hawser-dev/hawser/services/platform/upstream"
)

// Poster sends one JSON body to one URL.
type Poster interface {
	PostJSON(ctx context.Context, url string, body []byte) (status int, response []byte, err error)
}

// verdict classifies a node's response.
type verdict int

const (
	// settled is a response that can be returned to the caller.
	settled verdict = iota
	// doubtful is a response that another node may improve: it lacks the block, or refuses the size of the result.
	doubtful
	// failure is an unusable or missing response. It counts against the node.
	failure
)

// shortBody is the size of a request that every node accepts, in bytes.
const shortBody = 1 << 10

func (p *Pool) post(ctx context.Context, n *Node, c Call) Outcome {
	o := Outcome{Node: n, verdict: failure}
	spent().count(ctx, p.chain.ID, c)
	var status int
	status, o.Body, o.err = p.poster.PostJSON(ctx, n.url, c.body)
	if refusal := c.callerError(status, o.err); refusal != nil {
		o.Response, o.verdict, o.err = rpc.Response{Error: refusal}, settled, nil
		return o
	}
	if o.err != nil {
		return o
	}
	if c.batch {
		o.Parts, o.Response, o.verdict, o.err = judgeBatch(c.requests, status, o.Body)
		return o
	}
	var q rpc.Request
	if len(c.requests) > 0 {
		q = c.requests[0]
	}
	o.Response, o.verdict, o.err = judgeSingle(q, status, o.Body)
	if c.logs && o.Response.Error != nil && o.Response.Error.Code == jsonrpc.CodeLimitExceeded {
		o.verdict, o.err = doubtful, nil
	}
	return o
}

// callerError returns the error for a caller whose call no node can serve, or nil if the node is at fault. If a short
// call is refused for its size, or that of its result, the node is at fault.
func (c Call) callerError(status int, err error) *jsonrpc.Error {
	switch {
	case errors.Is(err, upstream.ErrTooLarge) && (c.large || c.lookup):
		return jsonrpc.TooLarge("the answer is too large: ask for less at once")
	case err != nil:
		return nil
	case status == http.StatusRequestEntityTooLarge && len(c.body) > shortBody:
		return &jsonrpc.Error{Code: jsonrpc.CodeLimitExceeded, Message: "the request is too large for the chain's node"}
	case status == http.StatusUnprocessableEntity && len(c.requests) > 0:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the chain's node cannot process the request"}
	}
	return nil
}

// judgeSingle parses a node's response to one request. The error is the reason for a failure.
func judgeSingle(q rpc.Request, status int, body []byte) (rpc.Response, verdict, error) {
	if err := checkStatus(status); err != nil {
		return rpc.Response{}, failure, err
	}
	var r rpc.Response
	if err := json.Unmarshal(body, &r); err != nil {
		return rpc.Response{}, failure, invalid("node did not respond in JSON-RPC")
	}
	v, err := judge(q, r)
	if err == nil && !r.Matches(rpc.SingleID) {
		return rpc.Response{}, failure, invalid("node responded to another request")
	}
	return r, v, err
}

// judgeBatch parses a node's response to a batch: the responses in the order of the requests, or the error for the batch as a whole.
func judgeBatch(requests []rpc.Request, status int, body []byte) (parts []rpc.Response, refusal rpc.Response, v verdict, err error) {
	if err := checkStatus(status); err != nil {
		return nil, refusal, failure, err
	}
	responses, err := jsonrpc.DecodeList[rpc.Response](body, len(requests))
	if err != nil {
		if json.Unmarshal(body, &refusal) != nil || refusal.Error == nil {
			return nil, rpc.Response{}, failure, invalid("node did not respond with a batch")
		}
		v, err = judge(rpc.Request{}, refusal)
		return nil, refusal, v, err
	}
	if len(responses) != len(requests) {
		return nil, refusal, failure, invalid(fmt.Sprintf("node responded to %d of %d requests", len(responses), len(requests)))
	}
	parts = make([]rpc.Response, len(requests))
	worst := settled
	for _, part := range responses {
		i, ok := part.Index()
		if !ok || i >= len(requests) || parts[i].ID != nil {
			return nil, refusal, failure, invalid("node responded to another request")
		}
		v, err := judge(requests[i], part)
		if err != nil {
			return nil, refusal, failure, err
		}
		parts[i] = part
		worst = max(worst, v)
	}
	return parts, refusal, worst, nil
}

func checkStatus(status int) error {
	if status != http.StatusOK && status != http.StatusBadRequest {
		return &answerError{upstream.OutcomeOf(status, nil), fmt.Sprintf("node responded with HTTP %d", status)}
	}
	return nil
}

func judge(q rpc.Request, r rpc.Response) (verdict, error) {
	switch {
	case r.Error == nil && r.Result == nil:
		return failure, invalid("node responded with neither a result nor an error")
	case r.Error == nil:
		if err := q.CheckResult(r.Result); err != nil {
			return failure, invalid(err.Error())
		}
		return settled, nil
	case q.Spec.Executes && rpc.IsRevert(*r.Error):
		return settled, nil
	case rpc.IsTooMuch(*r.Error) || rpc.IsMissingBlock(*r.Error):
		return doubtful, nil
	case rpc.IsNodeFailure(*r.Error):
		return failure, &answerError{upstream.Failed, fmt.Sprintf("node responded with error %d", r.Error.Code)}
	default:
		return settled, nil
	}
}
