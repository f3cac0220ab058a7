package main

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// startPostgreSQL makes a database cluster in dir/postgres, on a disk of its own where that can be.
func (w *world) startPostgreSQL() error {
	home := filepath.Join(w.dir, "postgres")
	if w.isolated {
		d, err := newDisk(home)
		if err != nil {
			return err
		}
		w.databaseDisk = &d
	} else if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	programs, err := postgresPrograms()
	if err != nil {
		return err
	}
	attributes, err := ordinaryUser(home)
	if err != nil {
		return err
	}
	data := filepath.Join(home, "data")
	initdb := exec.Command(filepath.Join(programs, "initdb"), "-D", data, "-U", "hawser", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=1")
	initdb.Dir, initdb.SysProcAttr = "/", attributes
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	w.database = w.add("postgres", func() *exec.Cmd {
		cmd := exec.Command(filepath.Join(programs, "postgres"), "-D", data, "-k", home, "-h", "", "-c", "max_connections=200", "-c", "max_wal_size=32MB")
		cmd.Dir = "/"
		copied := *attributes
		cmd.SysProcAttr = &copied
		return cmd
	})
	dsn := url.URL{Scheme: "postgres", User: url.User("hawser"), Path: "/postgres", RawQuery: url.Values{"host": {home}}.Encode()}
	w.dsn = dsn.String()
	return nil
}

// postgresPrograms returns the folder with initdb and postgres: the newest Debian package's, or the one on PATH.
func postgresPrograms() (string, error) {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		version := func(path string) int {
			n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
			return n
		}
		return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", fmt.Errorf("no PostgreSQL: run `make setup`: %w", err)
	}
	return filepath.Dir(path), nil
}

// ordinaryUser gives dir to the user postgres where this program is root, which PostgreSQL refuses to run as.
func ordinaryUser(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, os.Chown(dir, int(uid), int(gid))
}
