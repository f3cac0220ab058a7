import '@hawser/ui/styles.css'
import './styles/console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './api/api.ts'
import { failureOf, isSignedOut } from './api/failure.ts'
import { askPasskey } from './api/passkeys.ts'
import { createTransport } from './api/transport.ts'
import { App, type SessionState } from './shell/App.tsx'
import { type Callback, takeCallback } from './shell/callback.ts'
import { takeLinkToken } from './shell/linkToken.ts'

const container = document.getElementById('root')
if (!container) throw new Error('The page has no root element')

const endListeners = new Set<() => void>()
const api = createApi(
  createTransport(location.origin, () => {
    for (const listener of endListeners) listener()
  }),
)

/** Reads who is signed in. */
async function readSession(): Promise<SessionState> {
  try {
    return { status: 'signedIn', me: await api.operators.getMe({}) }
  } catch (error) {
    const failure = failureOf(error)
    return { status: 'signedOut', because: isSignedOut(failure) ? undefined : failure }
  }
}

/** Exchanges the token of a link, which works once, for a session. */
async function signIn(token: string): Promise<SessionState> {
  try {
    await api.operators.login({ token })
    return await readSession()
  } catch (error) {
    return { status: 'signedOut', because: failureOf(error) }
  }
}

/** Signs in with a passkey, which names its operator. */
async function signInByPasskey(): Promise<SessionState> {
  try {
    const { options } = await api.passkeys.startPasskeyLogin({})
    await api.passkeys.finishPasskeyLogin({ credential: await askPasskey(options) })
    return await readSession()
  } catch (error) {
    return { status: 'signedOut', because: failureOf(error) }
  }
}

/** Goes to the identity provider, which returns the operator to this page. */
async function leaveForProvider(): Promise<SessionState | undefined> {
  try {
    const { address } = await api.providers.startProviderLogin({})
    location.assign(address)
    return undefined
  } catch (error) {
    return { status: 'signedOut', because: failureOf(error) }
  }
}

/** Exchanges what the identity provider returned for a session. */
async function finishAtProvider(callback: Callback): Promise<SessionState> {
  try {
    await api.providers.finishProviderLogin(callback)
    return await readSession()
  } catch (error) {
    return { status: 'signedOut', because: failureOf(error) }
  }
}

/** Signs in with what the address has, or reads who is signed in. */
async function readAddress(): Promise<SessionState> {
  const token = takeLinkToken(location, history)
  if (token) return signIn(token)
  const callback = takeCallback(location, history)
  return callback ? finishAtProvider(callback) : readSession()
}

function watchEnd(listener: () => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

const initial = await readAddress()
// A link that is opened in a tab of the console changes only the fragment.
addEventListener('hashchange', () => {
  const next = takeLinkToken(location, history)
  if (next) void signIn(next).then(() => location.reload())
})
createRoot(container).render(
  <StrictMode>
    <App
      api={api}
      initial={initial}
      readSession={readSession}
      signInByPasskey={signInByPasskey}
      leaveForProvider={leaveForProvider}
      watchEnd={watchEnd}
    />
  </StrictMode>,
)
