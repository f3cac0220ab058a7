package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

// dns runs CoreDNS with the few plugins that names of the cluster need, in their order.
func dns() {
	dnsserver.Directives = []string{"errors", "cache", "kubernetes"}
	coremain.Run()
}
