// Command hawser runs the suite, whole or in part, and is the operator's tool for it.
//
// Started without arguments it hosts every service and the gateway in one process. `hawser -target=chains` hosts one service,
// `-target=gateway` only the gateway; `peers` in the configuration says where the others are. This package is the only one that
// knows every service.
package main
