// Package proto is the suite's wire contract: the .proto files, and what is generated from them below gen.
package proto

import _ "embed"

// OpenAPI is the REST form of the contract, OpenAPI 2.0 in JSON.
//
//go:embed gen/openapi/hawser.swagger.json
var OpenAPI []byte
