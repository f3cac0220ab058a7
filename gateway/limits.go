package gateway

import (
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// Limits are the budgets of one caller, which is a project and an address: an IPv4 address, or an IPv6 network of 64 bits.
type Limits struct {
	// RequestsPerSecond and Burst hold for projects that have no rate of their own.
	RequestsPerSecond float64 `yaml:"requests_per_second" doc:"requests per second that one caller of a project may make on average, where the project has no rate of its own; 0 is no limit"`
	Burst             uint32  `yaml:"burst" doc:"requests that such a caller may make at once"`
	// OpenRequestsPerSecond and OpenBurst hold for requests that count for no project.
	OpenRequestsPerSecond float64 `yaml:"open_requests_per_second" doc:"requests per second that one address may make on average without a project, at /health, webhooks, checkouts and other open paths; 0 is no limit"`
	OpenBurst             uint32  `yaml:"open_burst" doc:"requests that one address may make at once without a project"`
	// Sockets and FilterEntries bound what is kept open.
	Sockets       int `yaml:"sockets" doc:"WebSocket connections that one caller may hold"`
	FilterEntries int `yaml:"filter_entries" doc:"addresses and topics that one caller may name in its subscriptions to logs"`
	// Callers bounds the memory of all this.
	Callers int `yaml:"callers" doc:"callers whose budgets are remembered at once; the one that was idle longest is forgotten first"`
}

// DefaultLimits returns what holds when the operator says nothing.
func DefaultLimits() Limits {
	return Limits{
		RequestsPerSecond: 50, Burst: 500,
		OpenRequestsPerSecond: 20, OpenBurst: 200,
		Sockets: 100, FilterEntries: 10_000,
		Callers: limit.DefaultCallers,
	}
}

// Check reports negative rates, and shares under which every request would be refused.
func (l Limits) Check() (faults []config.Fault) {
	if l.RequestsPerSecond < 0 {
		faults = append(faults, config.Faultf("requests_per_second", "it is negative"))
	}
	if l.OpenRequestsPerSecond < 0 {
		faults = append(faults, config.Faultf("open_requests_per_second", "it is negative"))
	}
	for key, n := range map[string]int{"sockets": l.Sockets, "filter_entries": l.FilterEntries, "callers": l.Callers} {
		if n < 1 {
			faults = append(faults, config.Faultf(key, "it is less than 1"))
		}
	}
	return faults
}

// open is the rate of callers without a project.
func (l Limits) open() limit.Rate {
	return limit.Rate{Name: "open", PerSecond: l.OpenRequestsPerSecond, Burst: float64(l.OpenBurst)}
}

// lookups is how often an address may name a project that the gateway has to ask for.
func (l Limits) lookups() limit.Rate {
	return limit.Rate{Name: "lookups", PerSecond: l.OpenRequestsPerSecond, Burst: float64(l.OpenBurst)}
}

// sockets is how many connections one caller may hold, and filterEntries how many addresses and topics its subscriptions may name.
func (l Limits) sockets() limit.Share { return limit.Share{Name: "sockets", Each: l.Sockets} }

func (l Limits) filterEntries() limit.Share {
	return limit.Share{Name: "filter entries", Each: l.FilterEntries}
}
