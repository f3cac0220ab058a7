/** Card numbers by the outcome that the sandbox's sellers simulate. Real cards have other numbers. */
export const testCards = {
  success: '4242424242424242',
  decline: '4000000000000002',
  confirm: '4000000000003220',
  slow: '4000000000000101',
  refund: '4000000000000200',
  lost: '4000000000000408',
}

/**
 * Fills in the checkout of a sandbox seller, and sends it.
 *
 * @param {import('playwright-core').Page} checkout
 * @param {string} card number
 */
export async function pay(checkout, card) {
  await checkout.locator('input[name=number]').fill(card)
  await checkout.locator('input[name=expiry]').fill('12/39')
  await checkout.locator('input[name=cvc]').fill('123')
  await checkout.locator('input[name=name]').fill('Ada Lovelace')
  await checkout.getByRole('button', { name: /^Pay / }).first().click()
}
