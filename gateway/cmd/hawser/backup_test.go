package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// backupPage is the page of the documentation whose commands the tests run.
const backupPage = "../../../docs/operate/backup.md"

// The commands are those of the page, run on a suite that answers meanwhile.
func TestABackupOfARunningSuiteIsRestored(t *testing.T) {
	for name, dsn := range map[string]func(t testing.TB, dir string) string{
		"SQLite":     func(_ testing.TB, dir string) string { return filepath.Join(dir, "hawser.db") },
		"PostgreSQL": func(t testing.TB, _ string) string { return storetest.PostgreSQL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("HAWSER_STORE_DSN", dsn(t, dir))
			t.Setenv("BACKUPS", t.TempDir())

			s := startSuite(t, dir)
			kept := one(t, "project", "create", "-name", "Kept", "-origin", "https://shop.test", "-json")
			s.wantStatus(t, kept.ID, "https://shop.test", http.StatusOK)
			s.register(t, kept.ID, "kept.hawser.id")
			runOfPage(t, dir, "back up "+name)
			lost := one(t, "project", "create", "-any-origin", "-name", "Lost", "-json")
			s.wantStatus(t, lost.ID, "https://shop.test", http.StatusOK)
			s.register(t, kept.ID, "lost.hawser.id")
			s.stop(t)

			runOfPage(t, dir, "restore "+name)
			s = startSuite(t, dir)
			s.wantStatus(t, kept.ID, "https://shop.test", http.StatusOK)
			s.wantStatus(t, kept.ID, "https://other.test", http.StatusForbidden)
			s.wantStatus(t, lost.ID, "https://shop.test", http.StatusUnauthorized)
			if got := s.name(t, kept.ID, "kept.hawser.id"); !strings.Contains(got, "0x") {
				t.Errorf("the name is lost: %s", got)
			}
			if got := s.name(t, kept.ID, "lost.hawser.id"); strings.Contains(got, "0x") {
				t.Errorf("the name is younger than the backup: %s", got)
			}
			s.stop(t)
		})
	}
}

func TestBackupReportsMistakes(t *testing.T) {
	database := filepath.Join(t.TempDir(), "hawser.db")
	t.Setenv("HAWSER_STORE_DSN", database)
	copied := filepath.Join(t.TempDir(), "copy.db")

	for want, args := range map[string][]string{
		"there is no database at": {"backup", "-to", copied},
		"-to with the file":       {"backup"},
		"a folder that exists":    {"backup", "-to", copied, "-keys"},
		"pg_dump":                 {"backup", "-to", copied, "-store.dsn", "postgres://hawser@db/hawser"},
	} {
		if code, _, errOut := ask(t, args...); code == exitOK || !strings.Contains(errOut, want) {
			t.Errorf("%v: %d %s", args, code, errOut)
		}
	}
	if _, err := os.Stat(database); err == nil {
		t.Error("it made a database")
	}

	one(t, "project", "create", "-any-origin", "-json")
	nowhere := filepath.Join(t.TempDir(), "none", "copy.db")
	if code, _, errOut := ask(t, "backup", "-to", nowhere); code != exitFailed || errOut != "hawser: back up: there is no folder "+filepath.Dir(nowhere)+"\n" {
		t.Errorf("%d %s", code, errOut)
	}
	if code, _, errOut := ask(t, "backup", "-to", copied); code != exitOK {
		t.Fatalf("%d %s", code, errOut)
	}
	if code, _, errOut := ask(t, "backup", "-to", copied); code == exitOK || !strings.Contains(errOut, "exists already") {
		t.Errorf("it wrote over a file: %d %s", code, errOut)
	}
}

// A folder gets one of its own with each backup, so that a job may run the same command every night.
func TestABackupInAFolderHasWhatIsBesideTheDatabase(t *testing.T) {
	dir, backups := t.TempDir(), t.TempDir()
	t.Setenv("HAWSER_STORE_DSN", "")
	s := startSuite(t, dir)
	for name, text := range map[string]string{"wallet.removed": "user factor\n", "sessions.revoked": "account session\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, more := range [][]string{nil, {"-keys"}} {
		code, out, errOut := ask(t, append([]string{"backup", "-data_dir", dir, "-to", backups}, more...)...)
		if code != exitOK || !strings.HasPrefix(out, "Copied to "+backups+"/hawser-2") {
			t.Fatalf("%d %s%s", code, out, errOut)
		}
	}
	s.stop(t)
	made, err := os.ReadDir(backups)
	if err != nil || len(made) != 2 {
		t.Fatalf("%v, %v", made, err)
	}
	for i, want := range [][]string{{"hawser.db", "sessions.revoked", "wallet.removed"}, {"hawser.db", "sessions.revoked", "wallet.key", "wallet.removed"}} {
		folder := filepath.Join(backups, made[i].Name())
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		var names []string
		files, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			names = append(names, file.Name())
			if info, err := file.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s may be read by others: %v, %v", file.Name(), info.Mode(), err)
			}
			if file.Name() == "hawser.db" {
				continue
			}
			original, err := os.ReadFile(filepath.Join(dir, file.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if copied, err := os.ReadFile(filepath.Join(folder, file.Name())); err != nil || !bytes.HasPrefix(original, copied) || len(copied) == 0 {
				t.Errorf("%s is %q, %v", file.Name(), copied, err)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("backup %d has %q", i, names)
		}
	}
}

func TestABackupBesidePostgreSQLHasTheLists(t *testing.T) {
	dir, backups := t.TempDir(), t.TempDir()
	t.Setenv("HAWSER_STORE_DSN", "postgres://hawser@db/hawser")
	if code, _, errOut := ask(t, "backup", "-data_dir", dir, "-to", backups); code != exitFailed || !strings.Contains(errOut, "nothing is in "+dir) {
		t.Errorf("%d %s", code, errOut)
	}
	if err := os.WriteFile(filepath.Join(dir, "wallet.removed"), []byte("user factor\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errOut := ask(t, "backup", "-data_dir", dir, "-to", backups)
	if code != exitOK || !strings.HasSuffix(out, ": wallet.removed. The database is PostgreSQL: back it up by pg_dump.\n") {
		t.Errorf("%d %s%s", code, out, errOut)
	}
	if made, err := os.ReadDir(backups); err != nil || len(made) != 1 {
		t.Errorf("what failed is left: %v, %v", made, err)
	}
	// A folder that is not there is made if it is clear that one is meant.
	if code, out, errOut := ask(t, "backup", "-data_dir", dir, "-to", filepath.Join(backups, "more", "nested")+"/"); code != exitOK {
		t.Errorf("%d %s%s", code, out, errOut)
	}
	// Of replicas that share a folder, the list that was written last is copied.
	shared := t.TempDir()
	for i, name := range []string{"older", "newer"} {
		file := filepath.Join(shared, name, "wallet.removed")
		if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(name+" factor\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-10) * time.Minute)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if code, out, errOut := ask(t, "backup", "-data_dir", t.TempDir(), "-removals_dir", shared, "-to", filepath.Join(backups, "shared")+"/"); code != exitOK {
		t.Errorf("%d %s%s", code, out, errOut)
	}
	copied, err := filepath.Glob(filepath.Join(backups, "shared", "*", "wallet.removed"))
	if err != nil || len(copied) != 1 {
		t.Fatalf("%q, %v", copied, err)
	}
	if text, err := os.ReadFile(copied[0]); err != nil || string(text) != "newer factor\n" {
		t.Errorf("copied %q, %v", text, err)
	}
}

// register registers a name with a new key.
func (s *runningSuite) register(t *testing.T, project, name string) {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	message, err := json.Marshal(map[string]any{"name": name, "attributes": map[string]string{}, "timestamp": time.Now().Unix()})
	if err != nil {
		t.Fatal(err)
	}
	signature, err := crypto.Sign(accounts.TextHash(message), key)
	if err != nil {
		t.Fatal(err)
	}
	signature[crypto.RecoveryIDOffset] += 27
	body, err := json.Marshal(map[string]any{
		"coin_type": 60, "address": crypto.PubkeyToAddress(key.PublicKey), "message": string(message), "signature": hexutil.Encode(signature),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.call(t, http.MethodPost, "/v1/profile/account?projectId="+project, body); !strings.HasPrefix(got, "200") {
		t.Fatalf("%s is not registered: %s", name, got)
	}
}

// name returns the answer of the suite for a name.
func (s *runningSuite) name(t *testing.T, project, name string) string {
	t.Helper()
	return s.call(t, http.MethodGet, "/v1/profile/account/"+name+"?apiVersion=2&projectId="+project, nil)
}

func (s *runningSuite) call(t *testing.T, method, path string, body []byte) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.gateway+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", "https://shop.test")
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.Status[:3] + " " + string(raw)
}

// runOfPage runs the commands below `<!-- test: name -->` of the page, for the suite that has its state in dir.
func runOfPage(t *testing.T, dir, name string) {
	t.Helper()
	page, err := os.ReadFile(backupPage)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)<!-- test: " + regexp.QuoteMeta(name) + " -->\n```bash\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatalf("the page has no commands to %s", name)
	}
	bin := t.TempDir()
	program := "#!/bin/sh\n" + asHawser + "=1 exec '" + os.Args[0] + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "hawser"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", string(block[1]))
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HAWSER_DATA_DIR="+dir, "HAWSER_CONFIG=")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, block[1], output)
	}
}
