package finalcache

import (
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// Config is the configuration under `chains.cache`.
type Config struct {
	Enabled       bool   `yaml:"enabled" doc:"keep final blocks, transactions, receipts, logs and traces of EVM networks in a database, from the second time that they are read; replicas share it, and it survives restarts"`
	DSN           string `yaml:"dsn" doc:"postgres:// URL, or the path of an SQLite file, of that database; empty for the PostgreSQL server of store.dsn, or without one for cache.db in data_dir" secret:"url"`
	MaxBytes      int64  `yaml:"max_bytes" doc:"what is kept at most, in bytes after compression; what was not read for the longest time is removed. A single caller adds at most a sixteenth of it an hour in each process"`
	MaxEntryBytes int64  `yaml:"max_entry_bytes" doc:"longest result that is kept, in bytes of JSON"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config { return Config{MaxBytes: 1 << 30, MaxEntryBytes: 1 << 20} }

const (
	// leastBytes is the least bound of all results, and leastEntry that of one.
	leastBytes, leastEntry = 16 << 20, 4 << 10
	// entryPart is the part of all that one result has at most, as a divisor.
	entryPart = 16
)

// Check reports what is wrong with the configuration, if there is to be a cache.
func (c Config) Check() (faults []config.Fault) {
	if !c.Enabled {
		return nil
	}
	if c.DSN != "" {
		if err := store.CheckDSN(c.DSN); err != nil {
			faults = append(faults, config.Faultf("dsn", "%s", err))
		}
	}
	if c.MaxBytes < leastBytes {
		faults = append(faults, config.Faultf("max_bytes", "it is below 16 MiB"))
	}
	if c.MaxEntryBytes < leastEntry || c.MaxEntryBytes > mostDecoded || c.MaxEntryBytes > c.MaxBytes/entryPart {
		faults = append(faults, config.Faultf("max_entry_bytes", "it is not between 4 KiB and 1 MiB, or above a sixteenth of max_bytes"))
	}
	return faults
}

const (
	// findTimeout bounds how long a read waits for the database, and findBytes what one read gets from it, in bytes of JSON.
	findTimeout, findBytes = 50 * time.Millisecond, 4 << 20
	// concurrentFinds is how many reads of one process ask the database at once. One more goes to the nodes.
	concurrentFinds = 4
	// queued and queuedBytes bound what waits to be written.
	queued, queuedBytes = 1024, 16 << 20
	// batchSize, batchBytes and batchPause are after how many entries, bytes, or how long after the first, a batch is written.
	batchSize, batchBytes, batchPause = 128, 1 << 20, 500 * time.Millisecond
	// writeTimeout bounds a batch, and trimTimeout the removal of what is too much.
	writeTimeout, trimTimeout = 5 * time.Second, 10 * time.Second
	// trimInterval is how often the sizes are read. trimPart is the part of all that a process adds at most before it removes what is too much, as a
	// divisor.
	trimInterval, trimPart = time.Minute, 64
	// touchAfter is how old the time of the last read may be before it is written again.
	touchAfter = time.Hour
	// callerPart is the part of all that a caller adds at most in an hour, as a divisor.
	callerPart = 16
	// openPause and longestPause bound the pause between two attempts to open the database, or to write.
	openPause, longestPause = time.Second, time.Minute
)
