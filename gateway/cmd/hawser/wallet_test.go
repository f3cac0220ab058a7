package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/seal"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet"
)

// noChain leads to no node.
type noChain struct{}

func (noChain) Agreed(string) chainclient.Transport { return nil }

func TestWalletRewrapReplacesTheKeyOfTheConfiguration(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		home := t.TempDir()
		t.Setenv("HAWSER_STORE_DSN", dsn)
		t.Setenv("HAWSER_DATA_DIR", home)
		cfg := wallet.DefaultConfig()
		cfg.DataDir = home
		db := storetest.Open(t, dsn)
		start := func(cfg wallet.Config) error {
			_, err := wallet.NewServer(t.Context(), cfg, wallet.Deps{DB: db, Clock: clock.System{}, Chain: noChain{}})
			return err
		}
		if err := start(cfg); err != nil {
			t.Fatal(err)
		}
		next := filepath.Join(home, "next.key")
		if err := seal.CreateAge(next); err != nil {
			t.Fatal(err)
		}
		t.Setenv("HAWSER_WALLET_KEY_FILE", next)
		if code, _, errOut := ask(t, "wallet", "rewrap"); code != exitFailed || errOut == "" {
			t.Errorf("without the previous key: %d %s", code, errOut)
		}
		t.Setenv("HAWSER_WALLET_PREVIOUS_KEYS", `[{provider: age, file: "`+filepath.Join(home, "wallet.key")+`"}]`)
		for _, want := range []string{"2 values in ", "0 values in "} {
			if code, out, errOut := ask(t, "wallet", "rewrap"); code != exitOK || !strings.HasPrefix(out, want) || !strings.HasSuffix(out, " are sealed with the key of wallet.key now.\n") {
				t.Errorf("%d %q %s", code, out, errOut)
			}
		}
		cfg.Key.File = next
		if err := start(cfg); err != nil {
			t.Error(err)
		}
	})
}

func TestWalletWantsItsCommand(t *testing.T) {
	for args, want := range map[string]string{"wallet": "wallet wants rewrap", "wallet open": `wallet wants rewrap, not "open"`} {
		if code, _, errOut := ask(t, strings.Fields(args)...); code != exitUsage || errOut != "hawser: "+want+"\n" {
			t.Errorf("%s: %d %s", args, code, errOut)
		}
	}
}

func TestWalletRewrapMakesNoDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hawser.db")
	t.Setenv("HAWSER_STORE_DSN", file)
	want := "hawser: there is no database at " + file + ": run this in the folder of the suite, or name its configuration by -config\n"
	if code, _, errOut := ask(t, "wallet", "rewrap"); code != exitFailed || errOut != want {
		t.Errorf("%d %s", code, errOut)
	}
}

func TestBundlerSealSealsTheKeysOfExecutors(t *testing.T) {
	const plain = "792a6fae15e286ff265dddeea177453313f7401ab113aeb4445d38af273b1ec4"
	t.Setenv("HAWSER_STORE_DSN", filepath.Join(t.TempDir(), "hawser.db"))
	t.Setenv("HAWSER_BUNDLER_EXECUTORS", `["`+plain+`"]`)
	code, out, errOut := ask(t, "bundler", "seal")
	if line := strings.TrimSpace(out); code != exitOK || !seal.IsSealed(line) || strings.Contains(out, plain) {
		t.Errorf("%d %q %s", code, out, errOut)
	}
	if code, _, errOut := ask(t, "bundler"); code != exitUsage || errOut != "hawser: bundler wants seal\n" {
		t.Errorf("%d %s", code, errOut)
	}
}
