package status

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/routine"
)

// peerTimeout bounds how long one replica may take to answer. It exceeds the time that a process takes to describe
// itself.
const peerTimeout = partTimeout + 2*time.Second

// lookupTimeout bounds how long the addresses of the replicas may take to be found.
const lookupTimeout = 2 * time.Second

// Suite describes this process and every replica of the processes that it calls.
func (s *Source) Suite(ctx context.Context, probe bool) *statusv1.Suite {
	replicas := s.replicas(ctx)
	suite := &statusv1.Suite{Processes: make([]*statusv1.Process, 1+len(replicas))}
	var describing routine.WaitGroup
	describing.Go(ctx, func() { suite.Processes[0] = s.own(ctx, probe) })
	describing.Go(ctx, func() {
		// Without an answer, the description of the bus has the error.
		suite.Streams, _ = s.Bus.Streams(ctx)
	})
	for i, r := range replicas {
		describing.Go(ctx, func() { suite.Processes[1+i] = r.describe(ctx, s, probe) })
	}
	describing.Wait()
	return suite
}

// replica is a process at an address, and the services that it should host.
type replica struct {
	address string
	names   []string
	// err is why no address was found.
	err error
}

// replicas returns the processes that host the services of the peers, in the order of the names.
func (s *Source) replicas(ctx context.Context) (found []*replica) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	hosted := map[string]bool{}
	for _, h := range s.Mesh.Hosted() {
		hosted[h.Name] = true
	}
	known := map[string]*replica{}
	for _, name := range sortedNames(s.Mesh.Peers) {
		if hosted[name] {
			continue
		}
		addresses, err := resolve(ctx, s.Mesh.Peers[name])
		if err != nil {
			found = append(found, &replica{address: s.Mesh.Peers[name], names: []string{name}, err: err})
		}
		for _, address := range addresses {
			if known[address] == nil {
				known[address] = &replica{address: address}
				found = append(found, known[address])
			}
			known[address].names = append(known[address].names, name)
		}
	}
	return found
}

func sortedNames(peers map[string]string) (names []string) {
	for name, addresses := range peers {
		if addresses != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// resolve returns the address of each replica of a peer: those of a comma-separated list, or those that DNS returns for
// a name.
func resolve(ctx context.Context, peer string) (addresses []string, err error) {
	if list := strings.Split(peer, ","); len(list) > 1 {
		for _, address := range list {
			addresses = append(addresses, strings.TrimSpace(address))
		}
		return addresses, nil
	}
	host, port, err := net.SplitHostPort(peer)
	if err != nil {
		return nil, err
	}
	ips, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		return nil, errors.New("its name has no address")
	}
	slices.Sort(ips)
	for _, ip := range ips {
		addresses = append(addresses, net.JoinHostPort(ip, port))
	}
	return addresses, nil
}

// describe requests the description of the replica.
func (r *replica) describe(ctx context.Context, s *Source, probe bool) *statusv1.Process {
	silent := &statusv1.Process{Target: strings.Join(r.names, ","), Address: r.address}
	if r.err != nil {
		silent.Error = r.err.Error()
		return silent
	}
	ctx, cancel := context.WithTimeout(ctx, peerTimeout)
	defer cancel()
	if slices.Equal(r.names, []string{s.Relay}) {
		if err := s.askRelay(ctx, r.address); err != nil {
			silent.Error = "it does not answer"
			return silent
		}
		silent.Services = []*statusv1.Service{{Name: s.Relay, Ready: true}}
		return silent
	}
	p, err := s.ask(ctx, r.address, probe)
	if err != nil {
		silent.Error = reason(err)
		return silent
	}
	p.Address = r.address
	return p
}

func (s *Source) ask(ctx context.Context, address string, probe bool) (*statusv1.Process, error) {
	conn, err := s.Mesh.DialReplica(address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	res, err := statusv1.NewStatusServiceClient(conn).GetStatus(ctx, &statusv1.GetStatusRequest{Probe: probe})
	if err != nil {
		return nil, err
	}
	return res.GetProcess(), nil
}

// reason returns why a process did not describe itself.
func reason(err error) string {
	switch status.Code(err) {
	case codes.DeadlineExceeded:
		return fmt.Sprintf("it does not answer within %s", peerTimeout)
	case codes.Unimplemented:
		return "its release does not describe itself"
	default:
		return "it does not answer"
	}
}

// askRelay reports whether a relay, which has no RPC, answers.
func (s *Source) askRelay(ctx context.Context, address string) error {
	// The connection is not used again.
	transport := &http.Transport{DisableKeepAlives: true}
	scheme := "http"
	if s.Mesh.TLS != nil {
		scheme, transport.TLSClientConfig = "https", s.Mesh.TLS.Client()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+address+"/health", nil)
	if err != nil {
		return err
	}
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	return nil
}
