package finalcache

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestTwiceTheBoundIsKeptWithinTheBound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if err := Migrate(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		s := NewSQLStore(db)
		cfg := Config{MaxBytes: leastBytes, MaxEntryBytes: 1 << 20}
		c := New(cfg, Deps{Clock: clock.System{}, Log: slog.New(slog.DiscardHandler), Open: func(context.Context) (Store, func() error, error) {
			return s, func() error { return nil }, nil
		}})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- c.Run(ctx) }()
		random := rand.NewChaCha8([32]byte{1})
		raw := make([]byte, 256<<10)
		for n := range 2 * leastBytes / len(raw) {
			_, _ = random.Read(raw)
			// Half of it remains after compression.
			result := json.RawMessage(hex.AppendEncode(nil, raw))
			c.Keep(t.Context(), Entry{Key: KeyOf("eip155:1", fmt.Sprint(n)), ChainID: "eip155:1", Result: bytes.Clone(result)})
			until(t, func() bool { return c.waiting.Load() < queuedBytes/2 })
		}
		until(t, func() bool { return c.waiting.Load() == 0 })
		cancel()
		<-ended
		sizes, err := s.Sizes(t.Context())
		size := sizes["eip155:1"]
		if err != nil || size.Bytes > cfg.MaxBytes || size.Bytes < cfg.MaxBytes/2 {
			t.Errorf("%d results take %d of %d bytes, %v", size.Results, size.Bytes, cfg.MaxBytes, err)
		}
		var rows, sum int64
		if err := db.Reader().QueryRowContext(t.Context(), `SELECT count(*), CAST(sum(bytes) AS BIGINT) FROM chains_results`).Scan(&rows, &sum); err != nil {
			t.Fatal(err)
		}
		if rows != size.Results || sum != size.Bytes {
			t.Errorf("the size is %+v of %d rows with %d bytes", size, rows, sum)
		}
	})
}
