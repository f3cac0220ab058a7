import type { Siwx, SiwxSession } from '@hawser/siwe'

/** A site's sign-in that keeps its sessions in memory. */
export interface FakeSignIn extends Siwx {
  sessions: readonly SiwxSession[]
  isRequired: boolean
  /** Makes the calls fail. */
  error: Error | undefined
}

export function createFakeSignIn(): FakeSignIn {
  const signIn: FakeSignIn = {
    sessions: [],
    isRequired: true,
    error: undefined,
    getRequired: () => signIn.isRequired,
    async createMessage({ chainId, accountAddress }) {
      return { ...message, chainId, accountAddress, toString: () => `sign in as ${accountAddress}` }
    },
    async addSession(session) {
      if (signIn.error) throw signIn.error
      signIn.sessions = [...signIn.sessions, session]
    },
    async setSessions(sessions) {
      if (signIn.error) throw signIn.error
      signIn.sessions = sessions
    },
    async getSessions(chainId, accountAddress) {
      if (signIn.error) throw signIn.error
      return signIn.sessions.filter(
        ({ data }) =>
          data.chainId === chainId && data.accountAddress.toLowerCase() === accountAddress.toLowerCase(),
      )
    },
    async revokeSession(chainId) {
      signIn.sessions = signIn.sessions.filter(({ data }) => data.chainId !== chainId)
    },
  }
  return signIn
}

const message = {
  domain: 'site.test',
  uri: 'https://site.test',
  version: '1',
  nonce: 'abcdefgh12345678',
  issuedAt: '2026-01-01T00:00:00.000Z',
} as const
