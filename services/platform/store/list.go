package store

import (
	"encoding/json"
	"fmt"
)

// List returns the argument for a query with [DB.Members]. It is one argument for a list of any length: the time that SQLite takes grows with the square of
// the number of arguments.
func List(members []string) string {
	// Strings can always be marshalled. A nil list would be null.
	raw, _ := json.Marshal(append([]string{}, members...))
	return string(raw)
}

// Members returns a subquery for the members of the [List] that is the argument with a number, from 1.
func (db *DB) Members(argument int) string {
	if db.dialect == PostgreSQL {
		return fmt.Sprintf("(SELECT jsonb_array_elements_text(CAST(CAST($%d AS TEXT) AS JSONB)))", argument)
	}
	return fmt.Sprintf("(SELECT value FROM json_each($%d))", argument)
}
