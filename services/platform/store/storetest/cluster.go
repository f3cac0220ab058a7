package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// errNoPostgreSQL tells a developer what to do.
var errNoPostgreSQL = errors.New("no PostgreSQL to test on: run `make setup`, or set " + EnvDSN + " to a postgres:// URL")

// clusterScript creates a cluster in $2 with the programs in $1, serves it on a socket there, and removes it when its
// standard input closes, which happens however the test process ends. Flushing stays on, because tests kill processes.
const clusterScript = `
"$1/initdb" -D "$2/data" -U hawser -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 || exit 1
"$1/postgres" -D "$2/data" -k "$2" -h '' -c fsync=on -c max_connections=200 >>"$2/log" 2>&1 </dev/null &
read -r _
kill -QUIT $!
wait $!
rm -rf "$2"
`

// lifeline is the cluster's standard input. It is never closed here: the kernel closes it with the process.
var lifeline io.WriteCloser //nolint:unused // held open, never written to

// startCluster starts a throw-away PostgreSQL for this process and returns its URL.
func startCluster() (string, error) {
	programs, err := findPrograms()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "hawser-postgres-")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("/bin/sh", "-c", clusterScript, "cluster", programs, dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := asOrdinaryUser(cmd, dir); err != nil {
		return "", err
	}
	if lifeline, err = cmd.StdinPipe(); err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	dsn := url.URL{Scheme: "postgres", User: url.User("hawser"), Path: "/postgres", RawQuery: url.Values{"host": {dir}}.Encode()}
	if err := waitForServer(dsn.String()); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		return "", fmt.Errorf("throw-away PostgreSQL did not start: %w\n%s", err, log)
	}
	return dsn.String(), nil
}

// findPrograms returns the folder with initdb and postgres: the newest Debian package's, or the one on PATH.
func findPrograms() (string, error) {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		newest := slices.MaxFunc(found, func(a, b string) int { return majorVersion(a) - majorVersion(b) })
		return filepath.Dir(newest), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", errNoPostgreSQL
}

// majorVersion returns the version in a path: 15 for /usr/lib/postgresql/15/bin/initdb.
func majorVersion(initdb string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(initdb))))
	return n
}

// asOrdinaryUser makes cmd run as the user postgres if this process is root, because PostgreSQL refuses to run as root.
func asOrdinaryUser(cmd *exec.Cmd, dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return errNoPostgreSQL
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return os.Chown(dir, uid, gid)
}

func waitForServer(dsn string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		err := db.PingContext(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}
