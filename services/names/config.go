package names

import (
	"regexp"
	"strconv"
	"time"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is what an operator sets under `names`.
type Config struct {
	// Zones are where names live.
	Zones []string `yaml:"zones" doc:"where names live, two labels each, such as hawser.id; the first is meant where none is named"`
	// Past and Ahead bound how far the time of a signed text may be from now.
	Past  time.Duration `yaml:"past" doc:"how long ago a text may have been signed to count: what a person needs to approve it"`
	Ahead time.Duration `yaml:"ahead" doc:"how far ahead of ours the clock may be of whoever signs"`
	// Reserved are labels that nobody may register.
	Reserved []string `yaml:"reserved" doc:"first labels that nobody may register, nor what reads like them"`
	// ChangesPerHour is how much one account may change.
	ChangesPerHour int `yaml:"changes_per_hour" doc:"how many names one account may register or change within an hour; 0 is no limit"`
}

// DefaultConfig returns what holds unless the operator says otherwise.
func DefaultConfig() Config {
	return Config{
		Zones: []string{"hawser.id"}, Past: 5 * time.Minute, Ahead: 10 * time.Second, ChangesPerHour: 60,
		Reserved: []string{
			"abuse", "account", "admin", "administrator", "billing", "bridge", "contact", "daemon", "hawser", "help", "helpdesk", "hostmaster",
			"info", "legal", "localhost", "login", "mail", "moderator", "noreply", "official", "postmaster", "recovery", "refund", "register",
			"root", "security", "service", "staff", "status", "support", "system", "team", "test", "treasury", "verify", "wallet", "webmaster",
		},
	}
}

var zoneForm = regexp.MustCompile(`^[a-z0-9-]+\.[a-z0-9-]+$`)

// Check refuses zones in which no name could be, and times that make no sense.
func (c Config) Check() (faults []config.Fault) {
	if len(c.Zones) == 0 {
		faults = append(faults, config.Faultf("zones", "it is empty"))
	}
	for i, zone := range c.Zones {
		if !zoneForm.MatchString(zone) {
			faults = append(faults, config.Faultf("zones["+strconv.Itoa(i)+"]", "it is not two labels in lower case, such as hawser.id"))
		}
	}
	if c.Past < time.Second || c.Past > time.Hour {
		faults = append(faults, config.Faultf("past", "it is not between a second and an hour"))
	}
	if c.Ahead < 0 || c.Ahead > time.Hour {
		faults = append(faults, config.Faultf("ahead", "it is not between 0 and an hour"))
	}
	if c.ChangesPerHour < 0 {
		faults = append(faults, config.Faultf("changes_per_hour", "it is below 0"))
	}
	return faults
}
