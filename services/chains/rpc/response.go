package rpc

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

// Response is a node's JSON-RPC 2.0 response.
type Response struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc.Error  `json:"error"`
}

// IsNull reports whether the node found nothing.
func (r Response) IsNull() bool { return r.Error == nil && string(r.Result) == "null" }

// Index returns the response's id if it is a non-negative integer.
func (r Response) Index() (int, bool) {
	var id float64
	if len(r.ID) == 0 || json.Unmarshal(r.ID, &id) != nil || id < 0 || id != float64(int(id)) || string(r.ID) == "null" {
		return 0, false
	}
	return int(id), true
}

// Matches reports whether r responds to the request with that id. A node that could not parse a request responds with the id null.
func (r Response) Matches(id int) bool {
	if r.Error != nil && (len(r.ID) == 0 || string(r.ID) == "null") {
		return true
	}
	index, ok := r.Index()
	return ok && index == id
}

// Digest identifies a response, whatever the order of members, members that are null, and the case of hex digits.
type Digest struct {
	result   [sha256.Size]byte
	failed   bool
	code     int
	reverted bool
}

// Digest returns the digest of the response.
func (r Response) Digest() Digest {
	if r.Error != nil {
		return Digest{failed: true, code: r.Error.Code, reverted: Mentions(*r.Error, []string{"revert"})}
	}
	return Digest{result: ResultHash(r.Result)}
}

// Agrees reports whether two nodes gave the same response: equal results, or errors of the same kind.
func (d Digest) Agrees(other Digest) bool {
	if d.failed && other.failed {
		return d.code == other.code || d.reverted && other.reverted
	}
	return d == other
}

// ResultHash returns a hash that is equal for results that differ only in the order of members, members that are null, and the case of hex digits.
func ResultHash(result json.RawMessage) [sha256.Size]byte {
	var read any
	decoder := json.NewDecoder(bytes.NewReader(result))
	decoder.UseNumber()
	if decoder.Decode(&read) != nil {
		return sha256.Sum256(result)
	}
	return sha256.Sum256(Encode(canonical(read)))
}

// canonical drops members that are null and turns hex digits to lower case.
func canonical(v any) any {
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, "0x") {
			return strings.ToLower(v)
		}
	case []any:
		for i := range v {
			v[i] = canonical(v[i])
		}
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = canonical(member)
		}
	}
	return v
}

// Messages of nodes and of the services in front of them with the codes -32099 to -32000, which JSON-RPC leaves to
// servers. Other errors, such as a revert, are the result of the call.
var (
	// nodeFailures are messages of nodes whose quota is used up, or that are broken.
	nodeFailures = []string{
		"rate limit", "quota exceed", "exceeded quota", "upgrade plan", "your plan", "current plan", "subscription", "compute units",
		"you reached", "too many requests", "no matched providers found",
		"cannot unmarshal", "go value", "deserialization error", "node error", "try again later",
	}
	// missingBlocks are messages of nodes without the block or the index, which another node may have.
	missingBlocks = []string{
		"header not found", "unknown block", "block not found", "missing trie node", "header for hash not found", "blockoutofrange",
		// Solana's codes -32016, -32004, -32014, -32007, -32001, -32011 and -32010.
		"minimum context slot", "block not available for slot", "block status not yet available", "ledger jump", "cleaned up",
		"transaction history is not available", "secondary indexes",
	}
	// tooMuch are messages for calls that would succeed in smaller parts.
	tooMuch = []string{
		"query returned more than", "block range", "too many results", "response size", "range is too", "range too", "max results", "exceeds the range",
	}
)

// IsNodeFailure reports whether an error is the node's fault, so that another node must be tried.
func IsNodeFailure(e jsonrpc.Error) bool {
	return e.Code == jsonrpc.CodeLimitExceeded || isServerError(e) && Mentions(e, nodeFailures)
}

// revertTexts begin the messages of nodes for a call that a contract refused. What follows is the contract's text.
var revertTexts = []string{"execution reverted", "revert", "vm exception", "vm execution error", "transaction reverted"}

// IsRevert reports whether an error of a call is the result of a contract: the message says so, or the data are its bytes. Only calls that run
// contracts have such errors, and a message after them may be any text.
func IsRevert(e jsonrpc.Error) bool {
	if e.Code == jsonrpc.CodeLimitExceeded {
		return false
	}
	message := strings.ToLower(strings.TrimSpace(e.Message))
	begins := func(text string) bool { return strings.HasPrefix(message, text) }
	var data string
	return slices.ContainsFunc(revertTexts, begins) ||
		json.Unmarshal(e.Data, &data) == nil && strings.HasPrefix(strings.TrimPrefix(strings.ToLower(data), "reverted "), "0x")
}

// IsMissingBlock reports whether the node lacks the block. Anvil uses the code for invalid parameters.
func IsMissingBlock(e jsonrpc.Error) bool {
	return (isServerError(e) || e.Code == jsonrpc.CodeInvalidParams) && Mentions(e, missingBlocks)
}

// IsTooMuch reports whether the node refused because of the size of the result.
func IsTooMuch(e jsonrpc.Error) bool {
	return (isServerError(e) || e.Code == jsonrpc.CodeInvalidParams) && Mentions(e, tooMuch)
}

func isServerError(e jsonrpc.Error) bool { return e.Code >= -32099 && e.Code <= -32000 }

// Mentions reports whether the message of e contains one of the phrases, which are in lower case.
func Mentions(e jsonrpc.Error, phrases []string) bool {
	message := strings.ToLower(e.Message)
	return slices.ContainsFunc(phrases, func(s string) bool { return strings.Contains(message, s) })
}
