import { expect, it } from 'vitest'
import { previewSend } from '../send/previewSend.ts'
import { sendToken } from '../send/sendToken.ts'
import { planSwap } from '../swap/planSwap.ts'
import { shownSwapPreview } from '../swap/previewSwap.ts'
import { swapTokens } from '../swap/swapTokens.ts'
import { ROUTER } from '../testing/fakeConversions.ts'
import { ETHER } from '../testing/fakeGateway.ts'
import { BOB } from '../testing/fakeWallet.ts'
import { previewing } from '../testing/previewing.ts'
import { previewingSwap } from '../testing/swapping.ts'
import { DOLLAR_ADDRESS } from '../testing/tokens.ts'
import type { Preview, PreviewApproval, PreviewWarning } from '../types/preview.ts'
import { dangerousApproval, dangersOf } from './dangers.ts'

const approval: PreviewApproval = {
  contract: DOLLAR_ADDRESS,
  amount: undefined,
  symbol: 'tUSD',
  tokenId: '',
  spender: BOB,
  expiresAt: undefined,
  isRevoked: false,
}
const danger: PreviewWarning = {
  severity: 'danger',
  text: 'Bob could take all of it.',
  phrase: 'UNLIMITED_APPROVAL',
  value: '',
  subject: BOB.toLowerCase(),
}

function previewOf(changes: Partial<Preview>): Preview {
  return { outcome: 'succeeds', reason: '', cause: '', changes: [], approvals: [], warnings: [], ...changes }
}

it('an approval is dangerous if a danger is about its spender', () => {
  const found = { token: DOLLAR_ADDRESS, spender: BOB }
  expect(dangerousApproval(previewOf({ approvals: [approval], warnings: [danger] }))).toEqual(found)
  const named = { ...danger, subject: '', value: BOB }
  expect(dangerousApproval(previewOf({ approvals: [approval], warnings: [named] }))).toEqual(found)
})

it.each<[string, Partial<Preview>]>([
  ['is revoked', { approvals: [{ ...approval, isRevoked: true }], warnings: [danger] }],
  ['is only to be noticed', { approvals: [approval], warnings: [{ ...danger, severity: 'caution' }] }],
  ['is not what the danger is about', { approvals: [approval], warnings: [{ ...danger, subject: '0x99' }] }],
  ['does not exist', { warnings: [danger] }],
])('an approval that %s is not', (_, changes) => {
  expect(dangerousApproval(previewOf(changes))).toBeUndefined()
})

it('a dangerous approval that was sent all the same is kept with the transaction', async () => {
  const kit = await previewing(ETHER, '0.1')
  kit.gateway.simulate = () => ({
    outcome: 'OUTCOME_SUCCEEDS',
    approvals: [
      { asset: { kind: 'ASSET_KIND_ERC20', contract: DOLLAR_ADDRESS, symbol: 'tUSD' }, spender: BOB },
    ],
    warnings: [{ severity: 'SEVERITY_DANGER', text: 'Bob could take all of it.', subject: BOB }],
  })
  await previewSend(kit.hawser)
  await sendToken(kit.hawser)
  expect(kit.hawser.send.getState().sent?.approval).toEqual({ token: DOLLAR_ADDRESS, spender: BOB })
})

it('so is that of a swap', async () => {
  const kit = await previewingSwap({ fromToken: 'ETH', toToken: 'tUSD', amount: '0.5' })
  kit.gateway.simulate = () => ({
    outcome: 'OUTCOME_SUCCEEDS',
    approvals: [{ asset: { kind: 'ASSET_KIND_ERC20', contract: DOLLAR_ADDRESS }, spender: ROUTER }],
    warnings: [{ severity: 'SEVERITY_DANGER', text: 'It could take all of it.', value: ROUTER }],
  })
  await planSwap(kit.hawser)
  const acceptedDangers = dangersOf(shownSwapPreview(kit.hawser.swap.getState()))
  await swapTokens(kit.hawser, { acceptedDangers })
  expect(kit.hawser.send.getState().sent?.approval).toEqual({ token: DOLLAR_ADDRESS, spender: ROUTER })
})
