package registry

import (
	"encoding/json"
	"testing"
)

// FuzzReadMessage checks that parsing any text terminates, and that an accepted text means the same to every JSON
// parser.
func FuzzReadMessage(f *testing.F) {
	for _, seed := range []string{
		`{"name":"alice.hawser.id","attributes":{"bio":"x"},"timestamp":1}`, `{"name":"a","NAME":"b","timestamp":1}`, `{"attributes":{},"timestamp":1}`,
		`{"coin_type":60,"address":"0x","timestamp":1}`, `[[[[`, `{"a":{"a":{"a":[{}]}}}`, `nul`, "\"\\ud800\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var m registration
		if readMessage(text, &m) != nil {
			return
		}
		var members map[string]any
		if err := json.Unmarshal([]byte(text), &members); err != nil || m.Name == nil || m.Timestamp == nil {
			t.Fatalf("took %q", text)
		}
		if name, ok := members["name"].(string); ok && name != *m.Name {
			t.Errorf("took %q for the name, %q stands there", *m.Name, name)
		}
	})
}

// encoding/json takes letters for each other that change case into the same one, such as the long s.
func TestAMemberThatLooksLikeAnotherStandsTwice(t *testing.T) {
	for _, text := range []string{
		`{"coin_type":60,"address":"0x01","ADDRESS":"0x02","timestamp":1}`,
		`{"coin_type":60,"address":"0x01","addre\u017f\u017f":"0x02","timestamp":1}`,
	} {
		var m addressChange
		if err := readMessage(text, &m); err == nil {
			t.Errorf("%s: took %s", text, *m.Address)
		}
	}
}
