// Package alerts checks the alerts and the dashboards with the parsers of Prometheus, as promtool does. It is a module of its own, so that the product
// does not depend on Prometheus.
package alerts

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

const (
	alerts     = "../../deploy/charts/hawser/alerts/hawser.yaml"
	dashboards = "../../deploy/charts/hawser/dashboards/*.json"
)

var promQL = parser.NewParser(parser.Options{})

func TestPrometheusTakesTheAlerts(t *testing.T) {
	groups, errs := rulefmt.ParseFile(alerts, false, model.UTF8Validation, promQL, slog.New(slog.DiscardHandler))
	for _, err := range errs {
		t.Error(err)
	}
	if groups == nil || len(groups.Groups) == 0 || len(groups.Groups[0].Rules) < 10 {
		t.Fatal("the alerts are not there")
	}
	var names []string
	for _, g := range groups.Groups {
		for _, rule := range g.Rules {
			if slices.Contains(names, rule.Alert) {
				t.Errorf("%s is there twice", rule.Alert)
			}
			names = append(names, rule.Alert)
			wantVector(t, rule.Alert, rule.Expr)
		}
	}
}

func TestPrometheusTakesTheQueriesOfTheDashboards(t *testing.T) {
	files, err := filepath.Glob(dashboards)
	if err != nil || len(files) != 4 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var board struct {
			Panels []struct {
				Title   string
				Targets []struct{ Expr, LegendFormat string }
			}
		}
		if err := json.Unmarshal(raw, &board); err != nil {
			t.Fatal(err)
		}
		queries := 0
		for _, p := range board.Panels {
			for _, q := range p.Targets {
				queries++
				// Grafana puts the interval in before Prometheus sees the query.
				wantVector(t, p.Title, strings.ReplaceAll(q.Expr, "$__rate_interval", "1m"))
			}
		}
		if queries < 9 {
			t.Errorf("%s has %d queries", file, queries)
		}
	}
}

func TestAWrongQueryIsFound(t *testing.T) {
	for _, wrong := range []string{`sum(rate(hawser_panics_total))`, `sum by (le (hawser_panics_total)`, `rate(hawser_panics_total[5m]) > "1"`} {
		if _, err := promQL.ParseExpr(wrong); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}

// wantVector checks that an expression has a value for each series, and that what it divides or compares has the labels to be matched by: a grouping on
// one side and none on the other finds nothing.
func wantVector(t *testing.T, where, text string) {
	t.Helper()
	expr, err := promQL.ParseExpr(text)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	if expr.Type() != parser.ValueTypeVector {
		t.Errorf("%s is a %s", where, expr.Type())
	}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		pair, ok := node.(*parser.BinaryExpr)
		if !ok || pair.VectorMatching == nil || pair.VectorMatching.On {
			return nil
		}
		left, right := grouping(pair.LHS), grouping(pair.RHS)
		if left != nil && right != nil && !slices.Equal(left, right) {
			t.Errorf("%s matches series by %v with series by %v: %s", where, left, right, pair)
		}
		return nil
	})
}

// grouping returns the labels that an expression is grouped by, in order; nil if that is not known.
func grouping(expr parser.Expr) []string {
	switch e := expr.(type) {
	case *parser.AggregateExpr:
		if e.Without {
			return nil
		}
		labels := append([]string{}, e.Grouping...)
		slices.Sort(labels)
		return labels
	case *parser.ParenExpr:
		return grouping(e.Expr)
	case *parser.BinaryExpr:
		return grouping(e.LHS)
	default:
		return nil
	}
}
