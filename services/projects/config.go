package projects

import (
	"fmt"

	"github.com/hawser-dev/hawser/services/platform/config"
)

// Config is the configuration under `projects`.
type Config struct {
	Seed []Seed `yaml:"seed" doc:"projects that are created at start where no project has the id; later changes to them are kept"`
}

// Seed is a project in the configuration.
type Seed struct {
	ID                string   `yaml:"id" doc:"32 lower-case hex digits"`
	Name              string   `yaml:"name" doc:"1 to 80 letters, for the operator"`
	AllowedOrigins    []string `yaml:"allowed_origins" doc:"pages that may call, as https://*.example.org; none allows every page"`
	RequestsPerSecond float64  `yaml:"requests_per_second" doc:"requests per second that one caller may make on average; 0 is gateway.limits.requests_per_second"`
	Burst             uint32   `yaml:"burst" doc:"requests that one caller may make at once; 0 is what a second allows"`
}

// Check validates the seeds.
func (c Config) Check() (faults []config.Fault) {
	seen := map[string]bool{}
	for i, s := range c.Seed {
		key := fmt.Sprintf("seed[%d]", i)
		if err := s.check(); err != nil {
			faults = append(faults, config.Faultf(key, "%s", err))
		}
		if seen[s.ID] {
			faults = append(faults, config.Faultf(key, "id: an earlier project of the list has it"))
		}
		seen[s.ID] = true
	}
	return faults
}

func (s Seed) check() error {
	if _, err := ParseID(s.ID); err != nil {
		return err
	}
	var p Project
	if err := p.Rename(s.Name); err != nil {
		return err
	}
	if err := p.Allow(s.AllowedOrigins); err != nil {
		return err
	}
	return p.Restrict(s.RequestsPerSecond, s.Burst)
}

func (c Config) drafts() []Draft {
	drafts := make([]Draft, len(c.Seed))
	for i, s := range c.Seed {
		drafts[i] = Draft(s)
	}
	return drafts
}
