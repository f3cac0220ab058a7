package finalcache

import (
	"fmt"
	"strings"
	"testing"
)

func TestCheckRefusesBoundsThatAreTooSmallForACache(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"the default":                      {DefaultConfig(), ""},
		"the default, enabled":             {Config{Enabled: true, MaxBytes: 1 << 30, MaxEntryBytes: 1 << 20}, ""},
		"no cache, as in a process of dev": {Config{}, ""},
		"an enabled one without bounds":    {Config{Enabled: true}, "max_bytes max_entry_bytes"},
		"a result that fills the cache":    {Config{Enabled: true, MaxBytes: 16 << 20, MaxEntryBytes: 1<<20 + 1}, "max_entry_bytes"},
		"a folder":                         {Config{Enabled: true, MaxBytes: 1 << 30, MaxEntryBytes: 1 << 20, DSN: "data/"}, "dsn"},
	} {
		var keys []string
		for _, f := range c.config.Check() {
			keys = append(keys, f.Key)
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%s: %s", name, fmt.Sprint(c.config.Check()))
		}
	}
}
