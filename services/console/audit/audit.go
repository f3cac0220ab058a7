// Package audit is the audit log of the operator's console: who did what, when, from where, and how it ended.
//
// It only grows: there is no statement that changes or deletes an entry, and triggers of the database refuse those of others. An entry has ids of users,
// never their emails, and no secret.
package audit

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/store"
)

// maxState bounds a state before or after a call, in bytes, and maxText the other texts.
const maxState, maxText = 8 << 10, 200

// cut marks a text that was cut.
const cut = "…"

// Outcome is what became of a call.
type Outcome string

// The outcomes.
const (
	// Started is a call that changes something and is about to be executed.
	Started Outcome = "started"
	// Done is a call that was executed.
	Done Outcome = "done"
	// Refused is a call that was not executed.
	Refused Outcome = "refused"
	// Failed is a call that was executed and failed.
	Failed Outcome = "failed"
)

// Entry is one entry.
type Entry struct {
	// ID is higher than those of earlier entries; 0 before the entry is stored.
	ID int64
	// StartedBy is the entry that started the call; 0 for none.
	StartedBy int64
	// At has a precision of one millisecond.
	At time.Time
	// OperatorID is empty without a session and on the command line.
	OperatorID, OperatorName, Role string
	// Call is a service and a method, as ProjectService/UpdateProject, or a command.
	Call    string
	Changes bool
	// Target is a noun and an id, as `project 0123…`; empty for nothing in particular.
	Target string
	// Before and After are JSON; empty for none.
	Before, After string
	Address       string
	Outcome       Outcome
	// Reason is why it was refused or failed.
	Reason string
}

// Filter selects entries; zero values select all.
type Filter struct {
	OperatorID, Target, Call string
	ChangesOnly              bool
	Outcomes                 []Outcome
	// From is the time of the earliest entry, and Until the time before which they are.
	From, Until time.Time
	// Before is the id before which they are.
	Before int64
	Limit  int
}

// Log is the audit log in an SQL database.
type Log struct {
	db    *store.DB
	clock clock.Clock
}

// New returns the log in db, which has the tables of the console service.
func New(db *store.DB, c clock.Clock) *Log { return &Log{db, c} }

// Append stores an entry and returns its id. What is too long is cut.
func (l *Log) Append(ctx context.Context, e Entry) (id int64, err error) {
	changes := 0
	if e.Changes {
		changes = 1
	}
	err = l.db.InTx(ctx, func(tx *store.Tx) error {
		return tx.QueryRowContext(ctx, `INSERT INTO console_audit (started_by, at, operator_id, operator_name, role, call, changes, target, before_state, after_state, address, outcome, reason)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id`,
			e.StartedBy, l.clock.Now().UnixMilli(), e.OperatorID, clip(e.OperatorName, maxText), e.Role, clip(e.Call, maxText), changes, clip(e.Target, maxText),
			clip(e.Before, maxState), clip(e.After, maxState), clip(e.Address, maxText), string(e.Outcome), clip(e.Reason, maxText)).Scan(&id)
	})
	if err != nil {
		return 0, fmt.Errorf("append to the audit log: %w", err)
	}
	return id, nil
}

// clip returns a text of at most n bytes that both databases store.
func clip(text string, n int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	if len(text) <= n {
		return text
	}
	end := n - len(cut)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + cut
}

// List returns entries, the newest first.
func (l *Log) List(ctx context.Context, f Filter) (all []Entry, err error) {
	where, args := f.conditions()
	rows, err := l.db.Reader().QueryContext(ctx, `SELECT id, started_by, at, operator_id, operator_name, role, call, changes, target, before_state, after_state, address, outcome, reason
		FROM console_audit WHERE `+where+` ORDER BY id DESC LIMIT $1`, args...)
	if err != nil {
		return nil, fmt.Errorf("list the audit log: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e Entry
		var at, changes int64
		if err := rows.Scan(&e.ID, &e.StartedBy, &at, &e.OperatorID, &e.OperatorName, &e.Role, &e.Call, &changes, &e.Target, &e.Before, &e.After, &e.Address, &e.Outcome, &e.Reason); err != nil {
			return nil, fmt.Errorf("list the audit log: %w", err)
		}
		e.At, e.Changes = time.UnixMilli(at).UTC(), changes != 0
		all = append(all, e)
	}
	return all, rows.Err()
}

// conditions returns the condition of the filter, and the arguments of the query, of which the first is the limit.
func (f Filter) conditions() (where string, args []any) {
	args = []any{f.Limit}
	conditions := []string{"1 = 1"}
	add := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, condition+" $"+strconv.Itoa(len(args)))
	}
	for condition, value := range map[string]string{"operator_id =": f.OperatorID, "target =": f.Target, "call =": f.Call} {
		if value != "" {
			add(condition, value)
		}
	}
	if f.ChangesOnly {
		add("changes =", 1)
	}
	if !f.From.IsZero() {
		add("at >=", f.From.UnixMilli())
	}
	if !f.Until.IsZero() {
		add("at <", f.Until.UnixMilli())
	}
	if f.Before != 0 {
		add("id <", f.Before)
	}
	if len(f.Outcomes) > 0 {
		var any []string
		for _, o := range f.Outcomes {
			args = append(args, string(o))
			any = append(any, "outcome = $"+strconv.Itoa(len(args)))
		}
		conditions = append(conditions, "("+strings.Join(any, " OR ")+")")
	}
	return strings.Join(conditions, " AND "), args
}
