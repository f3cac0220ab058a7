package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"google.golang.org/grpc/codes"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	faultv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/fault/v1"
	"github.com/hawser-dev/hawser/services/platform/fault"
)

// SQLSTATE codes that this package distinguishes.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	uniqueViolation      = "23505"
	tooManyConnections   = "53300"
	cannotConnectNow     = "57P03" // it is starting, or stopping
	diskFull             = "53100"
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	lockNotAvailable     = "55P03"
)

// Fault converts errors of an unavailable, busy or full database to the error for the caller: UNAVAILABLE
// (REASON_SERVICE_UNAVAILABLE), which may be retried. It returns any other error, and one that already has a reason,
// unchanged.
func Fault(err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Reason != faultv1.Reason_REASON_INTERNAL {
		return err
	}
	if !isUnavailable(err) {
		return err
	}
	return fault.New(codes.Unavailable, faultv1.Reason_REASON_SERVICE_UNAVAILABLE, "", "The service is temporarily unavailable").Because(err)
}

// isUnavailable reports whether err means that the database is unavailable.
func isUnavailable(err error) bool {
	if isContention(err) || isFull(err) || isBusyServer(err) {
		return true
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		const connectionException, insufficientResources, systemError = "08", "53", "58"
		class := pg.Code[:min(2, len(pg.Code))]
		return pg.Code == adminShutdown || pg.Code == crashShutdown || pg.Code == lockNotAvailable ||
			class == connectionException || class == insufficientResources || class == systemError
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		primary := lite.Code() & 0xff
		return primary == sqlite3.SQLITE_IOERR || primary == sqlite3.SQLITE_CANTOPEN || primary == sqlite3.SQLITE_NOMEM
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return !errors.Is(err, context.Canceled)
	}
	// The connection was lost during a statement.
	broken, ok := errors.AsType[*net.OpError](err)
	return ok && !broken.Timeout() || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// isBusyServer reports whether err means that the server has no free connection.
func isBusyServer(err error) bool {
	pg, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (pg.Code == tooManyConnections || pg.Code == cannotConnectNow)
}

// isFull reports whether err means that the disk of the database is full.
func isFull(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == diskFull
	}
	lite, ok := errors.AsType[*sqlite.Error](err)
	return ok && lite.Code()&0xff == sqlite3.SQLITE_FULL
}

// IsUniqueViolation reports whether err means that a row with the same key exists.
func IsUniqueViolation(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == uniqueViolation
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		return lite.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY || lite.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE
	}
	return false
}

// isContention reports whether err means a conflict with another transaction, so that a retry may succeed.
func isContention(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == serializationFailure || pg.Code == deadlockDetected
	}
	if lite, ok := errors.AsType[*sqlite.Error](err); ok {
		primary := lite.Code() & 0xff
		return primary == sqlite3.SQLITE_BUSY || primary == sqlite3.SQLITE_LOCKED
	}
	return false
}
