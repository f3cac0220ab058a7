package evm

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/devnettest"
)

// TestTheProgramRunsOnOldForks runs the program on EVMs without PUSH0, BASEFEE and the like, because chains adopt forks late.
func TestTheProgramRunsOnOldForks(t *testing.T) {
	for _, fork := range []string{"petersburg", "istanbul", "london", "shanghai"} {
		t.Run(fork, func(t *testing.T) {
			chain := devnettest.Chain{CAIP2: "eip155:31337", RPCURL: startNode(t, "--hardfork", fork)}
			token := place(t, chain, 1, returnsBytes32)
			if code := chain.Call(t, "eth_getCode", token.String(), "latest"); string(code) != `"`+returnsBytes32+`"` {
				t.Fatalf("the token was not placed: %s", code)
			}
			owner := MustAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266")
			for _, f := range []form{stateOverride{}, initCode{}} {
				reading, err := readAll(t.Context(), chain.Forward, f, newest, []Query{NativeBalance(owner), TokenBalances(owner, []Address{token})})
				if err != nil {
					t.Fatalf("%s: %v", f.name(), err)
				}
				if wei, ok := reading.Answers[0][0].Amount(); !ok || wei.String() != "10000000000000000000000" {
					t.Errorf("%s: native balance: got %v %v", f.name(), wei, ok)
				}
				if text := reading.Answers[1][0].Text(); text != "MKR" {
					t.Errorf("%s: the token's answer: got %q", f.name(), text)
				}
			}
		})
	}
}

// startNode runs a bare node until the test ends and returns its URL.
func startNode(t *testing.T, args ...string) string {
	t.Helper()
	binaries, err := filepath.Glob("../../../node_modules/@foundry-rs/anvil-*/bin/anvil*")
	if err != nil || len(binaries) == 0 {
		t.Fatalf("no node is installed (run `make setup` first): %v", err)
	}
	cmd := exec.CommandContext(t.Context(), binaries[0], append([]string{"--port", "0"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			go func() {
				for lines.Scan() { // the node must not block on its output
				}
			}()
			return "http://" + address
		}
	}
	t.Fatal("the node did not start")
	return ""
}
