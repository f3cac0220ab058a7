package execution

import (
	"strings"

	"github.com/hawser-dev/hawser/services/onchain/evm/revert"
)

// reasonLimit bounds the length of a contract's text that is passed on, in bytes.
const reasonLimit = 80

// reason returns why a contract reverted, as `: "text"`; empty if that is not known.
func reason(data []byte) string {
	text := strings.ReplaceAll(revert.Reason(data, reasonLimit), `"`, "")
	text = strings.ToValidUTF8(text[:min(len(text), reasonLimit)], "")
	if text == "" {
		return ""
	}
	return `: "` + text + `"`
}
