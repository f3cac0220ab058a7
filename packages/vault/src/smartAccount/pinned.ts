import type { SessionContracts } from '../permissions/framework.ts'
import type { AccountChain } from './bundlerTypes.ts'

/** Chains of a developer's machine, where the contracts have other addresses. No public chain has these ids. */
const developmentChains: readonly string[] = ['eip155:31337', 'eip155:31338']

/** EIP7702StatelessDeleGator, the code that accounts delegate to. */
const DELEGATE = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B'

/** The contracts of smart accounts on public chains: EntryPoint v0.7 and the Delegation Framework 1.3.0. */
const accountContracts: Partial<AccountChain> = {
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  implementation: DELEGATE,
  factory: '0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c',
  factoryImplementation: '0x48dBe696A4D990079e039489bA2053B36E8FFEC4',
  delegationManager: '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3',
}

/** The contracts of sessions on public chains: the Delegation Framework 1.3.0. */
const sessionContracts: Omit<SessionContracts, 'chainId'> = {
  delegationManager: '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3',
  factory: '0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c',
  implementation: '0x56a9EdB16a0105eb5a4C54f4C062e2868844f3A7',
  enforcers: {
    AllowedCalldataEnforcer: '0xc2b0d624c1c4319760C96503BA27C347F3260f55',
    AllowedMethodsEnforcer: '0x2c21fD0Cb9DC8445CB3fb0DC5E7Bb0Aca01842B5',
    AllowedTargetsEnforcer: '0x7F20f61b1f09b08D970938F6fa563634d65c4EeB',
    ERC20PeriodTransferEnforcer: '0x474e3Ae7E169e940607cC624Da8A15Eb120139aB',
    ExactCalldataEnforcer: '0x99F2e9bF15ce5eC84685604836F71aB835DBBdED',
    LimitedCallsEnforcer: '0x04658B29F6b82ed55274221a06Fc97D318E25416',
    LogicalOrWrapperEnforcer: '0xE1302607a3251AF54c3a6e69318d6aa07F5eB46c',
    NativeTokenPeriodTransferEnforcer: '0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9',
    NonceEnforcer: '0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f',
    RedeemerEnforcer: '0xE144b0b2618071B4E56f746313528a669c7E65c5',
    TimestampEnforcer: '0x1046bb45C8d673d4ea75321280DB34899413c069',
    ValueLteEnforcer: '0x92Bf12322527cAA612fd31a0e810472BBB106A8F',
  },
}

/** Reports whether the contracts of accounts that a server names are those of this build. It may leave some out. */
export function hasPinnedAccounts(named: AccountChain): boolean {
  return isDevelopment(named.chainId) || hasOnly(accountContracts, named)
}

/** Reports whether the contracts of sessions that a server names are those of this build. */
export function hasPinnedSessions(named: SessionContracts): boolean {
  const { enforcers, ...contracts } = sessionContracts
  if (isDevelopment(named.chainId)) return true
  return hasOnly(contracts, named) && hasOnly(enforcers, named.enforcers)
}

/** Reports whether an account may run code at an address (EIP-7702) without a warning. */
export function isKnownCode(chainId: string, address: string): boolean {
  return isDevelopment(chainId) || isSame(address, DELEGATE)
}

const isDevelopment = (chainId: string | undefined) => developmentChains.includes(chainId ?? '')
const isSame = (a: unknown, b: unknown) => String(a).toLowerCase() === String(b).toLowerCase()

/** Reports whether each pinned address is the named one, or is not named. */
function hasOnly(pinned: object, named: object): boolean {
  return Object.entries(pinned).every(([name, address]) => {
    const found = (named as Readonly<Record<string, unknown>>)[name]
    return !found || isSame(found, address)
  })
}
