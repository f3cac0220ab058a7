// Package vendorstest serves what each vendor documents: a fake on a real socket that refuses what the vendor would refuse, answers from fixtures
// in the documented form, and can be made to fail in every documented way, or to cheat.
package vendorstest
