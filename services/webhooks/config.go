package webhooks

import (
	"strconv"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/webhooks/deliveries"
	"github.com/hawser-dev/hawser/services/webhooks/dispatch"
)

// Config is the configuration under `webhooks`.
type Config struct {
	PrivateHosts   []string      `yaml:"private_hosts" doc:"hosts of backends that may have private addresses, any port and http, such as shop.internal; other endpoints have https, port 443 and a public address"`
	Timeout        time.Duration `yaml:"timeout" doc:"longest time of one attempt"`
	RetryFor       time.Duration `yaml:"retry_for" doc:"how long attempts at a webhook are repeated, before it is given up"`
	Keep           time.Duration `yaml:"keep" doc:"how long webhooks that were delivered or given up are listed, and can be sent again"`
	MaxWaiting     int           `yaml:"max_waiting" doc:"webhooks that may wait for the endpoints of one project, a tenth of them of one account and endpoint; more are dropped and counted"`
	Slots          int           `yaml:"slots" doc:"attempts that one process makes at once"`
	Followed       int           `yaml:"followed" doc:"transactions that may be followed at once for one project, until they are final; five times as many for all projects"`
	FollowsPerHour int           `yaml:"follows_per_hour" doc:"transactions that one caller, which is a project and an address, may have followed in an hour; 0 is no limit"`
	// Development allows hosts of this machine.
	Development bool `yaml:"-"`
}

// DefaultConfig returns the default configuration.
func DefaultConfig() Config {
	return Config{Timeout: 10 * time.Second, RetryFor: 3 * 24 * time.Hour, Keep: 7 * 24 * time.Hour, MaxWaiting: 10_000, Slots: 32, Followed: 10_000, FollowsPerHour: 1000}
}

const (
	// projectPart and hostPart are the parts of the slots that a project and a host have at most, as divisors.
	projectPart, hostPart = 8, 4
	// keptPart is how many deliveries are kept of a project that have ended, for each that may wait.
	keptPart = 10
	// projectsFollowed is how many projects may have as many followed transactions as one may.
	projectsFollowed = 5
	// minTimeout and maxTimeout bound the timeout.
	minTimeout, maxTimeout = time.Second, time.Minute
)

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	for i, host := range c.PrivateHosts {
		if host == "" || strings.ContainsAny(host, "/@*: ") {
			faults = append(faults, config.Faultf("private_hosts["+strconv.Itoa(i)+"]", "it is not a host without a port"))
		}
	}
	if c.Timeout < minTimeout || c.Timeout > maxTimeout {
		faults = append(faults, config.Faultf("timeout", "it is not between %s and %s", minTimeout, maxTimeout))
	}
	if c.RetryFor <= 0 {
		faults = append(faults, config.Faultf("retry_for", "it is not above 0"))
	}
	if c.Keep < 24*time.Hour {
		faults = append(faults, config.Faultf("keep", "it is below 24h, in which an event may be read again"))
	}
	if c.MaxWaiting < 10 {
		faults = append(faults, config.Faultf("max_waiting", "it is below 10"))
	}
	if c.Slots < 2 || c.Slots > 1000 {
		faults = append(faults, config.Faultf("slots", "it is not between 2 and 1000"))
	}
	if c.Followed < 1 {
		faults = append(faults, config.Faultf("followed", "it is below 1"))
	}
	if c.FollowsPerHour < 0 {
		faults = append(faults, config.Faultf("follows_per_hour", "it is below 0"))
	}
	return faults
}

// Rules returns the rules of endpoints and deliveries.
func (c Config) Rules() deliveries.Rules {
	r := deliveries.Rules{MaxWaiting: int64(c.MaxWaiting), RetryFor: c.RetryFor, Keep: c.Keep}
	for _, host := range c.PrivateHosts {
		r.PrivateHosts = append(r.PrivateHosts, strings.ToLower(host))
	}
	if c.Development {
		r.PrivateHosts = append(r.PrivateHosts, "localhost", "127.0.0.1", "::1")
	}
	return r
}

// limits returns the bounds of attempts.
func (c Config) limits() dispatch.Limits {
	return dispatch.Limits{Total: c.Slots, Project: max(1, c.Slots/projectPart), Host: max(1, c.Slots/hostPart), Attempt: c.Timeout}
}
