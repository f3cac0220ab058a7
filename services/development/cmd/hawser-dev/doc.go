// Hawser-dev hosts servers that replace external services in development and in tests: the sandbox, which is an on-ramp provider (gRPC for the suite,
// webhooks to it, a checkout for visitors), the inbox, which receives mails (SMTP), an identity provider for every social login, and Farcaster. They are
// on other origins and ports than the suite, as real ones are, and the suite does not contain them.
package main
