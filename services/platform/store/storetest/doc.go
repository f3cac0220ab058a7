// Package storetest provides tests with an empty database of each supported kind.
package storetest
