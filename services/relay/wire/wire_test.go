package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestAcknowledgements(t *testing.T) {
	delivery := slices.Concat(Subscription(42, "id"), DeliveryRest(Delivery{Topic: "t", Message: "<m>", PublishedAt: 7, Tag: 1100}))
	want := `{"id":1000000000000042,"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"id","data":{"topic":"t","message":"<m>","publishedAt":7,"tag":1100}}}`
	if string(delivery) != want {
		t.Errorf("a delivery is %s", delivery)
	}
	for id, ok := range map[string]bool{
		`1000000000000042`: true, `"1000000000000042"`: true, `"1000000000000042n"`: true, `999999999999999`: false, `"x"`: false, `18446744073709551616`: false,
	} {
		if sequence, got := Sequence(json.RawMessage(id)); got != ok || ok && sequence != 42 {
			t.Errorf("%s acknowledges %d, %v", id, sequence, got)
		}
	}
}

func TestTheIDOfAMessageThatIsTooLong(t *testing.T) {
	for prefix, want := range map[string]string{
		`{"id":1795373561818395392,"jsonrpc":"2.0","method":"irn_pub`: `1795373561818395392`,
		`{"jsonrpc":"2.0","id": "179537" ,"method":"irn_pub`:          `"179537"`,
		`{"jsonrpc":"2.0","method":"irn_pub`:                          `0`,
		`{"id":{"a":1},"method":"irn_pub`:                             `0`,
		`{"id":1795`:                                                  `0`,
	} {
		if got := PeekID([]byte(prefix)); string(got) != want {
			t.Errorf("%s has the id %s", prefix, got)
		}
	}
}

// FuzzParse checks that the response to every frame is JSON, and has the id of the frame.
func FuzzParse(f *testing.F) {
	for _, frame := range []string{
		`{"id":1,"jsonrpc":"2.0","method":"irn_publish","params":{"topic":"t"}}`, `{"id":"1n","jsonrpc":"2.0","result":true}`, `{"id":1,"error":{}}`, `[]`, `{`, "",
		`{"id":1e5,"method":"m"}`, `{"id":"\u0031","method":"m"}`, `{"id":1,"ID":2,"method":""}`,
	} {
		f.Add([]byte(frame))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, failure := Parse(frame)
		answer := AppendResult(nil, m.ID, true)
		if failure != nil {
			answer = AppendError(nil, m.ID, failure)
		}
		if !json.Valid(answer) {
			t.Fatalf("%q is answered with %q", frame, answer)
		}
		if failure == nil && !strings.Contains(string(frame), string(m.ID)) {
			t.Fatalf("%q has the id %s", frame, m.ID)
		}
		_ = PeekID(frame)
		_, _ = Sequence(m.ID)
	})
}
