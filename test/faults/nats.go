package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hawser-dev/hawser/services/platform/freeport"
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
		s.client = freeport.Address()
		s.routes = freeport.Address()
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
