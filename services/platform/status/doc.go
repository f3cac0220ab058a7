// Package status describes the processes of a suite for operators. [Source] describes its own process to other
// processes over gRPC, and serves the description of this process and of those that it calls at `GET /status` of the
// private listener. [Faults] lists the problems in a description, and [Print] prints it.
package status
