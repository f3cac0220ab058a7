import { base58 } from '@scure/base'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMessage } from './solanaInstructions.ts'

const SYSTEM = '11111111111111111111111111111111'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const [OWNER, SOURCE, TARGET, MINT] = [1, 2, 3, 4].map((byte) =>
  base58.encode(new Uint8Array(32).fill(byte)),
) as [string, string, string, string]

interface Instruction {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: readonly number[]
}

/** Returns a legacy message, or one of version 0 with a number of lookup tables. */
function messageOf(instructions: readonly Instruction[], tables?: number): Uint8Array {
  const keys = [
    ...new Set([OWNER, ...instructions.flatMap(({ program, accounts }) => [...accounts, program])]),
  ]
  const at = (key: string) => keys.indexOf(key)
  return Uint8Array.from([
    ...(tables === undefined ? [] : [0x80]),
    ...[1, 0, 0],
    keys.length,
    ...keys.flatMap((key) => [...base58.decode(key)]),
    ...new Uint8Array(32).fill(9),
    instructions.length,
    ...instructions.flatMap(({ program, accounts, data }) => [
      at(program),
      accounts.length,
      ...accounts.map(at),
      data.length,
      ...data,
    ]),
    ...(tables === undefined ? [] : [tables, ...new Uint8Array(tables * 34)]),
  ])
}

const readInstructions = (message: Uint8Array) => readMessage(message)?.instructions
const u64 = (value: bigint) => [...new Uint8Array(new BigUint64Array([value]).buffer)]

describe('the instructions of a transaction', () => {
  it.each<[string, Instruction, object]>([
    [
      'a transfer of SOL',
      { program: SYSTEM, accounts: [OWNER, TARGET], data: [2, 0, 0, 0, ...u64(500_000_000n)] },
      { kind: 'transfer', to: TARGET, lamports: 500_000_000n },
    ],
    [
      'a transfer of tokens without the mint',
      { program: TOKEN, accounts: [SOURCE, TARGET, OWNER], data: [3, ...u64(7n)] },
      { kind: 'tokenTransfer', to: TARGET, amount: 7n, mint: undefined, decimals: undefined },
    ],
    [
      'a checked transfer',
      { program: TOKEN_2022, accounts: [SOURCE, MINT, TARGET, OWNER], data: [12, ...u64(2n ** 64n - 1n), 6] },
      { kind: 'tokenTransfer', to: TARGET, amount: 2n ** 64n - 1n, mint: MINT, decimals: 6 },
    ],
    [
      'a transfer with its fee',
      {
        program: TOKEN_2022,
        accounts: [SOURCE, MINT, TARGET, OWNER],
        data: [26, 1, ...u64(9n), 6, ...u64(1n)],
      },
      { kind: 'tokenTransfer', to: TARGET, amount: 9n, mint: MINT, decimals: 6 },
    ],
    [
      'an approval',
      { program: TOKEN, accounts: [SOURCE, TARGET, OWNER], data: [4, ...u64(5n)] },
      { kind: 'tokenApproval', delegate: TARGET, amount: 5n },
    ],
    [
      'a checked approval',
      { program: TOKEN, accounts: [SOURCE, MINT, TARGET, OWNER], data: [13, ...u64(5n), 6] },
      { kind: 'tokenApproval', delegate: TARGET, amount: 5n },
    ],
    [
      'a new owner of a token account',
      { program: TOKEN, accounts: [SOURCE, OWNER], data: [6, 2, 1, ...base58.decode(TARGET)] },
      { kind: 'tokenAuthority', to: TARGET },
    ],
    [
      'a token account for the receiver',
      { program: ASSOCIATED_TOKEN, accounts: [OWNER, SOURCE, TARGET, MINT, SYSTEM, TOKEN], data: [1] },
      { kind: 'tokenAccount', owner: TARGET, mint: MINT },
    ],
    [
      'a note',
      { program: MEMO, accounts: [], data: [...new TextEncoder().encode('rent')] },
      { kind: 'memo', text: 'rent' },
    ],
    [
      'a call of another program',
      { program: MINT, accounts: [OWNER], data: [1, 2, 3] },
      { kind: 'call', program: MINT, dataLength: 3 },
    ],
    [
      'an instruction of a known program that is not read',
      { program: SYSTEM, accounts: [TARGET], data: [8, 0, 0, 0, ...u64(10n)] },
      { kind: 'call', program: SYSTEM, dataLength: 12 },
    ],
    [
      'SOL for a new account',
      {
        program: SYSTEM,
        accounts: [OWNER, TARGET],
        data: [0, 0, 0, 0, ...u64(7n), ...u64(0n), ...base58.decode(MINT)],
      },
      { kind: 'transfer', to: TARGET, lamports: 7n },
    ],
    [
      'SOL for a new account with a seed',
      {
        program: SYSTEM,
        accounts: [OWNER, TARGET],
        data: [
          3,
          0,
          0,
          0,
          ...base58.decode(OWNER),
          ...u64(2n),
          65,
          66,
          ...u64(7n),
          ...u64(0n),
          ...base58.decode(MINT),
        ],
      },
      { kind: 'transfer', to: TARGET, lamports: 7n },
    ],
    [
      'a transfer with a seed',
      { program: SYSTEM, accounts: [SOURCE, OWNER, TARGET], data: [11, 0, 0, 0, ...u64(7n), ...u64(0n)] },
      { kind: 'transfer', to: TARGET, lamports: 7n },
    ],
    [
      'an account that is given away',
      { program: SYSTEM, accounts: [OWNER], data: [1, 0, 0, 0, ...base58.decode(MINT)] },
      { kind: 'assignment', account: OWNER },
    ],
    [
      'a durable nonce',
      { program: SYSTEM, accounts: [SOURCE, TARGET, OWNER], data: [4, 0, 0, 0] },
      { kind: 'nonce' },
    ],
    [
      'destroyed tokens',
      { program: TOKEN, accounts: [SOURCE, MINT, OWNER], data: [8, ...u64(5n)] },
      { kind: 'tokenBurn', amount: 5n, mint: MINT, decimals: undefined },
    ],
    [
      'a closed token account',
      { program: TOKEN_2022, accounts: [SOURCE, TARGET, OWNER], data: [9] },
      { kind: 'tokenClosing', to: TARGET },
    ],
  ])('have %s', (_, instruction, expected) => {
    expect(readInstructions(messageOf([instruction]))).toEqual([expected])
    expect(readInstructions(messageOf([instruction], 0))).toEqual([expected])
  })

  it('are unknown with accounts of a lookup table', () => {
    const note = { program: MEMO, accounts: [], data: [65] }
    expect(readMessage(messageOf([note], 1))).toMatchObject({ feePayer: OWNER, instructions: undefined })
  })

  it('are read of whole messages alone, in their shortest form', () => {
    const message = messageOf([{ program: MEMO, accounts: [], data: [65] }])
    for (let length = 0; length < message.length; length += 1)
      expect(readMessage(message.slice(0, length))).toBeUndefined()
    expect(readMessage(Uint8Array.from([...message, 0]))).toBeUndefined()
    // Two keys as 0x82 0x00.
    expect(
      readMessage(Uint8Array.from([...message.slice(0, 3), 0x82, 0, ...message.slice(4)])),
    ).toBeUndefined()
    expect(readMessage(Uint8Array.from([0x81, ...messageOf([], 0).slice(1)]))).toBeUndefined()
  })

  it('of any bytes are read or unknown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        readMessage(bytes)
      }),
    )
  })
})

describe('the fee of a transaction', () => {
  const note = { program: MEMO, accounts: [], data: [65] }
  const budget = (...data: number[]) => ({ program: COMPUTE_BUDGET, accounts: [], data })
  const price = (microLamports: bigint) => budget(3, ...u64(microLamports))
  const limit = (units: number) => budget(2, ...new Uint8Array(new Uint32Array([units]).buffer))

  it.each<[string, readonly Instruction[], bigint]>([
    ['is that of its signatures', [note], 5_000n],
    ['has the price of all units that it may use', [limit(50_000), price(1_000n), note], 5_050n],
    [
      'counts a price and a limit with bytes after them, as the network does',
      [budget(2, ...new Uint8Array(new Uint32Array([50_000]).buffer), 0), budget(3, ...u64(1_000n), 9), note],
      5_050n,
    ],
    ['is rounded up', [limit(1), price(1n), note], 5_001n],
    ['is for 200,000 units an instruction without a limit', [price(1_000_000n), note, note], 405_000n],
    ['is for 1,400,000 units at most', [limit(2 ** 32 - 1), price(10n ** 12n), note], 1_400_000_005_000n],
    [
      'is for signatures that programs check too',
      [{ program: 'Ed25519SigVerify111111111111111111111111111', accounts: [], data: [2, 0] }],
      15_000n,
    ],
  ])('%s', (_, instructions, expected) => {
    const message = readMessage(messageOf(instructions))
    expect(message).toMatchObject({ feePayer: OWNER, maxFee: expected })
    expect(
      message?.instructions?.some((each) => each.kind === 'call' && each.program === COMPUTE_BUDGET),
    ).toBe(false)
  })
})
