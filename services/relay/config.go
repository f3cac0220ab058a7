package relay

import (
	"net/url"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
	"github.com/hawser-dev/hawser/services/relay/mailbox"
	"github.com/hawser-dev/hawser/services/relay/quota"
)

// Config is the configuration under `relay`.
type Config struct {
	URLs                []string      `yaml:"urls" doc:"addresses that clients have for this relay, such as wss://relay.example.org, beside public_url; a client's token must name one of them, or the host of its request if neither is set"`
	TrustForwardedFor   bool          `yaml:"trust_forwarded_for" doc:"take a client's address from the last entry of X-Forwarded-For: set it behind exactly one proxy or the gateway of another process"`
	MessageBytes        int64         `yaml:"message_bytes" doc:"longest message, in bytes; the NATS server must take more"`
	StoreBytes          int64         `yaml:"store_bytes" doc:"size of all mailboxes together, in bytes; messages of one network may take a sixteenth of what is free, half of it for an hour at most, those of an IPv6 /56 twice and of a /48 four times as much, those of one project as much as is free"`
	Streams             int           `yaml:"streams" doc:"JetStream streams over which mailboxes are distributed by their topics, each with an equal part of store_bytes: 1, 2, 4, 8 or 16; a server of NATS stores the messages of a stream one after the other; after a change, messages are read in the streams of before until they are acknowledged or their time has passed, and NATS needs room for both meanwhile"`
	RequestsPerSecond   float64       `yaml:"requests_per_second" doc:"requests of one client address and project, on average; those beyond are answered with error 3001"`
	Burst               int           `yaml:"burst" doc:"requests that one client address and project may send at once"`
	Connections         int           `yaml:"connections" doc:"connections that a process may have; a fifth is for addresses that have few"`
	AddressConnections  int           `yaml:"connections_per_address" doc:"connections that one client address may have at a process; an IPv6 site may have an eighth of all"`
	Topics              int           `yaml:"topics" doc:"subscriptions to topics that all connections of a process may have, counted by eight for each connection; a fifth is for addresses that have few"`
	AddressTopics       int           `yaml:"topics_per_address" doc:"subscriptions that all connections of one client address may have at a process; an IPv6 site may have an eighth of all"`
	Publications        int           `yaml:"publications" doc:"messages that a process stores at once; a fifth is for addresses that store few at the moment, and those beyond are answered with error 3001; half as many more are stored for connections that send the next message before the last one is stored"`
	AddressPublications int           `yaml:"publications_per_address" doc:"messages of one client address that a process stores at once"`
	ConnectsPerSecond   float64       `yaml:"connects_per_second" doc:"new connections of one client address, on average; those beyond wait up to 10 seconds"`
	ConnectBurst        int           `yaml:"connect_burst" doc:"connections that one client address may open at once"`
	HandshakesPerSecond float64       `yaml:"handshakes_per_second" doc:"new connections that a process accepts, on average; those beyond wait for their turn, up to 10 seconds"`
	Drain               time.Duration `yaml:"drain" doc:"time over which connections are closed when the process stops, in random order; few of them are closed sooner, 500 a second"`
	// PublicURL is the base URL of the gateway; empty if none is configured.
	PublicURL string `yaml:"-"`
	// LocalPages allows every project from localhost origins: for development.
	LocalPages bool `yaml:"-"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{
		MessageBytes: 1 << 20, StoreBytes: 2 << 30, Streams: 1,
		// One page of sign-client 2.21.8 sends about 5,000 subscriptions of several topics after an outage of five seconds.
		RequestsPerSecond: 500, Burst: 20_000, ConnectsPerSecond: 50, ConnectBurst: 500,
		// A client that comes back with 50 topics takes about half a millisecond of CPU.
		HandshakesPerSecond: 1500,
		// It also opens up to 1,900 connections. A connection takes some 10 KB, a subscription 300 bytes.
		Connections: 16_000, AddressConnections: 2_000, Topics: 160_000, AddressTopics: 20_000,
		// A server of NATS stores 500 to 5,000 messages a second, so an address has about a tenth of it at most while others publish.
		Publications: 512, AddressPublications: 32,
		Drain: 3 * time.Second,
	}
}

// leastMessages is how many of the longest messages each stream must have room for.
const leastMessages = 64

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for _, text := range c.URLs {
		if u, err := url.Parse(text); err != nil || u.Host == "" {
			faults = append(faults, config.Faultf("urls", "%q is not a URL such as wss://relay.example.org", text))
		}
	}
	if c.MessageBytes < 64<<10 || c.MessageBytes > 8<<20 {
		faults = append(faults, config.Faultf("message_bytes", "it is not between 64 KiB and 8 MiB"))
	}
	if !mailbox.IsLayout(c.Streams) {
		faults = append(faults, config.Faultf("streams", "it is not 1, 2, 4, 8 or 16"))
	}
	if c.StoreBytes < int64(max(1, c.Streams))*leastMessages*c.MessageBytes {
		faults = append(faults, config.Faultf("store_bytes", "it is below %d times message_bytes for each of streams, and one network may store a part of what is free", leastMessages))
	}
	if c.RequestsPerSecond <= 0 || c.Burst < 1 {
		faults = append(faults, config.Faultf("requests_per_second", "it or burst is not above 0"))
	}
	if c.ConnectsPerSecond <= 0 || c.ConnectBurst < 1 {
		faults = append(faults, config.Faultf("connects_per_second", "it or connect_burst is not above 0"))
	}
	if c.HandshakesPerSecond < 1 {
		faults = append(faults, config.Faultf("handshakes_per_second", "it is less than 1"))
	}
	for key, n := range map[string]int{"connections": c.Connections, "connections_per_address": c.AddressConnections, "publications": c.Publications, "publications_per_address": c.AddressPublications} {
		if n < 1 {
			faults = append(faults, config.Faultf(key, "it is less than 1"))
		}
	}
	for key, n := range map[string]int{"topics": c.Topics, "topics_per_address": c.AddressTopics} {
		if n < quota.TopicBlock {
			faults = append(faults, config.Faultf(key, "it is less than %d", quota.TopicBlock))
		}
	}
	if c.Drain < 0 || c.Drain > 15*time.Second {
		faults = append(faults, config.Faultf("drain", "it is not between 0 and 15s"))
	}
	return faults
}

// limits are what a client and a process may use.
func (c Config) limits() quota.Limits {
	return quota.Limits{
		Requests:            limit.Rate{Name: "requests", PerSecond: c.RequestsPerSecond, Burst: float64(c.Burst)},
		Connects:            limit.Rate{Name: "connections", PerSecond: c.ConnectsPerSecond, Burst: float64(c.ConnectBurst)},
		HandshakesPerSecond: c.HandshakesPerSecond,
		Connections:         limit.Share{Name: "relay connections", Each: c.AddressConnections, Total: c.Connections},
		Topics:              limit.Share{Name: "relay topics", Each: c.AddressTopics, Total: c.Topics},
		Publications:        limit.Share{Name: "relay publications", Each: c.AddressPublications, Total: c.Publications},
	}
}

// audiences returns the hosts that tokens may name as audience.
func (c Config) audiences() (hosts []string) {
	for _, text := range append([]string{c.PublicURL}, c.URLs...) {
		if u, err := url.Parse(text); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}
