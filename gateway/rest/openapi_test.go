package rest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/hawser-dev/hawser/gateway/access/accesstest"
	"github.com/hawser-dev/hawser/gateway/gatewaytest"
)

func TestTheDescriptionOfTheAPIIsServed(t *testing.T) {
	g := gatewaytest.Open(t, &accesstest.Book{})
	var doc map[string]any
	if err := json.Unmarshal(accesstest.Ask(g, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(accesstest.Ask(g, "GET", "/docs", "").Body)
	if err != nil {
		t.Fatal(err)
	}
	for path := range doc["paths"].(map[string]any) {
		if !bytes.Contains(page, []byte(path)) {
			t.Errorf("the page does not name %s", path)
		}
	}
}
