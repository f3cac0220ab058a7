// Package live installs the chart on the Kubernetes of node/node.sh and breaks what runs there. Its tests have the tag cluster and run inside the
// cluster's namespaces: `make k8s-test`.
package live
