// Package onramp lets visitors buy tokens for money, from sellers that the operator chose.
//
// The service requests offers and quotes from all providers, opens the page of the chosen one, and stores an order for every page that it
// opened. Providers report the state of an order by webhook, and are polled in case a webhook is lost. Package ramp defines what a provider
// can do; each vendor has a package of its own; the sandbox service adds sellers for development; package orders stores the orders.
//
// Money is decimal text in whole units of its currency. No card number, name or e-mail address of a visitor ever reaches this service,
// because visitors pay on the provider's page.
package onramp
