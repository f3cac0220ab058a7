package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// unitFile is the service of systemd, in which the program is another one.
func unitFile(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../../deploy/systemd/hawser.service")
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "hawser")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	before, after, found := strings.Cut(string(raw), "ExecStart=/usr/local/bin/hawser\n")
	if !found {
		t.Fatal("the service starts another program")
	}
	unit := filepath.Join(t.TempDir(), "hawser.service")
	if err := os.WriteFile(unit, []byte(before+"ExecStart="+program+"\n"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	return unit
}

// systemd asks systemd about a unit, where it is installed.
func systemd(t *testing.T, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd is not installed")
	}
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("systemd-analyze %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestTheServiceOfSystemdIsOneThatSystemdKnows(t *testing.T) {
	if out := systemd(t, "verify", "--man=no", unitFile(t)); strings.Contains(out, "hawser.service") {
		t.Error(out)
	}
}

// systemd counts what a service may do beyond its work, from 0 to 100.
func TestTheServiceOfSystemdMayDoLittle(t *testing.T) {
	systemd(t, "security", "--offline=true", "--threshold=20", "--no-pager", unitFile(t))
}

func TestTheServiceOfSystemdHasSettingsThatThereAre(t *testing.T) {
	raw, err := os.ReadFile("../../../deploy/systemd/hawser.service")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		assignments, ok := strings.CutPrefix(strings.TrimSpace(line), "Environment=")
		if !ok {
			continue
		}
		for assignment := range strings.FieldsSeq(assignments) {
			name, value, _ := strings.Cut(assignment, "=")
			found[name] = value
		}
	}
	if found[config.EnvFile] != "/etc/hawser/hawser.yaml" || found["HAWSER_DATA_DIR"] != "/var/lib/hawser" || found["GOMEMLIMIT"] == "" || len(found) != 3 {
		t.Errorf("the variables are %v", found)
	}
	t.Setenv("HAWSER_DATA_DIR", found["HAWSER_DATA_DIR"])
	c, err := load(newFlags("run"), nil)
	if err != nil || c.DataDir != found["HAWSER_DATA_DIR"] {
		t.Errorf("data_dir is %q, %v", c.DataDir, err)
	}
}
