package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	adminv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/admin/v1"
	"github.com/hawser-dev/hawser/services/console/audit"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/freeport"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// browser is an operator's browser at a console.
type browser struct {
	console string
	cookie  *http.Cookie
}

// post makes a call in JSON as the page does, and returns the status and the answer.
func (b *browser) post(t *testing.T, base, path, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", base)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if b.cookie != nil {
		req.AddCookie(b.cookie)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	answer := map[string]any{}
	if err := errors.Join(err, json.Unmarshal(raw, &answer)); err != nil && res.StatusCode == http.StatusOK {
		t.Fatalf("%s: %v: %s", path, err, raw)
	}
	for _, c := range res.Cookies() {
		b.cookie = c
	}
	return res.StatusCode, answer
}

// ask makes a call that has to succeed.
func (b *browser) ask(t *testing.T, path, body string) map[string]any {
	t.Helper()
	status, answer := b.post(t, b.console, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %v", path, status, answer)
	}
	return answer
}

var link = regexp.MustCompile(`  (http://localhost:\d+)/login#([0-9a-f]{64})\n`)

// signIn signs in with a link of the command line.
func signIn(t *testing.T, args ...string) *browser {
	t.Helper()
	code, out, errOut := ask(t, append([]string{"console", "login"}, args...)...)
	found := link.FindStringSubmatch(out)
	if code != exitOK || found == nil {
		t.Fatalf("exit %d: %s%s", code, out, errOut)
	}
	b := &browser{console: found[1]}
	b.ask(t, adminv1.OperatorService_Login_FullMethodName, `{"token":"`+found[2]+`"}`)
	return b
}

func TestAnOperatorSignsInAndChangesAProject(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		t.Setenv("HAWSER_LISTEN_CONSOLE", freeport.Address())
		s := startSuite(t, t.TempDir())
		owner := signIn(t, "-name", "Ada")

		me := owner.ask(t, adminv1.OperatorService_GetMe_FullMethodName, `{}`)
		if operator, _ := me["operator"].(map[string]any); operator["name"] != "Ada" || operator["role"] != "ROLE_OWNER" {
			t.Errorf("%v", me)
		}
		created, _ := owner.ask(t, adminv1.ProjectService_CreateProject_FullMethodName, `{"name":"Shop","origins":{"patterns":["https://shop.test"]}}`)["project"].(map[string]any)
		id, _ := created["id"].(string)
		s.wantStatus(t, id, "https://shop.test", http.StatusOK)
		s.wantStatus(t, id, "https://evil.test", http.StatusForbidden)
		updated, _ := owner.ask(t, adminv1.ProjectService_UpdateProject_FullMethodName, `{"id":"`+id+`","changedAt":"`+created["changedAt"].(string)+`","origins":{}}`)["project"].(map[string]any)
		s.wantStatus(t, id, "https://evil.test", http.StatusOK)
		if status, answer := owner.post(t, owner.console, adminv1.ProjectService_UpdateProject_FullMethodName, `{"id":"`+id+`","changedAt":"`+created["changedAt"].(string)+`","name":"x"}`); status != http.StatusConflict {
			t.Errorf("a change of what was changed since: %d %v", status, answer)
		}
		if updated["name"] != "Shop" {
			t.Errorf("%v", updated)
		}
		if status, answer := owner.post(t, owner.console, adminv1.ProjectService_DeleteProject_FullMethodName, `{"id":"`+id+`"}`); status == http.StatusOK {
			t.Errorf("an enabled project is deleted: %v", answer)
		}
		owner.ask(t, adminv1.ProjectService_DisableProject_FullMethodName, `{"id":"`+id+`"}`)
		s.wantStatus(t, id, "https://shop.test", http.StatusUnauthorized)
		owner.ask(t, adminv1.ProjectService_DeleteProject_FullMethodName, `{"id":"`+id+`"}`)
		if list := owner.ask(t, adminv1.ProjectService_ListProjects_FullMethodName, `{}`); len(list) != 0 {
			t.Errorf("%v", list)
		}

		health, _ := owner.ask(t, adminv1.HealthService_GetHealth_FullMethodName, `{}`)["health"].(map[string]any)
		if suite, _ := health["suite"].(map[string]any); suite["processes"] == nil {
			t.Errorf("%v", health)
		}
		settings, _ := owner.ask(t, adminv1.SettingService_ListSettings_FullMethodName, `{}`)["settings"].([]any)
		for _, setting := range settings {
			is := setting.(map[string]any)
			if is["key"] == "listen.console" && (is["source"] != "SETTING_SOURCE_VARIABLE" || is["origin"] != "HAWSER_LISTEN_CONSOLE") {
				t.Errorf("%v", is)
			}
			if is["key"] == "store.dsn" && (is["secret"] != true || is["set"] != true || is["value"] != nil) {
				t.Errorf("%v", is)
			}
		}
		if len(settings) < 100 {
			t.Errorf("%d settings", len(settings))
		}
		if found := owner.ask(t, adminv1.UserService_FindUsers_FullMethodName, `{"email":"nobody@example.org"}`); len(found) != 0 {
			t.Errorf("%v", found)
		}
		owner.ask(t, adminv1.CountService_ListCounts_FullMethodName, `{"projectId":"`+id+`"}`)
		entries, _ := owner.ask(t, adminv1.AuditService_ListAudit_FullMethodName, `{"target":"project `+id+`","changesOnly":true,"outcomes":["AUDIT_OUTCOME_DONE"]}`)["entries"].([]any)
		var calls []string
		for _, e := range entries {
			calls = append(calls, e.(map[string]any)["call"].(string))
		}
		want := "ProjectService/DeleteProject ProjectService/DisableProject ProjectService/UpdateProject ProjectService/CreateProject"
		if got := strings.Join(calls, " "); got != want {
			t.Errorf("the audit log has %s", got)
		}

		// A viewer sees, and changes nothing.
		viewer := signIn(t, "-name", "Bob", "-role", "viewer")
		viewer.ask(t, adminv1.ProjectService_ListProjects_FullMethodName, `{}`)
		if status, answer := viewer.post(t, viewer.console, adminv1.ProjectService_CreateProject_FullMethodName, `{"name":"x","origins":{}}`); status != http.StatusForbidden {
			t.Errorf("%d %v", status, answer)
		}
		owner.ask(t, adminv1.OperatorService_Logout_FullMethodName, `{}`)
		if status, answer := owner.post(t, owner.console, adminv1.OperatorService_GetMe_FullMethodName, `{}`); status != http.StatusUnauthorized {
			t.Errorf("after Logout: %d %v", status, answer)
		}
		s.stop(t)
	})
}

// The console is at its own listener only: whoever reaches the gateway reaches nothing of it, signed in or not.
func TestNothingOfTheConsoleIsPublic(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	t.Setenv("HAWSER_LISTEN_CONSOLE", freeport.Address())
	dir := t.TempDir()
	s := startSuite(t, dir)
	owner := signIn(t, "-name", "Ada")
	calls := 0
	protoregistry.GlobalFiles.RangeFilesByPackage("hawser.admin.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			service := f.Services().Get(i)
			for j := range service.Methods().Len() {
				calls++
				path := "/" + string(service.FullName()) + "/" + string(service.Methods().Get(j).Name())
				for _, base := range []string{"http://" + s.gateway, "http://" + s.metrics} {
					if status, answer := owner.post(t, base, path, `{}`); status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
						t.Errorf("%s%s: %d %v", base, path, status, answer)
					}
				}
			}
		}
		return true
	})
	if calls < 20 {
		t.Errorf("%d calls of the console are found", calls)
	}
	for _, private := range []string{"/hawser.projects.v1.ProjectAdminService/ListProjects", "/hawser.wallet.v1.UserAdminService/FindUsers", "/hawser.analytics.v1.CountService/ListCounts"} {
		for _, base := range []string{"http://" + s.gateway, owner.console} {
			if status, answer := owner.post(t, base, private, `{}`); status != http.StatusNotFound {
				t.Errorf("%s%s: %d %v", base, private, status, answer)
			}
		}
	}
	if document := fetch(t, "http://"+s.gateway+"/openapi.json", ""); !strings.HasPrefix(document, "200 ") || strings.Contains(document, "hawser.admin") || strings.Contains(document, "AuditService") {
		t.Error("the OpenAPI document has calls of the console")
	}
	s.stop(t)
}

func TestTheConsoleIsOffByDefault(t *testing.T) {
	c := defaultConfig()
	for _, l := range c.listeners() {
		if l.key == "listen.console" {
			t.Errorf("it listens at %q", l.address)
		}
	}
	if c.Listen.Console != "" {
		t.Errorf("listen.console is %q", c.Listen.Console)
	}
}

func TestConsoleUsers(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		one(t, "project", "create", "-json", "-any-origin")
		for _, tt := range []struct {
			args string
			code int
			want string
		}{
			{"console login -name Ada", exitOK, "Ada, whose role is owner, signs in within ten minutes, once, at"},
			{"console login -name Bob -role support", exitOK, "Bob, whose role is support,"},
			{"console login -name Bob -role owner", exitFailed, "hawser: Bob has the role support: `hawser console users role \"Bob\" owner` changes it"},
			{"console login -name Eve -role king", exitUsage, "hawser: -role: the role is not viewer, support, operator or owner"},
			{"console login -name=", exitUsage, "hawser: -name: the name is empty"},
			{"console users list", exitOK, "Bob   support"},
			{"console users role Bob operator", exitOK, "Bob has the role operator."},
			{"console users role Bob king", exitUsage, "hawser: the role is not viewer, support, operator or owner"},
			{"console users role Bob", exitUsage, "hawser: console users role wants the name of an operator and a role first"},
			{"console users role Eve owner", exitFailed, "hawser: there is no operator \"Eve\""},
			{"console users role Ada viewer", exitFailed, "hawser: \"Ada\" is the only owner: make another one first"},
			{"console users remove Ada", exitFailed, "hawser: \"Ada\" is the only owner: make another one first"},
			{"console users remove Bob", exitOK, "Bob is removed."},
			{"console users remove Bob", exitFailed, "hawser: there is no operator \"Bob\""},
			{"console users", exitUsage, "hawser: console users wants list, role <name> <role> or remove <name>"},
		} {
			code, out, errOut := ask(t, strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(out+errOut, tt.want) {
				t.Errorf("%s: exit %d\n%s%s", tt.args, code, out, errOut)
			}
		}
		db := storetest.Open(t, dsn)
		entries, err := audit.New(db, clock.System{}).List(t.Context(), audit.Filter{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, e := range entries {
			seen[e.Call+" "+string(e.Outcome)]++
			if !strings.HasPrefix(e.OperatorName, "cli ") || e.OperatorID != "" || e.Address != "" {
				t.Errorf("%+v", e)
			}
			if link.MatchString(e.After + e.Before + e.Target) {
				t.Errorf("a token is in the audit log: %+v", e)
			}
		}
		for call, want := range map[string]int{"project create done": 1, "console login done": 2, "console login failed": 2, "console users role done": 1, "console users remove done": 1, "console users remove failed": 2} {
			if seen[call] != want {
				t.Errorf("%d entries of %s, want %d: %v", seen[call], call, want, seen)
			}
		}
	})
}

func TestALinkNamesItsDatabaseAndTheConsole(t *testing.T) {
	file := storetest.SQLite(t)
	t.Setenv("HAWSER_STORE_DSN", file)
	if code, _, errOut := ask(t, "console", "login"); code != exitFailed || !strings.HasPrefix(errOut, "hawser: there is no database at "+file) {
		t.Errorf("exit %d: %s", code, errOut)
	}
	one(t, "project", "create", "-json", "-any-origin")
	code, out, _ := ask(t, "console", "login", "-name", "Ada")
	if code != exitOK || !strings.HasPrefix(out, "Written to "+file+".\n") || !strings.Contains(out, "listen.console is empty in this configuration") {
		t.Errorf("exit %d: %s", code, out)
	}
	code, out, _ = ask(t, "console", "login", "-name", "Ada", "-listen.console", ":8090", "-console.origin", "https://console.example.org")
	if code != exitOK || !strings.Contains(out, "\n  https://console.example.org/login#") || strings.Contains(out, "empty") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// What the command prints is read by people, and by scripts that take the last line.
func TestTheLinkIsTheLastLine(t *testing.T) {
	t.Setenv("HAWSER_STORE_DSN", storetest.SQLite(t))
	one(t, "project", "create", "-json", "-any-origin")
	_, out, _ := ask(t, "console", "login", "-listen.console", ":8090", "-name", "Ada")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if got := strings.TrimSpace(lines[len(lines)-1]); !strings.HasPrefix(got, "http://localhost:8090/login#") || len(got) != len("http://localhost:8090/login#")+64 {
		t.Errorf("%s", out)
	}
}
