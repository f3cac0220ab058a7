import { describe, expect, it } from 'vitest'
import {
  type ApprovedNamespaces,
  accountsOf,
  allows,
  type ProposedNamespaces,
  validateApproval,
  validateProposal,
} from './namespaces.ts'

const address = '0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb'
const signing = { methods: ['eth_sign'], events: ['accountsChanged'] }
const onMainnet: ProposedNamespaces = { eip155: { chains: ['eip155:1'], ...signing } }
const account = (chain: string) => `${chain}:${address}`

/** The numbers refer to the cases in the specification (clients/sign/namespaces). */
const proposals: readonly [name: string, ProposedNamespaces, code: number | undefined][] = [
  ['1.1 no optional namespace', { 'eip155:10': signing }, undefined],
  ['1.2 no chains', { cosmos: { chains: [], ...signing } }, 5100],
  ['1.2 chains left out', { cosmos: signing }, 5100],
  [
    '1.3 a chain as the key',
    { eip155: { chains: ['eip155:1', 'eip155:137'], ...signing }, 'eip155:10': signing },
    undefined,
  ],
  ['1.4 a chain that is not CAIP-2', { eip155: { chains: ['42'], ...signing } }, 5100],
  ['1.5 no methods and events', { eip155: { chains: ['eip155:1'], methods: [], events: [] } }, undefined],
  [
    '1.6 a chain of another namespace',
    { eip155: { chains: ['eip155:1', 'cosmos:cosmoshub-4'], ...signing } },
    5100,
  ],
  ['1.7 an empty key', { '': { chains: [':1'], ...signing } }, 5104],
  ['1.7 a key of other characters', { '**': { chains: ['**:1'], ...signing } }, 5104],
  [
    '1.8 one invalid namespace of two',
    { eip155: { chains: ['eip155:1'], ...signing }, cosmos: { chains: [], ...signing } },
    5100,
  ],
  ['1.9 an empty proposal', {}, undefined],
]

describe('a proposal', () => {
  for (const [name, namespaces, code] of proposals) {
    it(code ? `is refused with ${code}: ${name}` : `is valid: ${name}`, () => {
      if (code) expect(() => validateProposal(namespaces)).toThrow(expect.objectContaining({ code }))
      else expect(() => validateProposal(namespaces)).not.toThrow()
    })
  }
})

const approvals: readonly [string, ProposedNamespaces, ApprovedNamespaces, number | undefined][] = [
  [
    '2.1 no accounts',
    { cosmos: { chains: ['cosmos:cosmoshub-4'], ...signing } },
    { cosmos: { accounts: [], ...signing } },
    5001,
  ],
  [
    '2.2 an account that is not CAIP-10',
    onMainnet,
    { eip155: { accounts: [`eip155:${address}`], ...signing } },
    5001,
  ],
  [
    '2.3 a required method is missing',
    { eip155: { chains: ['eip155:1'], methods: ['eth_sign'], events: [] } },
    { eip155: { accounts: [account('eip155:1')], methods: [], events: [] } },
    5002,
  ],
  [
    '2.4 a required chain without an account',
    { eip155: { chains: ['eip155:1', 'eip155:10'], ...signing } },
    { eip155: { accounts: [account('eip155:1')], ...signing } },
    5001,
  ],
  [
    '2.5 several accounts on one chain',
    onMainnet,
    { eip155: { accounts: [account('eip155:1'), `eip155:1:0x${'25'.repeat(20)}`], ...signing } },
    undefined,
  ],
  [
    '2.6 more methods and events than required',
    onMainnet,
    {
      eip155: {
        accounts: [account('eip155:1')],
        methods: ['eth_sign', 'personal_sign'],
        events: ['accountsChanged', 'someEvent'],
      },
    },
    undefined,
  ],
  [
    '2.7 an account of another namespace',
    onMainnet,
    { eip155: { accounts: [account('eip155:1'), 'cosmos:cosmoshub-4:cosmos1t2uf'], ...signing } },
    5103,
  ],
  [
    '2.8 an account on a chain that was not proposed',
    onMainnet,
    { eip155: { accounts: [account('eip155:1'), account('eip155:42')], ...signing } },
    undefined,
  ],
  [
    '2.9 a required namespace is missing',
    { ...onMainnet, cosmos: { chains: ['cosmos:cosmoshub-4'], ...signing } },
    { eip155: { accounts: [account('eip155:1')], ...signing } },
    5000,
  ],
  [
    '2.10 a required event is missing',
    { eip155: { chains: ['eip155:1'], methods: [], events: ['chainChanged'] } },
    { eip155: { accounts: [account('eip155:1')], methods: [], events: [] } },
    5003,
  ],
  [
    '2.11 some methods of an optional namespace are missing',
    onMainnet,
    {
      eip155: { accounts: [account('eip155:1')], ...signing },
      'eip155:42161': { accounts: [account('eip155:42161')], methods: ['personal_sign'], events: [] },
    },
    undefined,
  ],
  [
    'a required chain is the key, and its account is missing',
    { 'eip155:10': signing },
    { eip155: { accounts: [account('eip155:1')], ...signing } },
    5001,
  ],
  [
    'a required namespace is approved by chain',
    onMainnet,
    { 'eip155:1': { accounts: [account('eip155:1')], ...signing } },
    undefined,
  ],
  [
    'an account of another chain than the key',
    {},
    { 'eip155:1': { accounts: [account('eip155:10')], ...signing } },
    5103,
  ],
]

describe('an approval', () => {
  for (const [name, required, approved, code] of approvals) {
    it(code ? `is refused with ${code}: ${name}` : `is valid: ${name}`, () => {
      if (code) expect(() => validateApproval(approved, required)).toThrow(expect.objectContaining({ code }))
      else expect(() => validateApproval(approved, required)).not.toThrow()
    })
  }
})

it('allows a method on the chains of the accounts only', () => {
  const approved = {
    eip155: { chains: ['eip155:1', 'eip155:10'], accounts: [account('eip155:1')], ...signing },
  }
  expect(allows(approved, 'methods', 'eth_sign', 'eip155:1')).toBe(true)
  expect(allows(approved, 'methods', 'eth_sign', 'eip155:10')).toBe(false)
  expect(allows(approved, 'methods', 'eth_sendTransaction', 'eip155:1')).toBe(false)
  expect(allows(approved, 'events', 'accountsChanged', 'eip155:1')).toBe(true)
})

it('lists every account once', () => {
  const given = { accounts: [account('eip155:1')], ...signing }
  expect(accountsOf({ eip155: given, 'eip155:1': given })).toEqual([account('eip155:1')])
})
