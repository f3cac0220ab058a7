import { isSmartAccount } from '../account/account.ts'
import { reportBuy } from '../modal/buyFlows.ts'
import type { Hawser } from '../types/hawser.ts'
import type { BuyArguments, BuyToken, PaymentCurrency } from '../types/onramp.ts'

/** Opens the form of a purchase. */
export function openOnramp(hawser: Hawser, buy: BuyArguments = {}): void {
  hawser.events.emit({
    event: 'SELECT_BUY_CRYPTO',
    properties: {
      network: hawser.chain.getState().activeCaipNetwork?.caipNetworkId ?? '',
      isSmartAccount: isSmartAccount(hawser),
    },
  })
  hawser.onramp.setState({ wanted: buy })
  reportBuy(hawser, { kind: 'buyOpened' })
}

/** Sets the amount as typed; `buyReadiness` validates it. */
export function setBuyAmount(hawser: Hawser, amount: string): void {
  hawser.onramp.setState({ amount: amount.trim() })
}

export function selectBuyToken(hawser: Hawser, token: BuyToken): void {
  hawser.onramp.setState({ token })
}

/** Selects the currency. A method that the currency does not support is cleared. */
export function selectBuyCurrency(hawser: Hawser, currency: PaymentCurrency): void {
  hawser.onramp.setState(({ method }) => ({
    currency,
    method: currency.paymentMethodLimits.some(({ id }) => id === method) ? method : undefined,
  }))
}

/**
 * Selects the payment method.
 *
 * @param method one of the currency's methods; undefined for any.
 */
export function selectBuyMethod(hawser: Hawser, method: string | undefined): void {
  hawser.onramp.setState({ method })
}
