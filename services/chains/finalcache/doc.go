// Package finalcache keeps results of reads that cannot change any more in a database, which replicas share and which survives restarts.
//
// What is kept: a result is kept after it was read twice. The first time leaves a claim: the node, and a hash of what it returned. If the second read
// returns the same from another node (on a chain with one node, from that one), the result is kept. So nothing is served that only one of several nodes
// has returned, and a caller who reads everything once takes 256 bytes for each read. The caller of this package decides which results are final.
//
// Bounds: all rows together have Config.MaxBytes, and those that were not read for the longest time are removed in batches. One result has at most
// Config.MaxEntryBytes. A caller, which is a network address whatever project it names, adds at most a sixteenth of the total an hour in each process; the
// suite's own reads are not counted. What waits to be written is bounded by 1,024 results and 16 MiB, and dropped beyond.
//
// Availability: no read waits longer than 50 ms for the database, and none fails because of it. After three failures in a row it is not asked for
// some seconds.
package finalcache
