// Command benchmarket generates markets of pools, and answers the queries of a market file, so that routers can be
// compared on the same market.
//
//	benchmarket -pools 2500 -write market.json
//	benchmarket -answer market.json
//
// The answer to a query is one line of JSON: the index of the query, the output in base units, the milliseconds it
// took, the bound and the distance from it in basis points.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hawser-dev/hawser/services/convert/route/routetest"
)

func main() {
	pools := flag.Int("pools", 2500, "how many pools to invent")
	write := flag.String("write", "", "the file to write a market to")
	answer := flag.String("answer", "", "the file whose queries to answer")
	rounds := flag.Int("rounds", 3, "how often to ask each query; the quickest counts")
	flag.Parse()
	if err := run(os.Stdout, *pools, *write, *answer, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, pools int, write, answer string, rounds int) error {
	switch {
	case write != "":
		text, err := json.Marshal(routetest.Generate(pools))
		if err != nil {
			return err
		}
		return os.WriteFile(write, text, 0o644)
	case answer != "":
		return answers(out, answer, rounds)
	default:
		return errors.New("say what to -write or to -answer")
	}
}

// line is the answer to one query.
type line struct {
	Query    int     `json:"query"`
	Class    string  `json:"cls"`
	Out      string  `json:"out"`
	MS       float64 `json:"ms"`
	Bound    string  `json:"bound"`
	BoundBPS float64 `json:"bps"`
	Paths    int     `json:"paths"`
	Error    string  `json:"error,omitempty"`
}

func answers(out io.Writer, file string, rounds int) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var market routetest.Market
	if err := json.Unmarshal(text, &market); err != nil {
		return err
	}
	searchable, err := market.Build()
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for i, q := range market.Queries {
		request, err := q.Request()
		if err != nil {
			return err
		}
		l := line{Query: i, Class: q.Class, Out: "0", Bound: "0"}
		for round := range max(1, rounds) {
			began := time.Now()
			plan, err := searchable.Search(context.Background(), request)
			if ms := time.Since(began).Seconds() * 1e3; round == 0 || ms < l.MS {
				l.MS = ms
			}
			if err != nil {
				l.Error = err.Error()
				continue
			}
			l.Out, l.Bound, l.BoundBPS, l.Paths = plan.Out.Dec(), plan.Bound.Dec(), plan.BoundBPS, len(plan.Paths)
		}
		if err := encoder.Encode(l); err != nil {
			return err
		}
	}
	return nil
}
