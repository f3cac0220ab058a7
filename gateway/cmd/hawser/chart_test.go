package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/hawser-dev/hawser/services/console"
)

// chartList decodes what a named template of the chart holds.
func chartList(t *testing.T, file, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../../deploy/charts/hawser/templates", file))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(raw), `{{- define "`+name+`" -}}`)
	body, _, ended := strings.Cut(rest, "{{- end }}")
	if !found || !ended {
		t.Fatalf("%s has no %s", file, name)
	}
	if err := yaml.Unmarshal([]byte(body), into); err != nil {
		t.Fatal(err)
	}
}

// wiring returns the function of the table that makes each service. The gateway has the connections to all of them.
func wiring(t *testing.T) map[string]*ast.FuncLit {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "services.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]*ast.FuncLit{}
	ast.Inspect(file, func(n ast.Node) bool {
		row, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		values := map[string]ast.Expr{}
		for _, e := range row.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := pair.Key.(*ast.Ident); ok {
					values[key.Name] = pair.Value
				}
			}
		}
		if f, ok := values["make"].(*ast.FuncLit); ok {
			made[serviceOf(t, values["name"])] = f
		}
		return true
	})
	if len(made) != len(services) {
		t.Fatalf("the wiring of %d services is found, want %d", len(made), len(services))
	}
	return made
}

func TestTheCallsOfEachTargetAreThoseOfTheWiring(t *testing.T) {
	for target, made := range wiring(t) {
		calls := callsOf(target)
		found, want := callsIn(t, made), slices.Sorted(slices.Values(calls))
		if target == console.Name {
			// It asks the others how they are, for which no connection is wired.
			want = slices.DeleteFunc(want, func(name string) bool { return !slices.Contains(found, name) })
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s is connected to %v, and calls has %v", target, found, want)
		}
	}
}

func TestTheTargetsWithADatabaseOrTheKeyOfWalletsAreThoseOfTheWiring(t *testing.T) {
	// The service of wallets opens its own key.
	stores, seals := []string{}, []string{"wallet"}
	for target, made := range wiring(t) {
		if uses(made, "db") {
			stores = append(stores, target)
		}
		if uses(made, "openSealer") {
			seals = append(seals, target)
		}
	}
	slices.Sort(stores)
	slices.Sort(seals)
	var got []string
	for _, s := range services {
		if s.stores {
			got = append(got, s.name)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, stores) {
		t.Errorf("a database is opened for %v, and used by %v", got, stores)
	}
	for name, want := range map[string][]string{"hawser.stores": stores, "hawser.seals": seals} {
		if got := chartTargets(t, name); !slices.Equal(got, want) {
			t.Errorf("%s of the chart has %v, and the code %v", name, got, want)
		}
	}
}

// chartTargets returns the targets that a named template of the chart looks for.
func chartTargets(t *testing.T, name string) (targets []string) {
	t.Helper()
	raw, err := os.ReadFile("../../../deploy/charts/hawser/templates/_helpers.tpl")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`define "` + name + `" -}}\s*{{- include "hawser.hosts" \(list \.([^)]*)\)`).FindSubmatch(raw)
	if found == nil {
		t.Fatalf("the chart has no %s", name)
	}
	for _, quoted := range strings.Fields(string(found[1])) {
		targets = append(targets, strings.Trim(quoted, `"`))
	}
	slices.Sort(targets)
	return targets
}

// uses reports whether a function uses a member of the suite.
func uses(f *ast.FuncLit, member string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok && isFieldOfSuite(x, member) {
			found = true
		}
		return !found
	})
	return found
}

// callsIn returns the services whose connections a function uses.
func callsIn(t *testing.T, f *ast.FuncLit) []string {
	found := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if isFieldOfSuite(n.X, "conns") {
				found[serviceOf(t, n.Index)] = true
			}
		case *ast.SelectorExpr:
			if isFieldOfSuite(n, "chain") {
				found[serviceChains] = true
			}
			if isFieldOfSuite(n, "relay") {
				found["relay"] = true
			}
		}
		return true
	})
	var names []string
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func isFieldOfSuite(x ast.Expr, name string) bool {
	field, ok := x.(*ast.SelectorExpr)
	if !ok || field.Sel.Name != name {
		return false
	}
	receiver, ok := field.X.(*ast.Ident)
	return ok && receiver.Name == "s"
}

// serviceOf returns the service that an expression such as names.Name is the name of.
func serviceOf(t *testing.T, x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		if x.Name == "serviceChains" {
			return serviceChains
		}
	case *ast.SelectorExpr:
		if service, ok := x.X.(*ast.Ident); ok && x.Sel.Name == "Name" && slices.Contains(serviceNames(), service.Name) {
			return service.Name
		}
	}
	t.Fatalf("%v names no service", x)
	return ""
}

func TestTheChartHasTheCallsOfEachTarget(t *testing.T) {
	var chart map[string][]string
	chartList(t, "_helpers.tpl", "hawser.calls", &chart)
	for _, target := range append(serviceNames(), targetGateway) {
		calls := callsOf(target)
		got, want := slices.Sorted(slices.Values(chart[target])), slices.Sorted(slices.Values(calls))
		if !slices.Equal(got, want) {
			t.Errorf("the chart lets %s call %v, and it calls %v", target, got, want)
		}
		delete(chart, target)
	}
	if len(chart) > 0 {
		t.Errorf("the chart has calls of %v, which are no targets", chart)
	}
}

func TestTheChartKnowsEverySecretSetting(t *testing.T) {
	var chart []string
	for _, name := range []string{"hawser.secretSettings", "hawser.secretKeys", "hawser.secretURLs"} {
		var some []string
		chartList(t, "_checks.tpl", name, &some)
		chart = append(chart, some...)
	}
	marked := secretSettings("", reflect.TypeFor[Config]())
	slices.Sort(chart)
	slices.Sort(marked)
	if !slices.Equal(chart, marked) {
		t.Errorf("the chart has\n%s\nand the code marks\n%s", strings.Join(chart, "\n"), strings.Join(marked, "\n"))
	}
}

// secretSettings returns the settings of a struct that are marked as secret; * is every key of a mapping.
func secretSettings(prefix string, of reflect.Type) (keys []string) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "" || name == "-" {
			continue
		}
		key, kind := strings.TrimPrefix(prefix+"."+name, "."), field.Type
		for kind.Kind() == reflect.Map || kind.Kind() == reflect.Slice || kind.Kind() == reflect.Pointer {
			if kind.Kind() == reflect.Map {
				key += ".*"
			}
			kind = kind.Elem()
		}
		switch {
		case field.Tag.Get("secret") != "":
			keys = append(keys, key)
		case kind.Kind() == reflect.Struct:
			keys = append(keys, secretSettings(key, kind)...)
		}
	}
	return keys
}
