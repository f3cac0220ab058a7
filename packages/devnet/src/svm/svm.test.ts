import { request } from 'node:http'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Devnet, startDevnet } from '../devnet.mjs'
import * as build from './instructions.mjs'
import { token2022Program, tokenProgram } from './programs.mjs'

const confirmed = { commitment: 'confirmed' } as const

let devnet: Devnet
let rpc: ReturnType<typeof createSolanaRpc>
let payer: KeyPairSigner

beforeAll(async () => {
  devnet = await startDevnet({ chainIds: [], solana: true })
  rpc = createSolanaRpc(solana().rpcUrl)
  payer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(solana().accounts[0]?.secretKey ?? ''))
}, 30_000)
afterAll(() => devnet.stop())

describe('the local Solana chain', () => {
  it('is named by the first 32 characters of its genesis hash', async () => {
    const hash = await rpc.getGenesisHash().send()
    expect(solana().caip2).toBe(`solana:${hash.slice(0, 32)}`)
  })

  it('outlasts a client that leaves before its request is complete', async () => {
    await new Promise((resolve) => {
      const left = request(solana().rpcUrl, { method: 'POST', headers: { 'content-length': 100 } })
      left.on('error', () => {}).on('close', resolve)
      left.write('{', () => setTimeout(() => left.destroy(new Error('left')), 50))
    })
    expect(await rpc.getHealth().send()).toBe('ok')
  })

  it('moves SOL, takes the fee and lists the transaction for both accounts', async () => {
    const to = (await generateKeyPairSigner()).address
    const before = await balance(payer.address)
    const sent = await send([build.transferSol({ from: payer.address, to, lamports: 1_000_000_000n })])
    expect(await balance(to)).toBe(1_000_000_000n)
    expect(before - (await balance(payer.address))).toBe(1_000_005_000n)
    for (const account of [to, payer.address]) {
      const [newest] = await rpc.getSignaturesForAddress(account, { ...confirmed, limit: 1 }).send()
      expect(newest).toMatchObject({ signature: sent, err: null, confirmationStatus: 'confirmed' })
    }
    const read = await rpc
      .getTransaction(sent, { ...confirmed, encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
    expect(read?.meta?.fee).toBe(5000n)
    expect(read?.transaction.message.accountKeys).toContain(to)
  })

  it.each([
    ['tUSD', tokenProgram, 'spl-token'],
    ['tPYUSD', token2022Program, 'spl-token-2022'],
  ] as const)('moves %s, which is of %s', async (symbol, program, name) => {
    const mint = mintOf(symbol)
    const owner = (await generateKeyPairSigner()).address
    const account = await build.associatedAccount({ program, mint, owner })
    const source = await build.associatedAccount({ program, mint, owner: payer.address })
    const sent = await send([
      build.createAssociatedAccount({ payer: payer.address, account, program, mint, owner }),
      build.transferTokens({
        program,
        source,
        mint,
        account,
        owner: payer.address,
        amount: 1_500_000n,
        decimals: 6,
      }),
    ])
    const { value } = await rpc
      .getTokenAccountsByOwner(owner, { programId: program }, { ...confirmed, encoding: 'jsonParsed' })
      .send()
    expect(value).toMatchObject([
      {
        pubkey: account,
        account: {
          data: {
            program: name,
            parsed: {
              info: { mint, owner, tokenAmount: { amount: '1500000', decimals: 6, uiAmountString: '1.5' } },
            },
          },
        },
      },
    ])
    const read = await rpc
      .getTransaction(sent, { ...confirmed, encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
    expect(read?.meta?.postTokenBalances).toContainEqual(
      expect.objectContaining({ mint, owner, programId: program }),
    )
    expect(read?.meta?.innerInstructions).not.toEqual([])
  })

  describe('lists the transactions of an account', () => {
    const list = (of: string, options: Record<string, unknown> = {}) =>
      call('getSignaturesForAddress', [of, { ...confirmed, ...options }])
    const signaturesOf = async (of: string, options?: Record<string, unknown>) =>
      (await list(of, options)).map(({ signature }: { signature: string }) => signature)
    let to: Address
    let other: Address
    let sent: string[]

    beforeAll(async () => {
      to = (await generateKeyPairSigner()).address
      other = (await generateKeyPairSigner()).address
      sent = []
      for (const receiver of [to, to, other, to]) {
        sent.push(
          await send([build.transferSol({ from: payer.address, to: receiver, lamports: 1_000_000n })]),
        )
      }
    })

    it('newest first, with its slot, time, memo, error and commitment', async () => {
      const entries = await list(to)
      expect(entries.map(({ signature }: { signature: string }) => signature)).toEqual([
        sent[3],
        sent[1],
        sent[0],
      ])
      expect(entries[0]).toEqual({
        signature: sent[3],
        slot: expect.any(Number),
        blockTime: expect.any(Number),
        err: null,
        memo: null,
        confirmationStatus: 'confirmed',
      })
    })

    it('before and until a transaction of any account', async () => {
      expect(await signaturesOf(to, { before: sent[2] })).toEqual([sent[1], sent[0]])
      expect(await signaturesOf(to, { until: sent[2] })).toEqual([sent[3]])
      expect(await signaturesOf(to, { before: sent[3], until: sent[0] })).toEqual([sent[1]])
      expect(await signaturesOf(to, { before: sent[3], limit: 1 })).toEqual([sent[1]])
    })

    it('none before a transaction that it does not know, and all after one', async () => {
      const unknown = `${'1'.repeat(63)}2`
      expect(await signaturesOf(to, { before: unknown })).toEqual([])
      expect(await signaturesOf(to, { until: unknown })).toHaveLength(3)
    })

    it.each([
      [{ before: 'x' }, 'Invalid param: WrongSize'],
      [{ limit: 0 }, 'Invalid param: Invalid limit; max 1000'],
      [{ commitment: 'processed' }, 'Invalid param: Method does not support commitment below `confirmed`'],
    ])('and refuses %o', async (options, message) => {
      expect(
        (await respond('getSignaturesForAddress', [to, { ...confirmed, ...options }])).error,
      ).toMatchObject({
        code: -32602,
        message,
      })
    })
  })

  it('states the balances of a transaction to the last lamport, those of the faucet too', async () => {
    const to = (await generateKeyPairSigner()).address
    const signature = await call('requestAirdrop', [to, 2_000_000_001])
    const { meta, transaction } = await call('getTransaction', [signature, confirmed], exactly)
    const at = (key: string) => transaction.message.accountKeys.indexOf(key)
    const [faucet] = transaction.message.accountKeys
    expect(BigInt(meta.postBalances[at(to)]) - BigInt(meta.preBalances[at(to)])).toBe(2_000_000_001n)
    expect(BigInt(meta.preBalances[at(faucet)]) - BigInt(meta.postBalances[at(faucet)])).toBe(2_000_005_001n)
    expect(meta).not.toHaveProperty('loadedAddresses')
  })

  it('states why a transaction failed, which paid its fee', async () => {
    const to = (await generateKeyPairSigner()).address
    const { text, signature } = await sign([
      build.transferSol({ from: payer.address, to, lamports: 10n ** 18n }),
    ])
    await rpc.sendTransaction(text, { encoding: 'base64', skipPreflight: true }).send()
    const { meta } = await call('getTransaction', [
      signature,
      { ...confirmed, maxSupportedTransactionVersion: 0 },
    ])
    expect(meta).toMatchObject({
      err: { InstructionError: [0, { Custom: 1 }] },
      fee: 5000,
      loadedAddresses: { writable: [], readonly: [] },
    })
    expect(
      (await call('getSignaturesForAddress', [payer.address, { ...confirmed, limit: 1 }]))[0],
    ).toMatchObject({
      signature,
      err: { InstructionError: [0, { Custom: 1 }] },
    })
  })

  it('refuses a transfer without a memo to an account that requires one', async () => {
    const mint = mintOf('tPYUSD')
    const program = token2022Program
    const owner = address(solana().accounts[2]?.address ?? '')
    const account = await build.associatedAccount({ program, mint, owner })
    const source = await build.associatedAccount({ program, mint, owner: payer.address })
    const transfer = build.transferTokens({
      program,
      source,
      mint,
      account,
      owner: payer.address,
      amount: 1n,
      decimals: 6,
    })
    await expect(send([transfer])).rejects.toThrow(/simulation/i)
  })

  it('refuses an expired blockhash and the same transaction twice', async () => {
    const to = (await generateKeyPairSigner()).address
    const transfer = build.transferSol({ from: payer.address, to, lamports: 1_000_000_000n })
    const wire = await sign([transfer])
    const again = await sign([transfer, build.transferSol({ from: payer.address, to, lamports: 1n })])
    await rpc.sendTransaction(wire.text, { encoding: 'base64' }).send()
    await expect(rpc.sendTransaction(wire.text, { encoding: 'base64' }).send()).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/already been processed/) }),
    })
    await call('devnet_advanceSlots', [151])
    await expect(rpc.sendTransaction(again.text, { encoding: 'base64' }).send()).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/Blockhash not found/i) }),
    })
  })

  it('says what a transaction would do without doing it', async () => {
    const to = (await generateKeyPairSigner()).address
    const { text } = await sign([build.transferSol({ from: payer.address, to, lamports: 1_000_000_000n })])
    const { value } = await rpc
      .simulateTransaction(text, { encoding: 'base64', accounts: { addresses: [to], encoding: 'base64' } })
      .send()
    expect(value).toMatchObject({
      err: null,
      unitsConsumed: 150n,
      fee: 5_000n,
      accounts: [{ lamports: 1_000_000_000n }],
    })
    expect(await balance(to)).toBe(0n)
    const tooMany = { addresses: [payer.address, to, to, to], encoding: 'base64' } as const
    await expect(
      rpc.simulateTransaction(text, { encoding: 'base64', accounts: tooMany }).send(),
    ).rejects.toThrow('Too many accounts')
  })

  it('pays airdrops', async () => {
    const to = (await generateKeyPairSigner()).address
    const signature = await call('requestAirdrop', [to, 2_000_000_000])
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    expect(value).toMatchObject([{ err: null, confirmationStatus: 'confirmed' }])
    expect(await balance(to)).toBe(2_000_000_000n)
  })

  it('notifies of slots, accounts and signatures over WebSocket', async () => {
    const subscriptions = createSolanaRpcSubscriptions(solana().wsUrl)
    const abortSignal = AbortSignal.timeout(20_000)
    const to = (await generateKeyPairSigner()).address
    // Subscribe first: messages that arrive before the iteration starts are dropped.
    const changed = first(await subscriptions.accountNotifications(to, confirmed).subscribe({ abortSignal }))
    const sent = await send([build.transferSol({ from: payer.address, to, lamports: 1_000_000_000n })])
    const signatures = await subscriptions.signatureNotifications(sent, confirmed).subscribe({ abortSignal })
    expect(await first(signatures)).toMatchObject({ value: { err: null } })
    expect(await changed).toMatchObject({ value: { lamports: 1_000_000_000n } })
    const slots = await subscriptions.slotNotifications().subscribe({ abortSignal })
    const { slot, parent } = await first(slots)
    expect(slot - parent).toBe(1n)
  })

  it('shows a transaction as final after 32 slots', async () => {
    const to = (await generateKeyPairSigner()).address
    const sent = await send([build.transferSol({ from: payer.address, to, lamports: 1_000_000_000n })])
    expect(
      await rpc
        .getTransaction(sent, {
          commitment: 'finalized',
          encoding: 'base64',
          maxSupportedTransactionVersion: 0,
        })
        .send(),
    ).toBeNull()
    await call('devnet_advanceSlots', [32])
    expect(
      await rpc
        .getTransaction(sent, {
          commitment: 'finalized',
          encoding: 'base64',
          maxSupportedTransactionVersion: 0,
        })
        .send(),
    ).not.toBeNull()
  })
})

function solana() {
  if (!devnet.manifest.solana) throw new Error('the Solana chain was not started')
  return devnet.manifest.solana
}

function mintOf(symbol: string) {
  return address(solana().tokens.find((token) => token.symbol === symbol)?.address ?? '')
}

async function balance(of: Address) {
  return (await rpc.getBalance(of, confirmed).send()).value
}

async function sign(instructions: Instruction[]) {
  const { value } = await rpc.getLatestBlockhash(confirmed).send()
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    ),
  )
  return { text: getBase64EncodedWireTransaction(signed), signature: getSignatureFromTransaction(signed) }
}

async function send(instructions: Instruction[]) {
  const { text, signature } = await sign(instructions)
  await rpc.sendTransaction(text, { encoding: 'base64', preflightCommitment: 'confirmed' }).send()
  return signature
}

/** Parses JSON with whole numbers of any size as text. */
const exactly = (text: string) => JSON.parse(text.replace(/([[,:])(\d{16,})(?=[\],}])/g, '$1"$2"'))

async function call(method: string, params: unknown[], parse: typeof JSON.parse = JSON.parse) {
  return (await respond(method, params, parse)).result
}

async function respond(method: string, params: unknown[], parse: typeof JSON.parse = JSON.parse) {
  const response = await fetch(solana().rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return parse(await response.text())
}

async function first<T>(notifications: AsyncIterable<T>): Promise<T> {
  for await (const notification of notifications) return notification
  throw new Error('the subscription ended')
}
