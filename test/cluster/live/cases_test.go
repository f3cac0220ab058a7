//go:build cluster

package live

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// caseRun is a running test program of test/e2e. It has started its chains, and waits until the suite runs before it plays the case files.
type caseRun struct {
	cmd *exec.Cmd
	// dir is the folder in which a file tells the program that the suite runs.
	dir string
	// output is a file, not a pipe: Node.js, which runs the chains, makes a shared pipe non-blocking, and output is then lost.
	output *os.File
	// values are those that the suite is to have.
	values string
}

// startCases starts the program of test/e2e.
func (c *cluster) startCases(t *testing.T, namespace string) *caseRun {
	t.Helper()
	dir, err := os.MkdirTemp("", "hawser-cases-")
	if err != nil {
		t.Fatal(err)
	}
	run := &caseRun{dir: dir, cmd: exec.Command("e2e.test", "-test.run", "^TestEveryCaseInEveryProtocol$", "-test.v", "-test.timeout", "20m")}
	run.cmd.Dir = filepath.Join(c.repository(), "test/e2e")
	run.cmd.Env = append(os.Environ(), "HAWSER_E2E_DOOR="+podsDoor, "HAWSER_E2E_SETTINGS="+dir, "HAWSER_DEV_BINARY=hawser-dev")
	if run.output, err = os.Create(filepath.Join(dir, "output")); err != nil {
		t.Fatal(err)
	}
	run.cmd.Stdout, run.cmd.Stderr = run.output, run.output
	if err := run.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var settings []byte
	eventually(t, "the chains of the cases", 3*time.Minute, func() (err error) {
		settings, err = os.ReadFile(filepath.Join(dir, "hawser.yaml"))
		return err
	})
	devnet, err := os.ReadFile(filepath.Join(dir, "devnet.json"))
	if err != nil {
		t.Fatal(err)
	}
	run.values = c.settingsAsValues(t, namespace, parseSettings(t, settings), devnet)
	return run
}

var (
	passedCase     = regexp.MustCompile(`(?m)^ {8}--- PASS: TestEveryCaseInEveryProtocol/external/`)
	passedProtocol = regexp.MustCompile(`(?m)^ {12}--- PASS: TestEveryCaseInEveryProtocol/external/`)
	failedCase     = regexp.MustCompile(`(?m)^ {12}--- FAIL: (.*)`)
)

// ask runs every case, and returns how many there were.
func (r *caseRun) ask(t *testing.T) (told string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "running"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	failure := r.cmd.Wait()
	output, err := os.ReadFile(r.output.Name())
	err = errors.Join(failure, err, r.output.Close(), os.RemoveAll(r.dir))
	cases, asked := len(passedCase.FindAll(output, -1)), len(passedProtocol.FindAll(output, -1))
	if err != nil || cases == 0 {
		for _, failed := range failedCase.FindAllSubmatch(output, -1) {
			t.Errorf("%s", failed[1])
		}
		t.Logf("%s", output)
		t.Fatal(err)
	}
	return fmt.Sprintf("%d cases passed, asked %d times", cases, asked)
}
