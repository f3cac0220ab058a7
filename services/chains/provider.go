package chains

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Poster sends one JSON body to one URL.
type Poster interface {
	PostJSON(ctx context.Context, url string, body []byte) (status int, answer []byte, err error)
}

// unusable says why an answer is the node's failure rather than the caller's result; nil means it is a result.
func unusable(status int, answer []byte) error {
	if status != http.StatusOK && status != http.StatusBadRequest {
		return fmt.Errorf("node answered HTTP %d", status)
	}
	if !json.Valid(answer) {
		return errors.New("node answered something that is not JSON")
	}
	answer = bytes.TrimLeft(answer, " \t\r\n")
	if answer[0] != '{' {
		if answer[0] != '[' {
			return errors.New("node answered neither a response nor a batch")
		}
		return nil
	}
	var response struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer, &response); err != nil {
		return errors.New("node answered something that is not JSON-RPC")
	}
	if response.Error == nil {
		if response.Result == nil {
			return errors.New("node answered neither a result nor an error")
		}
		return nil
	}
	if isNodeFailure(response.Error.Code, response.Error.Message) {
		return fmt.Errorf("node answered error %d", response.Error.Code)
	}
	return nil
}

// nodeFailures are what nodes and the services in front of them say, in the codes -32099 to -32000 that JSON-RPC leaves to servers,
// when they are out of quota or broken. Anything else, such as a revert, is an answer.
var nodeFailures = []string{
	"rate limit", "quota exceed", "exceeded quota", "upgrade plan", "your plan", "current plan", "subscription", "compute units",
	"you reached", "too many requests", "no matched providers found",
	"header not found", "cannot unmarshal", "go value", "deserialization error", "node error", "try again later",
}

func isNodeFailure(code int, message string) bool {
	if code < -32099 || code > -32000 {
		return false
	}
	if code == -32005 {
		// EIP-1474: limit exceeded.
		return true
	}
	message = strings.ToLower(message)
	return slices.ContainsFunc(nodeFailures, func(s string) bool { return strings.Contains(message, s) })
}
