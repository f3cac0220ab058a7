import type { ApprovalJson } from '@hawser/client/access'
import { DOLLAR_ADDRESS } from './tokens.ts'

/** A contract that the gateway knows by name. */
export const EXCHANGE = '0x3333333333333333333333333333333333333333'
/** A contract that it does not know. */
export const STRANGER = '0x4444444444444444444444444444444444444444'
/** An account of a key. */
export const PERSON = '0x5555555555555555555555555555555555555555'
export const COLLECTION = '0x6666666666666666666666666666666666666666'

const chain = 'eip155:31337'
const dollar = {
  address: `${chain}:${DOLLAR_ADDRESS}`,
  name: 'Test USD',
  symbol: 'tUSD',
  decimals: 6,
}
const anchors = { address: `${chain}:${COLLECTION}`, name: 'Anchors', symbol: 'ANCHOR' }
const changed = {
  changedAt: '2023-11-14T22:00:00Z',
  changedBy: `0x${'c4'.repeat(32)}`,
}

/** An unlimited allowance of an unknown contract, of which 12.5 dollars are at risk. */
export const UNLIMITED: ApprovalJson = {
  ...changed,
  kind: 'erc20',
  token: dollar,
  spender: { address: `${chain}:${STRANGER}` },
  allowance: String(2n ** 256n - 1n),
  unlimited: true,
  atRisk: '12500000',
  value: 12.5,
}

/** An allowance of 5 dollars, of a known contract. */
export const LIMITED: ApprovalJson = {
  ...changed,
  kind: 'erc20',
  token: dollar,
  spender: { address: `${chain}:${EXCHANGE}`, name: 'Example Exchange' },
  allowance: '5000000',
  atRisk: '5000000',
  value: 5,
}

/** An allowance that Permit2 enforces, until the year 2030. */
export const THROUGH_PERMIT2: ApprovalJson = {
  ...LIMITED,
  kind: 'permit2',
  expiresAt: '1893456000',
}

/** The right to move every NFT of a collection, of a person. */
export const OPERATOR: ApprovalJson = {
  ...changed,
  kind: 'operator',
  token: anchors,
  spender: { address: `${chain}:${PERSON}`, hasNoCode: true },
  unlimited: true,
  atRisk: '2',
}

/** The right to move one NFT. */
export const ONE_NFT: ApprovalJson = {
  ...changed,
  kind: 'nft',
  token: anchors,
  tokenId: '4',
  spender: { address: `${chain}:${EXCHANGE}`, name: 'Example Exchange' },
  allowance: '1',
  atRisk: '1',
}
