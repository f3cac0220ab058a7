package access

import (
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/limit"
)

// Limits are the rate limits and quotas of one caller: a project together with an IPv4 address or an IPv6 /64 network.
type Limits struct {
	// RequestsPerSecond and Burst apply to projects without a rate of their own.
	RequestsPerSecond float64 `yaml:"requests_per_second" doc:"requests per second that one caller of a project may make on average, where the project has no rate of its own; 0 is no limit"`
	Burst             uint32  `yaml:"burst" doc:"requests that such a caller may make at once"`
	// OpenRequestsPerSecond and OpenBurst apply to requests without a project, per address.
	OpenRequestsPerSecond float64 `yaml:"open_requests_per_second" doc:"requests per second that one address may make on average without a project, at /health, webhooks, checkouts and other open paths; 0 is no limit"`
	OpenBurst             uint32  `yaml:"open_burst" doc:"requests that one address may make at once without a project"`
	// Sockets and FilterEntries are the quotas of open connections and of subscription filters.
	Sockets       int `yaml:"sockets" doc:"WebSocket connections that one caller may hold"`
	FilterEntries int `yaml:"filter_entries" doc:"addresses and topics that one caller may name in its subscriptions to logs"`
	// SocketsTotal and FilterEntriesTotal bound what the callers of one replica hold together.
	SocketsTotal       int `yaml:"sockets_total" doc:"WebSocket connections that all callers of one replica may hold; a fifth is for callers that hold few, and all projects of an address or an IPv6 site hold an eighth"`
	FilterEntriesTotal int `yaml:"filter_entries_total" doc:"addresses and topics that all callers of one replica may name; a fifth is for callers that name few, and all projects of an address or an IPv6 site name an eighth"`
	// Callers bounds the memory of the limiter, which is about 300 bytes for each.
	Callers int `yaml:"callers" doc:"callers that each replica has accounts for, of which those of one project, and those of one address or IPv6 site, have at most half; callers beyond that are counted in cells that several of them share, and while they are at most an eighth of this number, less than one in 4,000 is refused too early"`
}

// DefaultLimits returns the limits of an empty configuration.
func DefaultLimits() Limits {
	return Limits{
		RequestsPerSecond: 50, Burst: 500,
		OpenRequestsPerSecond: 20, OpenBurst: 200,
		Sockets: 100, FilterEntries: 10_000, SocketsTotal: 5_000, FilterEntriesTotal: 100_000,
		Callers: 40_000,
	}
}

// Check reports negative rates and quotas below 1.
func (l Limits) Check() (faults []config.Fault) {
	if l.RequestsPerSecond < 0 {
		faults = append(faults, config.Faultf("requests_per_second", "it is negative"))
	}
	if l.OpenRequestsPerSecond < 0 {
		faults = append(faults, config.Faultf("open_requests_per_second", "it is negative"))
	}
	for key, n := range map[string]int{
		"sockets": l.Sockets, "filter_entries": l.FilterEntries, "sockets_total": l.SocketsTotal, "filter_entries_total": l.FilterEntriesTotal, "callers": l.Callers,
	} {
		if n < 1 {
			faults = append(faults, config.Faultf(key, "it is less than 1"))
		}
	}
	return faults
}

// open is the rate limit of requests without a project.
func (l Limits) open() limit.Rate {
	return limit.Rate{Name: "open", PerSecond: l.OpenRequestsPerSecond, Burst: float64(l.OpenBurst)}
}

// lookups is the rate limit of requests with a project id that is not in the cache.
func (l Limits) lookups() limit.Rate {
	return limit.Rate{Name: "lookups", PerSecond: l.OpenRequestsPerSecond, Burst: float64(l.OpenBurst)}
}

// SocketShare is the quota of open WebSocket connections.
func (l Limits) SocketShare() limit.Share {
	return limit.Share{Name: "sockets", Each: l.Sockets, Total: l.SocketsTotal}
}

// FilterEntryShare is the quota of addresses and topics in subscriptions to logs.
func (l Limits) FilterEntryShare() limit.Share {
	return limit.Share{Name: "filter entries", Each: l.FilterEntries, Total: l.FilterEntriesTotal}
}
