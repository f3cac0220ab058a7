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
	"strconv"
	"strings"
	"testing"

	"github.com/hawser-dev/hawser/gateway"
)

const (
	mebi = 1 << 20
	// callerBytes is what one caller takes in a limiter that counts by itself, which a test of package limit measures, and leaseBytes in one of replicas.
	callerBytes, leaseBytes = 300, 300
	// idleBytes is the heap of a process that hosts everything and does nothing.
	idleBytes = 40 * mebi
)

// TestWhatAProcessMayHoldFitsIntoItsPod adds up the bounds of a process that hosts everything: caches, limiters, and the budget of what it holds for callers,
// with half as much again for copies of what is being decoded.
func TestWhatAProcessMayHoldFitsIntoItsPod(t *testing.T) {
	pod := podMemory(t)
	// As the chart sets GOMEMLIMIT.
	most := pod * 9 / 10
	budget := most / budgetPart(t)
	caches := cacheBytes(t)
	limiters := int64(gateway.DefaultLimits().Callers+relayCallers)*(callerBytes+leaseBytes) +
		// Nothing has a rate at updates.
		updatesCallers*callerBytes +
		// onramp, activity, names and convert.
		4*serviceCallers*(callerBytes+leaseBytes)
	sum := budget*3/2 + caches + limiters + idleBytes
	t.Logf("budget %d MiB and half of it, caches %d MiB, limiters %d MiB, idle %d MiB: %d of %d MiB", budget/mebi, caches/mebi, limiters/mebi, int64(idleBytes)/mebi, sum/mebi, most/mebi)
	if sum > most {
		t.Errorf("a process may hold %d bytes, and GOMEMLIMIT of the chart's pods is %d", sum, most)
	}
}

// podMemory returns the memory limit of the chart's pods.
func podMemory(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile("../../../deploy/charts/hawser/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, defaults, _ := strings.Cut(string(raw), "\ndefaults:\n")
	found := regexp.MustCompile(`limits: \{memory: (\d+)Mi\}`).FindStringSubmatch(defaults)
	if found == nil {
		t.Fatal("the pods of the chart have no memory limit")
	}
	n, _ := strconv.ParseInt(found[1], 10, 64)
	return n * mebi
}

// budgetPart returns the part of the memory limit that is the budget, as a divisor.
func budgetPart(t *testing.T) int64 {
	t.Helper()
	return constantOf(t, "../../../services/platform/limit", "memoryPart")
}

// cacheBytes returns the sum of the caches that are bounded by bytes.
func cacheBytes(t *testing.T) (sum int64) {
	t.Helper()
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
			for _, found := range bound.FindAllSubmatch(raw, -1) {
				sum += constantOf(t, filepath.Dir(path), string(found[1]))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if sum == 0 {
		t.Fatal("no caches were found")
	}
	return sum
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
