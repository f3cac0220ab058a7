package main

import (
	"cmp"
	"flag"
	"fmt"
	"net"
	"net/url"
	"path/filepath"

	"github.com/hawser-dev/hawser/services/chains"
	"github.com/hawser-dev/hawser/services/development/sandbox"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/observe"
)

// prefix is the prefix of the variables with settings. Those of the suite have another one, and both may have one environment.
const prefix = "HAWSER_DEV_"

// Config is the configuration of the process.
type Config struct {
	DataDir   string          `yaml:"data_dir" doc:"folder for the database of the sandbox"`
	PublicURL string          `yaml:"public_url" doc:"where browsers and the suite reach listen.http, such as http://localhost:5175; empty for this machine"`
	Listen    Listen          `yaml:"listen"`
	Suite     Suite           `yaml:"suite"`
	Store     Store           `yaml:"store"`
	Log       observe.Config  `yaml:"log"`
	Farcaster FarcasterConfig `yaml:"farcaster"`
	Chains    chains.Config   `yaml:"chains"`
	Sandbox   sandbox.Config  `yaml:"sandbox"`
}

// Listen is where the process answers.
type Listen struct {
	HTTP string `yaml:"http" doc:"address of the pages: /inbox, /sandbox/checkout, /identity and /farcaster, and of /ready"`
	GRPC string `yaml:"grpc" doc:"address of the sandbox for the suite, which has it at onramp.sellers"`
	SMTP string `yaml:"smtp" doc:"address on this machine of the inbox, which the suite has at wallet.mail"`
}

// Suite is where the suite is.
type Suite struct {
	Gateway string `yaml:"gateway" doc:"public URL of the gateway, for the webhooks of the sandbox"`
	Frame   string `yaml:"frame" doc:"origin of the embedded wallet's pages, to which the identity provider returns visitors"`
	Console string `yaml:"console" doc:"origin of the operator's console, to which the identity provider returns operators"`
}

// Store configures the database.
type Store struct {
	DSN string `yaml:"dsn" doc:"postgres:// URL, or the path of an SQLite file, of the sandbox; empty for sandbox.db in data_dir" secret:"url"`
}

// FarcasterConfig configures Farcaster.
type FarcasterConfig struct {
	Network string `yaml:"network" doc:"network with the registries of Farcaster, by CAIP-2 id, as wallet.farcaster_network of the suite"`
}

func defaultConfig() Config {
	return Config{
		DataDir:   ".hawser-dev",
		Listen:    Listen{HTTP: "127.0.0.1:5175", GRPC: "127.0.0.1:5176", SMTP: "127.0.0.1:5177"},
		Suite:     Suite{Gateway: "http://localhost:8080", Frame: "http://wallet.localhost:5174", Console: "http://localhost:8090"},
		Log:       observe.DefaultConfig(),
		Farcaster: FarcasterConfig{Network: "eip155:31337"},
		Chains:    chains.Config{Dev: true},
		Sandbox:   sandbox.DefaultConfig(),
	}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	if c.DataDir == "" {
		faults = append(faults, config.Faultf("data_dir", "it is empty"))
	}
	for key, address := range map[string]string{"public_url": cmp.Or(c.PublicURL, "http://localhost"), "suite.gateway": c.Suite.Gateway, "suite.frame": c.Suite.Frame, "suite.console": c.Suite.Console} {
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
			faults = append(faults, config.Faultf(key, "it is not an http or https URL without a query"))
		}
	}
	return faults
}

// dsn returns the DSN of the database.
func (c Config) dsn() string { return cmp.Or(c.Store.DSN, filepath.Join(c.DataDir, "sandbox.db")) }

// publicURL returns the URL of the pages, which are served at an address.
func (c Config) publicURL(at net.Addr) string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return fmt.Sprintf("http://localhost:%d", at.(*net.TCPAddr).Port)
}

// load reads the configuration.
func load(args []string) (Config, error) {
	flags := flag.NewFlagSet("hawser-dev", flag.ContinueOnError)
	c := defaultConfig()
	if err := config.Load(&c, config.Options{Flags: flags, Args: args, Prefix: prefix}); err != nil {
		return Config{}, err
	}
	if flags.NArg() > 0 {
		return Config{}, fmt.Errorf("%q is one argument too many; `hawser-dev -h` lists the flags", flags.Arg(0))
	}
	return c, nil
}
