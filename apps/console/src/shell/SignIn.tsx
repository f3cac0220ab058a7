import { Button, CopyButton } from '@hawser/ui'
import { useState } from 'react'
import { texts } from '../texts.ts'
import type { SessionState } from './App.tsx'
import { Mark } from './Mark.tsx'

export interface SignInProps {
  because: Extract<SessionState, { status: 'signedOut' }>['because']
  onRetry: () => Promise<void>
}

/** Tells how to sign in: there is nothing to enter here. */
export function SignIn({ because, onRetry }: SignInProps) {
  const [isPending, setPending] = useState(false)
  async function retry() {
    setPending(true)
    await onRetry()
    setPending(false)
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
        <p>{texts.signIn.lead}</p>
        <p>{texts.signIn.run}</p>
        <div className="command">
          <code>{texts.signIn.command}</code>
          <CopyButton text={texts.signIn.command} label={texts.copy('command')} />
        </div>
        <p className="aside">{texts.signIn.otherName}</p>
        <Button wide loading={isPending} onClick={retry}>
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
