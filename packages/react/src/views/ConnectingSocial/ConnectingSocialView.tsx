import {
  errorMessage,
  isSocialWindowClosed,
  leaveSocial,
  loginWithSocial,
  reopenSocial,
  type SocialProvider,
} from '@hawser/core'
import { Button, ExternalIcon } from '@hawser/ui'
import { useEffect, useState } from 'react'
import { useHawser } from '../../hooks/useHawser.ts'
import { useHawserState } from '../../hooks/useHawserState.ts'
import { useLoginTexts } from '../../locale/enLogin.ts'
import { socialNames } from '../../locale/enLoginTitles.ts'
import { LoginApproval } from '../../parts/logins/FrameOverCard.tsx'
import { SocialMark } from '../../parts/logins/SocialMark.tsx'
import { Waiting } from '../../parts/Waiting.tsx'

/** Interval at which the page checks whether the provider's window was closed, in milliseconds. */
const WINDOW_WATCH_MS = 1_000

type Status = 'waiting' | 'closed' | 'retrieving' | 'failed'

/** Waits for a login in the window of a provider. */
export function ConnectingSocialView() {
  const hawser = useHawser()
  const social = useHawserState(hawser.router, (state) => state.data?.social)
  if (!social || social === 'farcaster') return null
  return <Login key={social} social={social} />
}

function Login({ social }: { social: SocialProvider }) {
  const texts = useLoginTexts().social
  const hawser = useHawser()
  const [attempt, setAttempt] = useState(0)
  const [status, setStatus] = useState<Status>('waiting')
  const [detail, setDetail] = useState<string>()
  const [open, setOpen] = useState<() => void>()

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt runs it again
  useEffect(() => {
    let isLeft = false
    setStatus('waiting')
    const blocked = (openWindow: () => void) => !isLeft && setOpen(() => openWindow)
    const retrieving = () => !isLeft && setStatus('retrieving')
    loginWithSocial(hawser, social, { blocked, retrieving }).catch((error: unknown) => {
      if (isLeft) return
      setDetail(errorMessage(error))
      setStatus('failed')
    })
    let cancel: () => void = () => undefined
    function watch() {
      cancel = hawser.clock.after(WINDOW_WATCH_MS, () => {
        const isClosed = isSocialWindowClosed(hawser)
        setStatus((before) => (before === 'waiting' && isClosed ? 'closed' : before))
        watch()
      })
    }
    watch()
    return () => {
      isLeft = true
      cancel()
      leaveSocial(hawser, social)
    }
  }, [hawser, social, attempt])

  const name = socialNames[social]
  const isFailed = status === 'failed'
  const text = {
    waiting: texts.window,
    closed: texts.closed,
    retrieving: texts.retrieving,
    failed: detail ?? '',
  }
  return (
    <>
      <Waiting
        mark={
          <span className="hw-login-mark">
            <SocialMark social={social} size={40} />
          </span>
        }
        state={isFailed ? 'error' : 'active'}
        label={isFailed ? texts.failed : texts.title(name)}
        text={open && status === 'waiting' ? texts.blocked : text[status]}
        action={
          open &&
          !isFailed && (
            <Button
              icon={<ExternalIcon size={18} />}
              data-testid="social-open"
              onClick={() => {
                open()
                setOpen(undefined)
              }}
            >
              {texts.open(name)}
            </Button>
          )
        }
        onRetry={() => {
          reopenSocial(hawser)
          setAttempt((count) => count + 1)
        }}
      />
      <LoginApproval />
    </>
  )
}
