// Package store opens the database of a service: an SQLite file by default, PostgreSQL by DSN.
//
// Services write one SQL text that both speak, with `$1` placeholders. Times are BIGINT Unix milliseconds, amounts are
// decimal TEXT, lists are JSON TEXT. What a transaction acknowledged survives the death of the process on both.
package store
