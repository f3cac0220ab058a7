package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// shown is a project as -json prints it.
type shown struct {
	ID                string   `json:"id"`
	Name              string   `json:"name"`
	AllowedOrigins    []string `json:"allowedOrigins"`
	RequestsPerSecond float64  `json:"requestsPerSecond"`
	Burst             uint32   `json:"burst"`
	Enabled           bool     `json:"enabled"`
}

func TestProject(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		created := one(t, "project", "create", "-json", "-name", "Shop", "-origin", "https://*.shop.test", "-origin", "https://shop.test", "-rate", "2.5")
		want := shown{
			ID: created.ID, Name: "Shop", AllowedOrigins: []string{"https://*.shop.test", "https://shop.test"},
			RequestsPerSecond: 2.5, Burst: 3, Enabled: true,
		}

		t.Run("create makes an enabled project with an id of its own", func(t *testing.T) {
			equal(t, created, want)
			if len(created.ID) != 32 {
				t.Errorf("id %q", created.ID)
			}
			if again := one(t, "project", "create", "-any-origin", "-json"); again.ID == created.ID {
				t.Errorf("two projects are %s", again.ID)
			}
		})

		t.Run("set changes what it is given and nothing else", func(t *testing.T) {
			want.Name = "Boutique"
			equal(t, one(t, "project", "set", created.ID, "-json", "-name", "Boutique"), want)
			want.Burst = 20
			equal(t, one(t, "project", "set", created.ID, "-json", "-burst", "20"), want)
			want.RequestsPerSecond, want.Burst = 7, 7
			equal(t, one(t, "project", "set", created.ID, "-json", "-rate", "7"), want)
			want.RequestsPerSecond, want.Burst = 0, 0
			equal(t, one(t, "project", "set", created.ID, "-json", "-rate", "0"), want)
			want.AllowedOrigins = []string{"https://new.test"}
			equal(t, one(t, "project", "set", created.ID, "-json", "-origin", "https://new.test"), want)
			want.AllowedOrigins = []string{}
			equal(t, one(t, "project", "set", created.ID, "-json", "-any-origin"), want)
		})

		t.Run("disable and enable", func(t *testing.T) {
			want.Enabled = false
			equal(t, one(t, "project", "disable", created.ID, "-json"), want)
			want.Enabled = true
			equal(t, one(t, "project", "enable", created.ID, "-json"), want)
		})

		t.Run("list shows every project on a line", func(t *testing.T) {
			code, out, errOut := ask(t, "project", "list")
			if code != exitOK || errOut != "" {
				t.Fatalf("%d %s", code, errOut)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if len(lines) != 3 || !strings.HasPrefix(lines[1], created.ID+"  Boutique  any      default  true") {
				t.Errorf("listed\n%s", out)
			}
		})
	})
}

func TestProjectNamesTheDatabaseThatItCreated(t *testing.T) {
	file := storetest.SQLite(t)
	t.Setenv("HAWSER_STORE_DSN", file)
	for _, verb := range []string{"list", "set 00000000000000000000000000000001 -name x", "stats 00000000000000000000000000000001"} {
		want := "hawser: there is no database at " + file + ": run this in the folder of the suite, or name its configuration by -config\n"
		if code, _, errOut := ask(t, append([]string{"project"}, strings.Fields(verb)...)...); code != exitFailed || errOut != want {
			t.Errorf("%s: exit %d\n%swant\n%s", verb, code, errOut, want)
		}
	}
	written := "Written to " + file + ".\n"
	note := "This file is new: a suite in another folder or with another configuration does not know the project.\n"
	for _, want := range []string{written + note + "ID ", written + "ID "} {
		if code, out, errOut := ask(t, "project", "create", "-any-origin"); code != exitOK || !strings.HasPrefix(out, want) {
			t.Errorf("exit %d: %s%s\nwant\n%s", code, errOut, out, want)
		}
	}
}

func TestCommandsNameTheDatabaseThatTheyWrite(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		database := dsn
		if u, err := url.Parse(dsn); err == nil && u.Scheme != "" {
			u.User, u.RawQuery = nil, ""
			database = u.String()
		}
		const id = "00000000000000000000000000000001"
		one(t, "project", "create", "-json", "-any-origin", "-id", id)
		for args, want := range map[string]string{
			"project create -any-origin":     "Written to " + database + ".\nID ",
			"project set " + id + " -name x": "Written to " + database + ".\nID ",
			"project disable " + id:          "Written to " + database + ".\nID ",
			"migrate":                        "The tables of " + database + " are up to date.\n",
			"wallet rewrap":                  "0 values in " + database + " are sealed with the key of wallet.key now.\n",
		} {
			if code, out, errOut := ask(t, strings.Fields(args)...); code != exitOK || !strings.HasPrefix(out, want) {
				t.Errorf("%s: exit %d\n%s%swant\n%s", args, code, errOut, out, want)
			}
		}
	})
}

func TestTheNameOfADatabaseHasNoSecret(t *testing.T) {
	c := defaultConfig()
	c.Store.DSN = "postgres://hawser:se%2Fcret@db1:5432,db2:5432/hawser?sslpassword=secret"
	if got := c.database(); got != "postgres://db1:5432,db2:5432/hawser" {
		t.Errorf("got %s", got)
	}
}

func TestARefusedOriginMakesNoDatabase(t *testing.T) {
	file := storetest.SQLite(t)
	t.Setenv("HAWSER_STORE_DSN", file)
	if code, _, errOut := ask(t, "project", "create", "-origin", "foo"); code != exitUsage {
		t.Errorf("exit %d: %s", code, errOut)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it made a database: %v", err)
	}
}

func TestProjectReportsMistakes(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	const id = "00000000000000000000000000000001"
	one(t, "project", "create", "-any-origin", "-json", "-id", id)
	tests := []struct {
		args string
		code int
		want string
	}{
		{"project", exitUsage, "project wants create, list, set <id>, enable <id>, disable <id> or stats <id>"},
		{"project destroy", exitUsage, `project wants create, list, set <id>, enable <id>, disable <id> or stats <id>, not "destroy"`},
		{"project set", exitUsage, "project set wants the id of a project first"},
		{"project disable -json", exitUsage, "project disable wants the id of a project first"},
		{"project set " + id, exitUsage, "project set wants something to set: -name, -origin, -any-origin, -rate or -burst"},
		{"project set " + id + " -name", exitUsage, "flag needs an argument: -name; `hawser project set -h` lists the flags"},
		{"project set " + id + " -rate fast", exitUsage, "invalid value \"fast\" for flag -rate: parse error; `hawser project set -h` lists the flags"},
		{"project set " + id + " -rate -1", exitUsage, "rate: it is not between 0 and 1000000 requests per second"},
		{"project set " + id + " -burst 5000000000", exitUsage, "-burst is too large"},
		{"project set " + id + " -any-origin -origin a.test", exitUsage, "-origin and -any-origin contradict each other"},
		{"project set " + id + " -name x y", exitUsage, `"y" is one argument too many`},
		{"project create -origin https://a.test/path", exitUsage, `origin: "https://a.test/path": its host has the character '/'`},
		{"project create -origin foo", exitUsage, `origin: "foo": it is not an origin, such as https://example.org: write https://foo if pages are at a host of that name`},
		{"project create -origin *", exitUsage, "origin: \"*\": it is not an origin, such as https://example.org: `*` is one part of a host, and no list at all allows every page"},
		{"project set " + id + " -origin foo", exitUsage, `origin: "foo": it is not an origin, such as https://example.org: write https://foo if pages are at a host of that name`},
		{"project create", exitUsage, "project create wants -origin for each page that may call, or -any-origin"},
		{"project create -name x -json", exitUsage, "project create wants -origin for each page that may call, or -any-origin"},
		{"project create -any-origin -origin a.test", exitUsage, "-origin and -any-origin contradict each other"},
		{"project create -any-origin -id 1", exitUsage, "id: it is not 32 lower-case hex digits"},
		{"project create -any-origin -id " + id, exitFailed, "a project with this id exists"},
		{"project enable ffffffffffffffffffffffffffffffff", exitFailed, "there is no project ffffffffffffffffffffffffffffffff"},
		{"project enable FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", exitUsage, "id: it is not 32 lower-case hex digits"},
		{"project stats", exitUsage, "project stats wants the id of a project first"},
		{"project stats 1", exitUsage, "id: it is not 32 lower-case hex digits"},
		{"project stats " + id + " -days 0", exitUsage, "-days is not between 1 and 3650"},
		{"project list -limit 3", exitUsage, "flag provided but not defined: -limit; `hawser project list -h` lists the flags"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			code, out, errOut := ask(t, strings.Fields(tt.args)...)
			if code != tt.code || errOut != "hawser: "+tt.want+"\n" || out != "" {
				t.Errorf("exit %d\n%s%s", code, errOut, out)
			}
		})
	}
}

// ask runs the command line in this process.
func ask(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	t.Setenv("HAWSER_DATA_DIR", t.TempDir())
	t.Setenv(config.EnvFile, "")
	var stdout, stderr bytes.Buffer
	code = hawser(t.Context(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// one runs a command that prints one project as JSON.
func one(t *testing.T, args ...string) (p shown) {
	t.Helper()
	code, out, errOut := ask(t, args...)
	if code != exitOK || errOut != "" {
		t.Fatalf("hawser %s: exit %d: %s", strings.Join(args, " "), code, errOut)
	}
	if err := json.Unmarshal([]byte(out), &p); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

func equal(t *testing.T, got, want shown) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
