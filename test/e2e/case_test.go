package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// askCase is one behaviour: how a wallet asks for it over REST, how a client asks for it over RPC, and what both must get.
type askCase struct {
	file, name string
	// rest is "METHOD path", body its JSON; origin and header are sent with every form.
	rest, body, origin, project string
	// rpc is "package.Service/Method", ask its message in JSON; empty when only REST can ask it.
	rpc, ask string
	// status is REST's, code is RPC's.
	status, code string
	// want is the whole answer, and restWant what REST answers with where that is another; wantError is reasons[0], and reason the machine-readable code.
	want, restWant, wantError, reason string
}

// readCases reads every *.txtar below testdata. A case is a file of the archive: lines of "key: value", values with ${names} in them.
func readCases(t *testing.T, names map[string]string) []askCase {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	var cases []askCase
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(raw).Files {
			c := parseCase(t, f, names)
			c.file = strings.TrimSuffix(filepath.Base(file), ".txtar")
			cases = append(cases, c)
		}
	}
	return cases
}

func parseCase(t *testing.T, f txtar.File, names map[string]string) askCase {
	t.Helper()
	c := askCase{name: f.Name, project: names["project"]}
	into := map[string]*string{
		"rest": &c.rest, "body": &c.body, "origin": &c.origin, "project": &c.project, "rpc": &c.rpc, "ask": &c.ask,
		"status": &c.status, "code": &c.code, "want": &c.want, "rest-want": &c.restWant, "want-error": &c.wantError, "reason": &c.reason,
	}
	for line := range strings.Lines(string(f.Data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		target, ok := into[key]
		if !ok {
			t.Fatalf("case %q: no such line: %s", f.Name, line)
		}
		*target = fill(t, f.Name, strings.TrimSpace(value), names)
	}
	// 204 says that there is no answer.
	if c.status == "" || c.status != "204" && c.want == "" == (c.wantError == "") || c.rpc != "" == (c.code == "") {
		t.Fatalf("case %q needs a status, a code where it has an rpc, and either want or want-error", f.Name)
	}
	return c
}

func fill(t *testing.T, name, value string, names map[string]string) string {
	t.Helper()
	return os.Expand(value, func(key string) string {
		v, ok := names[key]
		if !ok {
			t.Fatalf("case %q: no such name: ${%s}", name, key)
		}
		return v
	})
}
