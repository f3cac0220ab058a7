package socket

import (
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// logSubscriptions is the quota of subscriptions to logs: each holds a stream to the chains service.
var logSubscriptions = limit.Share{Name: "log subscriptions", Each: 512, Total: 4096}

// The quotas of subscriptions to one chain of Solana. The chains service has 4,096 of them at its node, of which 1,024 are for slots and signatures.
const (
	solanaLastingEach, solanaLastingTotal = 256, 3072
	solanaBriefEach, solanaBriefTotal     = 128, 1024
)

// solanaShare is the quota of subscriptions of that method to a chain.
func solanaShare(chain, method string) limit.Share {
	if method == slotSubscription || method == signatureSubscription {
		return limit.Share{Name: "subscriptions to slots and signatures of " + chain, Each: solanaBriefEach, Total: solanaBriefTotal}
	}
	return limit.Share{Name: "subscriptions to " + chain, Each: solanaLastingEach, Total: solanaLastingTotal}
}
