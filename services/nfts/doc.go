// Package nfts lists the NFTs that accounts own, and serves their pictures safely.
//
// It serves hawser.nfts.v1.NftsService: ListNfts (`GET /v1/account/{address}/nfts`), and MediaService: GetMedia (`GET
// /v1/nft-media/{id}`); and PictureService, for the other services of the suite.
//
//   - The candidates come from the index of the activity service; their ownership is read from the chain, several
//     hundred tokens per round trip. A token that cannot be read from the chain is not listed.
//   - This service fetches metadata and pictures itself (package fetch), so that a page never contacts a third party.
//     What cannot be fetched safely is left out, and the token is marked.
//   - A picture has a signed reference to its token, not a URL, so a caller cannot make this service fetch arbitrary
//     URLs. Only the names service passes URLs, from the records of names; it uses the picture of a token only while
//     the account owns the token.
//   - Untrusted text is cleaned and cut (package plaintext), the format of pictures is detected from their bytes, and SVG
//     is rewritten without scripts, links and external resources (package picture).
//   - Only eip155 is supported.
package nfts
