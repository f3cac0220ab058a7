// Package peertls lets processes of a suite know each other by mutual TLS 1.3 (RFC 8446).
//
// Every process has a certificate of one private authority, and takes only certificates of that authority with the name of the suite, in both
// directions. So an authority may issue certificates to others as well. Files are read again when they change, as cert-manager changes them:
// no process has to be restarted, and no connection ends.
package peertls
