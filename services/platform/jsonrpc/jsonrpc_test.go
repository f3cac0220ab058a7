package jsonrpc_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/platform/jsonrpc"
)

func TestARequestIsReadAsItStands(t *testing.T) {
	for body, want := range map[string]jsonrpc.Request{
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1"}, "latest"]}`: {ID: raw("1"), Method: "eth_call", Params: raw(`[{"to":"0x1"}, "latest"]`)},
		" {\n\"id\" : \"a\\u0062\" , \"method\":\"m\"} ":                                 {ID: raw(`"a\u0062"`), Method: "m"},
		`{"id":null,"method":"m","params":null}`:                                         {ID: raw("null"), Method: "m"},
		`{"id":1.50e2,"method":"m","params":{"a":[]}}`:                                   {ID: raw("1.50e2"), Method: "m", Params: raw(`{"a":[]}`)},
		`{"method":"m"}`:             {Method: "m"},
		`{"id":1,"\u006dethod":"m"}`: {ID: raw("1"), Method: "m"},
	} {
		m := jsonrpc.Parse([]byte(body))
		if m.Batch || len(m.Items) != 1 || m.Items[0].Refusal != nil {
			t.Errorf("%s: %+v", body, m)
			continue
		}
		got := m.Items[0].Request
		if string(got.ID) != string(want.ID) || got.Method != want.Method || string(got.Params) != string(want.Params) || got.IsNotification() != (want.ID == nil) {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

func TestWhatIsNoRequestIsRefused(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	for body, id := range map[string]string{
		"":                             "null",
		" ":                            "null",
		"x":                            "null",
		"3":                            "null",
		`"x"`:                          "null",
		"[]":                           "null",
		"{}":                           "null",
		`{"id":1,"id":2,"method":"m"}`: "null",
		`{"id":1,"ID":2,"method":"m"}`: "null",
		`{"id":1,"method":"debug_x","Method":"eth_call"}`:               "null",
		`{"id":1,"method":"m","params":[],"Params":[1]}`:                "null",
		`{"id":1,"method":"m","param\u0073":[],"params":[1]}`:           "null",
		`{"id":1,"method":"m","params":[{"to":"0x1","To":"0x2"}]}`:      "null",
		`{"id":1,"method":"m","params":[{"k":1,"` + "\u212a" + `":2}]}`: "null",
		`{"id":1,"method":"m","params":` + deep + `}`:                   "null",
		`{"ID":1,"method":"m"}`:                                         "null",
		`{"id":1,"Method":"m"}`:                                         "1",
		`{"id":1,"method":"m","auth":"x"}`:                              "1",
		`{"id":{},"method":"m"}`:                                        "null",
		`{"id":true,"method":"m"}`:                                      "null",
		`{"id":1,"method":7}`:                                           "1",
		`{"id":1,"method":null}`:                                        "1",
		`{"id":1,"method":""}`:                                          "1",
		`{"id":1,"method":"m","params":"x"}`:                            "1",
		`{"id":1,"method":"m","jsonrpc":"1.0"}`:                         "1",
		`{"id":1,"method":"m","jsonrpc":2}`:                             "1",
		"{\"id\":\"\xff\",\"method\":\"m\"}":                            "null",
	} {
		m := jsonrpc.Parse([]byte(body))
		code := jsonrpc.CodeInvalidRequest
		if !utf8.ValidString(body) || !json.Valid([]byte(body)) {
			code = jsonrpc.CodeParseError
		}
		if m.Batch || len(m.Items) != 1 || m.Items[0].Refusal == nil || m.Items[0].Refusal.Code != code || string(m.Items[0].ID) != id {
			t.Errorf("%s: %+v", body, m)
		}
	}
}

func TestABatchIsReadPartByPart(t *testing.T) {
	m := jsonrpc.Parse([]byte(`[ {"id":1,"method":"a"} , 3, {"method":"b"}, {"id":1,"method":"c","x":[1,{"y":"]"}]}, [] ]`))
	if !m.Batch || len(m.Items) != 5 {
		t.Fatalf("%+v", m)
	}
	for i, refused := range []bool{false, true, false, true, true} {
		if (m.Items[i].Refusal != nil) != refused {
			t.Errorf("part %d: %+v", i, m.Items[i])
		}
	}
	full := "[" + strings.Repeat(`{"id":1,"method":"m"},`, jsonrpc.BatchLimit-1) + `{"id":1,"method":"m"}`
	if m := jsonrpc.Parse([]byte(full + "]")); len(m.Items) != jsonrpc.BatchLimit {
		t.Errorf("a full batch has %d parts", len(m.Items))
	}
	if m := jsonrpc.Parse([]byte(full + `,3]`)); m.Batch || m.Items[0].Refusal == nil {
		t.Errorf("one more was taken: %d parts", len(m.Items))
	}
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// FuzzParse checks that a request that was parsed and written again means the same to a reader that takes the first of
// equal members, to one that takes the last, and to one that ignores case.
func FuzzParse(f *testing.F) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x1"},"latest"]}`, `[{"id":1,"method":"a"},{"method":"b"}]`, `{"id":1,"ID":2,"method":"m"}`,
		`{"id":1,"method":"m","params":[{"a":{"b":[1,2,{"c":"\"}"}]}}]}`, `[[[]]]`, `{"id":-0.0e1,"method":"\u0000"}`, "", "[", `{"id":1,"method":"a","params":{"K":1}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m := jsonrpc.Parse(body)
		if len(m.Items) == 0 || len(m.Items) > jsonrpc.BatchLimit {
			t.Fatalf("%d items", len(m.Items))
		}
		for i, item := range m.Items {
			if item.Refusal != nil {
				if !json.Valid(jsonrpc.AppendError(nil, item.ID, *item.Refusal)) {
					t.Fatalf("the refusal of %q is not JSON", body)
				}
				continue
			}
			again := jsonrpc.Parse(jsonrpc.AppendRequest(nil, i, item.Method, item.Params)).Items[0]
			if again.Refusal != nil || again.Method != item.Method || item.Params != nil && string(again.Params) != string(item.Params) {
				t.Fatalf("%q was written anew as %+v", body, again)
			}
			if !item.IsNotification() && !json.Valid(jsonrpc.AppendResult(nil, item.ID, raw("null"))) {
				t.Fatalf("the answer to %q is not JSON", body)
			}
		}
	})
}
