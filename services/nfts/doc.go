// Package nfts tells which tokens of their kind an account owns, and shows them safely.
//
// It answers hawser.nfts.v1.NftsService: ListNfts (`GET /v1/account/{address}/nfts`), and MediaService: GetMedia (`GET /v1/nft-media/{id}`);
// and PictureService, for the other services of the suite.
//
//   - Which tokens an account may own, the history index says; whether it owns them, the chain says now, several hundred a round trip. A
//     token that cannot be read on the chain is not listed.
//   - Metadata and pictures are fetched by this service (package fetch), so that a page contacts no stranger and no stranger sees the
//     visitor. What cannot be fetched safely is left out, and the token says so.
//   - A picture is named by a signed reference to its token, not by an address: nobody can have this service fetch what it did not offer.
//     Only the names service has it fetch addresses, which accounts wrote into their names; the picture of a token counts there while the
//     account owns it.
//   - Nothing that a stranger wrote is shown as markup: text is plain and clipped, pictures are told by their bytes, SVG is written anew
//     without anything that runs, links or loads (package picture).
//   - Only eip155 has tokens here by now.
package nfts
