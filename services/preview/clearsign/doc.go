// Package clearsign describes calls and typed data by descriptors (ERC-7730, versions 1 and 2).
//
// A descriptor names what a function or a message of a contract means, and labels its arguments. The package reads descriptors strictly: one that does
// not parse, or uses a part of the standard that is not supported, is an error with its file and place. Paths and formats are checked against the types
// of the function when a descriptor is loaded, so that only the data of a request can fail later. A request whose data does not fit is not described.
//
// A descriptor of the operator describes the contracts that it names, by chain and address. Those of this repository describe standards and exchanges: the
// caller decides which contracts these are.
//
// A description is words about the data of a request. It says nothing of what the contract does with them.
package clearsign
