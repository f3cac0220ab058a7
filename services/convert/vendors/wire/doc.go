// Package wire decodes scalars of the vendors' JSON, where amounts are decimal text, numbers or hex. All values are bounded.
package wire
