import { ThemeScope, Toast } from '@hawser/ui'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Console, ConsoleContext } from '../api/ApiContext.ts'
import type { Api } from '../api/api.ts'
import type { Failure } from '../api/failure.ts'
import { useStream } from '../api/useStream.ts'
import type { GetMeResponse } from '../gen/hawser/admin/v1/operators_pb.ts'
import { HealthContext } from './HealthContext.ts'
import { Shell } from './Shell.tsx'
import { SignIn } from './SignIn.tsx'
import { useSystemTheme } from './useSystemTheme.ts'

/** Whether an operator is signed in, and if not, the reason. */
export type SessionState =
  | { readonly status: 'signedIn'; readonly me: GetMeResponse }
  | { readonly status: 'signedOut'; readonly because?: 'ended' | 'left' | Failure | undefined }

export interface AppProps {
  api: Api
  initial: SessionState
  /** Reads whether there is a session now. */
  readSession: () => Promise<SessionState>
  /** Signs in with a passkey of this browser. */
  signInByPasskey: () => Promise<SessionState>
  /** Goes to the identity provider; resolves with a state only if that fails. */
  leaveForProvider: () => Promise<SessionState | undefined>
  /** Calls the listener when a call is refused because the session has ended. */
  watchEnd: (listener: () => void) => () => void
}

/** The console: the sign-in page, or the screens of an operator. */
export function App({ api, initial, readSession, signInByPasskey, leaveForProvider, watchEnd }: AppProps) {
  const mode = useSystemTheme()
  const [session, setSession] = useState(initial)
  useEffect(
    () =>
      watchEnd(() =>
        setSession((before) =>
          before.status === 'signedIn' ? { status: 'signedOut', because: 'ended' } : before,
        ),
      ),
    [watchEnd],
  )
  return (
    <ThemeScope mode={mode}>
      <div className="console">
        {session.status === 'signedIn' ? (
          <SignedIn
            api={api}
            me={session.me}
            onLeave={() => setSession({ status: 'signedOut', because: 'left' })}
          />
        ) : (
          <SignIn
            because={session.because}
            onRetry={async () => setSession(await readSession())}
            onPasskey={async () => setSession(await signInByPasskey())}
            onProvider={async () => {
              const failed = await leaveForProvider()
              if (failed) setSession(failed)
            }}
          />
        )}
      </div>
    </ThemeScope>
  )
}

const TOAST_MS = 3_500

function SignedIn({ api, me, onLeave }: { api: Api; me: GetMeResponse; onLeave: () => void }) {
  const [toast, setToast] = useState<{ message: string; variant: 'success' | 'error' }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const tell = useCallback((message: string, variant: 'success' | 'error' = 'success') => {
    clearTimeout(timer.current)
    setToast({ message, variant })
    timer.current = setTimeout(() => setToast(undefined), TOAST_MS)
  }, [])
  const console: Console = useMemo(
    () => ({
      api,
      me,
      tell,
      async signOut() {
        // The page forgets the operator also where the server cannot be reached; the session then ends by itself.
        await api.operators.logout({}).catch(() => undefined)
        onLeave()
      },
    }),
    [api, me, tell, onLeave],
  )
  const health = useStream((signal) => api.health.watchHealth({}, { signal, timeoutMs: 0 }))
  return (
    <ConsoleContext value={console}>
      <HealthContext value={health}>
        <Shell />
        <div className="toasts">
          <Toast
            open={toast !== undefined}
            variant={toast?.variant ?? 'success'}
            message={toast?.message ?? ''}
          />
        </div>
      </HealthContext>
    </ConsoleContext>
  )
}
