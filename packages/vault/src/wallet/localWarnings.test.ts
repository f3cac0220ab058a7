import { toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import type { ApprovalView } from './approvalView.ts'
import { localWarnings } from './localWarnings.ts'

const THIEF = `0x${'66'.repeat(20)}`
const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')

const warningsOf = (content: object, site = 'https://shop.example', chainId = 'eip155:1') =>
  localWarnings({ site, chainId, address: THIEF, content } as ApprovalView).map(
    ({ severity, phrase, value }) => [
      severity.replace('SEVERITY_', ''),
      phrase.replace('PHRASE_', ''),
      value,
    ],
  )

const message = (text: string | undefined) => ({ kind: 'message', text, hex: '0x' })
const calls = (data: string, delegate?: string) => ({
  kind: 'calls',
  calls: [{ to: THIEF, value: 0n, data }],
  delegate,
})
const typedData = (primaryType: string, fields: object) => ({
  kind: 'typedData',
  data: { domain: {}, types: {}, primaryType, message: fields },
})

describe('without a preview', () => {
  it.each([
    ['Ethereum', 'https://shop.example', 'shop.example', []],
    ['Ethereum', 'https://shop.example:8443', 'shop.example:8443', []],
    ['Ethereum', 'https://shop.example', 'Shop.Example', []],
    ['Ethereum', 'https://shop.example', 'bank.example', [['DANGER', 'OTHER_SITE', 'bank.example']]],
    ['Ethereum', 'https://shop.example', 'shop.example:1', [['DANGER', 'OTHER_SITE', 'shop.example:1']]],
    ['Ethereum', 'https://shop.example', 'https://bank.example', [['DANGER', 'OTHER_SITE', 'bank.example']]],
    ['Solana', 'https://shop.example', 'bank.example', [['DANGER', 'OTHER_SITE', 'bank.example']]],
  ])('a sign-in with %s on %s to %s is compared with the site', (chain, site, domain, expected) => {
    const text = `${domain} wants you to sign in with your ${chain} account:\n${THIEF}\n`
    expect(warningsOf(message(text), site)).toEqual(expected)
  })

  it('bytes that are no text are pointed out, and text is not', () => {
    expect(warningsOf(message(undefined))).toEqual([['DANGER', 'BLIND', '']])
    expect(warningsOf(message('hello'))).toEqual([])
    const hash = { ...message('claim your free tokens now, 0001'), hex: `0x${'61'.repeat(32)}` }
    expect(warningsOf(hash)).toEqual([['DANGER', 'BLIND', '']])
  })

  it.each([
    ['Permit', { spender: THIEF }, 'SIGNED_APPROVAL', THIEF],
    ['PermitSingle', { spender: THIEF }, 'SIGNED_APPROVAL', THIEF],
    ['PermitBatchWitnessTransferFrom', { spender: THIEF }, 'SIGNED_APPROVAL', THIEF],
    ['ReceiveWithAuthorization', { to: THIEF }, 'SIGNED_APPROVAL', THIEF],
    ['Delegation', { delegate: THIEF }, 'DELEGATION', THIEF],
    ['Authorization', { manager: THIEF }, 'DELEGATION', THIEF],
    ['Authorization', { authorized: THIEF }, 'DELEGATION', THIEF],
    ['DelegationWithSig', { delegatee: THIEF }, 'BORROWS', THIEF],
    ['OrderComponents', {}, 'ORDER', ''],
    ['LimitOrder', {}, 'ORDER', ''],
    ['SafeOp', {}, 'OPERATION', ''],
    ['Root', {}, 'BLIND', ''],
    ['SafeTx', {}, 'OPERATION', ''],
  ])('typed data of the type %s is a danger', (type, fields, phrase, value) => {
    expect(warningsOf(typedData(type, fields))).toEqual([['DANGER', phrase, value]])
  })

  it('a list of sessions names the service that it is for, unless that is the site', () => {
    const proofFor = (origin: string) => {
      const { kind, data } = typedData('ListSessions', { account: THIEF })
      return { kind, data: { ...data, domain: { name: `Hawser Sessions at ${origin}` } } }
    }
    expect(warningsOf(proofFor('https://bank.example'))).toEqual([
      ['CAUTION', 'OTHER_SITE', 'https://bank.example'],
    ])
    expect(warningsOf(proofFor('https://shop.example'))).toEqual([])
  })

  it('typed data of another type has no warning', () => {
    expect(warningsOf(typedData('Vote', {}))).toEqual([])
    expect(warningsOf(typedData('constructor', {}))).toEqual([])
  })

  it.each([
    ['approve(address,uint256)', 0, 'DANGER', 'TAKES'],
    ['increaseAllowance(address,uint256)', 0, 'DANGER', 'TAKES'],
    ['increaseApproval(address,uint256)', 0, 'DANGER', 'TAKES'],
    ['approve(address,address,uint160,uint48)', 1, 'DANGER', 'TAKES'],
    ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', 1, 'DANGER', 'TAKES'],
    ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', 1, 'DANGER', 'TAKES'],
    ['authorizeOperator(address)', 0, 'DANGER', 'TAKES'],
    ['setApprovalForAll(address,bool)', 0, 'DANGER', 'APPROVAL_FOR_ALL'],
    ['setOperator(address,bool)', 0, 'DANGER', 'APPROVAL_FOR_ALL'],
    ['approve(address,uint256,uint256)', 0, 'DANGER', 'TAKES'],
    ['allow(address,bool)', 0, 'DANGER', 'DELEGATION'],
    ['setAuthorization(address,bool)', 0, 'DANGER', 'DELEGATION'],
    ['approveDelegation(address,uint256)', 0, 'DANGER', 'BORROWS'],
    ['transfer(address,uint256)', 0, 'CAUTION', 'SENDS'],
    ['transferFrom(address,address,uint256)', 1, 'CAUTION', 'SENDS'],
    ['safeTransferFrom(address,address,uint256)', 1, 'CAUTION', 'SENDS'],
    ['safeTransferFrom(address,address,uint256,bytes)', 1, 'CAUTION', 'SENDS'],
    ['safeTransferFrom(address,address,uint256,uint256,bytes)', 1, 'CAUTION', 'SENDS'],
    ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', 1, 'CAUTION', 'SENDS'],
    ['transferFrom(address,address,uint160,address)', 1, 'CAUTION', 'SENDS'],
  ])('a call of %s names who gets tokens', (signature, at, severity, phrase) => {
    const words = Array(6).fill(word('0x1')).with(at, word(THIEF)).join('')
    const data = toFunctionSelector(`function ${signature}`) + words
    expect(warningsOf(calls(data))).toEqual([[severity, phrase, THIEF]])
    // A call without its arguments is still named.
    expect(warningsOf(calls(data.slice(0, 10)))).toEqual([[severity, phrase, '']])
  })

  it('a call that ends a right, or that is of another function, has no warning', () => {
    const approve = toFunctionSelector('function approve(address,uint256)')
    expect(warningsOf(calls(approve + word(THIEF) + word('0x0')))).toEqual([])
    expect(warningsOf(calls('0x'))).toEqual([])
    expect(warningsOf(calls('0x12345678'))).toEqual([])
  })

  it('code that this build does not know is a danger, except on a development chain', () => {
    expect(warningsOf(calls('0x', THIEF))).toEqual([['DANGER', 'UNKNOWN_CODE', '']])
    expect(warningsOf(calls('0x', '0x63c0c19a282a1b52b07dd5a65b58948a07dae32b'))).toEqual([])
    expect(warningsOf(calls('0x', THIEF), undefined, 'eip155:31337')).toEqual([])
  })
})
