// Package metadata parses metadata URIs and metadata documents of tokens (ERC-721, ERC-1155).
//
// It sends no requests. Authors follow the standards loosely, so parsing tolerates other types and names of fields, and bounds every length.
package metadata
