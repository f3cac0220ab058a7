package routine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// excepted are this package, and programs for tests that are run manually.
var excepted = []string{"services/platform/routine"}

// TestNoGoroutineIsStartedElsewhere reads the source of services and gateway. A goroutine that is not started by this
// package ends the process when it panics.
func TestNoGoroutineIsStartedElsewhere(t *testing.T) {
	files := 0
	for _, root := range []string{"../../../services", "../../../gateway"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			slashed := filepath.ToSlash(path)
			if entry.IsDir() && (strings.HasSuffix(slashed, "test") || slices.Contains(excepted, strings.TrimPrefix(slashed, "../../../"))) {
				return fs.SkipDir
			}
			if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			files++
			for _, why := range starts(t, path) {
				t.Errorf("%s", why)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
}

// starts lists the statements that start goroutines in a file, with their positions.
func starts(t *testing.T, path string) (all []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	note := func(at token.Pos, what string) {
		all = append(all, set.Position(at).String()+": "+what+": use services/platform/routine")
	}
	for _, i := range file.Imports {
		if name := strings.Trim(i.Path.Value, `"`); name == "golang.org/x/sync/errgroup" || name == "golang.org/x/sync/singleflight" {
			note(i.Pos(), name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			note(n.Pos(), "a go statement")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "sync" && n.Sel.Name == "WaitGroup" {
				note(n.Pos(), "sync.WaitGroup")
			}
		}
		return true
	})
	return all
}
