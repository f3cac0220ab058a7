package pool

import (
	"slices"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock/clocktest"
)

func TestANodeThatIsFarBehindIsNotTriedForTheNewestBlock(t *testing.T) {
	nodes := &probedNodes{heads: map[string]int{"a": 50, "b": 100, "c": 100, "d": 99}}
	p := newPool(nodes, clocktest.StoppedAt(time.Unix(1, 0)), "a", "b", "c", "d")
	defer p.Close()
	if _, err := p.Probe(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		call Call
		want []int
	}{
		{Call{NeedsNewest: true}, []int{1, 2, 3}},
		{Call{}, []int{1, 2, 0, 3}},
		{Call{MinHeight: 100}, []int{1, 2}},
	} {
		got, _ := p.order(test.call)
		var indices []int
		for _, n := range got {
			indices = append(indices, n.index)
		}
		if !slices.Equal(indices, test.want) {
			t.Errorf("%+v: nodes %v, want %v", test.call, indices, test.want)
		}
	}
}
