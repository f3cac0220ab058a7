import { ConnectButton } from '@hawser/react'
import { headers } from 'next/headers'
import { Account } from './account'
import { signIn } from './signIn'

export default async function Page() {
  return (
    <main>
      <ConnectButton />
      <Account />
      <output>{await session()}</output>
    </main>
  )
}

/** Says who is signed in, by the cookie that the server has set. */
async function session(): Promise<string> {
  try {
    const session = await signIn.getSession({ headers: await headers() })
    return session ? `Signed in as ${session.address}` : 'Not signed in'
  } catch {
    return 'Sign-in is unavailable'
  }
}
