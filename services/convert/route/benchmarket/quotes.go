//go:build ignore

// Command quotes prints what single pools of a market file pay, by our arithmetic: a JSON line for each pool, direction and amount.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/convert/route"
	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

// sizes is how many amounts are quoted for each pool: the first is a hundredth of a whole token, each further one ten
// times the one before.
const sizes = 7

// quote is one answer. Out is empty if the pool refuses the amount.
type quote struct {
	Pool       int    `json:"pool"`
	ZeroForOne bool   `json:"zeroForOne"`
	In         string `json:"in"`
	Out        string `json:"out,omitempty"`
}

func main() {
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var facts routetest.Market
	if err := json.Unmarshal(text, &facts); err != nil {
		return err
	}
	market, err := facts.Build()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	lines := json.NewEncoder(out)
	for pool, ends := range endsOf(&facts) {
		for _, zeroForOne := range []bool{true, false} {
			for _, q := range quotes(market, &facts, pool, ends, zeroForOne) {
				if err := lines.Encode(q); err != nil {
					return err
				}
			}
		}
	}
	return out.Flush()
}

// endsOf lists both tokens of every pool, in the order in which the market numbers pools.
func endsOf(m *routetest.Market) [][2]int {
	var ends [][2]int
	for _, p := range m.V2 {
		ends = append(ends, [2]int{p.Token0, p.Token1})
	}
	for _, p := range m.V3 {
		ends = append(ends, [2]int{p.Token0, p.Token1})
	}
	return ends
}

func quotes(market *route.Graph, facts *routetest.Market, pool int, ends [2]int, zeroForOne bool) []quote {
	from, to := ends[0], ends[1]
	if !zeroForOne {
		from, to = to, from
	}
	step := route.Step{Pool: pool, ZeroForOne: zeroForOne, From: route.Token(from), To: route.Token(to)}
	ten := uint256.NewInt(10)
	amount := new(uint256.Int).Exp(ten, uint256.NewInt(uint64(facts.Tokens[from].Decimals-2)))
	answers := make([]quote, sizes)
	for i := range answers {
		in := new(uint256.Int).AddUint64(amount, 7) // an amount that is not round
		answers[i] = quote{Pool: pool, ZeroForOne: zeroForOne, In: in.Dec()}
		path := route.Path{In: *in, Steps: []route.Step{step}}
		if replayed, err := market.Replay(route.Plan{Paths: []route.Path{path}, In: *in}); err == nil {
			answers[i].Out = replayed.Out.Dec()
		}
		amount.Mul(amount, ten)
	}
	return answers
}
