package activity

import "testing"

func TestNativeTransfersOfAShortChainAreComplete(t *testing.T) {
	w := open(t)
	from, to := w.fresh(t), w.fresh(t)
	hash := w.send(t, map[string]any{"from": from, "to": to, "value": "0xde0b6b3a7640001"})

	res := w.request(t, to, "")
	if len(res.GetData()) != 1 || res.Next != nil || res.GetCoverage().GetBackfilling() {
		t.Fatalf("%v", res)
	}
	if c := res.GetCoverage(); c.GetFromBlock()[w.chain.CAIP2] != "0" || c.GetNativeFromBlock()[w.chain.CAIP2] != "0" {
		t.Errorf("coverage %v", c)
	}
	got := res.GetData()[0]
	if got.GetId() != w.chain.CAIP2+":"+hash || got.GetMetadata().GetOperationType() != "receive" || got.GetMetadata().GetStatus() != "confirmed" || got.GetMetadata().Fee != nil {
		t.Errorf("%v", got)
	}
	transfer := got.GetTransfers()[0]
	if transfer.GetQuantity().GetNumeric() != "1.000000000000000001" || transfer.GetDirection() != "in" || transfer.GetSender() != from || transfer.GetRecipient() != to ||
		transfer.GetFungibleInfo().GetSymbol() != "ETH" || transfer.GetFungibleInfo().Address != nil {
		t.Errorf("%v", transfer)
	}
	sent := w.newest(t, from)
	if sent.GetMetadata().GetOperationType() != "send" || sent.GetMetadata().Fee == nil || sent.GetTransfers()[0].GetDirection() != "out" {
		t.Errorf("%v", sent)
	}
}
