import type { SignIn, SignInSession } from '../types/signIn.ts'

/** A site's sign-in that keeps its sessions in memory. */
export interface FakeSignIn extends SignIn {
  sessions: readonly SignInSession[]
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
      const fields = {
        domain: 'site.test',
        uri: 'https://site.test',
        version: '1',
        nonce: 'abcdefgh12345678',
      }
      return { chainId, accountAddress, ...fields, toString: () => `sign in as ${accountAddress}` }
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
