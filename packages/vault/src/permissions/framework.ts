import { type Address, zeroAddress } from 'viem'
import type { AccountContracts } from '../smartAccount/proxyAccount.ts'
import { FrameError, providerErrorCode } from '../wallet/frameError.ts'
import type { Enforcers } from './caveats.ts'
import type { Session } from './session.ts'

/** Contracts of sessions on a network. */
export interface SessionContracts extends AccountContracts {
  /** CAIP-2. */
  readonly chainId: string
  readonly delegationManager: Address
  readonly enforcers: Enforcers
}

/** EntryPoint v0.6, v0.7 and v0.8, which are the same on every chain. */
const entryPoints: readonly Address[] = [
  '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
]

/**
 * Refuses a session that may call the account itself, a contract of the framework or an EntryPoint. Such a
 * call is executed as an order of the account, without the limits of the session.
 *
 * @throws FrameError -32602
 */
export function expectForeignContracts(
  { token, functions }: Session,
  account: Address,
  { delegationManager, factory, implementation, enforcers }: SessionContracts,
): void {
  const own = [
    zeroAddress,
    account,
    delegationManager,
    factory,
    implementation,
    ...entryPoints,
    ...Object.values(enforcers),
  ].map((address) => address.toLowerCase())
  const called = [...(token ? [token.token] : []), ...functions.map(({ contract }) => contract)]
  if (called.some((address) => own.includes(address.toLowerCase())))
    throw new FrameError(
      'A session cannot call the account itself, or a contract that sessions are made of',
      providerErrorCode.invalidParams,
    )
}
