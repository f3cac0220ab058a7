// Package fetch fetches documents from untrusted URLs, such as the picture of a token.
//
// It prevents server-side request forgery, and bounds time and memory:
//
//   - Only hosts that the operator listed, or every public one if it is configured so.
//   - Only http and https on ports 80 and 443, without user info, and with a host name or an address in canonical form.
//   - A name is resolved once. If any of its addresses is not public, the request fails; the checked address is
//     dialled, which prevents DNS rebinding.
//   - At most three redirects, each checked like the first address.
//   - One deadline and one size, on the body as it is after decompression; an allow-list of media types.
//   - No cookies, no referrer, no proxy, no credentials. No error contains the URL.
//
// A server of the operator, such as an IPFS gateway, may have any address; redirects to other hosts may not.
package fetch
