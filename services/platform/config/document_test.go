package config_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/config"
)

func TestDocument(t *testing.T) {
	c := defaults()
	c.DSN, c.Key = "postgres://hawser:sk-live-1@db/hawser", "sk-live-2"
	var out bytes.Buffer
	if err := config.Document(&out, &c); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		"## General\n\n### `target`\n\nWhat to run.\n\n`HAWSER_TARGET`: a text; by default `all`\n",
		"## `listen`\n\n### `listen.gateway`\n\nAddress of the gateway.\n\n`HAWSER_LISTEN_GATEWAY`: a text; by default `:8080`\n",
		"`HAWSER_TIMEOUT`: a duration such as 10s; by default `10s`\n",
		"`HAWSER_STRICT`: true or false; by default `false`\n",
		"`HAWSER_SEEDS`: a list\n\nEach has:\n\n- `id`, a text\n- `name`, a text\n",
		"`HAWSER_DSN`: a text\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "sk-live") {
		t.Errorf("it shows a secret:\n%s", got)
	}
}
