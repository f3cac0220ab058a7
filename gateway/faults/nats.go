package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// natsServers is how many servers the cluster has.
const natsServers = 3

// natsServer is one server of the cluster.
type natsServer struct {
	*part
	// host and disk are the server's own; nil where they cannot be made.
	host           *host
	disk           *disk
	client, routes string // addresses
}

// startNATS starts the cluster, each server on a host and a disk of its own where these can be.
func (w *world) startNATS() error {
	servers := make([]*natsServer, natsServers)
	var routes, urls []string
	for i := range servers {
		s := &natsServer{}
		var err error
		if s.client, err = freeAddress(); err != nil {
			return err
		}
		if s.routes, err = freeAddress(); err != nil {
			return err
		}
		if w.isolated {
			h, err := newHost(i + 1)
			if err != nil {
				return err
			}
			d, err := newDisk(filepath.Join(w.dir, fmt.Sprintf("nats-%d", i+1)))
			if err != nil {
				return err
			}
			s.host, s.disk, s.client, s.routes = &h, &d, h.address()+":4222", h.address()+":6222"
		}
		servers[i] = s
		routes, urls = append(routes, "nats://"+s.routes), append(urls, "nats://"+s.client)
	}
	for i, s := range servers {
		name := fmt.Sprintf("nats-%d", i+1)
		home := filepath.Join(w.dir, name)
		if err := os.MkdirAll(home, 0o700); err != nil {
			return err
		}
		config := filepath.Join(w.dir, name+".conf")
		text := fmt.Sprintf("server_name: %s\nlisten: %q\nmax_payload: 4MB\njetstream {\n store_dir: %q\n sync_interval: always\n max_memory_store: 64MB\n max_file_store: 64GB\n}\n"+
			"cluster {\n name: faults\n listen: %q\n routes: [%s]\n}\n", name, s.client, home, s.routes, strings.Join(routes, ", "))
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			return err
		}
		s.part = w.add(name, func() *exec.Cmd {
			if s.host != nil {
				return s.host.within(w.natsBinary, "-c", config)
			}
			return exec.Command(w.natsBinary, "-c", config)
		})
	}
	w.nats, w.busURL = servers, strings.Join(urls, ",")
	return nil
}

// givenOut are the addresses that freeAddress returned: one that was found free may be found again before anyone listens.
var givenOut = map[string]bool{}

// freeAddress returns an address that is not in use. Its port is below the ephemeral ports, which outgoing connections take.
func freeAddress() (string, error) {
	for range 1000 {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(12_000))
		if givenOut[address] {
			continue
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue
		}
		givenOut[address] = true
		return address, l.Close()
	}
	return "", errors.New("no port is free")
}
