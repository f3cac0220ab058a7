// Package onramp lets visitors buy tokens for money, from sellers that the operator chose.
//
// The service requests offers and quotes from all providers, opens the page of the chosen provider, and stores an order
// for every opened page. Providers report the state of an order by webhook, and are polled in case a webhook is lost.
// Package ramp defines what a provider can do; each vendor has a separate package; a process at
// onramp.sellers adds others; package orders stores the orders.
//
// Money is decimal text in whole units of its currency. This service never receives card numbers, names or e-mail
// addresses of visitors, because they pay on the provider's page.
package onramp
