// Package venues knows where tokens are traded on each chain: which routers there are, which factories' pools each of them can trade, and
// which tokens most others are traded against. The facts come with the binary, from the operator's configuration, or from the local
// chains' description of themselves.
package venues
