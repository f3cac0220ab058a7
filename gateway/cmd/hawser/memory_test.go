package main

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/gateway/access"
	"github.com/hawser-dev/hawser/services/activity"
	"github.com/hawser-dev/hawser/services/console"
	"github.com/hawser-dev/hawser/services/convert"
	"github.com/hawser-dev/hawser/services/names"
	"github.com/hawser-dev/hawser/services/onramp"
	"github.com/hawser-dev/hawser/services/relay"
	"github.com/hawser-dev/hawser/services/updates"
)

const (
	mebi = 1 << 20
	// accountBytes is what the rate of a caller takes in a limiter that counts by itself, and holderBytes what it takes to hold something, which a test of package
	// limit measures. leaseBytes is what a rate takes in a limiter of replicas.
	accountBytes, holderBytes, leaseBytes = 180, 260, 300
	// connectionBytes is what a connection of the relay takes, and topicBytes a subscription, which the benchmark of the relay measures.
	connectionBytes, topicBytes = 10_000, 300
	// idleBytes is the heap of a process that hosts everything and does nothing, with what NATS takes, and idlePartBytes that of one of the others.
	idleBytes, idlePartBytes = 40 * mebi, 24 * mebi
)

// TestWhatAProcessMayHoldFitsIntoItsPod adds up the bounds of each process of the chart: caches, limiters, connections of the relay, and the budget of what
// it holds for callers, with half as much again for copies of what is being decoded. WebSockets, connections that the gateway copies, and
// those that wait for a request are in the budget.
func TestWhatAProcessMayHoldFitsIntoItsPod(t *testing.T) {
	caches := cacheBytes(t)
	for name, group := range chartGroups(t) {
		most := goMemory(t, group.Resources.Limits.Memory)
		budget := most / constantOf(t, "../../../services/platform/limit", "memoryPart")
		var cached, limiters, relayed int64
		idle, targets := int64(idlePartBytes), group.Targets
		if slices.Equal(targets, []string{"all"}) {
			idle, targets = idleBytes, append(serviceNames(), targetGateway)
		}
		for _, target := range targets {
			cached += caches[target]
			limiters += limiterBytes(target)
			cfg := relay.DefaultConfig()
			switch {
			case target == relay.Name:
				relayed = int64(cfg.Connections)*connectionBytes + int64(cfg.Topics)*topicBytes
			case target == targetGateway && !slices.Contains(targets, relay.Name):
				// It copies as many connections, and counts them as the relay does.
				limiters += 3 * int64(cfg.Connections) * holderBytes
			}
		}
		sum := budget*3/2 + cached + limiters + relayed + idle
		t.Logf("%s: budget %d MiB and half of it, caches %d MiB, limiters %d MiB, relay %d MiB, idle %d MiB: %d of %d MiB",
			name, budget/mebi, cached/mebi, limiters/mebi, relayed/mebi, idle/mebi, sum/mebi, most/mebi)
		if sum > most {
			t.Errorf("a process of %s may hold %d bytes, and its GOMEMLIMIT is %d", name, sum, most)
		}
	}
}

// limiterBytes returns the bytes of the limiters of a target.
func limiterBytes(target string) int64 {
	const shared = accountBytes + leaseBytes
	switch target {
	case targetGateway:
		return int64(access.DefaultLimits().Callers) * (shared + holderBytes)
	case relay.Name:
		// It counts connections by itself as well: an IPv6 caller counts as three.
		return relayCallers*shared + 3*int64(relay.DefaultConfig().Connections)*holderBytes
	case updates.Name:
		// Nothing has a rate there.
		return updatesCallers * holderBytes
	case onramp.Name, activity.Name, names.Name, convert.Name:
		return serviceCallers * shared
	case console.Name:
		return consoleCallers * shared
	default:
		return 0
	}
}

// chartGroup is a Deployment of the chart.
type chartGroup struct {
	Targets   []string
	Resources struct{ Limits struct{ Memory string } }
}

// chartGroups returns the Deployments of both modes, with what they have by default.
func chartGroups(t *testing.T) map[string]chartGroup {
	t.Helper()
	raw, err := os.ReadFile("../../../deploy/charts/hawser/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var values struct {
		Defaults      chartGroup
		Single, Split map[string]chartGroup
	}
	if err := yaml.Unmarshal(raw, &values); err != nil {
		t.Fatal(err)
	}
	all := map[string]chartGroup{}
	for mode, groups := range map[string]map[string]chartGroup{"single": values.Single, "split": values.Split} {
		for name, group := range groups {
			if group.Resources.Limits.Memory == "" {
				group.Resources = values.Defaults.Resources
			}
			all[mode+" "+name] = group
		}
	}
	if len(all) < 2 {
		t.Fatal("the chart has no Deployments")
	}
	return all
}

// goMemory returns the GOMEMLIMIT that the chart sets for a memory limit, in bytes.
func goMemory(t *testing.T, limit string) int64 {
	t.Helper()
	raw, err := os.ReadFile("../../../deploy/charts/hawser/templates/_helpers.tpl")
	if err != nil {
		t.Fatal(err)
	}
	parts := regexp.MustCompile(`mul \(trimSuffix "Gi" \. \| int\) (\d+) .*div \(mul \(trimSuffix "Mi" \. \| int\) (\d+)\) (\d+) `).FindSubmatch(raw)
	if parts == nil {
		t.Fatal("hawser.memory is written in another way")
	}
	perGi, times, by := number(t, string(parts[1])), number(t, string(parts[2])), number(t, string(parts[3]))
	if n, isGi := strings.CutSuffix(limit, "Gi"); isGi {
		return number(t, n) * perGi * mebi
	}
	return number(t, strings.TrimSuffix(limit, "Mi")) * times / by * mebi
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// cacheBytes returns the caches of each target that are bounded by bytes.
func cacheBytes(t *testing.T) map[string]int64 {
	t.Helper()
	of := map[string]int64{}
	bound := regexp.MustCompile(`MaxWeight: +(\w+),`)
	for _, root := range []string{"../..", "../../../services"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			target := targetGateway
			if rest, isService := strings.CutPrefix(path, "../../../services/"); isService {
				target, _, _ = strings.Cut(rest, "/")
			}
			for _, found := range bound.FindAllSubmatch(raw, -1) {
				of[target] += constantOf(t, filepath.Dir(path), string(found[1]))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for target := range of {
		if target != targetGateway && !slices.Contains(serviceNames(), target) {
			t.Errorf("%s has a cache, and no target", target)
		}
	}
	if len(of) == 0 {
		t.Fatal("no caches were found")
	}
	return of
}

// constantOf returns the value of a constant of the package in a folder.
func constantOf(t *testing.T, folder, name string) int64 {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			declared, ok := d.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				continue
			}
			for _, spec := range declared.Specs {
				value := spec.(*ast.ValueSpec)
				for i, ident := range value.Names {
					if ident.Name != name {
						continue
					}
					read, err := types.Eval(token.NewFileSet(), nil, token.NoPos, types.ExprString(value.Values[i]))
					if err != nil {
						t.Fatal(err)
					}
					n, _ := constant.Int64Val(constant.ToInt(read.Value))
					return n
				}
			}
		}
	}
	t.Fatalf("%s has no constant %s", folder, name)
	return 0
}
