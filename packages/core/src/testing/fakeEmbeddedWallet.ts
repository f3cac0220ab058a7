import { vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import type { EmbeddedLogins } from '../types/connector.ts'
import type {
  EmailLoginAction,
  EmbeddedEvents,
  EmbeddedUser,
  EmbeddedWallet,
  FrameRectangle,
} from '../types/embeddedWallet.ts'
import type { Hawser } from '../types/hawser.ts'
import { ALICE, createFakeWallet, type FakeWallet } from './fakeWallet.ts'

/** A wallet in a frame whose answers a test sets. */
export interface FakeEmbeddedWallet extends FakeWallet {
  /** Every call, with its argument. */
  readonly frameCalls: { readonly name: string; readonly argument: unknown }[]
  /** Where the frame is shown; undefined while it is hidden. */
  shownAt: FrameRectangle | undefined
  user: EmbeddedUser
  emailAction: EmailLoginAction
  /** The code that the mail has. */
  otp: string
  /** Replaces the answers of calls by name. */
  readonly frameAnswers: Partial<Record<keyof EmbeddedWallet, (argument: unknown) => unknown>>
  /** Emits an event of the frame. */
  emitFrame<Name extends keyof EmbeddedEvents>(name: Name, payload: EmbeddedEvents[Name]): void
  namesOfCalls(): string[]
}

const logins: EmbeddedLogins = {
  email: true,
  socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
  accountUrl: 'https://wallet.test/account',
}

/**
 * Creates an embedded wallet.
 *
 * @param offered what the wallet offers; every login by default
 */
export function createFakeEmbeddedWallet(offered: Partial<EmbeddedLogins> = {}): FakeEmbeddedWallet {
  const listeners = new Map<string, Set<(payload: never) => void>>()
  let isLoggedIn = false

  const base = createFakeWallet({
    id: 'AUTH',
    name: 'Email',
    type: 'AUTH',
    info: {},
    logins: { ...logins, ...offered },
    getEmbeddedWallet: async () => frame,
    endsWithTab: () => frame.endsWithTab(),
    disconnect: () => frame.signOut(),
  })
  const wallet: FakeEmbeddedWallet = Object.assign(base, {
    frameCalls: [],
    shownAt: undefined,
    user: {
      email: 'ada@example.com',
      address: ALICE,
      chainId: 'eip155:31337' as const,
      accounts: [
        { address: ALICE, type: 'smartAccount' as const },
        { address: ALICE, type: 'eoa' as const },
      ],
      smartAccountDeployed: false,
    },
    emailAction: 'VERIFY_OTP' as const,
    otp: '123456',
    frameAnswers: {},
    emitFrame(name: string, payload: unknown) {
      for (const listener of [...(listeners.get(name) ?? [])]) listener(payload as never)
    },
    namesOfCalls: () => wallet.frameCalls.map(({ name }) => name),
  })
  wallet.answers.eth_requestAccounts = wallet.answers.eth_accounts = () =>
    isLoggedIn ? [wallet.user.address] : []

  function answer<T>(name: keyof EmbeddedWallet, byDefault: (argument: never) => T) {
    return async (argument?: unknown): Promise<T> => {
      wallet.frameCalls.push({ name, argument })
      const replaced = wallet.frameAnswers[name]
      return (replaced ? await replaced(argument) : byDefault(argument as never)) as T
    }
  }

  function logIn(): void {
    isLoggedIn = true
  }

  function requireCode(otp: string): void {
    if (otp !== wallet.otp) throw Object.assign(new Error('Invalid code'), { reason: 'CODE_WRONG' })
  }

  const frame: EmbeddedWallet = {
    load: answer('load', () => undefined),
    connectEmail: answer('connectEmail', () => {
      if (wallet.emailAction === 'CONNECT') logIn()
      return {
        action: wallet.emailAction,
        ...(wallet.emailAction === 'VERIFY_DEVICE' && { words: 'amber anchor' }),
      }
    }),
    connectDevice: answer('connectDevice', () => undefined),
    connectOtp: answer('connectOtp', (otp: string) => {
      requireCode(otp)
      logIn()
    }),
    getSocialRedirectUri: answer('getSocialRedirectUri', (provider: string) => ({
      uri: `https://wallet.test/loading?provider=${provider}`,
    })),
    connectSocial: answer('connectSocial', () => {
      logIn()
      return wallet.user
    }),
    getFarcasterUri: answer('getFarcasterUri', () => ({
      url: 'https://farcaster.test/~/siwf?channelToken=1',
    })),
    connectFarcaster: answer('connectFarcaster', () => {
      logIn()
      return { userName: 'ada' }
    }),
    getUser: answer('getUser', () => wallet.user),
    isConnected: answer('isConnected', () => isLoggedIn),
    endsWithTab: answer('endsWithTab', () => false),
    getChainId: answer('getChainId', () => wallet.user.chainId),
    switchNetwork: answer('switchNetwork', () => undefined),
    updateEmail: answer('updateEmail', () => ({ action: 'VERIFY_PRIMARY_OTP' as const })),
    updateEmailPrimaryOtp: answer('updateEmailPrimaryOtp', requireCode),
    updateEmailSecondaryOtp: answer('updateEmailSecondaryOtp', (otp: string) => {
      requireCode(otp)
      return { newEmail: 'ada@example.org' }
    }),
    setPreferredAccount: answer('setPreferredAccount', (type: 'eoa' | 'smartAccount') => {
      wallet.user = { ...wallet.user, preferredAccountType: type }
      return { type, address: wallet.user.address }
    }),
    getSmartAccountEnabledNetworks: answer('getSmartAccountEnabledNetworks', () => ['eip155:31337' as const]),
    getContacts: answer('getContacts', () => undefined),
    changeContacts: answer('changeContacts', () => []),
    syncTheme: answer('syncTheme', () => undefined),
    syncDappData: answer('syncDappData', () => undefined),
    signOut: answer('signOut', () => {
      isLoggedIn = false
    }),
    reset: answer('reset', () => undefined),
    request: answer('request', () => undefined),
    rejectRequests: () => void wallet.frameCalls.push({ name: 'rejectRequests', argument: undefined }),
    on(event, listener) {
      const ofEvent = listeners.get(event) ?? new Set()
      listeners.set(event, ofEvent.add(listener as (payload: never) => void))
      return () => void ofEvent.delete(listener as (payload: never) => void)
    },
    show(rectangle) {
      wallet.shownAt = rectangle
    },
    hide() {
      wallet.shownAt = undefined
    },
  }

  return wallet
}

/** Waits until the user of a connected wallet was read, by code that is loaded then. */
export async function whenUserIsRead(hawser: Hawser): Promise<void> {
  const isRead = () => {
    if (!selectAccount(hawser.chain.getState()).user) throw new Error('the user was not read')
  }
  await vi.waitFor(isRead, { timeout: 4000 })
}
