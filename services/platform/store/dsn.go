package store

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// IsServer reports whether a DSN is the URL of a PostgreSQL server; otherwise it is the path of an SQLite file.
func IsServer(dsn string) bool {
	return strings.HasPrefix(dsn, "postgres://") || strings.HasPrefix(dsn, "postgresql://")
}

// Texts that can only be paths, and those that look like a URL or like parameters.
var (
	plainPath     = regexp.MustCompile(`^(/[^/]|\.\.?/)`)
	schemeLike    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`)
	parameterLike = regexp.MustCompile(`^\s*[A-Za-z_]+\s*=`)
)

// errEncoding is for a password that ends the part of the URL in which it is.
var errEncoding = errors.New("it is not a URL that can be read: in a user and a password, % is written %25, / is %2F, ? is %3F, # is %23, @ is %40 and : is %3A")

// CheckDSN returns what is wrong with a DSN, without opening the database: an error never contains a part of the DSN, because each may be a part of a
// password. A path is refused if it is more likely a mistyped URL, which would become a new and empty SQLite file.
func CheckDSN(dsn string) error {
	switch {
	case dsn == "":
		return errors.New("it is empty")
	case strings.TrimSpace(dsn) != dsn:
		return errors.New("it begins or ends with a space")
	case IsServer(dsn):
		return checkServer(dsn)
	case strings.HasSuffix(dsn, "/"):
		return errors.New("it is the path of a folder, not of a file")
	case plainPath.MatchString(dsn):
		return nil
	case schemeLike.MatchString(dsn), strings.Contains(dsn, "//"), strings.ContainsRune(dsn, '@'), parameterLike.MatchString(dsn):
		return errors.New("it is neither a postgres:// URL nor the path of an SQLite file; a path with such signs begins with / or ./")
	default:
		return nil
	}
}

// checkServer returns what is wrong with the URL of a server. Where a password has a / or # of its own, the rest of it counts as a path, a query or a
// fragment, and a part of it as the host.
func checkServer(dsn string) error {
	u, err := url.Parse(dsn)
	if err != nil || u.Fragment != "" || strings.HasSuffix(dsn, "#") || strings.ContainsRune(u.Path, '@') {
		return errEncoding
	}
	parameters, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errEncoding
	}
	for name := range parameters {
		if strings.ContainsAny(name, "@/:") {
			return errEncoding
		}
	}
	if slices.Contains(strings.Split(u.Host, ","), "") && u.Host != "" {
		return errors.New("it has an empty host")
	}
	if _, err := pgx.ParseConfig(dsn); err != nil {
		return errors.New("it is not the URL of a PostgreSQL server: see its hosts, ports, sslmode and the files that it names")
	}
	return nil
}
