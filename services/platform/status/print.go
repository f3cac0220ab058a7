package status

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	statusv1 "github.com/hawser-dev/hawser/proto/gen/go/hawser/status/v1"
)

// Print writes a description as tables, followed by the problems in it.
func Print(w io.Writer, suite *statusv1.Suite) error {
	p := &printer{out: w}
	p.table("PROCESS\tADDRESS\tVERSION\tUP FOR\tSTATE", processRows(suite))
	p.table("SERVICE\tADDRESS\tSTATE", serviceRows(suite))
	p.table("DATABASE\tADDRESS\tSTATE\tMIGRATIONS", databaseRows(suite))
	p.table("NATS\tADDRESS\tSERVERS KNOWN\tSTATE", busRows(suite))
	p.table("STREAM\tMESSAGES\tBYTES\tCOPIES\tLEADER\tSTATE", streamRows(suite))
	p.table("CHAIN\tADDRESS\tNODE\tSTATE\tHEAD\tBEHIND\tANSWERS IN\tSCORE\tLAST ERROR", nodeRows(suite))
	p.table("VENDOR\tADDRESS\tFOR\tSTATE", vendorRows(suite))
	p.faults(Faults(suite))
	return p.err
}

type printer struct {
	out io.Writer
	err error
}

// table writes rows under a heading, and nothing if there are none.
func (p *printer) table(heading string, rows []string) {
	if p.err != nil || len(rows) == 0 {
		return
	}
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, line := range append([]string{heading}, rows...) {
		fmt.Fprintln(t, line)
	}
	if p.err = t.Flush(); p.err == nil {
		_, p.err = fmt.Fprintln(p.out)
	}
}

func (p *printer) faults(faults []string) {
	if p.err != nil {
		return
	}
	if len(faults) == 0 {
		_, p.err = fmt.Fprintln(p.out, "All is well.")
		return
	}
	_, p.err = fmt.Fprintf(p.out, "Look at:\n  %s\n", strings.Join(faults, "\n  "))
}

// row joins the cells of a row; an empty cell is printed as a dash.
func row(cells ...string) string {
	for i, cell := range cells {
		cells[i] = cmp.Or(cell, "-")
	}
	return strings.Join(cells, "\t")
}

func processRows(suite *statusv1.Suite) (rows []string) {
	for _, p := range suite.GetProcesses() {
		if p.GetError() != "" {
			rows = append(rows, row(p.GetTarget(), p.GetAddress(), "", "", p.GetError()))
			continue
		}
		up := ""
		if p.GetVersion() != "" {
			up = (time.Duration(p.GetUptimeSeconds()) * time.Second).String()
		}
		rows = append(rows, row(p.GetTarget(), p.GetAddress(), p.GetVersion(), up, "answers"))
	}
	return rows
}

func serviceRows(suite *statusv1.Suite) (rows []string) {
	for _, p := range suite.GetProcesses() {
		for _, s := range p.GetServices() {
			state := "accepts requests"
			if !s.GetReady() {
				state = "not ready: " + s.GetError()
			}
			rows = append(rows, row(s.GetName(), p.GetAddress(), state))
		}
	}
	return rows
}

func databaseRows(suite *statusv1.Suite) (rows []string) {
	for _, p := range suite.GetProcesses() {
		if d := p.GetDatabase(); d != nil {
			rows = append(rows, row(d.GetKind(), p.GetAddress(), cmp.Or(d.GetError(), "answers"), migrations(d)))
		}
	}
	return rows
}

// migrations describes tables whose version is older or newer than that of the process.
func migrations(d *statusv1.Database) string {
	var mismatched []string
	for _, m := range d.GetMigrations() {
		if m.GetApplied() != m.GetNewest() {
			mismatched = append(mismatched, fmt.Sprintf("%s %d of %d", m.GetPart(), m.GetApplied(), m.GetNewest()))
		}
	}
	switch {
	case len(mismatched) > 0:
		return strings.Join(mismatched, ", ")
	case len(d.GetMigrations()) == 0:
		return ""
	default:
		return fmt.Sprintf("all applied (%d parts)", len(d.GetMigrations()))
	}
}

func busRows(suite *statusv1.Suite) (rows []string) {
	for _, p := range suite.GetProcesses() {
		if b := p.GetBus(); b != nil {
			server, known := cmp.Or(b.GetServer(), "no server"), strings.Join(b.GetServers(), " ")
			if b.GetEmbedded() {
				server, known = "inside the process", ""
			}
			rows = append(rows, row(server, p.GetAddress(), known, cmp.Or(b.GetError(), "events flow")))
		}
	}
	return rows
}

func streamRows(suite *statusv1.Suite) (rows []string) {
	for _, s := range suite.GetStreams() {
		leader, away := "", []string(nil)
		for _, r := range s.GetReplicas() {
			switch {
			case r.GetLeader():
				leader = r.GetServer()
			case !r.GetCurrent():
				away = append(away, r.GetServer())
			}
		}
		state := "takes messages"
		switch {
		case !s.GetQuorum():
			state = "no quorum"
		case len(away) > 0:
			state += ", without " + strings.Join(away, ", ")
		}
		rows = append(rows, row(s.GetName(), fmt.Sprint(s.GetMessages()), fmt.Sprint(s.GetBytes()), fmt.Sprintf("%d of %d", copies(s), s.GetCopies()), leader, state))
	}
	return rows
}

func nodeRows(suite *statusv1.Suite) (rows []string) {
	for _, p := range suite.GetProcesses() {
		for _, c := range p.GetChains() {
			for i, n := range c.GetNodes() {
				rows = append(rows, nodeRow(c.GetChainId(), p.GetAddress(), i+1, n))
			}
		}
	}
	return rows
}

func vendorRows(suite *statusv1.Suite) (rows []string) {
	for _, p := range suite.GetProcesses() {
		for _, v := range p.GetVendors() {
			state := "in use"
			if s := v.GetPausedSeconds(); s > 0 {
				state = fmt.Sprintf("paused after failures for %s", time.Duration(s)*time.Second)
			}
			rows = append(rows, row(v.GetName(), p.GetAddress(), v.GetKind(), state))
		}
	}
	return rows
}

func nodeRow(chain, address string, position int, n *statusv1.Node) string {
	var head, behind, answers, score, last string
	if n.GetHead() > 0 {
		head, behind = fmt.Sprint(n.GetHead()), fmt.Sprint(n.GetBehind())
	}
	if n.GetAnswerMs() > 0 {
		answers = fmt.Sprintf("%.0f ms", n.GetAnswerMs())
	}
	if n.GetScore() != nil {
		score = fmt.Sprintf("%.2f", n.GetScore().GetTotal())
	}
	if n.GetLastError() != "" {
		last = fmt.Sprintf("%s, %s ago", n.GetLastError(), time.Duration(n.GetLastErrorSeconds())*time.Second)
	}
	return row(chain, address, fmt.Sprintf("%d %s", position, n.GetHost()), nodeText(n), head, behind, answers, score, last)
}
