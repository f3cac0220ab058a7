package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hawser-dev/hawser/gateway"
	"github.com/hawser-dev/hawser/gateway/frame"
	"github.com/hawser-dev/hawser/services/access"
	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/auth"
	"github.com/hawser-dev/hawser/services/balances"
	"github.com/hawser-dev/hawser/services/bundler"
	"github.com/hawser-dev/hawser/services/chains"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/convert"
	"github.com/hawser-dev/hawser/services/directory"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/nfts"
	"github.com/hawser-dev/hawser/services/onramp"
	"github.com/hawser-dev/hawser/services/platform/bus"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/platform/observe"
	"github.com/hawser-dev/hawser/services/platform/peertls"
	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/preview"
	"github.com/hawser-dev/hawser/services/projects"
	"github.com/hawser-dev/hawser/services/relay"
	"github.com/hawser-dev/hawser/services/sessions"
	"github.com/hawser-dev/hawser/services/updates"
	"github.com/hawser-dev/hawser/services/wallet"
	"github.com/hawser-dev/hawser/services/wallet/removal"
	"github.com/hawser-dev/hawser/services/webhooks"
)

const (
	targetAll     = "all"
	targetGateway = "gateway"
	serviceChains = "chains"
)

// Config is the configuration of a process.
type Config struct {
	Target       string            `yaml:"target" doc:"what this process hosts: all, or a comma-separated list of gateway, chains, projects, analytics, auth, wallet, bundler, sessions, handoff, directory, onramp, activity, balances, nfts, access, names, preview, convert, bitcoin, updates, webhooks, relay, console"`
	DataDir      string            `yaml:"data_dir" doc:"folder for the files of this process"`
	DataDirGroup bool              `yaml:"data_dir_group" doc:"whether the group of data_dir may access its files, as pods with an fsGroup need; otherwise only the user of the process may"`
	RemovalsDir  string            `yaml:"removals_dir" doc:"folder that replicas share for the lists of what was removed (wallet.removed, sessions.revoked), of which each has a folder of its own there, named as its host; empty keeps them in data_dir"`
	PublicURL    string            `yaml:"public_url" doc:"where browsers, and webhooks of on-ramp providers, reach the gateway, such as https://wallet.example.org; empty for this machine"`
	Listen       Listen            `yaml:"listen"`
	Peers        map[string]string `yaml:"peers" doc:"where the services are that another process hosts, as chains: host:port; several replicas are host:port,host:port, or one name that DNS answers with the address of each. The relay's is the address that it serves wallets at"`
	TLS          peertls.Config    `yaml:"tls"`
	Store        Store             `yaml:"store"`
	Bus          bus.Config        `yaml:"bus"`
	Log          observe.Config    `yaml:"log"`
	Gateway      gateway.Config    `yaml:"gateway"`
	Frame        frame.Config      `yaml:"frame"`
	Projects     projects.Config   `yaml:"projects"`
	Chains       chains.Config     `yaml:"chains"`
	Analytics    analytics.Config  `yaml:"analytics"`
	Auth         auth.Config       `yaml:"auth"`
	Wallet       wallet.Config     `yaml:"wallet"`
	Bundler      bundler.Config    `yaml:"bundler"`
	Sessions     sessions.Config   `yaml:"sessions"`
	Directory    directory.Config  `yaml:"directory"`
	Onramp       onramp.Config     `yaml:"onramp"`
	Activity     activity.Config   `yaml:"activity"`
	Balances     balances.Config   `yaml:"balances"`
	Names        names.Config      `yaml:"names"`
	NFTs         nfts.Config       `yaml:"nfts"`
	Access       access.Config     `yaml:"access"`
	Preview      preview.Config    `yaml:"preview"`
	Convert      convert.Config    `yaml:"convert"`
	Updates      updates.Config    `yaml:"updates"`
	Webhooks     webhooks.Config   `yaml:"webhooks"`
	Relay        relay.Config      `yaml:"relay"`
	Console      console.Config    `yaml:"console"`

	// from is where the values come from.
	from config.Places
	// resolver looks up the names in Peers; nil for net.DefaultResolver.
	resolver *net.Resolver
}

// Listen is where the process answers.
type Listen struct {
	Gateway  string `yaml:"gateway" doc:"address of the gateway, for everyone"`
	Relay    string `yaml:"relay" doc:"address of the wallet-connect relay, for everyone; it is at /v1/relay of the gateway as well. With tls, a process without the gateway takes only connections of processes of the suite here"`
	Frame    string `yaml:"frame" doc:"address of the pages of the embedded wallet, for everyone: another origin than the gateway's; empty turns the embedded wallet off"`
	Console  string `yaml:"console" doc:"address of the operator's console, for operators only, such as 127.0.0.1:8090; empty turns it off"`
	Metrics  string `yaml:"metrics" doc:"address of /metrics, /status, /live, /ready and /accepting, for operators only"`
	Profiles bool   `yaml:"profiles" doc:"answer /debug/pprof at listen.metrics as well: profiles and traces of what this process does and has in memory"`
	GRPC     string `yaml:"grpc" doc:"address of the services hosted here, for other processes of the suite only; empty keeps them in memory"`
}

// Store configures the database.
type Store struct {
	DSN         string `yaml:"dsn" doc:"postgres:// URL, or the path of an SQLite file; empty for hawser.db in data_dir" secret:"url"`
	Connections int    `yaml:"connections" doc:"connections that this process holds to PostgreSQL at most; more calls at once wait for one"`
}

// Check reports what is wrong with the configuration.
func (s Store) Check() (faults []config.Fault) {
	if s.DSN != "" {
		if err := store.CheckDSN(s.DSN); err != nil {
			faults = append(faults, config.Faultf("dsn", "%s", err))
		} else if folder := filepath.Dir(s.DSN); !store.IsServer(s.DSN) && !isFolder(folder) {
			// A database of a mistyped path would be empty.
			faults = append(faults, config.Faultf("dsn", "there is no folder %s: make it, or mend the path", folder))
		}
	}
	// A migration and the relay of events hold one while their work takes another, and calls need one beside them.
	if s.Connections < 3 {
		faults = append(faults, config.Faultf("connections", "it is below 3"))
	}
	return faults
}

func defaultConfig() Config {
	return Config{
		Target:    targetAll,
		DataDir:   ".hawser",
		Listen:    Listen{Gateway: ":8080", Relay: ":5555", Frame: ":5174", Metrics: "127.0.0.1:9090"},
		TLS:       peertls.DefaultConfig(),
		Store:     Store{Connections: store.DefaultConnections},
		Bus:       bus.Config{Replicas: 1},
		Log:       observe.DefaultConfig(),
		Gateway:   gateway.DefaultConfig(),
		Chains:    chains.DefaultConfig(),
		Analytics: analytics.DefaultConfig(),
		Auth:      auth.DefaultConfig(),
		Wallet:    wallet.DefaultConfig(),
		Bundler:   bundler.DefaultConfig(),
		Onramp:    onramp.DefaultConfig(),
		Activity:  activity.DefaultConfig(),
		Balances:  balances.DefaultConfig(),
		Names:     names.DefaultConfig(),
		NFTs:      nfts.DefaultConfig(),
		Access:    access.DefaultConfig(),
		Preview:   preview.DefaultConfig(),
		Convert:   convert.DefaultConfig(),
		Updates:   updates.DefaultConfig(),
		Webhooks:  webhooks.DefaultConfig(),
		Relay:     relay.DefaultConfig(),
		Console:   console.DefaultConfig(),
	}
}

// Check reports what is wrong with the configuration.
func (c Config) Check() (faults []config.Fault) {
	known := append([]string{targetAll, targetGateway}, serviceNames()...)
	for _, name := range c.targets() {
		if !slices.Contains(known, name) {
			faults = append(faults, config.Faultf("target", "%q is not one of %s", name, strings.Join(known, ", ")))
		}
	}
	if len(faults) > 0 {
		// The other checks depend on the targets.
		return faults
	}
	if !isPublic(c.PublicURL) {
		faults = append(faults, config.Faultf("public_url", "it is not an http or https URL without a query, such as https://wallet.example.org"))
	}
	switch {
	case c.DataDir == "":
		faults = append(faults, config.Faultf("data_dir", "it is empty"))
	case strings.TrimSpace(c.DataDir) != c.DataDir:
		faults = append(faults, config.Faultf("data_dir", "it begins or ends with a space"))
	case strings.Contains(c.DataDir, "://"):
		faults = append(faults, config.Faultf("data_dir", "it is a URL, not a folder"))
	}
	if c.RemovalsDir != "" && !isFolder(c.RemovalsDir) {
		// In a mistyped folder a restored database would look whole.
		faults = append(faults, config.Faultf("removals_dir", "there is no folder %s: make it, or mend the path", c.RemovalsDir))
	}
	if c.Target != targetAll && c.Bus.URL == "" {
		faults = append(faults, config.Faultf("bus.url", "it is empty, but services in several processes need one NATS server"))
	}
	if slices.Contains(c.targets(), console.Name) && c.Listen.Console == "" {
		faults = append(faults, config.Faultf("listen.console", "it is empty, but target has the console"))
	}
	if c.hostsAlone() && c.Listen.GRPC == "" && c.Target != console.Name {
		faults = append(faults, config.Faultf("listen.grpc", "it is empty, but the services hosted here are for other processes"))
	}
	for _, target := range c.targets() {
		for _, name := range callsOf(target) {
			// The gateway and the console call the relay only if it has an address, and the gateway may have no webhooks: no transactions are then followed.
			isOptional := (target == targetGateway || target == console.Name) && name == relay.Name || target == targetGateway && name == webhooks.Name
			if !c.hosts(name) && c.Peers[name] == "" && !isOptional {
				faults = append(faults, config.Faultf("peers."+name, "it is missing, but %s calls that service", target))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Peers)) {
		if !slices.Contains(serviceNames(), name) {
			faults = append(faults, config.Faultf("peers."+name, "there is no such service; there are %s", strings.Join(serviceNames(), ", ")))
		}
	}
	for _, f := range c.wallet().CheckDevelopment() {
		faults = append(faults, config.Faultf("wallet."+f.Key, "%s", f.Text))
	}
	return faults
}

func (c Config) targets() []string { return strings.Split(c.Target, ",") }

// hosts reports whether this process hosts a service or the gateway.
func (c Config) hosts(name string) bool {
	return c.Target == targetAll || slices.Contains(c.targets(), name)
}

// hostsAlone reports whether this process hosts services without the gateway.
func (c Config) hostsAlone() bool { return !c.hosts(targetGateway) }

// dsn returns the DSN of the database, which is a file in the data folder by default.
func (c Config) dsn() string {
	if c.Store.DSN != "" {
		return c.Store.DSN
	}
	return filepath.Join(c.DataDir, "hawser.db")
}

// cacheDSN returns where the database of final results is. One of SQLite is a file of its own, so that it neither waits for what services store nor is in
// its backups.
func (c Config) cacheDSN() string {
	switch {
	case c.Chains.Cache.DSN != "":
		return c.Chains.Cache.DSN
	case store.IsServer(c.dsn()):
		return c.dsn()
	}
	return filepath.Join(c.DataDir, "cache.db")
}

// removals returns where this process keeps the lists of what was removed.
func (c Config) removals() removal.Folder {
	if c.RemovalsDir == "" {
		return removal.Folder{Own: c.DataDir}
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "hawser"
	}
	return removal.Folder{Own: filepath.Join(c.RemovalsDir, host), Shared: c.RemovalsDir}
}

// databaseFile returns the absolute path of the SQLite file, empty for PostgreSQL, and whether opening the database would create it.
func (c Config) databaseFile() (file string, isNew bool) {
	dsn := c.dsn()
	if store.IsServer(dsn) {
		return "", false
	}
	if abs, err := filepath.Abs(dsn); err == nil {
		dsn = abs
	}
	_, err := os.Stat(dsn)
	return dsn, errors.Is(err, os.ErrNotExist)
}

// database names the database for the operator: the path of its file, or the URL of its server without user and parameters.
func (c Config) database() string {
	if file, _ := c.databaseFile(); file != "" {
		return file
	}
	u, err := url.Parse(c.dsn())
	if err != nil {
		return "PostgreSQL"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// noDatabase is the error of a command that would create the database that it reads.
func noDatabase(file string) error {
	return fmt.Errorf("there is no database at %s: run this in the folder of the suite, or name its configuration by -config", file)
}

// webhooks returns the configuration of the webhooks service with what it has from others.
func (c Config) webhooks() webhooks.Config {
	w := c.Webhooks
	w.Development = c.Chains.Dev
	return w
}

// events returns the configuration of the bus, whose folder is in the data folder by default.
func (c Config) events() bus.Config {
	b := c.Bus
	if b.Dir == "" {
		b.Dir = filepath.Join(c.DataDir, "nats")
	}
	return b
}

// isPublic reports whether an address is valid for public_url; an empty one is replaced by [Config.publicURL].
func isPublic(address string) bool {
	u, err := url.Parse(address)
	return address == "" || err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
}

// publicURL returns the URL of the gateway without a trailing slash; of this machine if it is not configured.
func (c Config) publicURL() string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
	}
	return localURL("localhost", c.Listen.Gateway)
}

// frameOrigin returns the origin of the embedded wallet's pages; of this machine if it is not configured, and an empty string if they are off.
func (c Config) frameOrigin() string {
	if c.Listen.Frame == "" {
		return ""
	}
	if c.Frame.Origin != "" {
		return c.Frame.Origin
	}
	// Browsers resolve names below localhost themselves, and treat them as another site than localhost.
	return localURL("wallet.localhost", c.Listen.Frame)
}

// origins returns the origins of the gateway and of the embedded wallet's pages.
func (c Config) origins() []string {
	found := []string{c.frameOrigin()}
	if u, err := url.Parse(c.publicURL()); err == nil {
		found = append(found, u.Scheme+"://"+u.Host)
	}
	return found
}

// consoleOrigin returns where browsers reach the console; on this machine if it is not configured.
func (c Config) consoleOrigin() string {
	if c.Console.Origin != "" {
		return c.Console.Origin
	}
	return localURL("localhost", c.Listen.Console)
}

// list returns the settings without secrets, with where each comes from.
func (c Config) list() ([]config.Setting, error) {
	was := defaultConfig()
	return config.List(&c, &was, c.from)
}

// localURL returns the URL of a listener of this machine.
func localURL(host, listen string) string {
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "http://" + host
	}
	return "http://" + net.JoinHostPort(host, port)
}

// load reads the configuration; flags gets its flags beside those of the command, and nothing may follow them. If help was asked for, flags has only those
// of the command, and the error is [flag.ErrHelp].
func load(flags *flag.FlagSet, args []string) (Config, error) {
	return loadAnd(flags, args, nil)
}

// loadToStart is [load] for a process that hosts the target: it also reports what the parts would refuse when they start.
func loadToStart(flags *flag.FlagSet, args []string) (Config, error) {
	return loadAnd(flags, args, Config.checkStart)
}

func loadAnd(flags *flag.FlagSet, args []string, check func(Config) []config.Fault) (Config, error) {
	own := newFlags(flags.Name())
	flags.VisitAll(func(f *flag.Flag) { own.Var(f.Value, f.Name, f.Usage) })
	c := defaultConfig()
	options := config.Options{Flags: flags, Args: args, Variables: settingVariables(os.Environ()), Texts: c.networksFile, Places: &c.from}
	if check != nil {
		options.Check = func() []config.Fault { return check(c) }
	}
	err := config.Load(&c, options)
	switch _, faulty := config.IsFaults(err); {
	case errors.Is(err, flag.ErrHelp):
		*flags = *own
		return Config{}, flag.ErrHelp
	case err != nil && !faulty:
		return Config{}, usagef("%s; `hawser %s -h` lists the flags", err, flags.Name())
	case err != nil:
		return Config{}, err
	case flags.NArg() > 0:
		return Config{}, usagef("%q is one argument too many", flags.Arg(0))
	}
	return c, nil
}

// printConfig is `hawser config print`.
func printConfig(_ context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	c, err := load(flags, args)
	if err != nil {
		return err
	}
	return config.Print(out, &c)
}

// documentConfig is `hawser config document`: the documentation has the defaults, not what is configured here.
func documentConfig(_ context.Context, _ *flag.FlagSet, _ []string, out io.Writer) error {
	c := defaultConfig()
	return config.Document(out, &c)
}
