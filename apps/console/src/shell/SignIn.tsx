import { Button, CopyButton } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { hasPasskeys } from '../api/passkeys.ts'
import { readSignInOptions, type SignInOptions } from '../api/signInOptions.ts'
import { texts } from '../texts.ts'
import type { SessionState } from './App.tsx'
import { Mark } from './Mark.tsx'

export interface SignInProps {
  because: Extract<SessionState, { status: 'signedOut' }>['because']
  onRetry: () => Promise<void>
  /** Signs in with a passkey. */
  onPasskey: () => Promise<void>
  /** Goes to the identity provider. */
  onProvider: () => Promise<void>
}

type Way = 'retry' | 'passkey' | 'provider'

/** Tells how to sign in: there is nothing to enter here. What the browser cannot do is not offered. */
export function SignIn({ because, onRetry, onPasskey, onProvider }: SignInProps) {
  const [pending, setPending] = useState<Way>()
  const [{ provider }, setOptions] = useState<SignInOptions>({ provider: '' })
  useEffect(() => {
    readSignInOptions().then(setOptions)
  }, [])
  async function run(what: Way, start: () => Promise<void>) {
    setPending(what)
    await start()
    setPending(undefined)
  }
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <span className="brand">
          <Mark size={32} />
          <span>{texts.title}</span>
        </span>
        <h1>{texts.signIn.title}</h1>
        <div role="alert">{because && <Reason because={because} />}</div>
        {provider && (
          <Button
            wide
            variant="primary"
            loading={pending === 'provider'}
            onClick={() => run('provider', onProvider)}
          >
            {texts.signIn.provider(provider)}
          </Button>
        )}
        {hasPasskeys() && (
          <Button
            wide
            variant={provider ? 'neutral' : 'primary'}
            loading={pending === 'passkey'}
            onClick={() => run('passkey', onPasskey)}
          >
            {texts.signIn.passkey}
          </Button>
        )}
        {(provider || hasPasskeys()) && <h2>{texts.signIn.or}</h2>}
        <p>{texts.signIn.lead}</p>
        <p>{texts.signIn.run}</p>
        <div className="command">
          <code>{texts.signIn.command}</code>
          <CopyButton text={texts.signIn.command} label={texts.copy('command')} />
        </div>
        <p className="aside">{texts.signIn.otherName}</p>
        <Button wide loading={pending === 'retry'} onClick={() => run('retry', onRetry)}>
          {texts.signIn.again}
        </Button>
      </div>
    </main>
  )
}

function Reason({ because }: { because: NonNullable<SignInProps['because']> }) {
  if (because === 'left') return <p className="notice">{texts.signIn.signedOut}</p>
  const text = because === 'ended' ? texts.signIn.ended : because.text
  return (
    <p className="notice" data-tone={because === 'ended' ? 'warning' : 'error'}>
      {text}
    </p>
  )
}
