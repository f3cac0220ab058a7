import { encodeFunctionData, erc20Abi, erc721Abi, parseAbi, zeroAddress } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { loginWithEmail } from '../embedded/emailLogin.ts'
import { revocationCalls } from '../evm/evmRevocations.ts'
import { openModal } from '../modal/modal.ts'
import {
  COLLECTION,
  EXCHANGE,
  ONE_NFT,
  OPERATOR,
  PERSON,
  STRANGER,
  THROUGH_PERMIT2,
  UNLIMITED,
} from '../testing/approvals.ts'
import { createFakeEmbeddedWallet, whenUserIsRead } from '../testing/fakeEmbeddedWallet.ts'
import { ALICE, walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, type Kit } from '../testing/kit.ts'
import { sent } from '../testing/previewing.ts'
import { DOLLAR_ADDRESS } from '../testing/tokens.ts'
import { fetchApprovals } from './fetchApprovals.ts'
import { confirmRevocation, openRevocation, stopRevocation } from './revoke.ts'
import { showApproval } from './wanted.ts'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const permit2Abi = parseAbi(['function lockdown((address token, address spender)[] approvals)'])
const HASH = `0x${'ab'.repeat(32)}`

const approveNothing = (spender: `0x${string}`) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 0n] })

const revocation = ({ hawser }: Kit) => hawser.access.getState().revocation
const steps = (kit: Kit) => revocation(kit)?.steps?.map(({ state }) => state)
const toast = async (kit: Kit) => {
  await kit.clock.advance(150)
  return kit.hawser.toast.getState()
}

/** Connects a visitor and opens the review that ends these approvals. */
async function reviewing(approvals: object[], prepare: (kit: Kit) => void = () => undefined): Promise<Kit> {
  const kit = await createConnectedKit()
  prepare(kit)
  kit.gateway.approvals = () => ({ approvals })
  openModal(kit.hawser, { view: 'Account' })
  await fetchApprovals(kit.hawser)
  await openRevocation(kit.hawser, kit.hawser.access.getState().approvals)
  return kit
}

describe('the calls that end an approval', () => {
  const callsFor = async (...approvals: object[]) =>
    revocationCalls((await reviewing(approvals)).hawser.access.getState().approvals)

  it('of a token set its allowance to zero', async () => {
    expect(await callsFor(UNLIMITED)).toEqual([
      { to: DOLLAR_ADDRESS, data: approveNothing(STRANGER), value: 0n },
    ])
  })

  it('of one NFT approve nobody', async () => {
    const data = encodeFunctionData({ abi: erc721Abi, functionName: 'approve', args: [zeroAddress, 4n] })
    expect(await callsFor(ONE_NFT)).toEqual([{ to: COLLECTION, data, value: 0n }])
  })

  it('of a collection remove the operator', async () => {
    const args = [PERSON, false] as const
    const data = encodeFunctionData({ abi: erc721Abi, functionName: 'setApprovalForAll', args })
    expect(await callsFor(OPERATOR)).toEqual([{ to: COLLECTION, data, value: 0n }])
  })

  it('of Permit2 lock all of them down in one call', async () => {
    const other = { ...THROUGH_PERMIT2, spender: { address: `eip155:31337:${STRANGER}` } }
    const pairs = ([EXCHANGE, STRANGER] as const).map(
      (spender) => ({ token: DOLLAR_ADDRESS, spender }) as const,
    )
    const data = encodeFunctionData({ abi: permit2Abi, functionName: 'lockdown', args: [pairs] })
    expect(await callsFor(THROUGH_PERMIT2, UNLIMITED, other)).toEqual([
      { to: DOLLAR_ADDRESS, data: approveNothing(STRANGER), value: 0n },
      { to: PERMIT2, data, value: 0n },
    ])
  })

  it('are not made of what is no address, or for a kind that the page does not know', async () => {
    const named = { ...UNLIMITED, spender: { address: 'eip155:31337:0x12' } }
    await expect(callsFor(named)).rejects.toThrow('is no address')
    await expect(callsFor({ ...UNLIMITED, kind: 'new' })).rejects.toThrow('not known')
  })
})

describe('the review', () => {
  it('shows the requests, and what they would do together', async () => {
    const simulated = vi.fn(() => ({ outcome: 'OUTCOME_SUCCEEDS' as const }))
    const kit = await reviewing([UNLIMITED, OPERATOR], ({ gateway }) => {
      gateway.simulate = simulated
    })
    expect(kit.hawser.router.getState().view).toBe('RevokeApprovals')
    expect(steps(kit)).toEqual(['next', 'next'])
    expect(revocation(kit)).toMatchObject({ isWorking: false, preview: { outcome: 'succeeds' } })
    expect(simulated).toHaveBeenCalledWith(
      expect.objectContaining({ account: ALICE, calls: [expect.anything(), expect.anything()] }),
    )
  })

  it('is dropped by the visitor without a request', async () => {
    const kit = await reviewing([UNLIMITED])
    stopRevocation(kit.hawser)
    expect(revocation(kit)).toBeUndefined()
    expect(kit.hawser.router.getState().history).toEqual(['Account'])
    expect(sent(kit)).toEqual([])
  })
})

describe('one approval of an embedded wallet', () => {
  /** Has an embedded wallet end an approval, and returns the methods that it was asked for. */
  async function revokeOne(type: 'smartAccount' | 'eoa', capabilities: object | undefined) {
    const wallet = createFakeEmbeddedWallet()
    const kit = createKit({}, wallet)
    wallet.emailAction = 'CONNECT'
    wallet.user = { ...wallet.user, preferredAccountType: type }
    wallet.answers.wallet_getCapabilities = () => {
      if (!capabilities) throw walletError(-32603, 'The bundler does not answer')
      return { '0x7a69': capabilities }
    }
    wallet.answers.wallet_sendCalls = () => ({ id: '0x01' })
    wallet.answers.wallet_getCallsStatus = () => ({ status: 200, receipts: [{ transactionHash: HASH }] })
    kit.gateway.approvals = () => ({ approvals: [UNLIMITED] })
    kit.hawser.mount()
    await loginWithEmail(kit.hawser, 'ada@example.com')
    await whenUserIsRead(kit.hawser)
    openModal(kit.hawser, { view: 'Account' })
    await fetchApprovals(kit.hawser)
    await openRevocation(kit.hawser, kit.hawser.access.getState().approvals)
    await confirmRevocation(kit.hawser)
    expect(revocation(kit)).toBeUndefined()
    const asked = wallet.calls.filter(({ method }) => /^(eth_sendTransaction|wallet_sendCalls)$/.test(method))
    return asked.map(({ method }) => method)
  }

  const sponsored = { atomic: { status: 'supported' }, paymasterService: { supported: true } }

  it('is ended by a batch whose fee a sponsor may pay', async () => {
    expect(await revokeOne('smartAccount', sponsored)).toEqual(['wallet_sendCalls'])
  })

  it.each([
    ['a plain account', 'eoa', sponsored],
    ['a network without a sponsor', 'smartAccount', { atomic: { status: 'supported' } }],
    ['a bundler that does not answer', 'smartAccount', undefined],
  ] as const)('is ended by a transaction with %s', async (_, type, capabilities) => {
    expect(await revokeOne(type, capabilities)).toEqual(['eth_sendTransaction'])
  })
})

describe('confirming', () => {
  it('sends one transaction after another, and reads the approvals again', async () => {
    const kit = await reviewing([UNLIMITED, OPERATOR])
    const { activityChanges } = kit.hawser.push.getState()
    await confirmRevocation(kit.hawser)
    expect(sent(kit).map(({ params }) => params[0])).toMatchObject([
      { from: ALICE, to: DOLLAR_ADDRESS, data: approveNothing(STRANGER), value: '0x0' },
      { to: COLLECTION },
    ])
    expect(kit.hawser.push.getState().activityChanges).toBe(activityChanges + 2)
    expect(revocation(kit)).toBeUndefined()
    expect(kit.hawser.router.getState().view).toBe('Account')
    expect(await toast(kit)).toMatchObject({ message: '2 approvals revoked', variant: 'success' })
  })

  it('waits for the block of each', async () => {
    let receipt: unknown = null
    const kit = await reviewing([UNLIMITED, OPERATOR], ({ gateway }) => {
      gateway.node.eth_getTransactionReceipt = () => receipt
    })
    const confirming = confirmRevocation(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)).toEqual(['chain', 'next']))
    await kit.clock.advance(600_000)
    expect(sent(kit)).toHaveLength(1)
    receipt = { status: '0x1' }
    await kit.clock.advance(10_000)
    await confirming
    expect(sent(kit)).toHaveLength(2)
  })

  it('stops when the visitor declines, and goes on with the rest', async () => {
    let answers = 0
    const kit = await reviewing([UNLIMITED, OPERATOR, ONE_NFT], ({ wallet }) => {
      wallet.answers.eth_sendTransaction = () => {
        answers += 1
        if (answers === 2) throw walletError(4001, 'User rejected the request.')
        return HASH
      }
    })
    await confirmRevocation(kit.hawser)
    expect(steps(kit)).toEqual(['done', 'failed', 'next'])
    expect(revocation(kit)?.isWorking).toBe(false)
    expect(await toast(kit)).toMatchObject({ message: 'You declined.', variant: 'neutral' })
    await confirmRevocation(kit.hawser)
    expect(answers).toBe(4)
    expect(revocation(kit)).toBeUndefined()
  })

  it('goes on after a transaction that reverts, and says that it did', async () => {
    const kit = await reviewing([UNLIMITED, OPERATOR], ({ gateway }) => {
      const receipts = ['0x0', '0x1']
      gateway.node.eth_getTransactionReceipt = () => ({ status: receipts.shift() })
    })
    await confirmRevocation(kit.hawser)
    expect(steps(kit)).toEqual(['failed', 'done'])
    expect(await toast(kit)).toMatchObject({ message: 'Not every approval was revoked', variant: 'error' })
  })

  it('makes no further request after the visitor has left', async () => {
    let receipt: unknown = null
    const kit = await reviewing([UNLIMITED, OPERATOR], ({ gateway }) => {
      gateway.node.eth_getTransactionReceipt = () => receipt
    })
    const confirming = confirmRevocation(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)?.[0]).toBe('chain'))
    stopRevocation(kit.hawser)
    receipt = { status: '0x1' }
    await kit.clock.advance(10_000)
    await confirming
    expect(sent(kit)).toHaveLength(1)
    expect(revocation(kit)).toBeUndefined()
  })

  it('ends without a word when another account has become the active one', async () => {
    let receipt: unknown = null
    const kit = await reviewing([UNLIMITED, OPERATOR], ({ gateway }) => {
      gateway.node.eth_getTransactionReceipt = () => receipt
    })
    const confirming = confirmRevocation(kit.hawser)
    await vi.waitFor(() => expect(steps(kit)?.[0]).toBe('chain'))
    kit.wallet.emit('accountsChanged', [PERSON])
    await vi.waitFor(() => expect(kit.hawser.chain.getState().activeCaipAddress).toContain(PERSON))
    await fetchApprovals(kit.hawser)
    await openRevocation(kit.hawser, kit.hawser.access.getState().approvals)
    expect(steps(kit)).toEqual(['next', 'next'])
    receipt = { status: '0x1' }
    await kit.clock.advance(10_000)
    await confirming
    expect(steps(kit)).toEqual(['next', 'next'])
    expect(sent(kit)).toHaveLength(1)
  })

  it('makes no request of another account', async () => {
    const kit = await reviewing([UNLIMITED])
    kit.wallet.emit('accountsChanged', [PERSON])
    await vi.waitFor(() => expect(kit.hawser.chain.getState().activeCaipAddress).toContain(PERSON))
    await confirmRevocation(kit.hawser)
    expect(sent(kit)).toEqual([])
  })
})

describe('a wallet that makes batches', () => {
  const batching = ({ wallet }: Kit) => {
    wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': { atomic: { status: 'supported' } } })
    wallet.answers.wallet_sendCalls = () => ({ id: '0xba7c4' })
    wallet.answers.wallet_getCallsStatus = () => ({
      status: 200,
      receipts: [{ transactionHash: HASH, status: '0x1' }],
    })
  }

  it('ends several approvals with one request', async () => {
    const kit = await reviewing([UNLIMITED, THROUGH_PERMIT2, OPERATOR], batching)
    expect(steps(kit)).toEqual(['next'])
    await confirmRevocation(kit.hawser)
    const batches = kit.wallet.calls.filter(({ method }) => method === 'wallet_sendCalls')
    expect(batches).toMatchObject([
      {
        params: [
          {
            atomicRequired: true,
            calls: [{ to: DOLLAR_ADDRESS }, { to: COLLECTION }, { to: PERMIT2 }],
          },
        ],
      },
    ])
    expect(sent(kit)).toEqual([])
    expect(await toast(kit)).toMatchObject({ message: '3 approvals revoked' })
  })

  it('ends one approval with a transaction', async () => {
    const kit = await reviewing([UNLIMITED], batching)
    await confirmRevocation(kit.hawser)
    expect(sent(kit)).toHaveLength(1)
    expect(await toast(kit)).toMatchObject({ message: 'Approval revoked' })
  })
})

it('an approval that is wanted is shown in the account', async () => {
  const kit = await createConnectedKit()
  openModal(kit.hawser, { view: 'TransactionStatus' })
  const wanted = { token: DOLLAR_ADDRESS, spender: STRANGER }
  showApproval(kit.hawser, wanted)
  expect(kit.hawser.router.getState().history).toEqual(['Account'])
  expect(kit.hawser.chain.getState().chains.get('eip155')?.accountState.currentTab).toBe(3)
  await fetchApprovals(kit.hawser)
  expect(kit.hawser.access.getState().wanted).toEqual(wanted)
})
