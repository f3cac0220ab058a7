package method

import (
	"context"
	"encoding/json"

	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/wire"
)

// sessionTTL is how long messages of the session handshake are kept unless the client says otherwise, in seconds.
const sessionTTL = 300

// proposeSession publishes the proposal of a session for the client, and subscribes it to the answer.
func proposeSession(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		PairingTopic    string `json:"pairingTopic"`
		SessionProposal string `json:"sessionProposal"`
		Attestation     string `json:"attestation"`
		TTL             int64  `json:"ttl"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	proposal := publication{Topic: p.PairingTopic, Message: p.SessionProposal, TTL: orSessionTTL(p.TTL), Tag: mailbox.TagSessionPropose, Attestation: p.Attestation}
	if failure := c.check(proposal); failure != nil {
		return nil, failure
	}
	if _, failure := c.subscribeTo(p.PairingTopic); failure != nil {
		return nil, failure
	}
	return true, c.publish(ctx, proposal)
}

// approveSession publishes the settlement of a session and then the answer to its proposal for the client, and subscribes it to the session.
func approveSession(ctx context.Context, c *Call, params json.RawMessage) (any, *wire.Error) {
	var p struct {
		PairingTopic             string `json:"pairingTopic"`
		SessionTopic             string `json:"sessionTopic"`
		SessionProposalResponse  string `json:"sessionProposalResponse"`
		SessionSettlementRequest string `json:"sessionSettlementRequest"`
		TTL                      int64  `json:"ttl"`
	}
	if failure := decode(params, &p); failure != nil {
		return nil, failure
	}
	settlement := publication{Topic: p.SessionTopic, Message: p.SessionSettlementRequest, TTL: orSessionTTL(p.TTL), Tag: mailbox.TagSessionSettle}
	response := publication{Topic: p.PairingTopic, Message: p.SessionProposalResponse, TTL: orSessionTTL(p.TTL), Tag: mailbox.TagSessionApprove}
	for _, one := range []publication{settlement, response} {
		if failure := c.check(one); failure != nil {
			return nil, failure
		}
	}
	if _, failure := c.subscribeTo(p.SessionTopic); failure != nil {
		return nil, failure
	}
	if failure := c.publish(ctx, settlement); failure != nil {
		return nil, failure
	}
	return true, c.publish(ctx, response)
}

func orSessionTTL(ttl int64) int64 {
	if ttl == 0 {
		return sessionTTL
	}
	return ttl
}
