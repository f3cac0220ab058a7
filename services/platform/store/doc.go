// Package store opens the database of a service: an SQLite file by default, PostgreSQL by DSN.
//
// Services write SQL that both databases accept, with `$1` placeholders. Times are BIGINT Unix milliseconds, amounts
// are decimal TEXT, lists are JSON TEXT. On both, an acknowledged transaction survives a crash of the process.
package store
