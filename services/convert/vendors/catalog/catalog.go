// Package catalog lists the vendors.
package catalog

import (
	"github.com/hawser-dev/hawser/services/convert/vendors"
	"github.com/hawser-dev/hawser/services/convert/vendors/oneinch"
	"github.com/hawser-dev/hawser/services/convert/vendors/zerox"
)

// Vendors returns all vendors by their name in the configuration.
func Vendors() map[string]vendors.Vendor {
	return map[string]vendors.Vendor{
		"0x":    zerox.Vendor(),
		"1inch": oneinch.Vendor(),
	}
}

// Open returns the configured sources, sorted by name.
func Open(cfg map[string]vendors.Config) ([]vendors.Source, error) {
	return vendors.Open(cfg, Vendors())
}
