import { createPublicKey, verify } from 'node:crypto'
import {
  disconnect,
  fetchNativeBalance,
  fillMaxSendAmount,
  previewSend,
  selectAccount,
  sendReadiness,
  sendToken,
  setReceiver,
  signIn,
} from '@hawser/core'
import { createFakeSignIn } from '@hawser/core/testing'
import { getBase58Encoder, getProgramDerivedAddress } from '@solana/kit'
import { describe, expect, it, vi } from 'vitest'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  account,
  answer,
  chain,
  connected,
  draft,
  drafting,
  FEE,
  held,
  lamports,
  mintOf,
  node,
  RENT,
  SOL,
  send,
  stranger,
  TOKEN_PROGRAM,
  tokenRow,
  withSolana,
} from './solanaPage.ts'

withSolana()

describe('a Solana wallet', () => {
  it('connects, shows its exact balance and its label, and disconnects', async () => {
    const { kit } = await connected(5)
    await fetchNativeBalance(kit.hawser)
    expect(selectAccount(kit.hawser.chain.getState())).toMatchObject({
      caipAddress: `${chain().caip2}:${account(5).address}`,
      balance: '1.000000001',
      balanceSymbol: 'SOL',
      allAccounts: [{ label: 'Test' }],
      addressLabels: new Map([[account(5).address, 'Test']]),
    })
    await disconnect(kit.hawser)
    expect(selectAccount(kit.hawser.chain.getState()).address).toBeUndefined()
  })
})

describe('after a reload', () => {
  it('is connected again without a prompt', async () => {
    const { kit } = await connected(5)
    const { kit: next, provider } = await connected(5, { storage: kit.storage })
    await vi.waitFor(() =>
      expect(selectAccount(next.hawser.chain.getState())).toMatchObject({
        status: 'connected',
        address: account(5).address,
      }),
    )
    expect(vi.mocked(provider.connect).mock.calls).toEqual([
      [{ isSilent: true, caipNetworkId: chain().caip2 }],
    ])
  })
})

describe('a sign-in', () => {
  it('is a message that the account signed, in base58', async () => {
    const siwx = createFakeSignIn()
    const { kit } = await connected(5, { siwx })
    await vi.waitFor(() => expect(kit.hawser.signIn.getState().status).toBe('needed'))
    await signIn(kit.hawser)
    const [session] = siwx.sessions
    expect(session?.data).toMatchObject({ accountAddress: account(5).address, chainId: chain().caip2 })
    const bytes = (text: string) => Buffer.from(getBase58Encoder().encode(text))
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes(account(5).address)])
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    const message = Buffer.from(session?.message ?? '')
    expect(verify(null, message, key, bytes(session?.signature ?? ''))).toBe(true)
  })
})

describe('SOL', () => {
  it('arrives, and costs what was shown', async () => {
    const page = await connected(6)
    const to = await stranger()
    const before = await lamports(account(6).address)
    await drafting(page, SOL, '1.25', to)
    expect(draft(page).fee).toMatchObject({ amount: FEE, reserve: 890_880n })
    expect(await send(page)).toBe('confirmed')
    expect(await lamports(to)).toBe(1_250_000_000n)
    expect(before - (await lamports(account(6).address))).toBe(1_250_000_000n + FEE)
  })

  it('Max leaves what keeps the account, and can be sent', async () => {
    const page = await connected(7)
    await drafting(page, SOL, '', await stranger())
    await vi.waitFor(() => expect(draft(page).fee).toBeDefined())
    await fillMaxSendAmount(page.kit.hawser)
    expect(draft(page).sendTokenAmount).toBe('99.99910412')
    expect(await send(page)).toBe('confirmed')
    expect(await lamports(account(7).address)).toBe(890_880n)
  })

  it('is not sent where it is too little to keep an account', async () => {
    const page = await connected(6)
    await drafting(page, SOL, '0.0001', await stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('refused'))
    expect(draft(page).refusal).toEqual({ chain: 'InsufficientFundsForRent' })
  })

  it.each([
    ['a mint', () => mintOf(tokenRow('tUSD', '1')), 'The receiver is not a wallet'],
    ['a program', () => TOKEN_PROGRAM, 'The receiver is not a wallet'],
    ['the system program', () => '11111111111111111111111111111111', 'The receiver is a program'],
  ])('is not sent to %s', async (_kind, receiver, why) => {
    const page = await connected(6)
    await drafting(page, SOL, '1', receiver())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('refused'))
    expect(draft(page).refusal).toMatchObject({ page: { message: why } })
  })

  it('pays for priority what others pay, within a bound', async () => {
    const page = await connected(6)
    const fees = [0, 1_000, 50_000, 2_000, 10 ** 15]
    answer(page.kit, async (method, params) => {
      if (method !== 'getRecentPrioritizationFees') return node(method, params)
      return fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee }))
    })
    await drafting(page, SOL, '0.5', await stranger())
    expect(draft(page).fee?.terms).toMatchObject({ computeUnitPrice: 2_000n })
    page.kit.hawser.send.setState({ feeSpeed: 'fast' })
    await setReceiver(page.kit.hawser, await stranger())
    expect(draft(page).fee?.terms).toMatchObject({ computeUnitPrice: 50_000n })
    fees.fill(10 ** 15)
    await setReceiver(page.kit.hawser, await stranger())
    expect(draft(page).fee?.amount).toBeLessThanOrEqual(FEE + 1_000_000n)
    expect(await send(page)).toBe('confirmed')
  })
})

/** Returns the message of a transaction, without its blockhash. */
function withoutBlockhash(transaction: Uint8Array): Buffer {
  const message = Buffer.from(transaction.subarray(65))
  const keys = message.readUInt8(3)
  return Buffer.concat([message.subarray(0, 4 + 32 * keys), message.subarray(4 + 32 * keys + 32)])
}

describe('the preview of a transfer', () => {
  it.each([
    ['SOL', () => SOL],
    ['a token', () => tokenRow('tUSD', '1000000')],
  ])('of %s is of the transaction that the wallet will sign', async (_, token) => {
    const page = await connected()
    const requests: { chainId?: string; account?: string; transaction?: string }[] = []
    page.kit.gateway.simulate = (request) => {
      requests.push(request)
      return { outcome: 'OUTCOME_SUCCEEDS' }
    }
    await drafting(page, token(), '1.5', await stranger())
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toMatchObject({ outcome: 'succeeds' })
    expect(await send(page)).toBe('confirmed')
    const [{ chainId, account: of, transaction = '' } = {}] = requests
    expect({ chainId, of }).toEqual({ chainId: chain().caip2, of: account(0).address })
    const signed = page.signed[0] as Uint8Array
    expect(withoutBlockhash(Buffer.from(transaction, 'base64'))).toEqual(withoutBlockhash(signed))
  })

  it('says why it would fail where the accounts show it', async () => {
    const page = await connected(6)
    await drafting(page, SOL, '1', mintOf(tokenRow('tUSD', '1')))
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toMatchObject({ outcome: 'reverts', reason: 'The receiver is not a wallet' })
  })

  it('is unavailable while the node does not answer', async () => {
    const page = await connected(6)
    await drafting(page, SOL, '1', await stranger())
    answer(page.kit, () => Promise.reject(new Error('down')))
    await previewSend(page.kit.hawser)
    expect(draft(page).preview).toBe('unavailable')
  })
})

describe('a token', () => {
  it('of the token program arrives in an account that is made for it, whose rent was shown', async () => {
    const page = await connected()
    const to = await stranger()
    const row = tokenRow('tUSD', '1000000.000001')
    const before = await lamports(account(0).address)
    await drafting(page, row, '2.5', to)
    expect(draft(page).fee).toMatchObject({ amount: FEE + RENT, rent: RENT })
    expect(await send(page)).toBe('confirmed')
    expect(await held(to, mintOf(row))).toBe(2_500_000n)
    expect(before - (await lamports(account(0).address))).toBe(FEE + RENT)
  })

  it('goes to the existing account of the receiver without rent', async () => {
    const page = await connected()
    await drafting(page, tokenRow('tUSD', '1000000'), '1', account(1).address)
    expect(draft(page).fee?.rent).toBeUndefined()
    expect(await send(page)).toBe('confirmed')
  })

  it('does not go to an account that its owner has passed on', async () => {
    const page = await connected()
    const row = tokenRow('tUSD', '1000000')
    const to = await stranger()
    const seeds = [to, TOKEN_PROGRAM, mintOf(row)].map((part) => getBase58Encoder().encode(part))
    const [associated] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds })
    const data = Buffer.alloc(165)
    data.set(getBase58Encoder().encode(mintOf(row)), 0)
    data.set(getBase58Encoder().encode(await stranger()), 32)
    data[108] = 1
    await node('devnet_setAccount', [
      associated,
      { owner: TOKEN_PROGRAM, data: [data.toString('base64'), 'base64'] },
    ])
    await drafting(page, row, '1', to)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('refused'))
    expect(draft(page).refusal).toMatchObject({
      page: {
        key: 'sendRefusals.otherOwner',
        message: 'The receiver’s token account belongs to another owner',
      },
    })
  })

  it('of Token-2022 carries the memo that the receiver requires', async () => {
    const page = await connected()
    const row = tokenRow('tPYUSD', '750')
    const before = await held(account(2).address, mintOf(row))
    await drafting(page, row, '1', account(2).address)
    expect(await send(page)).toBe('confirmed')
    expect((await held(account(2).address, mintOf(row))) - before).toBe(1_000_000n)
  })

  it('that withholds a part of transfers says how much', async () => {
    const page = await connected()
    const row = tokenRow('TAX', '42')
    const to = await stranger()
    await drafting(page, row, '10', to)
    expect(draft(page).fee).toMatchObject({ tokenFee: 10_000_000n })
    expect(await send(page)).toBe('confirmed')
    expect(await held(to, mintOf(row))).toBe(990_000_000n)
  })

  it.each(['5', '7'])('whose mint has 6 decimals is not sent with %s', async (decimals) => {
    const page = await connected()
    const { quantity, ...row } = tokenRow('tUSD', '1000')
    await drafting(page, { ...row, quantity: { ...quantity, decimals } }, '1', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('gasUnavailable'))

    await drafting(page, tokenRow('tUSD', '1000'), '1', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    page.kit.hawser.send.setState(({ token }) => ({
      token: token && { ...token, quantity: { ...token.quantity, decimals } },
    }))
    expect(await sendToken(page.kit.hawser)).toBeUndefined()
    expect(page.signed).toEqual([])
  })

  it('says why it would fail when the receiver is an account of another token, or frozen', async () => {
    const page = await connected()
    await drafting(page, tokenRow('tUSD', '1000000'), '1', mintOf(tokenRow('tUSD', '1')))
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('refused'))
    expect(draft(page).refusal).toMatchObject({
      page: { key: 'sendRefusals.otherToken', message: 'The receiver is not an account of this token' },
    })
    await drafting(page, tokenRow('tJUP', '1000000'), '1', account(3).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('refused'))
    expect(draft(page).refusal).toEqual({ chain: 'Account is frozen' })
  })
})

describe('a send that fails', () => {
  it('needs an amount and a receiver', async () => {
    const page = await connected()
    await drafting(page, SOL, '', '')
    const incomplete = 'Please enter a valid amount and receiver address'
    await expect(sendToken(page.kit.hawser)).rejects.toThrow(incomplete)
    await setReceiver(page.kit.hawser, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(draft(page)).toMatchObject({ receiverStatus: 'invalid', receiverKind: 'eip155' })
    await expect(sendToken(page.kit.hawser)).rejects.toThrow(incomplete)
  })

  it('says so when the node refuses the transaction, and keeps the draft', async () => {
    const page = await connected(6)
    Object.assign(page.provider, {
      signTransaction: async (_: string, sent: Uint8Array) => sent.fill(9, 1, 65),
    })
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    expect(await sendToken(page.kit.hawser)).toBeUndefined()
    expect(draft(page)).toMatchObject({ status: 'error', sendTokenAmount: '0.5' })
    await page.kit.clock.advance(200)
    expect(page.kit.hawser.toast.getState().message).toBe('Failed to send transaction. Please try again.')
  })

  it('is not known, and still followed, when a wallet that sends itself may have signed anything', async () => {
    const page = await connected(6)
    Object.assign(page.provider, {
      signTransaction: undefined,
      signAndSendTransaction: async () => new Uint8Array(64).fill(5),
    })
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await sendToken(page.kit.hawser)
    await node('devnet_advanceSlots', [200])
    for (let second = 0; second < 5; second++) await page.kit.clock.advance(1_000)
    expect(draft(page).sent).toMatchObject({ transaction: { metadata: { status: 'pending' } } })
    expect(draft(page).sent?.change).toBeUndefined()
    await vi.waitFor(async () => {
      await page.kit.clock.advance(10_000)
      expect(draft(page).sent?.change).toBe('dropped')
    })
    expect(draft(page).sent).toMatchObject({ transaction: { metadata: { status: 'pending' } } })
  })

  it('expires with the newest blockhash when the wallet may have signed another one', async () => {
    const page = await connected(6)
    const { signTransaction } = page.provider
    Object.assign(page.provider, {
      // Wallets replace the blockhash by a newer one. It is 32 bytes after the four keys of a transfer.
      signTransaction: async (from: string, given: Uint8Array, network: string) => {
        const own = given.slice()
        own.set([7, 7, 7, 7], 69 + 32 * (given[68] as number))
        return signTransaction?.(from, own, network as never)
      },
    })
    answer(page.kit, async (method, params) =>
      method === 'sendTransaction' ? 'lost on its way' : node(method, params),
    )
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await sendToken(page.kit.hawser)
    expect(draft(page).sent?.lastBlock).toBeDefined()
    await node('devnet_advanceSlots', [200])
    await vi.waitFor(async () => {
      await page.kit.clock.advance(1_000)
      expect(draft(page).sent).toMatchObject({
        change: 'expired',
        transaction: { metadata: { status: 'failed' } },
      })
    })
  })

  it('is over once its blockhash has expired', async () => {
    const page = await connected(6)
    answer(page.kit, async (method, params) =>
      method === 'sendTransaction' ? 'lost on its way' : node(method, params),
    )
    await drafting(page, SOL, '0.5', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(page))).toBe('ready'))
    await sendToken(page.kit.hawser)
    await page.kit.clock.advance(3_000)
    expect(draft(page).sent?.transaction.metadata.status).toBe('pending')
    await node('devnet_advanceSlots', [200])
    await vi.waitFor(async () => {
      await page.kit.clock.advance(1_000)
      expect(draft(page).sent?.transaction.metadata.status).toBe('failed')
    })
    expect(draft(page).sent?.change).toBe('expired')
  })

  it('is over after the page was loaded again, too', async () => {
    const before = await connected(6)
    const { storage, clock } = before.kit
    answer(before.kit, async (method, params) =>
      method === 'sendTransaction' ? 'lost on its way' : node(method, params),
    )
    await drafting(before, SOL, '0.25', account(1).address)
    await vi.waitFor(() => expect(sendReadiness(draft(before))).toBe('ready'))
    await sendToken(before.kit.hawser)

    const { hawser } = (await connected(6, { storage, clock })).kit
    const statuses = () =>
      hawser.activity.getState().sent.map(({ transaction }) => transaction.metadata.status)
    await vi.waitFor(() => expect(statuses()).toEqual(['pending']))
    await node('devnet_advanceSlots', [200])
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(statuses()).toEqual(['failed'])
    })
  })
})
