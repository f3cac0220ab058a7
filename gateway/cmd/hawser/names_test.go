package main

import (
	"regexp"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestENSSigner(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		signers := func(t *testing.T) string {
			t.Helper()
			code, out, errOut := ask(t, "names", "ens-signer")
			if code != exitOK || errOut != "" {
				t.Fatalf("%d %s", code, errOut)
			}
			return out
		}

		t.Run("is the same account every time", func(t *testing.T) {
			first := signers(t)
			if !regexp.MustCompile(`^0x[0-9A-Fa-f]{40}\n$`).MatchString(first) || signers(t) != first {
				t.Errorf("%q, then %q", first, signers(t))
			}
		})

		t.Run("is the newest configured key's, before those that sign no more", func(t *testing.T) {
			t.Setenv("HAWSER_NAMES_ENS_KEYS", `["0xebf54752139227e6e0e4a3190464482530680d0f6fd0fa35b4ea80234cb28ddc", "0xf6f18490d65cdd446a1c1aa8eb16566f5e4d4aaaf3aa549a788bfb0a4598211e"]`)
			if got := signers(t); got != "0xe0Ff44FDb999d485DCFe6B0840f0d14EEA8a08A0\n0x8c408c9ce6718F4a3AFa7860f2E7B190B25fBDfA\n" {
				t.Errorf("%q", got)
			}
		})
	})
}
