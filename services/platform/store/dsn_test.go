package store_test

import (
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store"
)

func TestCheckDSN(t *testing.T) {
	const (
		encoding = "in a user and a password, % is written %25"
		neither  = "neither a postgres:// URL nor the path"
	)
	for dsn, want := range map[string]string{
		"hawser.db":                "",
		".hawser/hawser.db":        "",
		"data/hawser.db":           "",
		"/srv/me@home//hawser=.db": "",
		"./a:b//c.db":              "",
		"postgres://hawser:secret@db:5432/hawser?sslmode=disable": "",
		"postgresql:///hawser?host=/run/postgresql":               "",
		"postgres://hawser:se%40cr%2Fe%23t%25@db/hawser":          "",
		"postgres://hawser:secret@db1:5432,db2:5432/hawser":       "",
		"postgres://db/hawser?user=me@server&password=secret":     "",
		"":                                            "empty",
		"hawser.db ":                                  "a space",
		"\thawser.db":                                 "a space",
		"data/":                                       "a folder",
		"postgre://db/secret":                         neither,
		"mysql://secret@db/x":                         neither,
		"postgres//secret":                            neither,
		"postgres:secret@db":                          neither,
		"//hawser:secret@db/x":                        neither,
		"host=db password=secret":                     neither,
		"hawser:secret@db":                            neither,
		"postgres://hawser:sec/ret@db/x":              encoding,
		"postgres://hawser:1/secret@db/x":             encoding,
		"postgres://hawser:1#secret@db/x":             encoding,
		"postgres://hawser:p@ss/secret#rd@h/x":        encoding,
		"postgres://hawser:1?secret@db/x":             encoding,
		"postgres://hawser:secret%@db/x":              encoding,
		"postgres://hawser:secret@db/x?sslmode=maybe": "its hosts, ports, sslmode",
		"postgres://hawser:secret@db:x/x":             encoding,
		"postgres://hawser:secret@db:99999/x":         "its hosts, ports, sslmode",
	} {
		got := ""
		if err := store.CheckDSN(dsn); err != nil {
			got = err.Error()
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) || strings.Contains(got, "secret") {
			t.Errorf("%q: %q, want %q", dsn, got, want)
		}
	}
}
