#!/usr/bin/env bash
# Prints the flags that Go packages are compiled with for tests with the race detector.
# With -trimpath, clones in other folders share compiled packages through Go's cache. The race detector leaves out packages that compute and start no
# goroutines: SQLite, the EVM, big integers, hashes. They would take half the time of all Go tests. Packages that use sync.Map or atomic.Pointer stay in: the
# linker may use their copy of generic code for all packages, and races would be reported where there are none.
echo -trimpath -race \
  -gcflags={modernc.org/sqlite/lib,modernc.org/libc,github.com/ethereum/go-ethereum/core/vm,github.com/ethereum/go-ethereum/core/vm/...,github.com/ethereum/go-ethereum/crypto/...,github.com/holiman/uint256,golang.org/x/crypto/...}=-race=false
