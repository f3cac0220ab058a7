package main

import (
	"path/filepath"
	"testing"

	"github.com/hawser-dev/hawser/services/chains/finalcache"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

// The cache of final results is in a file of its own, or beside the tables of services on a server.
func TestTheCacheOfFinalResultsIsWhereNothingWaitsForIt(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		t.Setenv("HAWSER_CHAINS_CACHE_ENABLED", "true")
		folder := t.TempDir()
		at := filepath.Join(folder, "cache.db")
		if store.IsServer(dsn) {
			at = dsn
		}
		s := startSuite(t, folder)
		cache := finalcache.NewSQLStore(storetest.Open(t, at))
		waitUntil(t, "the cache has its tables", func() bool {
			_, err := cache.Sizes(t.Context())
			return err == nil
		})
		s.stop(t)
		if _, err := finalcache.NewSQLStore(storetest.Open(t, dsn)).Sizes(t.Context()); (err == nil) != store.IsServer(dsn) {
			t.Errorf("the database of services has the tables of the cache: %v", err)
		}
	})
}
