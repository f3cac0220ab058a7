// Package vendorstest has servers that behave as the vendors document. Each listens on a real socket, refuses what the
// vendor would refuse, answers with fixtures in the documented form, and can be made to fail in every documented way,
// or to cheat.
package vendorstest
