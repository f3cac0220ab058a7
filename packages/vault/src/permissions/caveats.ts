import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  slice,
  stringToHex,
} from 'viem'
import type { Caveat } from './delegation.ts'
import type { Allowance, FunctionCall, Session } from './session.ts'

/** Addresses of the enforcers of a network, by contract name. */
export type Enforcers = Readonly<Record<string, string>>

const groupTypes = [
  {
    type: 'tuple[]',
    components: [
      {
        name: 'caveats',
        type: 'tuple[]',
        components: [
          { name: 'enforcer', type: 'address' },
          { name: 'terms', type: 'bytes' },
          { name: 'args', type: 'bytes' },
        ],
      },
    ],
  },
] as const

const word = (value: bigint | number) => numberToHex(value, { size: 32 })
const half = (value: number) => numberToHex(value, { size: 16 })

/**
 * Returns the caveats of a session: those of every call, and after them those of the kinds of calls. A session with several kinds has them as groups
 * of LogicalOrWrapperEnforcer. The service of sessions computes the same, in the same order.
 *
 * @param nonce of the account at NonceEnforcer: a higher one ends the session
 */
export function caveatsOf(
  session: Session,
  delegate: Address,
  nonce: bigint,
  enforcers: Enforcers,
): Caveat[] {
  const caveat = (name: string, terms: Hex = '0x'): Caveat => {
    const enforcer = enforcers[name]
    if (!enforcer) throw new Error(`network has no ${name}`)
    return { enforcer: enforcer as Address, terms, args: '0x' }
  }
  const { native, token, functions } = session
  const functionCaveats = ({ contract, selector, valueLimit, rules }: FunctionCall) => [
    caveat('AllowedTargetsEnforcer', contract),
    caveat('AllowedMethodsEnforcer', selector),
    caveat('ValueLteEnforcer', word(valueLimit)),
    ...rules.flatMap(({ operator, offset, value }) =>
      operator === 'EQUAL' ? [caveat('AllowedCalldataEnforcer', concat([word(offset), value]))] : [],
    ),
  ]
  const groups = [
    // A payment without data calls no function of its receiver by name.
    ...(native ? [[caveat('ExactCalldataEnforcer')]] : []),
    ...(token
      ? [
          [
            caveat('ERC20PeriodTransferEnforcer', concat([token.token, periodTerms(token)])),
            caveat('ValueLteEnforcer', word(0)),
          ],
        ]
      : []),
    ...functions.map(functionCaveats),
  ]
  const [only = []] = groups
  return [
    caveat('TimestampEnforcer', concat([half(0), half(session.expiry)])),
    caveat('LimitedCallsEnforcer', word(session.calls)),
    caveat('RedeemerEnforcer', delegate),
    caveat('NonceEnforcer', word(nonce)),
    ...(native ? [caveat('NativeTokenPeriodTransferEnforcer', periodTerms(native))] : []),
    ...(groups.length === 1
      ? only
      : [
          caveat(
            'LogicalOrWrapperEnforcer',
            encodeAbiParameters(groupTypes, [groups.map((caveats) => ({ caveats }))]),
          ),
        ]),
  ]
}

/** What the salt of a delegation begins with if it binds rules. */
const SALT_PREFIX = stringToHex('hwsrules')
/** Codes of the operators that no contract enforces. */
const codes: Readonly<Record<string, number>> = { GREATER_THAN: 1, LESS_THAN: 2 }

/**
 * Returns the salt that binds the rules that no contract enforces to what the account signs; undefined if there are none. The service of sessions
 * refuses a delegation with another one.
 */
export function rulesSalt({ functions }: Session): bigint | undefined {
  const bound = functions.flatMap(({ contract, selector, rules }) => {
    const encoded = rules.flatMap(({ offset, operator, value }) => {
      const code = codes[operator]
      return code ? [word(offset), numberToHex(code, { size: 1 }), value] : []
    })
    return encoded.length > 0 ? [contract, selector, ...encoded] : []
  })
  if (bound.length === 0) return undefined
  const hash = keccak256(concat([stringToHex('hawser session rules'), ...bound]))
  return BigInt(concat([SALT_PREFIX, slice(hash, 8)]))
}

const periodTerms = ({ amount, period, start }: Allowance) =>
  concat([word(amount), word(period), word(start)])
