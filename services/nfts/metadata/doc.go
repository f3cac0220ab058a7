// Package metadata reads what a token says of itself: where its metadata is (ERC-721, ERC-1155), and the JSON that lies there.
//
// Nothing here asks the network. Authors follow the standards loosely, so that reading is tolerant of types and spellings, and bounded in
// every length.
package metadata
