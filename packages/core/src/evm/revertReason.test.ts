import { RpcError } from '@hawser/client'
import { encodeAbiParameters, encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { revertReason } from './revertReason.ts'

const REASON = 'Blacklistable: account is blacklisted'
const solidity = parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])
const errorData = (reason: string) => encodeErrorResult({ abi: solidity, errorName: 'Error', args: [reason] })
const panic = encodeErrorResult({ abi: solidity, errorName: 'Panic', args: [0x11n] })
const invalidReceiver = encodeErrorResult({
  abi: parseAbi(['error ERC20InvalidReceiver(address receiver)']),
  args: ['0x0000000000000000000000000000000000000000'],
})
const unknown = `0x12345678${encodeAbiParameters([{ type: 'uint256' }], [1n]).slice(2)}`

describe('the reason of a revert', () => {
  it.each([
    ['of geth', new RpcError(3, `execution reverted: ${REASON}`, errorData(REASON)), REASON],
    [
      'of a node without the reason in the message',
      new RpcError(-32000, 'execution reverted', errorData(REASON)),
      REASON,
    ],
    ['of Parity', new RpcError(-32015, 'VM execution error.', `Reverted ${errorData(REASON)}`), REASON],
    ['of a node without data', new RpcError(-32000, `execution reverted: ${REASON}`), REASON],
    [
      'of Hardhat',
      { message: `VM Exception while processing transaction: reverted with reason string '${REASON}'` },
      REASON,
    ],
    [
      'that a wallet nests',
      {
        code: -32603,
        message: 'Internal',
        data: { code: 3, message: 'execution reverted', data: errorData(REASON) },
      },
      REASON,
    ],
    [
      'in a cause',
      new Error('failed', { cause: new RpcError(3, 'execution reverted', errorData(REASON)) }),
      REASON,
    ],
    ['that is a panic', new RpcError(3, 'execution reverted', panic), 'Panic(17)'],
    [
      'that is a known custom error',
      new RpcError(3, 'execution reverted', invalidReceiver),
      'ERC20InvalidReceiver(0x0000000000000000000000000000000000000000)',
    ],
    ['that is an unknown custom error', new RpcError(3, 'execution reverted', unknown), ''],
    ['that is missing', new RpcError(3, 'execution reverted', '0x'), ''],
    [
      'that hides the direction of writing',
      new RpcError(3, 'execution reverted', errorData('a\u202e\u0000\u200b b\nc')),
      'a b c',
    ],
    ['that is markup', new RpcError(3, 'execution reverted', errorData('<b>x</b>')), '<b>x</b>'],
  ])('%s is read', (_, error, reason) => {
    expect(revertReason(error)).toBe(reason)
  })

  it('is bounded', () => {
    const reason = revertReason(new RpcError(3, 'execution reverted', errorData('ab'.repeat(10_000))))
    expect(reason).toHaveLength(160)
    expect(reason).toMatch(/…$/)
  })

  it.each([
    ['a node that fails', new RpcError(-32603, 'Internal error')],
    ['an account without funds', new RpcError(-32000, 'insufficient funds for gas * price + value')],
    ['a gateway that does not answer', new TypeError('Failed to fetch')],
    ['a decline', { code: 4001, message: 'User rejected the request.' }],
    ['nothing', undefined],
  ])('is not that of %s', (_, error) => {
    expect(revertReason(error)).toBeUndefined()
  })

  it('ends with errors that contain themselves', () => {
    const error = { message: 'execution reverted: no', cause: undefined as unknown }
    error.cause = error
    expect(revertReason(error)).toBe('no')
  })
})
