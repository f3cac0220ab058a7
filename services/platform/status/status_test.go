package status_test

import (
	"strings"
	"testing"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
	"github.com/hawser-dev/hawser/services/platform/status"
)

// sound is a suite of two processes without problems.
func sound() *statusv1.Suite {
	up := statusv1.NodeState_NODE_STATE_UP
	return &statusv1.Suite{
		Processes: []*statusv1.Process{
			{
				Target: "gateway", Address: "127.0.0.1:9090", Version: "1.2.0", Commit: "abc", UptimeSeconds: 7500,
				Services: []*statusv1.Service{{Name: "gateway", Ready: true}},
				Bus:      &statusv1.Bus{Server: "nats-0", Servers: []string{"nats-0:4222", "nats-1:4222"}},
			},
			{
				Target: "chains,names", Address: "10.0.0.7:9000", Version: "1.2.0", Commit: "abc", UptimeSeconds: 61,
				Services: []*statusv1.Service{{Name: "chains", Ready: true}, {Name: "names", Ready: true}},
				Database: &statusv1.Database{Kind: "postgres", Migrations: []*statusv1.Migrations{{Part: "names", Applied: 4, Newest: 4}, {Part: "outbox", Applied: 1, Newest: 1}}},
				Bus:      &statusv1.Bus{Server: "nats-1", Servers: []string{"nats-0:4222", "nats-1:4222"}},
				Chains: []*statusv1.Chain{
					{ChainId: "eip155:1", Height: 100, Nodes: []*statusv1.Node{{Host: "one.test", State: up, Head: 100, AnswerMs: 12.4, Score: &statusv1.NodeScore{Total: 0.999}}, {Host: "two.test", State: up, Head: 99, Behind: 1, AnswerMs: 30}}},
					{ChainId: "eip155:10", Nodes: []*statusv1.Node{{Host: "127.0.0.1:8545", State: statusv1.NodeState_NODE_STATE_UNKNOWN}}},
				},
				Vendors: []*statusv1.Vendor{{Kind: "swap", Name: "0x"}, {Kind: "prices", Name: "defillama"}},
			},
			{Target: "relay", Address: "10.0.0.8:5555", Services: []*statusv1.Service{{Name: "relay", Ready: true}}},
		},
		Streams: []*statusv1.Stream{{
			Name: "HAWSER_CHAINS", Messages: 12, Bytes: 2048, Copies: 3, Quorum: true,
			Replicas: []*statusv1.Replica{{Server: "nats-0", Leader: true, Current: true}, {Server: "nats-1", Current: true}, {Server: "nats-2", Current: true}},
		}},
	}
}

func TestASuiteThatIsWellIsShown(t *testing.T) {
	suite := sound()
	if faults := status.Faults(suite); len(faults) > 0 {
		t.Errorf("%q", faults)
	}
	wantPrinted(t, suite, `
PROCESS       ADDRESS         VERSION  UP FOR  STATE
gateway       127.0.0.1:9090  1.2.0    2h5m0s  answers
chains,names  10.0.0.7:9000   1.2.0    1m1s    answers
relay         10.0.0.8:5555   -        -       answers

SERVICE  ADDRESS         STATE
gateway  127.0.0.1:9090  accepts requests
chains   10.0.0.7:9000   accepts requests
names    10.0.0.7:9000   accepts requests
relay    10.0.0.8:5555   accepts requests

DATABASE  ADDRESS        STATE    MIGRATIONS
postgres  10.0.0.7:9000  answers  all applied (2 parts)

NATS    ADDRESS         SERVERS KNOWN            STATE
nats-0  127.0.0.1:9090  nats-0:4222 nats-1:4222  events flow
nats-1  10.0.0.7:9000   nats-0:4222 nats-1:4222  events flow

STREAM         MESSAGES  BYTES  COPIES  LEADER  STATE
HAWSER_CHAINS  12        2048   3 of 3  nats-0  takes messages

CHAIN      ADDRESS        NODE              STATE           HEAD  BEHIND  ANSWERS IN  SCORE  LAST ERROR
eip155:1   10.0.0.7:9000  1 one.test        up              100   0       12 ms       1.00   -
eip155:1   10.0.0.7:9000  2 two.test        up              99    1       30 ms       -      -
eip155:10  10.0.0.7:9000  1 127.0.0.1:8545  not probed yet  -     -       -           -      -

VENDOR     ADDRESS        FOR     STATE
0x         10.0.0.7:9000  swap    in use
defillama  10.0.0.7:9000  prices  in use

All is well.
`)
}

func TestWhatIsAtFaultIsListed(t *testing.T) {
	suite := sound()
	suite.Processes[0].Services[0] = &statusv1.Service{Name: "gateway", Error: "names: NOT_SERVING"}
	second := suite.GetProcesses()[1]
	second.Database.Migrations[0].Applied = 3
	second.Bus = &statusv1.Bus{Error: "not connected to NATS"}
	second.Chains[0].Nodes[0] = &statusv1.Node{Host: "one.test", State: statusv1.NodeState_NODE_STATE_DOWN, Head: 90, Behind: 9, AnswerMs: 12, LastError: "timeout", LastErrorSeconds: 75}
	second.Chains[1].Nodes[0].State = statusv1.NodeState_NODE_STATE_WRONG_CHAIN
	second.Vendors[0].PausedSeconds = 90
	suite.Processes[2] = &statusv1.Process{Target: "relay", Address: "10.0.0.8:5555", Error: "it does not answer"}
	suite.Streams[0].Replicas[2].Current = false
	suite.Streams = append(suite.Streams, &statusv1.Stream{Name: "HAWSER_NAMES", Copies: 3})
	wantPrinted(t, suite, `
PROCESS       ADDRESS         VERSION  UP FOR  STATE
gateway       127.0.0.1:9090  1.2.0    2h5m0s  answers
chains,names  10.0.0.7:9000   1.2.0    1m1s    answers
relay         10.0.0.8:5555   -        -       it does not answer

SERVICE  ADDRESS         STATE
gateway  127.0.0.1:9090  not ready: names: NOT_SERVING
chains   10.0.0.7:9000   accepts requests
names    10.0.0.7:9000   accepts requests

DATABASE  ADDRESS        STATE    MIGRATIONS
postgres  10.0.0.7:9000  answers  names 3 of 4

NATS       ADDRESS         SERVERS KNOWN            STATE
nats-0     127.0.0.1:9090  nats-0:4222 nats-1:4222  events flow
no server  10.0.0.7:9000   -                        not connected to NATS

STREAM         MESSAGES  BYTES  COPIES  LEADER  STATE
HAWSER_CHAINS  12        2048   2 of 3  nats-0  takes messages, without nats-2
HAWSER_NAMES   0         0      0 of 3  -       no quorum

CHAIN      ADDRESS        NODE              STATE             HEAD  BEHIND  ANSWERS IN  SCORE  LAST ERROR
eip155:1   10.0.0.7:9000  1 one.test        down              90    9       12 ms       -      timeout, 1m15s ago
eip155:1   10.0.0.7:9000  2 two.test        up                99    1       30 ms       -      -
eip155:10  10.0.0.7:9000  1 127.0.0.1:8545  on another chain  -     -       -           -      -

VENDOR     ADDRESS        FOR     STATE
0x         10.0.0.7:9000  swap    paused after failures for 1m30s
defillama  10.0.0.7:9000  prices  in use

Look at:
  gateway at 127.0.0.1:9090 is not ready: names: NOT_SERVING
  the tables of names have version 3 of 4
  NATS at 10.0.0.7:9000: not connected to NATS
  swap vendor 0x of 10.0.0.7:9000 is paused after failures
  node 1 of eip155:1, one.test, is down
  node 1 of eip155:10, 127.0.0.1:8545, is on another chain
  relay at 10.0.0.8:5555: it does not answer
  stream HAWSER_CHAINS has 2 of 3 copies
  stream HAWSER_NAMES has no quorum, and takes no messages
`)
}

func wantPrinted(t *testing.T, suite *statusv1.Suite, want string) {
	t.Helper()
	var out strings.Builder
	if err := status.Print(&out, suite); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s\nwant%s", got, want)
	}
}
