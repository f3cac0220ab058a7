package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/activity/etherscan"
	"github.com/hawser-dev/hawser/services/balances"
	"github.com/hawser-dev/hawser/services/bitcoin"
	"github.com/hawser-dev/hawser/services/bundler"
	"github.com/hawser-dev/hawser/services/chains"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/convert"
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/catalog"
	"github.com/hawser-dev/hawser/services/platform/config"
	"github.com/hawser-dev/hawser/services/preview"
	"github.com/hawser-dev/hawser/services/relay"
)

// checkConfig is `hawser config check`: it reports what a start of the target with this configuration would refuse.
func checkConfig(_ context.Context, flags *flag.FlagSet, args []string, out io.Writer) error {
	if _, err := loadToStart(flags, args); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "The configuration is sound.")
	return err
}

// serviceLink matches the variables that Kubernetes and Docker set for each service beside a container, whose names an operator does not choose.
var serviceLink = regexp.MustCompile(`_(SERVICE_HOST=|SERVICE_PORT(_[A-Z0-9_]+)?=|PORT=(tcp|udp)://|PORT_[0-9]+_(TCP|UDP)(_(PROTO|PORT|ADDR))?=)`)

// settingVariables returns the names of the variables that have to be settings: not those of the tests, of hawser-dev and of the local
// chains, nor those of an orchestrator. environ has the form of [os.Environ].
func settingVariables(environ []string) (names []string) {
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		isOther := strings.HasPrefix(name, config.EnvPrefix+"TEST_") || strings.HasPrefix(name, config.EnvPrefix+"DEV")
		if strings.HasPrefix(name, config.EnvPrefix) && !isOther && !serviceLink.MatchString(variable) {
			names = append(names, name)
		}
	}
	return names
}

// networksFile returns the text of chains.networks_file, which may use variables; empty if it cannot be read, which the chains service reports.
func (c *Config) networksFile() string {
	if c.Chains.NetworksFile == "" {
		return ""
	}
	text, _ := os.ReadFile(c.Chains.NetworksFile)
	return string(text)
}

// checkStart reports what the parts of the target would refuse when they start, beside what their checkers report. It opens nothing.
func (c Config) checkStart() (faults []config.Fault) {
	faults = append(c.checkListeners(), c.checkFolders()...)
	// Some errors begin with the setting, which is in a section.
	report := func(key string, err error, section string) {
		for _, line := range linesOf(err) {
			text := section + line
			if at, rest, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(at, key[:strings.LastIndex(key, ".")+1]) {
				faults = append(faults, config.Faultf(at, "%s", rest))
				continue
			}
			faults = append(faults, config.Faultf(key, "%s", line))
		}
	}
	if c.hosts(serviceChains) || c.hosts(bitcoin.Name) {
		_, err := chains.LoadNetworks(c.Chains)
		report("chains.networks_file", err, "")
	}
	if c.hosts(preview.Name) {
		_, err := preview.LoadDescriptors(c.Preview)
		report("preview.descriptors", err, "")
	}
	if c.hosts(convert.Name) {
		for _, name := range slices.Sorted(maps.Keys(c.Convert.Vendors)) {
			_, err := catalog.Open(map[string]vendors.Config{name: c.Convert.Vendors[name]})
			report("convert.vendors."+name, err, "convert.vendors.")
		}
	}
	if c.hosts(activity.Name) {
		for _, chain := range slices.Sorted(maps.Keys(c.Activity.Archives)) {
			_, err := etherscan.New(map[string]string{chain: c.Activity.Archives[chain]})
			report("activity.archives."+chain, err, "")
		}
	}
	if c.hosts(balances.Name) {
		report("balances.prices", c.Balances.CheckVendor(), "balances.")
	}
	if c.hosts(bundler.Name) {
		report("bundler.chains", c.Bundler.CheckURLs(), "bundler.")
	}
	return faults
}

// linesOf returns the lines of an error that joins others. A line that begins with a space is part of the one before it.
func linesOf(err error) (lines []string) {
	if err == nil {
		return nil
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if last := len(lines) - 1; last >= 0 && strings.HasPrefix(line, " ") {
			lines[last] += " " + strings.TrimSpace(line)
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

// listener is one address at which the process listens.
type listener struct{ key, address string }

// listeners are the addresses of what this process hosts.
func (c Config) listeners() (all []listener) {
	if c.hosts(targetGateway) {
		all = append(all, listener{"listen.gateway", c.Listen.Gateway})
		if c.Listen.Frame != "" {
			all = append(all, listener{"listen.frame", c.Listen.Frame})
		}
	}
	if c.hosts(relay.Name) {
		all = append(all, listener{"listen.relay", c.Listen.Relay})
	}
	if c.hosts(console.Name) && c.Listen.Console != "" {
		all = append(all, listener{"listen.console", c.Listen.Console})
	}
	all = append(all, listener{"listen.metrics", c.Listen.Metrics})
	if c.Listen.GRPC != "" {
		all = append(all, listener{"listen.grpc", c.Listen.GRPC})
	}
	return all
}

// checkListeners reports addresses that do not parse, or that two listeners have.
func (c Config) checkListeners() (faults []config.Fault) {
	var sound []listener
	for _, l := range c.listeners() {
		if !isAddress(context.Background(), l.address) {
			faults = append(faults, config.Faultf(l.key, "%q is not an address such as :8080 or 127.0.0.1:8080", l.address))
			continue
		}
		for _, other := range sound {
			if overlap(l.address, other.address) {
				faults = append(faults, config.Faultf(l.key, "%s is the address of %s", l.address, other.key))
				break
			}
		}
		sound = append(sound, l)
	}
	return faults
}

// overlap reports whether two addresses are at one port of one host. Port 0 is another one each time.
func overlap(a, b string) bool {
	hostA, portA, _ := net.SplitHostPort(a)
	hostB, portB, _ := net.SplitHostPort(b)
	if number, err := strconv.Atoi(portA); portA != portB || err == nil && number == 0 {
		return false
	}
	isEvery := func(host string) bool { ip := net.ParseIP(host); return host == "" || ip != nil && ip.IsUnspecified() }
	return hostA == hostB || isEvery(hostA) || isEvery(hostB)
}

// checkFolders reports places of files that a file is in the way of.
func (c Config) checkFolders() (faults []config.Fault) {
	folders := map[string]string{}
	if c.Bus.URL == "" {
		folders[settingOf(c.Bus.Dir, "bus.dir")] = filepath.Dir(c.events().Dir)
	}
	if c.Bus.URL == "" && c.Bus.Dir == "" || c.Store.DSN == "" {
		folders["data_dir"] = c.DataDir
	}
	for _, key := range slices.Sorted(maps.Keys(folders)) {
		if isBelowFile(folders[key]) {
			faults = append(faults, config.Faultf(key, "%s cannot be written to: not a directory", folders[key]))
		}
	}
	if file, _ := c.databaseFile(); file != "" && isFolder(file) {
		faults = append(faults, config.Faultf(settingOf(c.Store.DSN, "store.dsn"), "%s is a folder, not the file of a database", file))
	}
	return faults
}

// isFolder reports whether there is a folder at path.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isBelowFile reports whether path, or the nearest place above it that exists, is a file.
func isBelowFile(path string) bool {
	for {
		info, err := os.Stat(path)
		if err == nil {
			return !info.IsDir()
		}
		above := filepath.Dir(path)
		if above == path {
			return false
		}
		path = above
	}
}
