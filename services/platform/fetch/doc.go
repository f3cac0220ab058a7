// Package fetch gets documents from addresses that strangers chose, such as the picture of a token, or what a server says of a name.
//
// The server must not be made to visit its own network (server-side request forgery), to wait, or to swallow without bound:
//
//   - Only hosts that the operator named, or every public one where that was said.
//   - Only http and https on ports 80 and 443, without user info, and with a host that is a name or an address in its usual spelling.
//   - A name is resolved once. If any of its addresses is not public, nothing is dialled; what is dialled is the address that was
//     checked, so that a name which resolves differently a moment later (DNS rebinding) gains nothing.
//   - At most three redirects, each checked like the first address.
//   - One deadline and one size, on the body as it is after decompression; an allow-list of media types.
//   - No cookies, no referrer, no proxy, no credentials. No error spells an address.
//
// A server of the operator's own, such as a gateway to another network, may be anywhere; where it redirects to may not.
package fetch
