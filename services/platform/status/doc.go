// Package status describes the processes of a suite for operators: [Source] what one process knows of itself, which it tells the others over gRPC, and
// of those that it calls, which it serves at `GET /status` of the private listener. [Faults] judges a description, and [Print] shows it.
package status
