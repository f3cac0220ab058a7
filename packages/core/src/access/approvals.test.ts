import { describe, expect, it, vi } from 'vitest'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { LIMITED, ONE_NFT, OPERATOR, THROUGH_PERMIT2, UNLIMITED } from '../testing/approvals.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE } from '../testing/fakeWallet.ts'
import { createConnectedKit, devnetTwo, type Kit } from '../testing/kit.ts'
import type { Approval } from '../types/access.ts'
import { fetchApprovals, watchApprovals } from './fetchApprovals.ts'
import { isAccessOffered } from './offered.ts'
import { approvalDanger, totalAtRisk } from './risk.ts'
import { isApprovalOf, selectAllApprovals, selectApproval, selectedApprovals } from './selection.ts'

const accessOf = ({ hawser }: Kit) => hawser.access.getState()
const requests = ({ gateway }: Kit) => gateway.requests.filter((each) => each.includes('/ListApprovals '))

/** Connects a visitor whose account gave approvals, and reads them. */
async function approving(...approvals: object[]): Promise<Kit> {
  const kit = await createConnectedKit()
  kit.gateway.approvals = () => ({ approvals })
  await fetchApprovals(kit.hawser)
  return kit
}

async function approvalOf(listed: object): Promise<Approval> {
  return accessOf(await approving(listed)).approvals[0] as Approval
}

describe('the approvals of an account', () => {
  it('are read for the network in use, in the order of the gateway', async () => {
    const kit = await createConnectedKit()
    kit.gateway.approvals = () => ({
      approvals: [UNLIMITED, OPERATOR],
      delegation: { address: 'eip155:31337:0x77' },
      backfilling: true,
      truncated: true,
      fromBlock: '12',
    })
    await fetchApprovals(kit.hawser)
    expect(requests(kit)[0]).toContain(
      `/ListApprovals {"address":"${ALICE}","chainId":"eip155:31337","currency":"usd"}`,
    )
    expect(accessOf(kit)).toMatchObject({
      isLoaded: true,
      isBackfilling: true,
      isTruncated: true,
      fromBlock: '12',
      delegation: { address: 'eip155:31337:0x77', name: '' },
      approvals: [
        { kind: 'erc20', atRisk: '12500000', value: 12.5, token: { symbol: 'tUSD' } },
        { kind: 'operator', spender: { hasNoCode: true } },
      ],
    })
  })

  it('have ids of their own', async () => {
    const kit = await approving(UNLIMITED, LIMITED, THROUGH_PERMIT2, OPERATOR, ONE_NFT, {
      ...ONE_NFT,
      tokenId: '5',
    })
    expect(new Set(accessOf(kit).approvals.map(({ id }) => id)).size).toBe(6)
  })

  it('are dropped on another network', async () => {
    const kit = await approving(UNLIMITED)
    setActiveNetwork(kit.hawser, devnetTwo)
    void fetchApprovals(kit.hawser)
    expect(accessOf(kit).approvals).toEqual([])
    expect(accessOf(kit).isLoaded).toBeUndefined()
  })

  it('stay when they cannot be read again', async () => {
    const kit = await approving(UNLIMITED)
    kit.gateway.status = 500
    await fetchApprovals(kit.hawser)
    expect(accessOf(kit)).toMatchObject({ hasFailed: true, isReading: false })
    expect(accessOf(kit).approvals).toHaveLength(1)
  })

  it('are read again when the history changed', async () => {
    const kit = await createConnectedKit()
    await vi.waitFor(() =>
      expect(kit.gateway.requests.some((each) => each.includes('WatchAccount'))).toBe(true),
    )
    await settle()
    kit.hawser.push.setState({ isLive: true })
    const stop = watchApprovals(kit.hawser)
    await settle()
    await kit.clock.advance(120_000)
    expect(requests(kit)).toHaveLength(1)
    kit.hawser.push.setState({ activityChanges: 1 })
    await settle()
    expect(requests(kit)).toHaveLength(2)
    stop()
  })

  it('are not offered where the gateway has no such call, the site does not want them, or the chain has none', async () => {
    const kit = await createConnectedKit()
    const { features } = kit.hawser.options.getState()
    const offered = () => isAccessOffered('eip155', features, kit.hawser.served.getState())
    expect(offered()).toBe(true)
    kit.gateway.status = 501
    await fetchApprovals(kit.hawser)
    expect(offered()).toBe(false)
    expect(isAccessOffered('solana', features, {})).toBe(true)
    expect(isAccessOffered('bip122', features, {})).toBe(false)
    expect(isAccessOffered('eip155', { access: false }, {})).toBe(false)
  })
})

describe('an approval is dangerous', () => {
  it.each([
    ['of a spender without code', { ...LIMITED, spender: { ...LIMITED.spender, hasNoCode: true } }, 'noCode'],
    ['without a limit, of an unknown spender', UNLIMITED, 'unknownSpender'],
    ['of a limited amount, of an unknown spender', { ...UNLIMITED, unlimited: false }, undefined],
    ['without a limit, of a known spender', { ...LIMITED, unlimited: true }, undefined],
  ])('%s: %#', async (_, listed, danger) => {
    expect(approvalDanger(await approvalOf(listed))).toBe(danger)
  })
})

describe('the total at risk', () => {
  const riskOf = async (...approvals: object[]) => {
    const kit = await approving(...approvals)
    await fetchTokenBalance(kit.hawser)
    const { tokenBalance } = selectAccount(kit.hawser.chain.getState())
    return totalAtRisk(accessOf(kit).approvals, tokenBalance)
  }

  it('counts a token once that several spenders may take', async () => {
    expect(await riskOf(UNLIMITED, LIMITED)).toEqual({ value: 12.5, isPartial: false })
  })

  it('adds up what several spenders may take within the balance', async () => {
    const other = { ...LIMITED, spender: { address: 'eip155:31337:0x99' } }
    expect(await riskOf(LIMITED, other)).toEqual({ value: 10, isPartial: false })
  })

  it('is not known without a price, and says so of a part', async () => {
    expect(await riskOf(OPERATOR)).toEqual({ value: undefined, isPartial: true })
    expect(await riskOf(OPERATOR, LIMITED)).toEqual({ value: 5, isPartial: true })
    expect(await riskOf({ ...OPERATOR, atRisk: '0' }, LIMITED)).toEqual({ value: 5, isPartial: false })
  })
})

describe('the selection', () => {
  it('keeps the order of the list, and forgets what is gone', async () => {
    const kit = await approving(UNLIMITED, LIMITED, OPERATOR)
    const [first, second, third] = accessOf(kit).approvals as [Approval, Approval, Approval]
    for (const { id } of [third, second, first]) selectApproval(kit.hawser, id, true)
    selectApproval(kit.hawser, second.id, false)
    const selected = () => selectedApprovals(accessOf(kit).approvals, accessOf(kit).selected)
    expect(selected()).toEqual([first, third])
    kit.gateway.approvals = () => ({ approvals: [LIMITED, OPERATOR] })
    await fetchApprovals(kit.hawser)
    expect(selected().map(({ kind }) => kind)).toEqual(['operator'])
  })

  it('of all has at most as many as a request has room for', async () => {
    const many = Array.from({ length: 60 }, (_, id) => ({ ...ONE_NFT, tokenId: String(id) }))
    const kit = await approving(...many)
    selectAllApprovals(kit.hawser, true)
    expect(accessOf(kit).selected).toHaveLength(50)
    selectAllApprovals(kit.hawser, false)
    expect(accessOf(kit).selected).toEqual([])
  })

  it('finds an approval by its token and spender, in any case', async () => {
    const approval = await approvalOf(UNLIMITED)
    const [token, spender] = [approval.token.address, approval.spender.address].map((id) => id.slice(13))
    const wanted = { token: String(token).replace('x', 'X').toUpperCase(), spender: String(spender) }
    expect(isApprovalOf(approval, wanted)).toBe(true)
    expect(isApprovalOf(approval, { ...wanted, spender: ALICE })).toBe(false)
  })
})
